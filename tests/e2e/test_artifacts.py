"""Artifacts: signed addresses, downloads in parts, and what happens when something is gone."""

import re
import uuid

import pytest
from pictures import png
from service import request_path, upload, wait_for_job, wait_until


def make_artifact(service, key, size=64):
    asset = upload(service, key, png(size, size), filename="Weg nach Köln.png").json()["id"]
    body = {"asset_id": asset, "operation": "resize", "options": {"width": 32, "format": "png"}}
    job = wait_for_job(service, key, service.post("/v1/jobs", body=body, key=key).json()["id"])
    return job["artifacts"][0]["id"]


@pytest.fixture(scope="module")
def artifact(service, key):
    return service.get(f"/v1/artifacts/{make_artifact(service, key)}", key=key).json()


@pytest.fixture(scope="module")
def path(artifact):
    return request_path(artifact["download_url"])


@pytest.fixture(scope="module")
def content(service, path):
    return service.get(path).body


def refusal(answer):
    return answer.status, answer.json()["error"]


# --- metadata ---


def test_metadata_has_every_field_and_a_signed_address(service, artifact):
    assert set(artifact) == {
        "id", "kind", "content_type", "byte_size", "width", "height", "checksum_sha256", "metadata", "created_at",
        "download_url", "download_expires_at",
    }  # fmt: skip
    pattern = rf"http://127\.0\.0\.1:{service.port}/v1/artifacts/{artifact['id']}/download\?expires=\d+&sig=[0-9a-f]{{64}}"
    assert re.fullmatch(pattern, artifact["download_url"])
    assert isinstance(artifact["metadata"], dict) and artifact["metadata"]


def test_repeated_reads_give_the_same_address(service, key, artifact):
    seen = {service.get(f"/v1/artifacts/{artifact['id']}", key=key).json()["download_url"] for _ in range(5)}
    assert len(seen | {artifact["download_url"]}) <= 2  # two only where a quarter of the lifetime just ended


def test_ids_that_are_none_and_ids_of_nothing(service, key):
    assert refusal(service.get("/v1/artifacts/nonsense", key=key)) == (400, "invalid artifact id")
    assert refusal(service.get(f"/v1/artifacts/{uuid.uuid4()}", key=key)) == (404, "artifact not found")
    assert refusal(service.get(f"/v1/artifacts/{uuid.uuid4()}")) == (401, "missing api key")


# --- downloads ---


def test_a_download_needs_no_key_and_may_be_kept_by_caches(service, path, content, artifact):
    answer = service.get(path)
    assert answer.status == 200
    assert len(answer.body) == artifact["byte_size"]
    assert answer.headers["Content-Type"] == "image/png"
    assert answer.headers["ETag"] == f'"{artifact["checksum_sha256"]}"'
    assert answer.headers["Accept-Ranges"] == "bytes"
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    kept = re.fullmatch(r"public, max-age=(\d+), immutable", answer.headers["Cache-Control"])
    assert 0 < int(kept[1]) <= 15 * 60


def test_the_name_to_save_under_is_safe_and_whole(service, path):
    disposition = service.get(path).headers["Content-Disposition"]
    assert disposition.startswith("attachment; ")
    assert "filename*=UTF-8''" in disposition
    assert "K%C3%B6ln-32x32.png" in disposition
    plain = re.search(r'filename="([^"]*)"', disposition)[1]
    assert plain.endswith(".png") and plain.isascii()


def test_head_says_what_get_would(service, path, content):
    answer = service.request("HEAD", path)
    assert answer.status == 200 and answer.body == b""
    assert int(answer.headers["Content-Length"]) == len(content)
    assert answer.headers["ETag"]


def test_what_a_client_has_is_not_sent_again(service, path, artifact):
    etag = f'"{artifact["checksum_sha256"]}"'
    for known in (etag, "W/" + etag, f'"x", {etag}', "*"):
        answer = service.get(path, headers={"If-None-Match": known})
        assert answer.status == 304 and answer.body == b"", known
    assert service.get(path, headers={"If-None-Match": '"x"'}).status == 200


@pytest.mark.parametrize(
    "asked,first,last",
    [("bytes=0-0", 0, 0), ("bytes=10-19", 10, 19), ("bytes=10-", 10, None), ("bytes=-5", -5, None)],
)
def test_a_part_is_sent_when_a_part_is_asked_for(service, path, content, asked, first, last):
    answer = service.get(path, headers={"Range": asked})
    expected = content[first:] if last is None else content[first : last + 1]
    assert answer.status == 206
    assert answer.body == expected
    start = first if first >= 0 else len(content) + first
    assert answer.headers["Content-Range"] == f"bytes {start}-{start + len(expected) - 1}/{len(content)}"


def test_a_part_that_is_not_there_is_refused(service, path, content):
    answer = service.get(path, headers={"Range": f"bytes={len(content)}-"})
    assert answer.status == 416
    assert answer.headers["Content-Range"] == f"bytes */{len(content)}"


def test_a_part_of_other_bytes_is_never_mixed_in(service, path, content, artifact):
    etag = f'"{artifact["checksum_sha256"]}"'
    assert service.get(path, headers={"Range": "bytes=0-9", "If-Range": etag}).status == 206
    whole = service.get(path, headers={"Range": "bytes=0-9", "If-Range": '"another"'})
    assert whole.status == 200 and whole.body == content


def test_a_browser_may_ask_first(service, path):
    answer = service.request(
        "OPTIONS", path, headers={"Origin": "https://example.org", "Access-Control-Request-Method": "GET"}
    )
    assert answer.status in (200, 204)
    assert answer.headers["Access-Control-Allow-Origin"] == "*"


# --- signatures ---

BAD = (403, "invalid or expired download signature")


def test_tampered_signatures_are_refused(service, path):
    base, query = path.split("?")
    expires, sig = re.fullmatch(r"expires=(\d+)&sig=([0-9a-f]{64})", query).groups()
    flipped = sig[:-1] + ("0" if sig[-1] != "0" else "1")
    for query in [
        f"expires={expires}&sig={flipped}", f"expires={int(expires) + 1}&sig={sig}", f"expires={expires}&sig={sig.upper()}",
        f"expires={expires}&sig={sig}0", f"expires={expires}&sig={sig[:-1]}", f"expires={expires}&sig=", f"sig={sig}",
        f"expires={expires}", "", f"expires={expires}&sig=%{ord(sig[0]):x}{sig[1:]}", f"expires={expires}&sig={sig}&sig={sig}",
        f"expires={expires}&expires={int(expires) + 9999}&sig={sig}",
    ]:  # fmt: skip
        assert refusal(service.get(f"{base}?{query}")) == BAD, query
    assert service.get(f"{base}?sig={sig}&expires={expires}").status == 200


def test_malformed_times_and_ids_are_bad_requests(service, path):
    base, query = path.split("?")
    sig = query.partition("&sig=")[2]
    for expires in ["soon", "-1", "0", "01", "1.5", "1e9", "9" * 40]:
        assert service.get(f"{base}?expires={expires}&sig={sig}").status == 400, expires
    assert refusal(service.get(f"/v1/artifacts/nonsense/download?{query}")) == (400, "invalid artifact id")


def test_a_signature_fits_its_own_artifact_only(service, key, path):
    other = make_artifact(service, key, size=40)
    query = path.split("?")[1]
    assert refusal(service.get(f"/v1/artifacts/{other}/download?{query}")) == BAD
    assert refusal(service.get(f"/v1/artifacts/{uuid.uuid4()}/download?{query}")) == BAD


def test_an_address_ends_and_a_fresh_one_works(make_service):
    service = make_service(settings={"rate_limits.enabled": "false", "signing.artifact_url_ttl": "2s"})
    key = service.new_account("short")
    artifact = make_artifact(service, key)

    def fresh():
        return request_path(service.get(f"/v1/artifacts/{artifact}", key=key).json()["download_url"])

    old = fresh()
    assert service.get(old).status == 200
    wait_until(lambda: service.get(old).status == 403, "the address to expire")
    assert refusal(service.get(old)) == BAD
    assert service.get(fresh()).status == 200


def test_the_public_address_is_the_configured_one(make_service):
    service = make_service(settings={"rate_limits.enabled": "false", "server.public_url": "https://images.example.org"})
    key = service.new_account("public")
    described = service.get(f"/v1/artifacts/{make_artifact(service, key)}", key=key).json()
    assert described["download_url"].startswith("https://images.example.org/v1/artifacts/")
    assert service.get(request_path(described["download_url"])).status == 200


# --- what is gone ---


def blobs_of(service, kind):
    return [p for p in service.data_dir.rglob("*") if p.is_file() and kind in str(p) and "tessera.db" not in p.name]


def test_a_blob_that_vanished_is_told_plainly(make_service):
    service = make_service(clean_log=False)
    key = service.new_account("vandal")
    artifact = make_artifact(service, key)
    path = request_path(service.get(f"/v1/artifacts/{artifact}", key=key).json()["download_url"])
    gone = [p for p in blobs_of(service, "artifacts") if p.stat().st_size > 0]
    assert gone
    for blob in gone:
        blob.unlink()
    assert refusal(service.get(path)) == (500, "artifact is unavailable")
    assert service.get(f"/v1/artifacts/{artifact}", key=key).status == 200
    service.wait_for_event("request_failed", code="artifact_unavailable")


SHORT_PLAN = """
[[plan]]
code = "short"
display_name = "Short"
description = "Keeps nothing for long."
is_public = false
billing_amount_minor = 0
billing_interval = "monthly"
included_processing_credits = 1000

[plan.limits]
retention_ttl_seconds = 3
"""


def test_expired_things_are_gone_at_once_and_swept_later(make_service, folder):
    service = make_service(
        settings={"rate_limits.enabled": "false", "retention.interval": "200ms", "retention.keep_blobs": "0s"}
    )
    plans = folder / "plans.toml"
    plans.write_text(SHORT_PLAN)
    service.admin("plan", "apply", plans)
    key = service.new_account("brief", plan="short")
    asset = upload(service, key, png(64, 64)).json()["id"]
    body = {"asset_id": asset, "operation": "resize", "options": {"width": 32}}
    job = wait_for_job(service, key, service.post("/v1/jobs", body=body, key=key).json()["id"])
    artifact = job["artifacts"][0]["id"]
    path = request_path(service.get(f"/v1/artifacts/{artifact}", key=key).json()["download_url"])
    assert service.get(path).status == 200

    wait_until(lambda: service.get(f"/v1/artifacts/{artifact}", key=key).status == 404, "the artifact to expire")
    assert service.get(path).status in (403, 404)  # its address expires with it
    assert refusal(service.post("/v1/jobs", body=body, key=key)) == (404, "asset not found")
    wait_until(lambda: not blobs_of(service, "artifacts") and not blobs_of(service, "assets"), "the blobs to be swept")
    assert service.get(f"/v1/jobs/{job['id']}", key=key).json()["artifacts"] == []


def test_downloads_are_limited_per_address(make_service):
    service = make_service(settings={"rate_limits.downloads": "5"})
    key = service.new_account("greedy")
    path = request_path(service.get(f"/v1/artifacts/{make_artifact(service, key)}", key=key).json()["download_url"])
    statuses = [service.get(path).status for _ in range(6)]
    assert statuses == [200] * 5 + [429]
