"""The same service on a real PostgreSQL: one node, then two that share the work."""

from pictures import png
from service import upload, wait_for_job, wait_until


def settings(url, folder):
    return {"rate_limits.enabled": "false", "metadata.url": url, "blobs.url": f"file:{folder}/blobs"}


def resize(service, key, asset):
    body = {"asset_id": asset, "operation": "resize", "options": {"width": 16}}
    answer = service.post("/v1/jobs", body=body, key=key)
    assert answer.status == 201, answer
    return answer.json()["id"]


def test_a_job_runs_from_upload_to_download(database, make_service, folder):
    service = make_service(settings=settings(database.url, folder))
    key = service.new_account("tester")
    asset = upload(service, key, png(64, 64)).json()["id"]
    job = wait_for_job(service, key, resize(service, key, asset))
    assert job["status"] == "succeeded", job
    assert service.get("/v1/account", key=key).json()["usage"]["processing_credits"]["used"] == 1


def test_a_job_accepted_by_one_node_is_run_by_another(database, make_service, folder):
    front = make_service("front", settings=settings(database.url, folder), arguments=["--workers", "0"])
    key = front.new_account("tester")
    asset = upload(front, key, png(64, 64)).json()["id"]
    waiting = resize(front, key, asset)
    assert front.get(f"/v1/jobs/{waiting}", key=key).json()["status"] == "queued"
    make_service("back", settings=settings(database.url, folder))
    assert wait_for_job(front, key, waiting)["status"] == "succeeded"
    assert wait_for_job(front, key, resize(front, key, asset))["status"] == "succeeded"


def test_a_key_revoked_on_one_node_is_refused_on_the_other(database, make_service, folder):
    one = make_service("one", settings=settings(database.url, folder))
    two = make_service("two", settings=settings(database.url, folder))
    one.admin("account", "create", "--slug", "tester", "--name", "Tester", "--plan", "unlimited")
    made = one.admin("key", "create", "--account", "tester", "--name", "test")
    assert two.get("/v1/account", key=made["api_key"]).status == 200
    one.admin("key", "revoke", made["id"])
    wait_until(lambda: two.get("/v1/account", key=made["api_key"]).status == 401, "the other node to refuse the key")


def test_a_database_that_is_not_there_is_told_without_its_password(make_service, folder):
    url = f"postgresql://someone:secret-word@/postgres?host={folder}/nowhere"
    service = make_service(settings={"metadata.url": url}, start=False, clean_log=False)
    service.start(wait=False)
    assert service.process.wait(60) != 0
    assert "database" in service.log() and "secret-word" not in service.log()
