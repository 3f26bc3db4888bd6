"""Backups taken while the service works, and what comes back from them. docs/cluster.md says the same as these tests do:
the database first, the blobs after it."""

import hashlib
import shutil
import subprocess
import threading

from pictures import png
from service import request_path, upload, wait_for_job, wait_until


class Busy:
    """Work that goes on while the backup is made."""

    def __init__(self, service, key):
        self.service, self.key, self.ended = service, key, []
        self.stopping = threading.Event()
        self.thread = threading.Thread(target=self._run)

    def __enter__(self):
        self.thread.start()
        self.wait_for_more(5)
        return self

    def __exit__(self, *_):
        self.stopping.set()
        self.thread.join()

    def wait_for_more(self, count):
        goal = len(self.ended) + count
        wait_until(lambda: len(self.ended) >= goal, "work to be done")

    def _run(self):
        while not self.stopping.is_set():
            self.ended.append(resized(self.service, self.key, len(self.ended)))


def resized(service, key, number):
    asset = upload(service, key, png(20 + number % 50, 20 + number // 50)).json()["id"]
    body = {"asset_id": asset, "operation": "resize", "options": {"width": 8, "format": "png"}}
    job = wait_for_job(service, key, service.post("/v1/jobs", body=body, key=key).json()["id"])
    assert job["status"] == "succeeded", job
    return job


def artifact_of(service, key, job):
    """The answer that has the bytes, and whether they are right."""
    described = service.get(f"/v1/artifacts/{job['artifacts'][0]['id']}", key=key)
    if described.status != 200:
        return described, False
    answer = service.get(request_path(described.json()["download_url"]))
    return answer, hashlib.sha256(answer.body).hexdigest() == described.json()["checksum_sha256"]


def check(restored, key, before, at_most):
    """All that was there before the backup is there, whole; of what came later, a row never lacks its blob."""
    for job in before:
        assert artifact_of(restored, key, job)[1], artifact_of(restored, key, job)[0]
    for job in at_most:
        # One that the dump has as queued is done again, and has other artifacts then.
        found = restored.get(f"/v1/jobs/{job['id']}", key=key)
        if found.status == 200 and found.json()["status"] == "succeeded":
            answer, whole = artifact_of(restored, key, found.json())
            assert whole, answer
    resized(restored, key, 4000)  # and it works on


def copy_database(service, target):
    service.admin("backup", target / "tessera.db")


def copy_blobs(service, target):
    subprocess.run(["cp", "-a", service.data_dir / "blobs", service.data_dir / "signing-secrets", target], check=True)


def test_an_embedded_service_comes_back_from_a_backup_that_was_made_under_load(make_service, folder):
    service = make_service()
    key = service.new_account("saved")
    target = folder / "backup"
    target.mkdir()
    with Busy(service, key) as busy:
        before = list(busy.ended)
        copy_database(service, target)
        busy.wait_for_more(3)
        copy_blobs(service, target)
        busy.wait_for_more(3)
    service.kill()
    restored = make_service("restored", start=False)
    shutil.copytree(target, restored.data_dir)
    check(restored.start(), key, before, busy.ended)


def test_a_backup_overwrites_nothing_and_leaves_postgresql_to_its_own_tools(make_service, database, folder):
    service = make_service()
    (folder / "there").write_text("precious")
    refused = service.admin("backup", folder / "there", check=False)
    assert refused.returncode == 4 and "is there already" in refused.stderr
    assert (folder / "there").read_text() == "precious"
    node = make_service("node", settings={"metadata.url": database.url})
    refused = node.admin("backup", folder / "copy", check=False)
    assert refused.returncode == 1 and "pg_dump" in refused.stderr


def test_blobs_before_the_database_would_lose_what_was_made_between(make_service, folder):
    """The order that the documentation warns of."""
    service = make_service()
    key = service.new_account("saved")
    target = folder / "backup"
    target.mkdir()
    resized(service, key, 1)
    copy_blobs(service, target)
    between = resized(service, key, 2)
    copy_database(service, target)
    restored = make_service("restored", start=False, clean_log=False)
    shutil.copytree(target, restored.data_dir)
    answer, whole = artifact_of(restored.start(), key, between)
    assert (answer.status, whole) == (500, False)


def test_a_cluster_comes_back_from_pg_dump_and_a_copy_of_the_bucket(make_service, postgres, ceph, folder):
    def settings(database, bucket):
        return {
            "rate_limits.enabled": "false",
            "metadata.url": database.url,
            "blobs.url": f"s3://{bucket}?endpoint={ceph.endpoint}",
            "blobs.access_key_id": ceph.access_key,
            "blobs.secret_access_key": ceph.secret_key,
            "signing.secrets_file": folder / "signing-secrets",
        }

    for bucket in ("production", "saved", "fresh"):
        ceph.create_bucket(bucket)
    database, empty = postgres.new_database(), postgres.new_database()
    service = make_service(settings=settings(database, "production"))
    key = service.new_account("saved")
    dump = folder / "tessera.dump"
    with Busy(service, key) as busy:
        before = list(busy.ended)
        connect = ["-h", postgres.socket_folder, "-U", "postgres"]
        subprocess.run(["pg_dump", *connect, "--format=custom", f"--file={dump}", database.name], check=True)
        busy.wait_for_more(3)
        ceph.rclone("sync", "--checksum", "production", "saved")
        busy.wait_for_more(3)
    service.kill()
    ceph.rclone("sync", "--checksum", "saved", "fresh")
    subprocess.run(["pg_restore", *connect, f"--dbname={empty.name}", "--exit-on-error", dump], check=True)
    restored = make_service("restored", settings=settings(empty, "fresh"))
    check(restored, key, before, busy.ended)
