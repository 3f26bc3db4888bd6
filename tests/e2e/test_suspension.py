"""Accounts that are suspended, resumed and erased, on plain files and SQLite and on S3 and PostgreSQL."""

import json
import signal
import subprocess

import pytest
from pictures import noise_png, png
from service import request_path, upload, wait_for_job, wait_until
from tilesets import patch, run_job, run_patch, submit, tile_path, tileset_of


class Files:
    """A service on SQLite and files, and what lies in its folder."""

    def __init__(self, make_service):
        self.service = make_service(settings={"rate_limits.enabled": "false"})

    def blobs(self, account_id):
        return sorted(str(f) for f in (self.service.data_dir / "blobs").rglob("*") if f.is_file() and account_id in str(f))


class Cluster:
    """A service on PostgreSQL and S3, and what another client sees in its bucket."""

    def __init__(self, make_service, database, ceph):
        self.ceph = ceph
        self.service = make_service(settings={
            "rate_limits.enabled": "false",
            "metadata.url": database.url,
            "blobs.url": f"s3://tessera/erasure?endpoint={ceph.endpoint}",
            "blobs.access_key_id": ceph.access_key,
            "blobs.secret_access_key": ceph.secret_key,
        })

    def blobs(self, account_id):
        listed = self.ceph.rclone("lsf", "tessera/erasure", "--recursive", "--files-only").splitlines()
        return sorted(line for line in listed if account_id in line)


@pytest.fixture(params=["files", "cluster"])
def place(request, make_service):
    if request.param == "files":
        return Files(make_service)
    return Cluster(make_service, request.getfixturevalue("database"), request.getfixturevalue("ceph"))


def account_id(service, key):
    return service.get("/v1/account", key=key).json()["account"]["id"]


def picture_of(slug):
    return png(300, 200 + ord(slug[0]) % 50)


def cached(service, content):
    """Whether the node has these bytes in a cache on its disk."""
    return any(content[-200:] in f.read_bytes() for f in (service.data_dir / "cache").rglob("*") if f.is_file())


def filled(service, slug):
    """An account with an asset, an artifact and a tileset of two versions; what addresses of them were handed out."""
    key = service.new_account(slug, cdn=True)
    asset = upload(service, key, picture_of(slug)).json()["id"]
    resized = run_job(service, key, "resize", {"width": 20}, asset)
    tiled = run_job(service, key, "tile", {"format": "png"}, asset)
    patched = run_patch(service, key, tileset_of(tiled), patch(0, 0, 9, 9, color="#ff0000"))
    artifact = service.get(f"/v1/artifacts/{resized['artifacts'][0]['id']}", key=key).json()
    addresses = [request_path(artifact["download_url"]), tile_path(tiled, 0, 0, 0), tile_path(patched, 0, 0, 0)]
    assert [service.get(address).status for address in addresses] == [200] * 3
    return key, addresses


def refused(service, key):
    answer = service.get("/v1/account", key=key)
    return answer.status == 401 and answer.json()["error"] == "invalid api key" and answer.json()["code"]


def test_a_suspended_account_is_refused_and_comes_back(place):
    service = place.service
    key, addresses = filled(service, "paused")
    other = service.new_account("other")
    stored = place.blobs(account_id(service, key))
    assert service.admin("account", "suspend", "--account", "paused")["suspended_at"]
    assert wait_until(lambda: refused(service, key), "the suspension", patience=30) == "account_suspended"
    wait_until(lambda: [service.get(address).status for address in addresses] == [404] * 3, "addresses to stop", patience=30)
    assert upload(service, key, png(10, 10)).status == 401
    assert service.get("/v1/account", key=other).status == 200
    assert {a["slug"]: a["state"] for a in service.admin("account", "list")} == {"paused": "suspended", "other": "active"}
    service.wait_for_event("key_refused")

    assert service.admin("account", "resume", "--account", "paused")["suspended_at"] is None
    wait_until(lambda: service.get("/v1/account", key=key).status == 200, "the account to come back", patience=30)
    wait_until(lambda: [service.get(address).status for address in addresses] == [200] * 3, "addresses to come back", patience=30)
    assert place.blobs(account_id(service, key)) == stored


def test_jobs_of_a_suspended_account_wait(make_service):
    service = make_service(settings={"rate_limits.enabled": "false", "worker.slots": 1, "worker.lease": "1s"})
    key = service.new_account("paused")
    asset = upload(service, key, noise_png(1200, 1200)).json()["id"]
    jobs = [submit(service, key, "resize", {"width": 1000, "format": "avif"}, asset).json()["id"] for _ in range(3)]
    wait_until(lambda: service.get(f"/v1/jobs/{jobs[0]}", key=key).json()["status"] == "running", "a job to run")
    service.admin("account", "suspend", "--account", "paused")
    wait_until(lambda: refused(service, key), "the suspension", patience=30)
    at_rest = "tessera_worker_jobs 0"
    wait_until(lambda: at_rest in service.get("/metrics").body.decode(), "the running job to end")
    service.admin("account", "resume", "--account", "paused")
    wait_until(lambda: service.get("/v1/account", key=key).status == 200, "the account to come back", patience=30)
    for job in jobs:
        ended = wait_for_job(service, key, job)
        assert ended["status"] == "succeeded" and ended["attempt_count"] == 1, ended


def test_an_erased_account_leaves_nothing_behind(place):
    service = place.service
    key, addresses = filled(service, "leaving")
    staying, kept = filled(service, "staying")
    own, others = account_id(service, key), account_id(service, staying)
    stored = place.blobs(others)
    assert len(place.blobs(own)) == 4 and len(stored) == 4
    assert isinstance(place, Files) or cached(service, picture_of("leaving"))
    usage = service.admin("usage", "--account", "leaving")["current"]

    wrong = service.admin("account", "erase", "--account", "leaving", "--confirm", "staying", check=False)
    assert wrong.returncode == 2 and "--confirm leaving" in wrong.stderr
    done = service.admin("account", "erase", "--account", "leaving", "--confirm", "leaving")
    assert done["account_id"] == own and done["blobs"] == 4 and done["bytes"] > 0 and done["rows"] > 0

    assert place.blobs(own) == []
    if isinstance(place, Cluster):
        wait_until(lambda: not cached(service, picture_of("leaving")), "the node's cache to forget", patience=30)
        assert cached(service, picture_of("staying"))
    assert wait_until(lambda: refused(service, key), "the keys to go", patience=30) == "invalid_api_key"
    wait_until(lambda: [service.get(address).status for address in addresses] == [404] * 3, "addresses to stop", patience=30)
    # What the account owed stays, under an id that names nobody.
    assert service.admin("usage", "--account", own)["current"]["processing_credits_used"] == usage["processing_credits_used"]
    listed = {a["id"]: a for a in service.admin("account", "list")}
    assert listed[own]["slug"] == f"erased-{own}" and listed[own]["display_name"] == "" and listed[own]["state"] == "erased"
    trail = service.admin("audit", "--account", own)
    assert trail[-1]["action"] == "account.erase" and "leaving" not in json.dumps(trail[-1] | {"account": None})

    assert place.blobs(others) == stored
    assert [service.get(address).status for address in kept] == [200] * 3
    service.new_account("leaving")  # the name is free again
    assert service.admin("account", "erase", "--account", own, "--confirm", f"erased-{own}")["rows"] == 0


@pytest.mark.parametrize("kills", [4])
def test_an_erasure_that_is_killed_goes_on_when_it_is_run_again(make_service, kills):
    place = Files(make_service)
    service = place.service
    key = service.new_account("leaving")
    for size in range(40):
        assert upload(service, key, png(8 + size, 8)).status == 201
    own = account_id(service, key)
    line = [str(service.binary), "admin", "--data-dir", str(service.data_dir), "account", "erase", "--account", "leaving", "--confirm", "leaving"]
    for i in range(kills):
        running = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        left = 40 - i * 10
        wait_until(lambda: running.poll() is not None or len(place.blobs(own)) < left, "the erasure to get somewhere", pause=0.0005)
        running.send_signal(signal.SIGKILL)
        running.wait()
    last = subprocess.run([*line[:-4], "--account", own, "--confirm", "leaving"], capture_output=True, text=True, timeout=60)
    assert last.returncode == 0 or "erased" in last.stderr, last
    assert place.blobs(own) == []
    assert {a["id"]: a["state"] for a in service.admin("account", "list")} == {own: "erased"}
    assert len([entry for entry in service.admin("audit", "--account", own) if entry["action"] == "account.erase"]) == 1
