"""POST /v1/jobs/{id}/cancel: a queued job ends at once, a running one is stopped, wherever it runs."""

import datetime

from pictures import noise_png, png
from service import upload, wait_for_job, wait_until
from tilesets import run_job, submit, tileset_of

LONG = {"format": "avif", "effort": 9}  # many seconds of work for a picture of some megapixels
PROMISE = datetime.timedelta(seconds=1)


def cancel(service, key, job):
    return service.post(f"/v1/jobs/{job}/cancel", key=key)


def credits_used(service, key):
    return service.get("/v1/account", key=key).json()["usage"]["processing_credits"]["used"]


def start_long_job(service, key):
    asset = upload(service, key, noise_png(1900, 1900)).json()["id"]
    job = submit(service, key, "optimize", LONG, asset).json()["id"]
    wait_until(lambda: service.get(f"/v1/jobs/{job}", key=key).json()["status"] == "running", "the job to run")
    return job


def when(event):
    return datetime.datetime.fromisoformat(event["time"].replace("Z", "+00:00"))


def test_a_queued_job_ends_at_once_and_costs_nothing(make_service):
    service = make_service(arguments=["--workers", "0"])
    key = service.new_account("tester")
    asset = upload(service, key, png(1500, 1000)).json()["id"]
    job = submit(service, key, "resize", {"width": 8}, asset).json()["id"]
    assert credits_used(service, key) == 2
    answer = cancel(service, key, job)
    assert answer.status == 200
    ended = answer.json()
    assert (ended["status"], ended["error_code"], ended["artifacts"]) == ("failed", "cancelled", [])
    assert ended["error_message"] and "started_at" not in ended and ended["completed_at"]
    assert ended == service.get(f"/v1/jobs/{job}", key=key).json()
    assert credits_used(service, key) == 0
    assert cancel(service, key, job).json() == ended, "again is no error"
    assert credits_used(service, key) == 0


def test_a_running_job_is_stopped_within_a_second_and_stays_paid(make_service):
    service = make_service(arguments=["--workers", "1"])
    key = service.new_account("tester")
    job = start_long_job(service, key)
    ended = cancel(service, key, job).json()
    assert (ended["status"], ended["error_code"], ended["attempt_count"]) == ("failed", "cancelled", 1)
    stopped = service.wait_for_event("job.lost", job=job)
    assert when(stopped) - when(service.wait_for_event("job.cancelled", job=job)) < PROMISE
    assert credits_used(service, key) == 4
    # The one slot is free for what comes next.
    asset = upload(service, key, png(64, 48)).json()["id"]
    assert run_job(service, key, "resize", {"width": 8}, asset)["status"] == "succeeded"
    assert service.get(f"/v1/jobs/{job}", key=key).json() == ended


def test_a_job_that_has_ended_stays_as_it_is(service, key):
    asset = upload(service, key, png(64, 48)).json()["id"]
    job = run_job(service, key, "resize", {"width": 8}, asset)
    answer = cancel(service, key, job["id"])
    assert (answer.status, answer.json()) == (200, job)


def test_only_the_owner_cancels_and_only_with_a_key_that_writes(service, key):
    asset = upload(service, key, png(64, 48)).json()["id"]
    job = run_job(service, key, "resize", {"width": 8}, asset)["id"]
    stranger = service.new_account("stranger")
    assert cancel(service, stranger, job).json()["error"] == "job not found"
    assert cancel(service, key, "x").json()["error"] == "invalid job id"
    assert cancel(service, service.new_key("tester", "reader", "r"), job).status == 403
    assert cancel(service, service.new_key("tester", "submitter", "s"), job).status == 200


def test_the_next_job_on_the_tileset_goes_on(make_service):
    service = make_service(arguments=["--workers", "1"])
    key = service.new_account("tester")
    tileset = tileset_of(run_job(service, key, "tile", {"format": "png"}, upload(service, key, png(300, 200)).json()["id"]))
    blocker = start_long_job(service, key)
    red = {"tileset_id": tileset, "patches": [{"x": 0, "y": 0, "width": 4, "height": 4, "color": "red"}]}
    first = submit(service, key, "tile_patch", red).json()["id"]
    second = submit(service, key, "tile_patch", red).json()["id"]
    assert cancel(service, key, first).json()["error_code"] == "cancelled"
    cancel(service, key, blocker)
    assert wait_for_job(service, key, second)["status"] == "succeeded"
    assert service.get(f"/v1/tilesets/{tileset}", key=key).json()["version"] == 2


def test_a_job_is_stopped_on_another_node(database, make_service, folder):
    settings = {"rate_limits.enabled": "false", "metadata.url": database.url, "blobs.url": f"file:{folder}/blobs"}
    api = make_service("front", settings=settings, arguments=["--workers", "0"])
    key = api.new_account("tester")
    back = make_service("back", settings=settings, arguments=["--workers", "1"])
    job = start_long_job(api, key)
    assert cancel(api, key, job).json()["error_code"] == "cancelled"
    stopped = back.wait_for_event("job.lost", job=job)
    assert when(stopped) - when(api.wait_for_event("job.cancelled", job=job)) < PROMISE
    assert credits_used(api, key) == 4
