"""What accounts may keep, and what must stay free on the disk."""

import concurrent.futures

import pytest
from pictures import png
from service import upload, wait_for_job
from tilesets import run_job, submit
from upload_samples import png_of_size

PLAN = """
[[plan]]
code = "small"
display_name = "Small"
is_public = true
billing_amount_minor = 0
included_processing_credits = 1000
[plan.limits]
max_storage_bytes = {bytes}
max_assets = {assets}
"""


@pytest.fixture
def small(make_service, folder):
    """A service and the key of an account that may keep so much."""

    def make(max_bytes=1_000_000, max_assets=1000, **settings):
        (folder / "plans.toml").write_text(PLAN.format(bytes=max_bytes, assets=max_assets))
        service = make_service(settings={"rate_limits.enabled": "false", "plans.file": folder / "plans.toml", **settings})
        return service, service.new_account("small", plan="small")

    return make


def kept(service):
    storage = service.admin("usage", "--account", "small")["storage"]
    assert service.admin("usage", "--account", "small", "--recount")["storage"] == storage
    return storage


def is_full(answer):
    return answer.status == 429 and answer.json()["code"] == "storage_limit_exceeded" and "Retry-After" not in answer.headers


def test_the_limit_is_told_and_holds_for_uploads_and_jobs(small):
    service, key = small(max_bytes=20_000)
    assert service.get("/v1/account", key=key).json()["effective_limits"]["storage_estimate_bytes"] == 20_000
    assert service.get("/v1/plans").json()["plans"][0]["limits"] == {"max_storage_bytes": 20_000, "max_assets": 1000}
    picture = png_of_size(10_000)
    first = upload(service, key, picture)
    assert first.status == 201 and upload(service, key, picture).status == 201
    assert kept(service) == {"bytes": 10_000, "assets": 2}
    job = run_job(service, key, "resize", {"width": 3, "format": "png"}, first.json()["id"])
    made = job["artifacts"][0]["byte_size"]
    assert kept(service) == {"bytes": 10_000 + made, "assets": 2}
    assert is_full(upload(service, key, png_of_size(10_000, seed=1)))
    assert kept(service) == {"bytes": 10_000 + made, "assets": 2}
    assert upload(service, key, png_of_size(10_000 - made, seed=2)).status == 201
    assert kept(service) == {"bytes": 20_000, "assets": 3}
    assert is_full(upload(service, key, png(1, 1)))
    assert is_full(submit(service, key, "resize", {"width": 3}, first.json()["id"]))
    assert "it may keep" in submit(service, key, "resize", {"width": 3}, first.json()["id"]).json()["error"]
    assert upload(service, service.new_account("other", plan="small"), picture).status == 201


def test_uploads_at_once_never_exceed_the_number_of_assets(small):
    service, key = small(max_assets=5)
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda i: upload(service, key, png(10 + i, 10)), range(16)))
    assert sorted(answer.status for answer in answers) == [201] * 5 + [429] * 11
    assert kept(service)["assets"] == 5


def test_the_services_own_limit_holds_whatever_a_plan_allows(make_service):
    picture = png(60, 40)
    service = make_service(settings={"rate_limits.enabled": "false", "storage.max_account_bytes": len(picture)})
    key = service.new_account("big")
    assert service.get("/v1/account", key=key).json()["effective_limits"]["storage_estimate_bytes"] == len(picture)
    assert upload(service, key, picture).status == 201
    assert upload(service, key, picture).status == 201, "the same bytes are kept once"
    assert is_full(upload(service, key, png(1, 1))) and is_full(upload(service, key, png(1, 1)))


def test_below_the_floor_uploads_get_503_and_jobs_wait(make_service):
    service = make_service(clean_log=False)  # a refused upload is an error in the log
    key = service.new_account("patient")
    asset = upload(service, key, png(30, 20)).json()["id"]
    service.stop()
    service.settings["storage.min_free_bytes"] = "1024TiB"
    service.start()
    refused = upload(service, key, png(31, 20))
    assert refused.status == 503 and refused.json()["code"] == "storage_unavailable"
    assert int(refused.headers["Retry-After"]) > 0
    job = submit(service, key, "resize", {"width": 3}, asset)
    assert job.status == 201
    away = service.wait_for_event("worker.storage_is_away")
    assert "storage.min_free_bytes" in away["detail"]
    waiting = service.get(f"/v1/jobs/{job.json()['id']}", key=key).json()
    assert waiting["status"] == "queued" and waiting["attempt_count"] == 0
    service.stop()
    service.settings["storage.min_free_bytes"] = 0
    service.start()
    assert wait_for_job(service, key, job.json()["id"])["status"] == "succeeded"


def stored(service):
    """Files that are blobs, or on their way to become one."""
    return [path for folder in ("blobs", "staging") for path in (service.data_dir / folder).rglob("*") if path.is_file()]


def test_a_file_that_does_not_fit_is_refused_before_it_is_stored(small):
    service, key = small(max_bytes=100_000)
    assert upload(service, key, png_of_size(60_000)).status == 201
    before = stored(service)
    refused = upload(service, key, png_of_size(50_000, seed=1))
    assert is_full(refused) and stored(service) == before
    assert refused.json()["limit"] == {"name": "max_storage_bytes", "unit": "bytes", "allowed": 100_000, "left": 40_000}
    assert "40000 bytes are left" in refused.json()["hint"]
    assert upload(service, key, png_of_size(40_000, seed=2)).status == 201, "this one fits"
    assert kept(service) == {"bytes": 100_000, "assets": 2}
    assert is_full(upload(service, key, png(1, 1)))


def test_an_account_that_was_refused_is_judged_while_its_file_comes(small):
    service, key = small(max_bytes=3_000_000)
    assert upload(service, key, png_of_size(1_000_000)).status == 201
    assert is_full(upload(service, key, png_of_size(2_500_000, seed=1)))
    head = (
        "POST /v1/assets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n"
        "Content-Type: multipart/form-data; boundary=b\r\n%s\r\n\r\n"
    )
    part = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n'
    early = service.raw((head % (key, "Content-Length: 9000000")).encode() + part, timeout=60)
    assert b" 429 " in early.split(b"\r\n")[0] and b"storage_limit_exceeded" in early, early
    picture = png_of_size(2_500_000, seed=2)
    body = part + picture[:2_100_000]
    chunk = b"%x\r\n" % len(body) + body + b"\r\n"
    while_coming = service.raw((head % (key, "Transfer-Encoding: chunked")).encode() + chunk, timeout=60)
    assert b" 429 " in while_coming.split(b"\r\n")[0] and b"storage_limit_exceeded" in while_coming
    assert upload(service, key, png_of_size(2_000_000, seed=3)).status == 201
    assert kept(service)["bytes"] == 3_000_000
