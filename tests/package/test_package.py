"""The package on a bare Debian 12: what an administrator does with it, in the order of its life. Each test goes on where the
one before it ended. Needs root; `scripts/test package` makes the packages and runs it."""

import json
import os
import pathlib
import re
import struct
import zlib

import pytest
from machine import ROOT, Machine, wait_until

URL = "http://127.0.0.1:8080"
ADMIN = ["runuser", "-u", "tessera", "--", "tessera", "admin", "--config", "/etc/tessera/tessera.toml", "--json"]
PACKAGES = [pathlib.Path(path) for path in os.environ.get("TESSERA_PACKAGES", "").split()]  # the older one, the newer one
JOBS = 8


def photo(width=1600, height=1000):
    """Noise that takes a while to encode."""
    rows = b"".join(b"\0" + bytes((x * 7 + y * 13 + (x * y) // 50) % 256 for x in range(width * 3)) for y in range(height))
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))  # noqa: E731
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b"")


@pytest.fixture(scope="module")
def machine():
    assert os.geteuid() == 0, "a container needs root"
    assert len(PACKAGES) == 2, "TESSERA_PACKAGES names two packages; scripts/test package makes them"
    machine = Machine()
    machine.unpack()
    for package in PACKAGES:
        machine.put(package, f"/root/{package.name}")
    (machine.folder / "root" / "photo.png").write_bytes(photo())
    machine.before_boot("apt-get", "-qq", "update")
    machine.before_boot("apt-get", "-qq", "install", "-y", "--download-only", f"/root/{PACKAGES[0].name}")
    try:
        machine.boot()
        yield machine
    finally:
        machine.stop()


def install(machine, package):
    return machine.must("apt-get", "install", "-y", f"/root/{package.name}")


def ask(machine, path, *more, key=None):
    key = ["-H", f"X-API-Key: {key}"] if key else []
    return json.loads(machine.must("curl", "-sS", URL + path, *key, *more))


def submit(machine, key, asset, options, *more):
    body = json.dumps({"asset_id": asset, "operation": "resize", "options": options})
    return ask(machine, "/v1/jobs", "--json", body, *more, key=key)


def main_pid(machine, unit="tessera"):
    return int(machine.must("systemctl", "show", "--property=MainPID", "--value", unit))


def is_running(machine):
    return "tessera" in machine.does("sh", "-c", "cat /proc/[0-9]*/comm").split()


@pytest.fixture(scope="module")
def known():
    """What later tests find again: the key, the asset, the first job."""
    return {}


def test_installing_starts_and_enables_nothing(machine):
    install(machine, PACKAGES[0])
    for unit in ("tessera", "tessera-worker"):
        assert machine.does("systemctl", "is-active", unit).strip() == "inactive"
        assert machine.does("systemctl", "is-enabled", unit).strip() == "disabled"
    assert not is_running(machine)
    assert "/var/lib/tessera" in machine.must("getent", "passwd", "tessera")
    assert machine.does("ls", "/var/lib/tessera").startswith("ls: cannot access")


def test_what_was_installed_is_whole(machine):
    assert 'dir = "/var/lib/tessera"' in machine.must("tessera", "config", "print", "--config", "/etc/tessera/tessera.toml")
    assert machine.must("stat", "--format=%a %U", "/etc/tessera/tessera.env").strip() == "600 root"
    for file in ("bash-completion/completions/tessera", "zsh/vendor-completions/_tessera", "fish/vendor_completions.d/tessera.fish"):
        machine.must("test", "-s", f"/usr/share/{file}")
    assert "Run the service" in machine.must("zcat", "/usr/share/man/man1/tessera-serve.1.gz")
    assert "server.listen" in machine.must("zcat", "/usr/share/man/man5/tessera.toml.5.gz")
    assert machine.must("dpkg", "--verify", "tessera") == ""


def test_the_first_minutes(machine, known):
    machine.must("systemctl", "start", "tessera")
    assert ask(machine, "/readyz")["status"] == "ready"  # at once: the unit says when it is ready
    machine.must(*ADMIN, "account", "create", "--slug", "shop", "--name", "Shop", "--plan", "unlimited")
    known["key"] = json.loads(machine.must(*ADMIN, "key", "create", "--account", "shop", "--name", "first"))["api_key"]
    known["asset"] = ask(machine, "/v1/assets", "-F", "file=@/root/photo.png", key=known["key"])["id"]
    known["job"] = submit(machine, known["key"], known["asset"], {"width": 300, "format": "webp"}, "-H", "Prefer: wait=60")
    assert known["job"]["status"] == "succeeded", known["job"]
    assert machine.must("stat", "--format=%a %U", "/var/lib/tessera").strip() == "700 tessera"


def test_the_sandbox_is_whole_under_the_unit(machine):
    lines = [json.loads(line) for line in machine.must("journalctl", "--unit=tessera", "--output=cat").splitlines() if line.startswith("{")]
    sandbox = next(line["sandbox"] for line in lines if line["event"] == "started")
    print(sandbox)
    assert not [line for line in lines if line["level"] in ("warning", "error")], "the log is not clean"
    assert "seccomp" in sandbox.split("; without")[0]
    assert "Operation not permitted" not in sandbox, "the unit refuses what an engine needs to lock itself in"


def test_a_restart_loses_nothing(machine, known):
    before = main_pid(machine)
    machine.must("systemctl", "restart", "tessera")
    assert main_pid(machine) != before
    assert ask(machine, f"/v1/jobs/{known['job']['id']}", key=known["key"])["status"] == "succeeded"


def test_an_upgrade_while_jobs_wait(machine, known):
    # One job at a time, so that some wait; and a changed file of settings, which an upgrade must keep.
    machine.must("sed", "-i", "s/^#slots = .*/slots = 1/", "/etc/tessera/tessera.toml")
    machine.must("sh", "-c", "echo TESSERA_RATE_LIMITS__ENABLED=false >> /etc/tessera/tessera.env")
    machine.must("systemctl", "restart", "tessera")
    used = ask(machine, "/v1/account", key=known["key"])["usage"]["processing_credits"]["used"]
    ids = [submit(machine, known["key"], known["asset"], {"width": 1500 - i, "format": "avif"})["id"] for i in range(JOBS)]
    states = lambda: [ask(machine, f"/v1/jobs/{i}", key=known["key"]) for i in ids]  # noqa: E731
    before = main_pid(machine)
    assert any(job["status"] == "queued" for job in states()), "no job waits: the test shows nothing"

    install(machine, PACKAGES[1])
    assert main_pid(machine) not in (0, before), "an upgrade restarts what runs"
    assert any(job["status"] in ("queued", "running") for job in states()), "all were done before: the test shows nothing"
    assert "slots = 1" in machine.must("cat", "/etc/tessera/tessera.toml").splitlines()

    wait_until(lambda: all(job["status"] in ("succeeded", "failed") for job in states()), "the jobs")
    jobs = states()
    assert [job["status"] for job in jobs] == ["succeeded"] * JOBS
    assert [len(job["artifacts"]) for job in jobs] == [1] * JOBS
    assert ask(machine, "/v1/account", key=known["key"])["usage"]["processing_credits"]["used"] == used + 2 * JOBS  # 1.6 megapixels each


def test_a_worker_beside_it(machine):
    machine.must("systemctl", "start", "tessera-worker")
    assert machine.does("systemctl", "is-active", "tessera-worker").strip() == "active"
    machine.must("systemctl", "stop", "tessera-worker")
    assert machine.does("systemctl", "is-failed", "tessera-worker").strip() == "inactive"


def test_an_upgrade_starts_nothing_that_was_stopped(machine):
    machine.must("systemctl", "stop", "tessera")
    machine.must("apt-get", "install", "-y", "--reinstall", f"/root/{PACKAGES[1].name}")
    assert machine.does("systemctl", "is-active", "tessera").strip() == "inactive"


def test_the_score_of_the_units_is_what_the_docs_say(machine):
    promised = re.search(r"`systemd-analyze security`[^\n]*\b(\d\.\d) ", (ROOT / "docs" / "install.md").read_text()).group(1)
    for unit in ("tessera", "tessera-worker"):
        report = machine.must("systemd-analyze", "security", "--no-pager", f"{unit}.service")
        print(report)
        assert re.search(r"exposure level for .*: (\d\.\d)", report).group(1) == promised


def test_removing_keeps_settings_and_data(machine, known):
    machine.must("systemctl", "start", "tessera")
    machine.must("apt-get", "remove", "-y", "tessera")
    assert not is_running(machine)
    assert "slots = 1" in machine.must("cat", "/etc/tessera/tessera.toml").splitlines()
    install(machine, PACKAGES[1])
    machine.must("systemctl", "start", "tessera")
    assert ask(machine, f"/v1/jobs/{known['job']['id']}", key=known["key"])["status"] == "succeeded"


def test_purging_removes_settings_and_keeps_data(machine):
    said = machine.must("apt-get", "purge", "-y", "tessera")
    assert "Kept: /var/lib/tessera" in said
    assert not is_running(machine)
    machine.must("test", "-e", "/var/lib/tessera/tessera.db")
    for gone in ("/etc/tessera", "/usr/bin/tessera", "/lib/systemd/system/tessera.service"):
        assert machine.does("test", "-e", gone) == "" and machine.status == 1, gone
    assert machine.does("systemctl", "is-failed", "tessera").strip() == "inactive"
