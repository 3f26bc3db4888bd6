"""Starting and stopping: first starts, second servers, folders that can't be used, signals."""

import contextlib
import json
import os
import pathlib
import pwd
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
import time

import pytest

from pictures import png
from service import (
    BINARY,
    PATIENCE,
    Service,
    free_port,
    multipart,
    request_path,
    upload,
    wait_for_job,
    wait_until,
)


def refused(service):
    """Starts it, expects it to end by itself, and returns what it said."""
    service.start(wait=False)
    assert service.process.wait(PATIENCE) != 0
    return service.log()


def test_the_first_start_makes_what_it_needs(make_service):
    service = make_service()
    assert stat.S_IMODE((service.data_dir / "signing-secrets").stat().st_mode) == 0o600
    assert len(service.get("/v1/plans").json()["plans"]) == 2
    banner = service.output()
    assert f"http://127.0.0.1:{service.port}" in banner and str(service.data_dir) in banner and "sandbox" in banner
    assert "account create" in banner


def test_the_demo_key_is_shown_once_and_works(make_service):
    service = make_service(arguments=["--demo"])
    key = re.search(r"tsr_[0-9A-Za-z]{40}", service.output()).group()
    context = service.get("/v1/account", key=key).json()
    assert context["account"]["slug"] == "demo" and context["features"]["cdn_delivery"] is True
    assert context["plan"]["access_source"] == "demo"
    service.stop()
    before = len(service.output())
    service.start()
    later = service.output()[before:]
    assert "tsr_" not in later and "key create --account demo" in later
    assert service.get("/v1/account", key=key).status == 200, "the key of the first start still works"
    assert key not in service.log()


def test_the_printed_next_step_can_be_pasted(make_service):
    service = make_service(arguments=["--demo"])
    lines = [line.strip() for line in service.output().splitlines()]
    export = next(line for line in lines if line.startswith("export URL="))
    curl = next(line for line in lines if "/v1/account" in line)
    done = subprocess.run(["bash", "-c", f"{export}; {curl}"], capture_output=True, text=True, timeout=PATIENCE)
    assert '"slug":"demo"' in done.stdout


def test_the_printed_commands_of_a_later_start_can_be_pasted(make_service):
    service = make_service(arguments=["--demo"])
    service.stop()
    service.output_path.unlink()
    service.start()
    wait_until(lambda: " --name " in service.output(), "the printed commands")
    for line in [line.strip() for line in service.output().splitlines() if " admin --data-dir " in line]:
        done = subprocess.run(["bash", "-c", line + " --json"], capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == 0, done.stderr
    assert service.get("/v1/account", key=json.loads(done.stdout)["api_key"]).status == 200


def test_a_second_server_on_the_folder_is_refused_and_the_first_goes_on(make_service):
    first = make_service()
    second = Service(first.data_dir)
    said = refused(second)
    assert f"process {first.process.pid}" in said and str(first.data_dir) in said and "--data-dir" in said
    assert first.get("/healthz").status == 200
    first.stop()
    second.start()
    second.stop()
    assert second.process.returncode == 0


def test_many_first_starts_at_once_leave_one_server(make_service):
    services = [make_service("shared", start=False, clean_log=False, port=free_port()) for _ in range(4)]
    for service in services:
        service.start(wait=False)
    wait_until(lambda: sum(s.process.poll() is None for s in services) == 1, "all but one to give up")
    survivor = next(s for s in services if s.process.poll() is None)
    survivor.wait_ready()
    assert survivor.stop() == 0


def test_admin_and_server_share_the_folder(make_service):
    service = make_service()
    key = service.new_account("beside")
    assert service.get("/v1/account", key=key).status == 200
    service.restart()
    assert service.get("/v1/account", key=key).status == 200


def test_a_server_killed_hard_leaves_no_lock(make_service):
    service = make_service()
    key = service.new_account("survivor")
    service.kill()
    service.start()
    assert service.get("/v1/account", key=key).status == 200


def test_an_address_in_use_is_named(make_service):
    first = make_service("first")
    second = make_service("second", start=False, clean_log=False, port=first.port)
    said = refused(second)
    assert f"server.listen: can't listen on 127.0.0.1:{first.port}" in said


def test_port_zero_takes_a_free_port_and_says_which(make_service):
    service = make_service(start=False)
    service.port = 0
    service.start(wait=False)
    found = wait_until(lambda: re.search(r"listens\s+http://127\.0\.0\.1:([1-9]\d+)", service.output()), "the banner")
    service.port = int(found.group(1))
    service.wait_ready()


def test_ipv6_and_ipv4_are_both_served(make_service):
    service = make_service(start=False)
    line = [f"[::]:{service.port}" if part == f"127.0.0.1:{service.port}" else part for part in service.command_line()]
    service.command_line = lambda: line
    service.start()
    for host in ("127.0.0.1", "::1"):
        with socket.create_connection((host, service.port), timeout=PATIENCE) as sock:
            sock.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            assert sock.recv(64).startswith(b"HTTP/1.1 200")


def test_the_second_address_takes_over_health_and_metrics(make_service):
    admin_port = free_port()
    service = make_service(settings={"server.admin_listen": f"127.0.0.1:{admin_port}"}, start=False)
    service.start(wait=False)
    admin = Service(service.data_dir, port=admin_port)
    admin.process = service.process
    admin.wait_ready()
    assert admin.get("/metrics").status == 200 and admin.get("/healthz").status == 200
    assert service.get("/metrics").status == 404 and service.get("/healthz").status == 404
    assert service.get("/v1/plans").status == 200 and admin.get("/v1/plans").status == 404


# --- folders that can't be used ---


def as_nobody(line, **more):
    """Root may write anywhere: the refusals of a folder show only to others."""
    if os.geteuid() != 0:
        return subprocess.run(line, **more)
    nobody = pwd.getpwnam("nobody")
    return subprocess.run(line, user=nobody.pw_uid, group=nobody.pw_gid, extra_groups=[], **more)


@pytest.fixture
def public_binary(folder):
    """The binary where any user may run it."""
    folder.chmod(0o755)
    copy = folder / "tessera"
    shutil.copy(BINARY, copy)
    copy.chmod(0o755)
    return copy


def test_a_folder_that_may_not_be_written_is_a_clear_refusal(folder, public_binary):
    data = folder / "data"
    data.mkdir()
    data.chmod(0o555)
    for command in (["serve", "--listen", "127.0.0.1:0"], ["admin", "init"], ["worker"]):
        done = as_nobody([str(public_binary), *command, "--data-dir", str(data)], capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == 1, done
        assert str(data) in done.stderr and "may not write" in done.stderr and "--data-dir" in done.stderr


def test_a_folder_that_cannot_be_made_is_a_clear_refusal(folder):
    (folder / "file").write_text("")
    for path in (folder / "file", folder / "file" / "data", pathlib.Path("/proc/tessera")):
        done = subprocess.run([str(BINARY), "serve", "--data-dir", str(path)], capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == 1, done
        assert str(path) in done.stderr and "--data-dir" in done.stderr


@contextlib.contextmanager
def small_disk(path, options):
    path.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(path)], capture_output=True, text=True)
    if done.returncode != 0:
        pytest.skip("mounting needs privileges that this run does not have")
    try:
        yield path
    finally:
        subprocess.run(["umount", "-l", str(path)], check=True)


def test_a_read_only_filesystem_is_a_clear_refusal(folder):
    with small_disk(folder / "disk", "size=1m,ro") as disk:
        done = subprocess.run([str(BINARY), "serve", "--data-dir", str(disk)], capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == 1 and "read-only" in done.stderr and str(disk) in done.stderr


def test_a_full_disk_is_a_clear_refusal(folder):
    with small_disk(folder / "disk", "size=64k") as disk:
        with contextlib.suppress(OSError):
            (disk / "ballast").write_bytes(b"x" * 65536)
        done = subprocess.run([str(BINARY), "serve", "--data-dir", str(disk)], capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == 1 and "full" in done.stderr and str(disk) in done.stderr


@pytest.mark.parametrize("damage", ["garbage", "truncated", "overwritten", "folder"])
def test_a_damaged_database_is_a_clear_refusal_and_is_left_alone(make_service, damage):
    service = make_service(clean_log=False)
    service.new_account("before")
    service.stop()
    database = service.data_dir / "tessera.db"
    for extra in service.data_dir.glob("tessera.db-*"):
        extra.unlink()
    if damage == "garbage":
        database.write_bytes(os.urandom(8192))
    elif damage == "truncated":
        database.write_bytes(database.read_bytes()[: database.stat().st_size // 2 + 13])
    elif damage == "overwritten":
        content = bytearray(database.read_bytes())
        content[4096:16384] = b"\xff" * (16384 - 4096)
        database.write_bytes(content)
    else:
        database.unlink()
        database.mkdir()
    before = database.read_bytes() if database.is_file() else None
    said = refused(service)
    assert str(database) in said
    assert database.is_dir() or database.read_bytes() == before


def test_a_newer_database_is_refused(make_service):
    service = make_service(clean_log=False)
    service.stop()
    database = service.data_dir / "tessera.db"
    found = subprocess.run(["sqlite3", str(database), "PRAGMA user_version"], capture_output=True, text=True, check=True)
    subprocess.run(["sqlite3", str(database), f"PRAGMA user_version = {int(found.stdout) + 1000}"], check=True)
    said = refused(service)
    assert "newer" in said


def test_secrets_that_others_can_read_are_refused(make_service):
    service = make_service(clean_log=False)
    service.stop()
    (service.data_dir / "signing-secrets").chmod(0o644)
    said = refused(service)
    assert "chmod 600" in said


def test_a_plans_file_is_applied_at_start_and_a_bad_one_is_refused(make_service, folder):
    template = subprocess.run([str(BINARY), "admin", "plan", "template"], capture_output=True, text=True, check=True).stdout
    plans = folder / "plans.toml"
    plans.write_text(template.replace('code = "starter"', 'code = "tiny"'))
    service = make_service(settings={"plans.file": str(plans)})
    assert service.get("/v1/plans").json()["plans"][0]["code"] == "tiny"
    service.stop()
    plans.write_text(template.replace("max_upload_bytes", "max_upload_byte"))
    assert "did you mean max_upload_bytes?" in refused(service)
    plans.write_text(template)
    service.log_path.unlink()


# --- signals ---


class UploadUnderWay:
    """An upload of which the server has the first half."""

    def __init__(self, service, key):
        body, content_type = multipart(png(64, 48))
        self.rest = body[len(body) // 2 :]
        head = (
            f"POST /v1/assets HTTP/1.1\r\nHost: x\r\nX-API-Key: {key}\r\nContent-Type: {content_type}\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        self.sock = socket.create_connection(("127.0.0.1", service.port), timeout=PATIENCE)
        self.sock.sendall(head.encode() + body[: len(body) // 2])
        gauge = 'tessera_http_requests_in_flight{method="POST",route="/v1/assets"} 1'
        wait_until(lambda: gauge in service.get("/metrics").body.decode(), "the upload to be in flight")

    def finish(self):
        self.sock.sendall(self.rest)
        answer = b""
        while chunk := self.sock.recv(65536):
            answer += chunk
        return answer

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.sock.close()


def test_sigterm_finishes_the_request_in_flight(make_service):
    service = make_service()
    with UploadUnderWay(service, service.new_account("draining")) as upload:
        service.process.send_signal(signal.SIGTERM)
        service.wait_for_event("stopping")
        answer = upload.finish()
    assert answer.startswith(b"HTTP/1.1 201"), answer
    assert service.process.wait(PATIENCE) == 0
    assert any(event["event"] == "stopped" for event in service.log_events())


def test_a_draining_server_takes_no_new_connections(make_service):
    service = make_service()
    with UploadUnderWay(service, service.new_account("draining")):
        service.process.send_signal(signal.SIGTERM)

        def refused_now():
            try:
                socket.create_connection(("127.0.0.1", service.port), timeout=PATIENCE).close()
                return False
            except ConnectionResetError:  # it was waiting to be taken when the doors were closed
                return False
            except ConnectionRefusedError:
                return True

        wait_until(refused_now, "the server to stop accepting")
        assert service.process.poll() is None, "the upload was not waited for"
    assert service.process.wait(PATIENCE) == 0


def test_what_hangs_is_cut_off_when_the_drain_has_lasted_long_enough(make_service):
    service = make_service(settings={"server.drain_timeout": "300ms"})
    with UploadUnderWay(service, service.new_account("draining")):
        assert service.stop() == 0


def test_a_second_signal_ends_at_once(make_service):
    service = make_service()
    with UploadUnderWay(service, service.new_account("draining")):
        service.process.send_signal(signal.SIGINT)
        service.wait_for_event("stopping")

        # Signals that come together count as one wish, so keep on wishing.
        def gone():
            with contextlib.suppress(ProcessLookupError):
                service.process.send_signal(signal.SIGINT)
            return service.process.poll() is not None

        wait_until(gone, "the end", pause=0.1)
    assert service.process.returncode == 128 + signal.SIGINT


def test_nothing_is_left_running_or_lying_about_after_a_stop(make_service):
    service = make_service()
    group = os.getpgid(service.process.pid)
    assert service.stop() == 0
    with pytest.raises(ProcessLookupError):
        os.killpg(group, 0)
    assert list((service.data_dir / "scratch").iterdir()) == []


def test_a_start_with_an_existing_folder_is_quick(make_service):
    service = make_service()
    times = []
    for _ in range(5):
        service.stop()
        begun = time.monotonic()
        service.start()
        times.append(time.monotonic() - begun)
    print(f"start to ready: {min(times) * 1000:.0f} ms at best of {[round(t * 1000) for t in times]}", file=sys.stderr)
    assert min(times) < 5, "150 ms on an idle machine; far more only when it is busy"


def test_logs_are_json_and_hold_no_key(make_service):
    service = make_service()
    key = service.new_account("logged")
    service.get("/v1/account", key=key)
    service.get("/v1/account", key="tsr_" + "x" * 40)
    service.stop()
    assert service.complaints() == []
    assert any(e.get("route") == "/v1/account" or e.get("path") == "/v1/account" for e in service.log_events())
    assert key not in service.log() and "x" * 40 not in service.log()


# --- nodes ---


def test_an_api_node_and_a_worker_node_share_a_folder(make_service):
    api = make_service(arguments=["--workers", "0"])
    key = api.new_account("split")
    asset = upload(api, key, png(64, 48)).json()["id"]
    job = api.post("/v1/jobs", {"asset_id": asset, "operation": "resize", "options": {"width": 32}}, key=key).json()["id"]
    assert api.get(f"/v1/jobs/{job}", key=key).json()["status"] == "queued"
    assert "none here" in api.output()

    worker = make_service(start=False, command="worker")
    worker.start(wait=False)
    assert wait_for_job(api, key, job)["status"] == "succeeded"
    assert worker.stop() == 0
    assert api.get("/readyz").status == 200


def test_a_job_without_a_worker_waits_and_is_not_lost(make_service):
    service = make_service()
    key = service.new_account("later")
    asset = upload(service, key, png(64, 48)).json()["id"]
    service.stop()
    api = make_service(arguments=["--workers", "0"])
    job = api.post("/v1/jobs", {"asset_id": asset, "operation": "resize", "options": {"width": 32}}, key=key).json()["id"]
    api.kill()
    service.start()
    assert wait_for_job(service, key, job)["status"] == "succeeded"


# --- signing secrets in a running service ---


@pytest.fixture
def signed_link(make_service):
    """A service and a function that gives a fresh signed path to an artifact's bytes."""
    service = make_service()
    key = service.new_account("signer")
    asset = upload(service, key, png(64, 48)).json()["id"]
    job = service.post("/v1/jobs", {"asset_id": asset, "operation": "resize", "options": {"width": 32}}, key=key).json()["id"]
    artifact = wait_for_job(service, key, job)["artifacts"][0]["id"]
    return service, lambda: request_path(service.get(f"/v1/artifacts/{artifact}", key=key).json()["download_url"])


def test_rotating_secrets_breaks_no_address_that_is_out(signed_link):
    service, link = signed_link
    before = link()
    service.admin("secret", "rotate")
    service.wait_for_event("signing_secrets_changed")
    assert service.get(before).status == 200
    assert service.get(link()).status == 200
    service.restart()
    assert service.get(before).status == 200


def test_dropping_the_old_secrets_makes_their_addresses_useless_at_once(signed_link):
    service, link = signed_link
    before = link()
    assert service.get(before).status == 200
    service.admin("secret", "rotate", "--keep", "1")
    wait_until(lambda: service.get(before).status == 403, "the old address to fail")
    assert service.get(link()).status == 200
