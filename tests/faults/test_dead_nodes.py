"""What a killed node held is taken up by whoever starts next on its data folder: nobody waits for its leases to end."""

import pytest
from pictures import png
from service import BINARY, HOOKED, upload, wait_for_job, wait_until


@pytest.fixture(params=["sqlite", "postgres"])
def node(request, make_service):
    """A node whose engines can be told to hang, with leases that outlast every test."""
    settings = {"rate_limits.enabled": "false", "worker.lease": "1h", "worker.slots": "2"}
    if request.param == "postgres":
        settings["metadata.url"] = request.getfixturevalue("database").url
    return make_service(binary=HOOKED, settings=settings, clean_log=False)


def hanging_job(node, key):
    asset = upload(node, key, png(64, 64) + b"TESSERA-HOOK:run:hang").json()["id"]
    return node.post("/v1/jobs", {"asset_id": asset, "operation": "resize", "options": {"width": 32}}, key=key).json()["id"]


def job_of(node, key, job):
    return node.get(f"/v1/jobs/{job}", key=key).json()


def wait_for_attempt(node, key, job, attempt):
    def begun():
        now = job_of(node, key, job)
        return now["status"] == "running" and now["attempt_count"] == attempt

    wait_until(begun, f"attempt {attempt} at {job}")


def test_interrupted_jobs_run_again_as_soon_as_the_node_is_back(node):
    key = node.new_account("survivor")
    jobs = [hanging_job(node, key) for _ in range(2)]
    for job in jobs:
        wait_for_attempt(node, key, job, 1)
    node.kill()
    node.binary = BINARY  # whose engines hang on nothing
    node.start()
    for job in jobs:
        done = wait_for_job(node, key, job)
        assert (done["status"], done["attempt_count"]) == ("succeeded", 2)
    assert node.get("/v1/account", key=key).json()["usage"]["processing_credits"]["used"] == 2


def test_a_job_that_outlives_no_node_ends_when_its_attempts_do(node):
    key = node.new_account("unlucky")
    job = hanging_job(node, key)
    for attempt in (1, 2, 3):
        wait_for_attempt(node, key, job, attempt)
        node.kill()
        node.start()
    done = wait_for_job(node, key, job)
    assert (done["status"], done["error_code"], done["attempt_count"]) == ("failed", "internal_error", 3)
    assert node.get("/v1/account", key=key).json()["usage"]["processing_credits"]["used"] == 0


def test_a_worker_that_lives_keeps_its_jobs_when_another_node_starts_on_its_folder(node, make_service):
    key = node.new_account("kept")
    job = hanging_job(node, key)
    wait_for_attempt(node, key, job, 1)
    other = make_service(command="worker", start=False, settings=node.settings)
    other.start(wait=False)
    wait_until(lambda: "worker_started" in other.log(), "the worker to start")
    asset = upload(node, key, png(64, 64)).json()["id"]
    later = node.post("/v1/jobs", {"asset_id": asset, "operation": "resize", "options": {"width": 8}}, key=key).json()["id"]
    wait_for_job(node, key, later)
    now = job_of(node, key, job)
    assert (now["status"], now["attempt_count"]) == ("running", 1)
    node.kill()  # or it would wait for the one that hangs
