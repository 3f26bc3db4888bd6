"""Jobs from submission to artifact, and every way to ask for one wrongly."""

import collections
import concurrent.futures
import hashlib
import json
import uuid

import pytest
from pictures import linear_png, png, png_size, truncated_png
from service import request_path, upload, wait_for_job

RESIZE = {"width": 32, "format": "png"}


@pytest.fixture(scope="module")
def asset(service, key):
    return upload(service, key, png(64, 48)).json()["id"]


@pytest.fixture(scope="module")
def stranger(service):
    return service.new_account("stranger", cdn=True)


def submit(service, key, body, idempotency_key=None):
    headers = {"Content-Type": "application/json"}
    if idempotency_key is not None:
        headers["Idempotency-Key"] = idempotency_key
    return service.post("/v1/jobs", body=body, key=key, headers=headers)


def resize(service, key, asset, options=RESIZE, **more):
    return submit(service, key, {"asset_id": asset, "operation": "resize", "options": options}, **more)


def credits_used(service, key):
    return service.get("/v1/account", key=key).json()["usage"]["processing_credits"]["used"]


def refusal(answer):
    body = answer.json()
    assert set(body) >= {"error", "code"}
    return answer.status, body["error"]


# --- what a job is ---


def test_a_new_job_has_every_field_and_only_those(service, key, asset):
    answer = resize(service, key, asset)
    assert answer.status == 201
    assert answer.headers["X-Request-ID"]
    assert answer.headers.get("Idempotency-Replayed") is None
    job = answer.json()
    assert set(job) == {
        "id", "asset_id", "operation", "status", "options", "result", "queued_at", "updated_at", "attempt_count",
        "max_attempts", "artifacts",
    }  # fmt: skip
    assert uuid.UUID(job["id"])
    assert (job["asset_id"], job["operation"], job["status"]) == (asset, "resize", "queued")
    assert (job["attempt_count"], job["max_attempts"]) == (0, 3)
    assert (job["result"], job["artifacts"]) == ({}, [])
    assert job["options"]["quality"] == 80
    assert job["options"]["fit"] == "inside"


def test_a_job_ends_with_an_artifact_whose_bytes_match(service, key, asset):
    job = wait_for_job(service, key, resize(service, key, asset).json()["id"])
    assert job["status"] == "succeeded", job
    assert job["started_at"] <= job["completed_at"]
    assert job["attempt_count"] == 1
    assert "error_code" not in job and "progress" not in job
    [artifact] = job["artifacts"]
    assert set(artifact) == {
        "id", "kind", "content_type", "byte_size", "width", "height", "checksum_sha256", "metadata", "created_at",
    }  # fmt: skip
    assert (artifact["kind"], artifact["content_type"]) == ("primary", "image/png")
    assert (artifact["width"], artifact["height"]) == (32, 24)
    described = service.get(f"/v1/artifacts/{artifact['id']}", key=key).json()
    content = service.get(request_path(described["download_url"])).body
    assert png_size(content) == (32, 24)
    assert len(content) == artifact["byte_size"]
    assert hashlib.sha256(content).hexdigest() == artifact["checksum_sha256"]


def test_an_engine_brings_stated_colours_to_srgb(service, key):
    def checksum(picture):
        asset = upload(service, key, picture).json()["id"]
        return wait_for_job(service, key, resize(service, key, asset).json()["id"])["artifacts"][0]["checksum_sha256"]

    # 55 of 255 of the light is half way from black to white.
    assert checksum(linear_png(40, 40, colour=(55, 55, 55))) == checksum(png(40, 40, colour=(128, 128, 128)))


def test_a_truncated_image_fails_with_the_same_shape_and_no_artifacts(service, key):
    damaged = upload(service, key, truncated_png()).json()["id"]
    job = wait_for_job(service, key, resize(service, key, damaged).json()["id"])
    assert (job["status"], job["error_code"]) == ("failed", "decode_failed")
    assert job["error_message"]
    assert job["artifacts"] == [] and job["result"] == {}
    assert job["attempt_count"] == 1
    assert job["completed_at"]


def test_a_job_works_on_what_the_image_is_and_costs_its_megapixels(service):
    key = service.new_account("costs")
    asset = upload(service, key, png(1200, 900, colour=(10, 20, 30))).json()["id"]
    assert wait_for_job(service, key, resize(service, key, asset).json()["id"])["status"] == "succeeded"
    assert credits_used(service, key) == 2  # 1.08 megapixels


# --- how it may not be asked for ---


@pytest.mark.parametrize(
    "body,message",
    [
        ({}, "unsupported operation"),
        ({"operation": "resize"}, "options object is required"),
        ({"operation": "resize", "options": None}, "options object is required"),
        ({"operation": "resize", "options": []}, "options object is required"),
        ({"operation": "resize", "options": "x"}, "options object is required"),
        ({"operation": "rotate", "options": {}}, "unsupported operation"),
        ({"operation": None, "options": {}}, "unsupported operation"),
        ({"operation": ["resize"], "options": {}}, "unsupported operation"),
        ({"operation": "RESIZE", "options": {}}, "unsupported operation"),
        ({"operation": "resize", "options": {"width": 1}, "asset_id": "x"}, "asset_id must be a valid uuid"),
        ({"operation": "resize", "options": {"width": 1}, "asset_id": 7}, "asset_id must be a valid uuid"),
        ({"operation": "resize", "options": {"width": 1}, "asset_id": None}, "asset_id must be a valid uuid"),
        ({"operation": "resize", "options": {"width": 1}, "assets": []}, "unknown field 'assets'"),
        ([], "the body must be a JSON object"),
    ],
)
def test_bodies_of_the_wrong_shape_are_refused(service, key, body, message):
    assert refusal(submit(service, key, body)) == (400, message)


def test_options_that_mean_nothing_are_refused_by_name(service, key, asset):
    assert refusal(resize(service, key, asset, {})) == (400, "resize requires width or height")
    for options in [
        {"width": 0}, {"width": -1}, {"width": "32"}, {"width": 1.5}, {"width": True}, {"width": None},
        {"width": [32]}, {"width": {"value": 32}}, {"width": 10**12}, {"width": 1e300}, {"height": 0},
    ]:  # fmt: skip
        status, message = refusal(resize(service, key, asset, options))
        assert status == 400 and next(iter(options)) in message, (options, message)
    for name, value in [
        ("fit", "stretch"), ("fit", 1), ("format", "bmp"), ("format", ""), ("quality", 0), ("quality", 101),
        ("position", "middle"), ("background", "#12345"), ("enlarge", "yes"), ("keep_metadata", 1),
    ]:  # fmt: skip
        status, message = refusal(resize(service, key, asset, {"width": 32, name: value}))
        assert status == 400 and name in message, (name, value, message)
    status, message = refusal(resize(service, key, asset, {"width": 32, "heigth": 32}))
    assert status == 400 and "heigth" in message


@pytest.mark.parametrize(
    "body",
    [
        b"", b"{", b"nonsense", b'{"operation":"resize",}', b"\xff\xfe{}",
        b'{"operation":"resize","operation":"resize","options":{"width":1}}',
        b'{"operation":"resize","options":{"width":1,"width":2}}',
        b'{"operation":"resize","options":{"width":NaN}}',
        b'{"operation":"resize","options":{"width":1e999}}',
        b'{"operation":"re\xc3\x28size","options":{}}',
        b'{"operation":"resize","options":' + b"[" * 5000 + b"]" * 5000 + b"}",
    ],
)  # fmt: skip
def test_bodies_that_are_not_honest_json_are_refused(service, key, body):
    answer = submit(service, key, body)
    assert answer.status == 400, answer
    assert answer.json()["error"].startswith("invalid JSON:")


def test_ten_megabytes_of_json_are_not_read(service, key):
    body = b'{"operation":"resize","options":{"width":1},"x":"' + b"x" * 10_000_000 + b'"}'
    try:
        answer = submit(service, key, body)
    except (BrokenPipeError, ConnectionResetError):
        pass  # refused before all of it was sent
    else:
        assert answer.status == 413
    assert service.get("/healthz").status == 200


def test_refused_requests_cost_nothing(service):
    key = service.new_account("careless")
    asset = upload(service, key, png(64, 64)).json()["id"]
    resize(service, key, asset, {})
    resize(service, key, str(uuid.uuid4()))
    assert credits_used(service, key) == 0


# --- idempotency ---


@pytest.mark.parametrize("length,status", [(7, 400), (8, 201), (128, 201), (129, 400)])
def test_keys_have_eight_to_128_characters(service, key, asset, length, status):
    answer = resize(service, key, asset, idempotency_key=("k" * length))
    assert answer.status == status
    if status == 400:
        assert answer.json()["code"] == "invalid_idempotency_key"


@pytest.mark.parametrize("character", list(" !\"#$%&'()*+,/;<=>?@[\\]^`{|}~") + ["\u00e9", "\u00ff"])
def test_keys_have_no_other_characters(service, key, asset, character):
    answer = resize(service, key, asset, idempotency_key=f"abcdefgh{character}ijk")
    assert answer.status == 400
    assert answer.json()["code"] == "invalid_idempotency_key"


def test_a_replay_returns_the_original_and_charges_nothing(service):
    key = service.new_account("replays")
    asset = upload(service, key, png(64, 64)).json()["id"]
    first = resize(service, key, asset, idempotency_key="replay-me-1")
    again = resize(service, key, asset, {"format": "png", "quality": 80, "width": 32}, idempotency_key="replay-me-1")
    assert (first.status, again.status) == (201, 200)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.json()["id"] == first.json()["id"]
    other = resize(service, key, asset, {"width": 33}, idempotency_key="replay-me-1")
    assert other.status == 409 and other.json()["code"] == "idempotency_conflict"
    assert credits_used(service, key) == 1


def test_simultaneous_identical_and_conflicting_requests_make_one_job_each(service):
    key = service.new_account("crowd")
    asset = upload(service, key, png(64, 64)).json()["id"]
    with concurrent.futures.ThreadPoolExecutor(64) as clients:
        same = list(clients.map(lambda _: resize(service, key, asset, idempotency_key="crowd-same"), range(64)))
        mixed = list(
            clients.map(
                lambda n: resize(service, key, asset, {"width": 8 + n}, idempotency_key="crowd-mixed"), range(64)
            )
        )
    assert collections.Counter(a.status for a in same) == {201: 1, 200: 63}
    assert len({a.json()["id"] for a in same}) == 1
    assert collections.Counter(a.status for a in mixed) == {201: 1, 409: 63}
    assert credits_used(service, key) == 2


# --- whose it is ---


def test_another_accounts_ids_are_not_found_anywhere(service, key, stranger, asset):
    job = wait_for_job(service, key, resize(service, key, asset).json()["id"])
    artifact = job["artifacts"][0]["id"]
    assert refusal(resize(service, stranger, asset)) == (404, "asset not found")
    assert refusal(service.get(f"/v1/jobs/{job['id']}", key=stranger)) == (404, "job not found")
    assert refusal(service.get(f"/v1/artifacts/{artifact}", key=stranger)) == (404, "artifact not found")


def test_ids_that_are_none_are_told_apart_from_ids_of_nothing(service, key):
    assert refusal(service.get("/v1/jobs/nonsense", key=key)) == (400, "invalid job id")
    assert refusal(service.get(f"/v1/jobs/{uuid.uuid4()}", key=key)) == (404, "job not found")
    assert refusal(resize(service, key, str(uuid.uuid4()))) == (404, "asset not found")


def test_no_key_means_no_jobs(service, asset):
    assert refusal(resize(service, None, asset)) == (401, "missing api key")
    assert refusal(service.get(f"/v1/jobs/{uuid.uuid4()}")) == (401, "missing api key")
    assert refusal(resize(service, "nonsense", asset)) == (401, "invalid api key")


# --- limits ---


def test_submissions_are_limited_to_sixty_a_minute(make_service):
    service = make_service(settings={})
    key = service.new_account("hasty")
    asset = upload(service, key, png(16, 16)).json()["id"]
    statuses = [resize(service, key, asset).status for _ in range(61)]
    assert statuses == [201] * 60 + [429]
    refused = resize(service, key, asset)
    assert refused.json()["code"] == "rate_limited"
    assert 0 < int(refused.headers["Retry-After"]) <= 60


def test_jobs_over_the_services_limits_are_told_so_and_before_the_plans(make_service):
    service = make_service(settings={"rate_limits.enabled": "false", "limits.max_input_megapixels": "1"})
    key = service.new_account("large")
    asset = upload(service, key, png(1200, 900, colour=(1, 2, 3)))
    if asset.status == 201:  # an upload may be refused for the same reason
        answer = resize(service, key, asset.json()["id"])
        assert (answer.status, answer.json()["code"]) == (429, "worker_capacity_exceeded")


def test_a_backlog_is_no_error(make_service):
    service = make_service(settings={"rate_limits.enabled": "false", "worker.enabled": "false"})
    key = service.new_account("patient")
    asset = upload(service, key, png(16, 16)).json()["id"]
    ids = []
    for _ in range(200):
        answer = resize(service, key, asset)
        assert answer.status == 201
        ids.append(answer.json()["id"])
    assert all(service.get(f"/v1/jobs/{i}", key=key).json()["status"] == "queued" for i in ids[:10])
    service.stop()
    service.settings["worker.enabled"] = "true"
    service.start()
    assert all(wait_for_job(service, key, i)["status"] == "succeeded" for i in ids)


def test_a_termination_signal_hands_jobs_back_without_costing_an_attempt(make_service):
    service = make_service(settings={"rate_limits.enabled": "false", "worker.grace": "0s"})
    key = service.new_account("restarts")
    asset = upload(service, key, png(2000, 1500)).json()["id"]
    ids = [resize(service, key, asset, {"width": 1900 + n}).json()["id"] for n in range(20)]
    service.restart()
    ended = [wait_for_job(service, key, i) for i in ids]
    assert [job["status"] for job in ended] == ["succeeded"] * 20
    assert [job["attempt_count"] for job in ended] == [1] * 20


def test_job_bodies_are_json_all_the_way(service, key, asset):
    answer = resize(service, key, asset)
    assert answer.headers["Content-Type"].startswith("application/json")
    json.loads(answer.body)
