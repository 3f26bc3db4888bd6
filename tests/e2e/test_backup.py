"""Backups taken while the service works, and what comes back from them."""

import fcntl
import hashlib
import os
import pathlib
import shutil
import sqlite3
import subprocess
import threading

import pytest
from pictures import png
from service import BINARY, PATIENCE, request_path, upload, wait_for_job, wait_until
from tilesets import patch, run_job, run_patch, tile_path, tileset_of

TILES = [(0, 0, 0), (1, 0, 0), (1, 1, 1)]
# What is replaced or expires is deleted at once: a backup that did not keep its blobs would lose some.
HASTY = {
    "rate_limits.enabled": "false",
    "retention.interval": "100ms",
    "retention.keep_blobs": "0ms",
    "retention.keep_old_versions": "0ms",
    "signing.tile_url_ttl": "1s",
    "tiles.max_layers": "2",
    "tiles.fold_interval": "100ms",
}


def brief_plan(service, folder):
    """A plan whose things expire within two seconds, beside the others."""
    text = service.admin("plan", "template", as_json=False)
    brief = text.split("[[plan]]")[1].replace('"starter"', '"brief"').replace('"7d"', '"2s"').replace("10_000", "10_000_000")
    (folder / "plans.toml").write_text(text + "\n[[plan]]" + brief.replace("max_in_flight_jobs = 20", ""))
    service.admin("plan", "apply", folder / "plans.toml")


class Busy:
    """Work that goes on while backups are made: uploads and jobs of accounts that keep and that lose their things, and a
    tileset that is patched and folded all the time."""

    def __init__(self, service, key, brief):
        self.service, self.key, self.brief = service, key, brief
        self.ended, self.shown, self.failed = [], [], []
        self.stopping = threading.Event()
        self.threads = [threading.Thread(target=self._guard, args=[work]) for work in (self._resize, self._lose, self._patch)]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        self.wait_for_more(5)
        return self

    def __exit__(self, *_):
        self.stopping.set()
        for thread in self.threads:
            thread.join()
        if self.failed:
            raise self.failed[0]

    def wait_for_more(self, count):
        ended, shown = len(self.ended) + count, len(self.shown) + count
        wait_until(lambda: self.failed or (len(self.ended) >= ended and len(self.shown) >= shown), "work to be done", PATIENCE * 4)

    def _guard(self, work):
        try:
            work()
        except BaseException as failure:  # told by the test's own thread
            self.failed.append(failure)

    def _resize(self):
        while not self.stopping.is_set():
            self.ended.append(resized(self.service, self.key, len(self.ended)))

    def _lose(self):
        number = 0
        while not self.stopping.is_set():
            number += 1
            asset = upload(self.service, self.brief, png(20 + number % 50, 100 + number // 50)).json()["id"]
            body = {"asset_id": asset, "operation": "resize", "options": {"width": 8, "format": "png"}}
            job = self.service.post("/v1/jobs", body=body, key=self.brief).json()
            if "id" in job:  # else the asset was gone already
                wait_for_job(self.service, self.brief, job["id"])

    def _patch(self):
        asset = upload(self.service, self.key, png(512, 512)).json()["id"]
        tileset = tileset_of(run_job(self.service, self.key, "tile", {"format": "png"}, asset))
        number = 0
        while not self.stopping.is_set():
            number += 1
            spot = patch(number * 30 % 470, number * 20 % 470, 40, 40, color=f"#{number % 256:02x}8000")
            job = run_patch(self.service, self.key, tileset, spot)
            # Nobody else patches it: what is current is what this job made, folded or not.
            tiles = [self.service.get(f"/v1/tilesets/{tileset}/xyz/{z}/{x}/{y}.png", key=self.key) for z, x, y in TILES]
            assert [tile.status for tile in tiles] == [200] * len(TILES), tiles
            self.shown.append((job, [tile.body for tile in tiles]))


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


def check(restored, key, before, busy):
    """All that was there before the backup is there, whole; of what came later, a row never lacks its blob."""
    for job in before:
        assert artifact_of(restored, key, job)[1], artifact_of(restored, key, job)[0]
    for job in busy.ended:
        # One that the copy has as queued is done again, and has other artifacts then.
        found = restored.get(f"/v1/jobs/{job['id']}", key=key)
        if found.status == 200 and found.json()["status"] == "succeeded":
            answer, whole = artifact_of(restored, key, found.json())
            assert whole, answer
    compared = 0
    for job, bodies in busy.shown:
        found = restored.get(f"/v1/jobs/{job['id']}", key=key)
        if found.status != 200 or "public_tile_url_template" not in found.json()["result"]:
            continue  # not done yet, or an old version that had been removed before the backup
        assert [restored.get(tile_path(found.json(), *name)).body for name in TILES] == bodies
        compared += 1
    assert compared > 0
    resized(restored, key, 4000)  # and it works on


def check_rows(data_dir):
    """Every blob that the database names is there, with its bytes: those of expired things, too."""
    files = {path.parent.parent.name + "/" + path.name.replace("+", "/"): path for path in (data_dir / "blobs").glob("*/*/*")}
    connection = sqlite3.connect(data_dir / "tessera.db")
    named = connection.execute(
        """SELECT storage_key, byte_size, checksum_sha256 FROM assets
           UNION ALL SELECT storage_key, byte_size, checksum_sha256 FROM artifacts
           UNION ALL SELECT storage_key, byte_size, '' FROM tileset_layers"""
    ).fetchall()
    connection.close()
    assert len(named) > 20
    for key, size, checksum in named:
        content = files[key].read_bytes()
        assert len(content) == size, key
        assert checksum in ("", hashlib.sha256(content).hexdigest()), key
    return len(named)


def backup_command(service, *words):
    return [str(BINARY), "admin", "--data-dir", str(service.data_dir), "backup", *map(str, words), "--json"]


def names_in(service, backups):
    return [one["backup"] for one in service.admin("backup", "--list", backups)]


def pool_of(backups):
    return {path.parent.parent.name + "/" + path.name.replace("+", "/") for path in (backups / "blobs").glob("*/*/*")}


def listed_in(backups):
    return {line.split(" ", 2)[2] for one in backups.glob("2*/blobs") for line in one.read_text().splitlines()}


@pytest.fixture
def saved(make_service, folder):
    """A service at rest with a little in it, its key, and a folder with one backup of it."""
    service = make_service()
    key = service.new_account("saved")
    resized(service, key, 1)
    service.admin("backup", folder / "backups")
    return service, key, folder / "backups"


def test_a_service_comes_back_from_a_backup_that_was_made_under_load(make_service, folder):
    service = make_service(settings=HASTY)
    brief_plan(service, folder)
    key = service.new_account("saved", cdn=True)
    backups = folder / "backups"
    with Busy(service, key, service.new_account("loser", plan="brief")) as busy:
        first = service.admin("backup", backups)
        assert first["damaged"] == 0 and first["new_blobs"] == first["blobs"]
        for killed in range(4):
            busy.wait_for_more(2)
            whole = names_in(service, backups)
            process = subprocess.Popen(backup_command(service, backups), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            sign = ".partial-*/wanted" if killed % 2 else ".partial-*"
            wait_until(lambda: list(backups.glob(sign)) or process.poll() is not None, "a backup to be under way", pause=0.001)
            process.kill()
            process.communicate()
            assert names_in(service, backups)[: len(whole)] == whole, "earlier backups stay"
            service.admin("backup", "--verify", backups)
        before = list(busy.ended)
        second = service.admin("backup", backups)
        assert second["new_blobs"] < second["blobs"], "what an earlier one has is not copied again"
        busy.wait_for_more(3)
    service.kill()
    assert names_in(service, backups)[-1] == second["backup"]
    assert list(backups.glob(".*")) == [], "nothing is left of those that were killed"
    assert pool_of(backups) == listed_in(backups)

    restored = make_service("restored", start=False)
    restored.admin("restore", backups)
    check_rows(restored.data_dir)
    check(restored.start(), key, before, busy)
    # An older one comes back as well.
    older = make_service("older", start=False)
    older.admin("restore", backups, "--backup", first["backup"])
    check_rows(older.data_dir)


def test_nightly_backups_share_their_blobs_and_old_ones_go(saved):
    service, key, backups = saved
    first = names_in(service, backups)
    reports = []
    for night in range(4):
        resized(service, key, 10 + night)
        reports.append(service.admin("backup", backups, "--keep", 3))
    assert [report["new_blobs"] for report in reports] == [2, 2, 2, 2]
    assert [report["removed"] for report in reports] == [[], [], first, [reports[0]["backup"]]]
    assert names_in(service, backups) == [report["backup"] for report in reports[1:]]
    assert pool_of(backups) == listed_in(backups)
    service.admin("backup", "--verify", backups)
    # What only an old backup named goes with it.
    service.admin("account", "erase", "--account", "saved", "--confirm", "saved")
    last = service.admin("backup", backups, "--keep", 1)
    assert last["blobs"] == 0 and pool_of(backups) == set()


def test_backups_are_for_their_owner_alone(saved, folder):
    service, _, backups = saved
    restored = folder / "restored"
    old = os.umask(0o022)
    try:
        service.admin("backup", backups)
        subprocess.run([str(BINARY), "admin", "restore", str(backups), "--data-dir", str(restored)], check=True, capture_output=True)
    finally:
        os.umask(old)
    for path in [backups, *backups.rglob("*"), restored, *restored.rglob("*")]:
        assert path.stat().st_mode & 0o777 == (0o700 if path.is_dir() else 0o600), path


def test_a_backup_takes_only_a_folder_of_its_own_and_one_at_a_time(saved, folder, database, make_service):
    service, _, backups = saved
    (folder / "mine").mkdir()
    (folder / "mine" / "precious").write_text("precious")
    refused = service.admin("backup", folder / "mine", check=False)
    assert refused.returncode == 4 and "folder of their own" in refused.stderr
    assert [path.name for path in (folder / "mine").iterdir()] == ["precious"]
    for words in (["backup", "--list"], ["backup", "--verify"], ["restore"]):
        assert service.admin(*words, folder / "mine", check=False).returncode == 3
    with open(backups / "tessera-backup") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        refused = service.admin("backup", backups, check=False)
        assert refused.returncode == 4 and "at work" in refused.stderr
    node = make_service("node", settings={"metadata.url": database.url})
    refused = node.admin("backup", folder / "copy", check=False)
    assert refused.returncode == 1 and "pg_dump" in refused.stderr


def test_a_restore_wants_an_empty_folder_or_puts_aside_what_is_there(saved, make_service):
    service, key, backups = saved
    refused = service.admin("restore", backups, check=False)
    assert refused.returncode == 1 and "another `tessera serve`" in refused.stderr
    late = resized(service, key, 2)
    service.stop()
    refused = service.admin("restore", backups, check=False)
    assert refused.returncode == 4 and "is not empty" in refused.stderr and "--force" in refused.stderr
    done = service.admin("restore", backups, "--force")
    aside = pathlib.Path(done["put_aside"])
    assert sorted(path.name for path in aside.iterdir() if not path.name.endswith(("-wal", "-shm"))) == ["blobs", "signing-secrets", "tessera.db"]
    service.start()
    assert service.get(f"/v1/jobs/{late['id']}", key=key).status == 404
    assert any(entry["action"] == "restore" for entry in service.admin("audit"))
    service.stop()
    # And back again.
    for path in ("tessera.db", "tessera.db-wal", "tessera.db-shm", "blobs", "signing-secrets"):
        target = service.data_dir / path
        shutil.rmtree(target) if target.is_dir() else target.unlink(missing_ok=True)
        if (aside / path).exists():
            (aside / path).rename(target)
    service.start()
    assert artifact_of(service, key, late)[1]


def test_a_restore_that_was_killed_is_not_taken_for_whole_and_goes_on(saved, make_service):
    service, key, backups = saved
    jobs = [resized(service, key, 100 + number) for number in range(10)]
    service.admin("backup", backups)
    restored = make_service("restored", start=False, clean_log=False)
    line = [str(BINARY), "admin", "--data-dir", str(restored.data_dir), "restore", str(backups)]
    mark = restored.data_dir / "restore-unfinished"
    for _ in range(20):
        process = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        wait_until(lambda: mark.exists() or process.poll() is not None, "the restore to begin", pause=0.0005)
        process.kill()
        process.communicate()
        if mark.exists():
            break
        shutil.rmtree(restored.data_dir)
    assert mark.exists() and not (restored.data_dir / "tessera.db").exists()
    for command in ("serve", "worker"):
        refused = subprocess.run([str(BINARY), command, "--data-dir", str(restored.data_dir)], capture_output=True, text=True, timeout=PATIENCE)
        assert refused.returncode == 1 and "did not end" in refused.stderr
    assert restored.admin("account", "list", check=False).returncode == 3
    restored.admin("restore", backups)
    restored.start()
    for job in jobs:
        assert artifact_of(restored, key, job)[1]


def test_damage_is_found_and_told(saved, make_service, folder):
    service, key, backups = saved
    service.admin("backup", "--verify", backups)
    victim = next((backups / "blobs" / "artifacts").glob("*/*"))
    good = victim.read_bytes()
    victim.write_bytes(good[:-1] + bytes([good[-1] ^ 1]))
    found = service.admin("backup", "--verify", backups, check=False)
    assert found.returncode == 1 and victim.name.replace("+", "/") in found.stderr
    restored = make_service("restored", start=False)
    refused = restored.admin("restore", backups, check=False)
    assert refused.returncode == 1 and "SHA-256 differs" in refused.stderr and "--allow-damaged" in refused.stderr
    assert not (restored.data_dir / "tessera.db").exists()
    # What is missing is copied again, where the service still has it.
    victim.unlink()
    assert service.admin("backup", "--verify", backups, check=False).returncode == 1
    assert service.admin("backup", backups)["new_blobs"] == 1
    service.admin("backup", "--verify", backups)
    restored.admin("restore", backups)
    database = sorted(backups.glob("2*/tessera.db"))[-1]
    database.write_bytes(database.read_bytes()[:-1] + b"x")
    refused = make_service("other", start=False).admin("restore", backups, check=False)
    assert refused.returncode == 1 and "tessera.db is not what was written" in refused.stderr
    assert service.admin("backup", "--verify", backups, check=False).returncode == 1


def test_a_blob_that_the_service_lost_is_told_and_no_old_backup_goes_for_it(saved):
    service, key, backups = saved
    job = resized(service, key, 3)
    lost = next((service.data_dir / "blobs" / "artifacts").glob(f"*/*{job['id']}*"))
    content = lost.read_bytes()
    lost.unlink()
    told = service.admin("backup", backups, "--keep", 1, check=False)
    assert told.returncode == 1 and job["id"] in told.stderr and "no older backup" in told.stderr
    assert [one["damaged"] for one in service.admin("backup", "--list", backups)] == [0, 1]
    lost.write_bytes(content)
    assert service.admin("backup", backups, "--keep", 1)["damaged"] == 0
    assert len(names_in(service, backups)) == 1


def test_a_database_and_blobs_elsewhere_are_backed_up_too(make_service, folder):
    def settings(name):
        return {
            "rate_limits.enabled": "false",
            "metadata.url": f"sqlite:{folder}/{name}/own.db",
            "blobs.url": f"file:{folder}/{name}/bytes",
        }

    for name in ("here", "there"):
        (folder / name).mkdir()
    service = make_service(settings=settings("here"))
    key = service.new_account("saved")
    job = resized(service, key, 1)
    service.admin("backup", folder / "backups")
    restored = make_service("restored", start=False, settings=settings("there"))
    restored.admin("restore", folder / "backups")
    assert artifact_of(restored.start(), key, job)[1]


def test_a_cluster_comes_back_from_pg_dump_and_a_copy_of_the_bucket(make_service, postgres, ceph, folder):
    """As docs/cluster.md says: both copies while `keep-blobs` holds, the database first."""

    def settings(database, bucket):
        return {
            **HASTY,
            "metadata.url": database.url,
            "blobs.url": f"s3://{bucket}?endpoint={ceph.endpoint}",
            "blobs.access_key_id": ceph.access_key,
            "blobs.secret_access_key": ceph.secret_key,
        }

    for bucket in ("production", "saved", "fresh"):
        ceph.create_bucket(bucket)
    database, empty = postgres.new_database(), postgres.new_database()
    service = make_service(settings=settings(database, "production"))
    brief_plan(service, folder)
    key = service.new_account("saved", cdn=True)
    dump = folder / "tessera.dump"
    connect = ["-h", postgres.socket_folder, "-U", "postgres"]
    with Busy(service, key, service.new_account("loser", plan="brief")) as busy:
        before = list(busy.ended)
        held = folder / "held"
        os.mkfifo(held)
        keeper = subprocess.Popen(keep_blobs(service, "sh", "-c", f"echo held; cat {held}"), stdout=subprocess.PIPE)
        assert keeper.stdout.readline() == b"held\n"
        subprocess.run(["pg_dump", *connect, "--format=custom", f"--file={dump}", database.name], check=True)
        busy.wait_for_more(3)
        ceph.rclone("sync", "--checksum", "production", "saved")
        held.write_text("")
        assert keeper.wait(PATIENCE) == 0
        busy.wait_for_more(3)
    service.kill()
    ceph.rclone("sync", "--checksum", "saved", "fresh")
    subprocess.run(["pg_restore", *connect, f"--dbname={empty.name}", "--exit-on-error", dump], check=True)
    calm = {name: value for name, value in settings(empty, "fresh").items() if name not in HASTY or name == "rate_limits.enabled"}
    restored = make_service("restored", settings=calm)
    check(restored, key, before, busy)


def keep_blobs(service, *command):
    line = [str(BINARY), "admin", "--data-dir", str(service.data_dir)]
    for name in ("metadata.url", "blobs.url"):
        if name in service.settings:
            line += ["--set", f"{name}={service.settings[name]}"]
    return [*line, "keep-blobs", "--", *command]


def test_keep_blobs_runs_a_command_and_fails_with_it(saved):
    service, _, _ = saved
    done = subprocess.run(keep_blobs(service, "sh", "-c", "echo out; exit 3"), capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stdout) == (1, "out\n") and "sh ended with 3" in done.stderr
    assert subprocess.run(keep_blobs(service, "true"), timeout=PATIENCE).returncode == 0
    assert subprocess.run(keep_blobs(service, "no-such-program"), capture_output=True, timeout=PATIENCE).returncode == 1
