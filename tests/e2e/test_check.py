"""`tessera admin check`: every kind of damage is found and told, repaired as far as that goes, and a sound service is clean."""

import hashlib
import json
import os
import pathlib
import signal
import sqlite3
import subprocess
import time

import pytest
from pictures import noise_png, png
from service import Service, request_path, temporary_folder, upload, wait_for_job, wait_until
from test_backup import HASTY, Busy, brief_plan
from tilesets import blob, layers, patch, rows, run_job, run_patch, tileset_of

LONG_AGO = time.time() - 3 * 86400


def check(service, *arguments, expected):
    """What a check told: its findings by kind, and the summary."""
    done = service.admin("check", *arguments, check=False)
    assert done.returncode == expected, (done.stdout, done.stderr)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    found = {}
    for line in lines[:-1]:
        assert line["what_to_do"]
        found.setdefault(line["finding"], []).append(line)
    return found, lines[-1]


def artifact_file(service, job):
    key = rows(service, "SELECT storage_key FROM artifacts WHERE hex(id) = ?", job["artifacts"][0]["id"].replace("-", "").upper())
    name = key[0][0].split("/", 1)[1].replace("/", "+")
    return next((service.data_dir / "blobs").rglob(name))


def flip_a_byte(path):
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0xFF
    path.write_bytes(content)


class Damaged:
    """A service to which everything has been done that can go wrong, while it runs."""

    def __init__(self, service):
        self.service = service
        self.key = key = service.new_account("tester", cdn=True)
        self.pictures = [png(40 + i, 40) for i in range(4)]
        self.whole, self.lost, self.flipped, self.used = [upload(service, key, picture).json() for picture in self.pictures]
        self.cut = run_job(service, key, "resize", {"width": 20, "format": "png"}, self.used["id"])
        big = upload(service, key, noise_png(600, 500)).json()["id"]
        self.headless = tileset_of(run_job(service, key, "tile", {"format": "png"}, big))
        self.short = tileset_of(run_job(service, key, "tile", {"format": "png"}, big))
        run_patch(service, key, self.short, patch(10, 10, 50, 50, color="#ff0000"))

        found, summary = check(service, "--checksums", expected=0)
        assert found == {} and summary["clean"] and summary["blobs"] == 9, (found, summary)
        assert summary["bytes_read"] > 0

        blob(service, self.lost["storage_key"]).unlink()
        flip_a_byte(blob(service, self.flipped["storage_key"]))
        os.truncate(artifact_file(service, self.cut), 10)
        base = blob(service, layers(service, self.headless)[0])
        base.write_bytes(b"\0" * 200 + base.read_bytes()[200:])
        delta = blob(service, layers(service, self.short)[1])
        os.truncate(delta, delta.stat().st_size - 7)
        example = blob(service, self.whole["storage_key"])
        folder = example.parent.parent
        # The keys of assets are SHA-256s, and which folder a key belongs to is its own SHA-256.
        self.orphan = self._put_orphan(folder, "a" * 64, LONG_AGO)
        self.fresh = self._put_orphan(folder, "b" * 64, time.time())
        self.stray = folder / "notes.txt"
        self.stray.write_text("whose is this?")

    def _put_orphan(self, folder, digest, modified):
        account = self.whole["account_id"]
        place = folder / hashlib.sha256(f"{account}/{digest}".encode()).hexdigest()[:2]
        place.mkdir(exist_ok=True)
        path = place / f"{account}+{digest}"
        path.write_bytes(b"nobody's")
        os.utime(path, (modified, modified))
        return path


@pytest.fixture(scope="module")
def damaged():
    """Its log tells of an artifact that is unavailable, which is an error."""
    with temporary_folder() as path:
        service = Service(path / "data").start()
        yield Damaged(service)
        service.stop()


def test_every_kind_of_damage_is_found(damaged):
    service = damaged.service
    found, summary = check(service, expected=1)
    assert {kind: len(lines) for kind, lines in found.items()} == {
        "missing": 1,
        "wrong_size": 2,
        "bad_archive": 1,
        "orphan": 1,
        "stray": 1,
    }, found
    assert summary["findings"] == 6 and summary["moved"] == 0 and not summary["clean"]
    (missing,) = found["missing"]
    assert damaged.lost["id"] in missing["owner"] and missing["account"] == "tester"
    assert missing["where"].endswith(damaged.lost["checksum_sha256"])
    owners = sorted(line["owner"] for line in found["wrong_size"])
    assert damaged.cut["artifacts"][0]["id"] in owners[0] and damaged.short in owners[1]
    assert damaged.headless in found["bad_archive"][0]["owner"]
    assert found["orphan"][0]["where"] == str(damaged.orphan) and found["orphan"][0]["account"] == "tester"
    assert found["stray"][0]["where"] == str(damaged.stray)

    deep, _ = check(service, "--checksums", "--rate", "100MiB", expected=1)
    (flipped,) = deep.pop("damaged")
    assert damaged.flipped["id"] in flipped["owner"]
    assert deep.keys() == found.keys()

    told = service.admin("check", check=False, as_json=False)
    assert told.returncode == 1
    assert f"missing: asset {damaged.lost['id']}, account tester, " in told.stdout
    assert "6 findings" in told.stderr
    assert "\x1b" not in told.stdout + told.stderr, "no bar in a pipe"
    assert not (service.data_dir / "check.journal").exists()
    assert not (service.data_dir / "quarantine").exists()


def test_the_service_answers_cleanly_for_what_is_not_there(damaged):
    service, key = damaged.service, damaged.key
    body = {"asset_id": damaged.lost["id"], "operation": "resize", "options": {"width": 8}}
    job = wait_for_job(service, key, service.post("/v1/jobs", body=body, key=key).json()["id"])
    assert (job["status"], job["error_code"]) == ("failed", "source_unavailable")
    described = service.get(f"/v1/artifacts/{damaged.cut['artifacts'][0]['id']}", key=key).json()
    answer = service.get(request_path(described["download_url"]))
    assert (answer.status, answer.json()["error"]) == (500, "artifact is unavailable")


def test_a_repair_moves_and_never_deletes(damaged):
    service, key = damaged.service, damaged.key
    orphan, stray = damaged.orphan.read_bytes(), damaged.stray.read_bytes()
    found, summary = check(service, "--checksums", "--repair", expected=1)
    moved = {line["finding"]: pathlib.Path(line["moved_to"]) for kind in found.values() for line in kind if "moved_to" in line}
    assert moved.keys() == {"orphan", "stray", "damaged", "wrong_size"}
    assert summary["moved"] == 4
    assert moved["orphan"].read_bytes() == orphan and moved["stray"].read_bytes() == stray
    for path in moved.values():
        assert path.is_relative_to(service.data_dir / "quarantine")
        assert json.loads(pathlib.Path(f"{path}.json").read_text())["finding"] in moved
    assert not damaged.orphan.exists() and not damaged.stray.exists() and damaged.fresh.exists()
    acts = [act for act in service.admin("audit") if act["action"] in ("check.repair", "blob.quarantine")]
    assert len(acts) == 5 and sum(act["account"] == "tester" for act in acts) == 3

    # What remains is what only a backup or its owner can bring back. The archives, which still serve some tiles, stay.
    found, _ = check(service, "--checksums", expected=1)
    assert {kind: len(lines) for kind, lines in found.items()} == {"missing": 3, "wrong_size": 1, "bad_archive": 1}, found

    # The same picture, uploaded again, is stored anew, and heals every row that names it.
    for picture in damaged.pictures[1:3]:
        assert upload(service, key, picture).status == 201
    found, _ = check(service, "--checksums", expected=1)
    assert {kind: len(lines) for kind, lines in found.items()} == {"missing": 1, "wrong_size": 1, "bad_archive": 1}, found
    body = {"asset_id": damaged.lost["id"], "operation": "resize", "options": {"width": 8}}
    assert wait_for_job(service, key, service.post("/v1/jobs", body=body, key=key).json()["id"])["status"] == "succeeded"


def test_a_damaged_database_is_told(make_service, folder):
    service = make_service()
    service.new_account("tester")
    service.stop()
    connection = sqlite3.connect(service.data_dir / "tessera.db")
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute("UPDATE accounts SET plan_code = 'gone'")
    connection.commit()
    connection.close()
    found, _ = check(service, expected=1)
    assert "refers to a row of plans that is not there" in found["database"][0]["where"]


def test_one_that_was_killed_goes_on(make_service, folder):
    service = make_service()
    key = service.new_account("tester")
    for i in range(3):
        upload(service, key, noise_png(100, 100 + i))
    stray = service.data_dir / "blobs" / "stray"
    stray.write_text("x")
    journal = service.data_dir / "check.journal"
    line = [service.binary, "admin", "--data-dir", service.data_dir, "check", "--json", "--repair", "--checksums"]
    slow = subprocess.Popen([*line, "--rate", "1KiB"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_until(lambda: journal.exists() and '"phase":2' in journal.read_text(), "the check to reach the rows")
    second = subprocess.run(line, capture_output=True, text=True)
    assert second.returncode == 4 and "another check is at work" in second.stderr
    slow.send_signal(signal.SIGKILL)
    slow.communicate()
    with journal.open("a") as torn:
        torn.write('{"phase":3,"cur')

    done = subprocess.run(line, capture_output=True, text=True)
    assert "going on with the check that began at" in done.stderr
    told = [json.loads(text) for text in done.stdout.splitlines()]
    assert [each["finding"] for each in told[:-1]] == ["stray"], "what the first part found is told again, once"
    assert told[0]["moved_to"] and told[-1]["blobs"] == 3
    assert not journal.exists()
    check(service, "--checksums", expected=0)


def test_it_is_clean_beside_a_busy_service(make_service, folder):
    service = make_service(settings=HASTY)
    brief_plan(service, folder)
    key, brief = service.new_account("keeper", cdn=True), service.new_account("loser", plan="brief")
    with Busy(service, key, brief) as busy:
        for arguments in [[], ["--checksums"], ["--checksums", "--repair"]]:
            found, summary = check(service, *arguments, expected=0)
            assert found == {}, found
            busy.wait_for_more(2)
    assert not (service.data_dir / "quarantine").exists()


def test_a_cluster_is_checked_by_the_same_command(make_service, folder, database, ceph):
    prefix = folder.name
    settings = {
        "rate_limits.enabled": "false",
        "metadata.url": database.url,
        "blobs.url": f"s3://tessera/{prefix}?endpoint={ceph.endpoint}",
        "blobs.access_key_id": ceph.access_key,
        "blobs.secret_access_key": ceph.secret_key,
    }
    service = make_service(settings=settings)
    key = service.new_account("tester", cdn=True)
    picture = png(60, 60)
    lost, kept = upload(service, key, picture).json(), upload(service, key, png(61, 61)).json()
    tileset_of(run_job(service, key, "tile", {"format": "png"}, kept["id"]))
    found, summary = check(service, "--checksums", expected=0)
    assert found == {} and summary["blobs"] == 3

    bucket = f"tessera/{prefix}"
    ceph.rclone("deletefile", f"{bucket}/{lost['storage_key']}")
    orphan = f"assets/{lost['account_id']}/{'a' * 64}"
    ceph.rclone("copyto", f"{bucket}/{kept['storage_key']}", f"{bucket}/{orphan}")
    found, _ = check(service, expected=1)
    assert found.keys() == {"missing"}, "what is younger than retention.orphan_age may be on its way to a row"
    at_once = ["--set", "retention.orphan_age=1s"]

    def old_enough():
        found, _ = check(service, *at_once, expected=1)
        return found if "orphan" in found else None

    found = wait_until(old_enough, "the orphan to be a second old")
    assert {kind: len(lines) for kind, lines in found.items()} == {"missing": 1, "orphan": 1}
    found, _ = check(service, *at_once, "--repair", expected=1)
    moved = found["orphan"][0]["moved_to"]
    assert "/.quarantine/" in moved
    assert ceph.rclone("lsf", moved.removeprefix("s3://")).strip() == "a" * 64
    upload(service, key, picture)
    check(service, *at_once, "--checksums", expected=0)
