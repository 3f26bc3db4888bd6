"""The same service on a real PostgreSQL: one node, then two that share the work."""

from pictures import png
from service import request_path, upload, wait_for_job, wait_until


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


def signed_address(service, key, job):
    artifact = service.get(f"/v1/jobs/{job}", key=key).json()["artifacts"][0]["id"]
    return request_path(service.get(f"/v1/artifacts/{artifact}", key=key).json()["download_url"])


def test_nodes_share_signing_secrets_and_a_rotation_reaches_them_all(database, make_service, folder):
    one = make_service("one", settings=settings(database.url, folder))
    two = make_service("two", settings=settings(database.url, folder))
    key = one.new_account("tester")
    job = resize(one, key, upload(one, key, png(64, 64)).json()["id"])
    assert wait_for_job(one, key, job)["status"] == "succeeded"
    address = signed_address(one, key, job)
    assert signed_address(two, key, job) == address
    assert two.get(address).status == 200
    assert not (one.data_dir / "signing-secrets").exists()

    assert len(two.admin("secret", "rotate")) == 2
    assert two.get(address).status == 200
    two.admin("secret", "rotate", "--keep", "1")  # after a leak: what is out stops working
    for node in (one, two):
        wait_until(lambda: node.get(address).status == 403, "the node to forget the old secret")
    fresh = signed_address(one, key, job)
    assert fresh != address
    assert two.get(fresh).status == 200


def test_a_file_of_secrets_that_is_configured_wins(database, make_service, folder):
    mine = {**settings(database.url, folder), "signing.secrets_file": f"{folder}/my-secrets"}
    make_service("one", settings=mine)
    assert (folder / "my-secrets").stat().st_mode & 0o777 == 0o600
    assert make_service("two", settings=settings(database.url, folder)).admin("secret", "list") != []


def test_rate_limits_hold_for_all_nodes_together(database, make_service, folder):
    limited = {**settings(database.url, folder), "rate_limits.enabled": "true", "rate_limits.account": "40"}
    nodes = [make_service(name, settings=limited, arguments=["--workers", "0"]) for name in ("one", "two")]
    key = nodes[0].new_account("tester")
    admitted = []
    refused = [0, 0]
    for number in range(400):
        which = number % 2
        answer = nodes[which].get("/v1/account", key=key)
        assert answer.headers["RateLimit-Limit"] == "40"
        if answer.status == 200:
            admitted.append(int(answer.headers["RateLimit-Remaining"]))
        else:
            assert answer.status == 429, answer
            assert answer.headers["RateLimit-Remaining"] == "0"
            assert 1 <= int(answer.headers["Retry-After"]) <= 60
            assert answer.headers["Retry-After"] == answer.headers["RateLimit-Reset"]
            refused[which] += 1
            if min(refused) > 3:
                break
    # A node alone would have admitted 40 of its own. What exceeds the limit was admitted between two exchanges.
    assert 40 <= len(admitted) < 80, admitted
    assert min(refused) > 3


def test_a_database_that_is_not_there_is_told_without_its_password(make_service, folder):
    url = f"postgresql://someone:secret-word@/postgres?host={folder}/nowhere"
    service = make_service(settings={"metadata.url": url}, start=False, clean_log=False)
    service.start(wait=False)
    assert service.process.wait(60) != 0
    assert "database" in service.log() and "secret-word" not in service.log()
