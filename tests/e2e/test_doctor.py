"""`tessera doctor`: what a machine lacks, and what to do about each; nothing is made or changed."""

import json
import resource
import socket
import sqlite3
import subprocess

import pytest
from ports import free_port
from service import BINARY

FORMATS = ["gif", "jpeg", "png", "webp", "avif", "jxl", "heif"]


def doctor(folder, *arguments, expected, before=None):
    """What it said, by name."""
    line = [BINARY, "doctor", "--data-dir", folder / "data", "--json", *[str(each) for each in arguments]]
    done = subprocess.run(line, capture_output=True, text=True, preexec_fn=before)
    assert done.returncode == expected, (done.stdout, done.stderr)
    assert done.stderr == ""
    return {each["name"]: each for each in json.loads(done.stdout)}


@pytest.fixture
def port():
    return free_port()


def test_a_machine_that_runs_the_tests_is_fit(folder, port):
    said = doctor(folder, "--listen", f"127.0.0.1:{port}", expected=0)
    assert {each["level"] for each in said.values()} <= {"ok", "warn"}
    assert all(bool(each["what_to_do"]) == (each["level"] != "ok") for each in said.values())
    for part in ("no_new_privs", "seccomp", "landlock", "rlimits"):
        assert said[f"sandbox: {part}"]["level"] == "ok"
    for name in FORMATS:
        assert said[f"format {name}"]["level"] == "ok", said[f"format {name}"]
    assert not (folder / "data").exists(), "it made nothing"


def test_lines_for_people(folder, port):
    line = [BINARY, "doctor", "--data-dir", folder / "data", "--listen", f"127.0.0.1:{port}"]
    told = subprocess.run(line, capture_output=True, text=True).stdout.splitlines()
    assert all(line.split()[0] in ("ok", "warn", "fail") for line in told[:-1])
    assert told[-1].endswith(" 0 failed")


def test_what_is_lacking_is_told_with_what_to_do(folder):
    def few_files():
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))

    (folder / "data").write_text("not a folder")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        said = doctor(
            folder,
            "--listen", address,
            "--set", f"metadata.url=postgresql://127.0.0.1:{free_port()}/nothing",
            "--set", f"blobs.url=s3://bucket?endpoint=http://127.0.0.1:{free_port()}",
            "--set", "blobs.access_key_id=a",
            "--set", "blobs.secret_access_key=b",
            "--set", "scanning.enabled=true",
            "--set", f"scanning.address=unix:{folder}/clamd.ctl",
            "--set", "server.public_url=http://pictures.example",
            "--set", "engine.memory_limit_bytes=1TiB",
            expected=1,
            before=few_files,
        )  # fmt: skip
    failed = {name for name, each in said.items() if each["level"] == "fail"}
    assert failed == {"open files", "data folder", "database", "blobs", "scanner", f"address {address}"}, said
    assert said["memory"]["level"] == "warn" and "engine.memory_limit_bytes" in said["memory"]["what_to_do"]
    assert said["public address"]["level"] == "warn" and "TLS" in said["public address"]["what_to_do"]
    assert "Connection refused" in said["database"]["found"]
    assert "can't be reached" in said["blobs"]["found"]
    assert "LimitNOFILE" in said["open files"]["what_to_do"]
    assert (folder / "data").read_text() == "not a folder"


def test_stores_that_are_there_are_named(folder, database, ceph, port):
    said = doctor(
        folder,
        "--listen", f"127.0.0.1:{port}",
        "--set", f"metadata.url={database.url}",
        "--set", f"blobs.url=s3://tessera/{folder.name}?endpoint={ceph.endpoint}",
        "--set", f"blobs.access_key_id={ceph.access_key}",
        "--set", f"blobs.secret_access_key={ceph.secret_key}",
        expected=0,
    )  # fmt: skip
    assert said["database"]["found"].startswith("PostgreSQL 1") and "no tables yet" in said["database"]["found"]
    assert said["clock of the database"]["level"] == "ok"
    assert said["connections"]["level"] == "ok"
    assert 'bucket "tessera"' in said["blobs"]["found"]
    assert database.number("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == 0, "it made nothing"


def test_a_database_of_a_newer_version_is_told(make_service, folder, port):
    service = make_service()
    service.stop()
    with sqlite3.connect(service.data_dir / "tessera.db") as connection:
        connection.execute("PRAGMA user_version = 999")
    said = doctor(folder, "--listen", f"127.0.0.1:{port}", expected=1)
    assert "made by a newer Tessera" in said["database"]["found"]
