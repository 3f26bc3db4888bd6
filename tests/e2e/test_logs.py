"""The log: from a request to its job, on one node and on several, with the commands of docs/logs.md; refusals by their code;
rotation; and a stop that warns of nothing."""

import os
import pathlib
import re
import signal
import subprocess

import pytest
from pictures import noise_png, png
from service import BINARY, HOOKED, ROOT, upload, wait_for_job, wait_until

PAGE = (ROOT / "docs" / "logs.md").read_text()


def command_of_the_page():
    return re.search(r"```sh\n(grep.*?)```", PAGE, re.S).group(1)


def follow(request_id, *services):
    """What the page's command says of a request: time, event and two more columns, a line each."""
    logs = " ".join(str(service.log_path) for service in services)
    done = subprocess.run(
        ["bash", "-c", command_of_the_page()],
        env={**os.environ, "ID": request_id, "LOGS": logs},
        capture_output=True,
        text=True,
        check=True,
    )
    return [line.split("\t") for line in done.stdout.splitlines()]


def events_of(request_id, *services):
    return [line[1] for line in follow(request_id, *services)]


def submit(service, key, asset, request_id, options=None, headers=None):
    body = {"asset_id": asset, "operation": "resize", "options": options or {"width": 16, "format": "png"}}
    answer = service.post("/v1/jobs", body=body, key=key, headers={"X-Request-ID": request_id, **(headers or {})})
    assert answer.headers["X-Request-ID"] == request_id
    return answer


def test_a_request_is_followed_to_the_end_of_its_job(service, key):
    account = service.get("/v1/account", key=key).json()["account"]["id"]
    asset = upload(service, key, png(40, 40)).json()["id"]
    job = submit(service, key, asset, "follow-me.1").json()["id"]
    assert wait_for_job(service, key, job)["status"] == "succeeded"
    service.wait_for_event("job.succeeded", request_id="follow-me.1")
    wait_until(lambda: len(follow("follow-me.1", service)) == 3, "all three lines")
    assert sorted(events_of("follow-me.1", service)) == ["job.accepted", "job.succeeded", "request"]
    for event in service.log_events():
        if event.get("request_id") == "follow-me.1":
            assert (event["job"], event["account"]) == (job, account), event


def test_a_replay_names_the_job_that_it_was_answered_with(service, key):
    asset = upload(service, key, png(41, 40)).json()["id"]
    once = {"Idempotency-Key": "replayed-once"}
    job = submit(service, key, asset, "replay-a", headers=once).json()["id"]
    assert submit(service, key, asset, "replay-b", headers=once).json()["id"] == job
    line = service.wait_for_event("request", request_id="replay-b")
    assert (line["status"], line["job"]) == (200, job)
    assert service.wait_for_event("job.succeeded", job=job)["request_id"] == "replay-a"


@pytest.mark.parametrize(
    "request_line,status,code",
    [
        (("GET", "/v1/jobs/nonsense", None), 400, "invalid_id"),
        (("POST", "/v1/jobs", b"{"), 400, "invalid_request"),
        (("GET", "/v1/artifacts/01234567-89ab-cdef-0123-456789abcdef", None), 404, "artifact_not_found"),
        (("GET", "/nowhere", None), 404, "not_found"),
        (("PUT", "/v1/jobs", None), 405, "method_not_allowed"),
    ],
)
def test_the_line_of_a_refusal_names_its_code(service, key, request_line, status, code):
    method, path, body = request_line
    name = f"refused.{code}"
    answer = service.request(method, path, body=body, key=key, headers={"X-Request-ID": name})
    assert (answer.status, answer.json()["code"]) == (status, code)
    line = service.wait_for_event("request", request_id=name)
    assert (line["status"], line["code"]) == (status, code)
    assert "job" not in line


def test_the_line_of_an_answer_has_no_code(service, key):
    service.get("/v1/account", key=key, headers={"X-Request-ID": "all-is-well"})
    assert "code" not in service.wait_for_event("request", request_id="all-is-well")


def test_a_job_whose_engine_crashes_is_followed_through_its_attempts(make_service):
    assert HOOKED.exists(), "build the target tessera-hooked"
    service = make_service(
        binary=HOOKED, clean_log=False, settings={"rate_limits.enabled": "false", "worker.retry_base": "10ms"}
    )
    key = service.new_account("unlucky")
    asset = upload(service, key, png(64, 64) + b"TESSERA-HOOK:run:crash").json()["id"]
    job = submit(service, key, asset, "crash-me").json()["id"]
    assert wait_for_job(service, key, job)["error_code"] == "engine_crashed"
    service.wait_for_event("job.failed", request_id="crash-me")
    expected = ["job.accepted", "request"] + ["engine_lost"] * 3 + ["job.retried"] * 2 + ["job.failed"]
    wait_until(lambda: len(follow("crash-me", service)) == len(expected), "all lines")
    assert sorted(events_of("crash-me", service)) == sorted(expected)
    assert {event["job"] for event in service.log_events() if event.get("request_id") == "crash-me"} == {job}


def shared(database, folder):
    return {"rate_limits.enabled": "false", "metadata.url": database.url, "blobs.url": f"file:{folder}/blobs"}


def test_another_node_names_the_request_of_the_job_that_it_runs(database, make_service, folder):
    front = make_service("front", settings=shared(database, folder), arguments=["--workers", "0"])
    key = front.new_account("tester")
    asset = upload(front, key, png(64, 64)).json()["id"]
    job = submit(front, key, asset, "across-nodes").json()["id"]
    front.wait_for_event("job.accepted", request_id="across-nodes", job=job)
    back = make_service("back", settings=shared(database, folder), command="worker", start=False)
    back.start(wait=False)
    assert wait_for_job(front, key, job)["status"] == "succeeded"
    back.wait_for_event("job.succeeded", request_id="across-nodes", job=job)
    assert [line[1] for line in follow("across-nodes", front, back)][-1] == "job.succeeded"


@pytest.mark.parametrize("backend", ["sqlite", "postgres"])
def test_the_request_is_named_after_the_node_that_had_its_job_was_killed(backend, make_service, folder, request):
    settings = {"rate_limits.enabled": "false"}
    if backend == "postgres":
        settings = shared(request.getfixturevalue("database"), folder)
    service = make_service(binary=HOOKED, settings=settings)
    key = service.new_account("tester")
    asset = upload(service, key, png(64, 64) + b"TESSERA-HOOK:run:hang").json()["id"]
    job = submit(service, key, asset, "killed-once").json()["id"]
    wait_until(lambda: service.get(f"/v1/jobs/{job}", key=key).json()["status"] == "running", "the job to run")
    service.kill()
    service.binary = BINARY  # whose engines hang for nobody
    service.start()
    assert wait_for_job(service, key, job)["status"] == "succeeded"
    lost = service.wait_for_event("job_lease_lost", request_id="killed-once")
    assert (lost["job"], lost["attempt"], lost["tried_again"]) == (job, 1, True)
    assert service.wait_for_event("job.succeeded", request_id="killed-once")["attempt"] == 2


# --- rotation ---


def snippet_of_the_page():
    return re.search(r"```text\n(/var/log/tessera.*?)```", PAGE, re.S).group(1)


def rotate(configuration, folder):
    path = folder / "logrotate.conf"
    path.write_text(configuration)
    path.chmod(0o600)
    subprocess.run(
        ["/usr/sbin/logrotate", "--force", "--state", str(folder / "state"), str(path)], check=True, capture_output=True
    )


def names_in(path):
    return re.findall(r'"request_id":"([^"]*)"', path.read_text()) if path.exists() else []


def test_the_log_is_rotated_by_the_pages_own_snippet(make_service, folder):
    log = folder / "logs" / "tessera.log"
    log.parent.mkdir(mode=0o700)
    service = make_service(settings={"rate_limits.enabled": "false", "log.file": str(log)})
    (folder / "pid").write_text(str(service.process.pid))
    service.get("/v1/plans", headers={"X-Request-ID": "before"})
    wait_until(lambda: "before" in names_in(log), "the first line")
    snippet = snippet_of_the_page().replace("/var/log/tessera/tessera.log", str(log))
    rotate(snippet.replace("/run/tessera.pid", str(folder / "pid")), folder)
    wait_until(lambda: log.exists() and "log_reopened" in log.read_text(), "the new file")
    service.get("/v1/plans", headers={"X-Request-ID": "after"})
    wait_until(lambda: "after" in names_in(log), "a line in the new file")
    assert "before" not in names_in(log) and "before" in names_in(log.with_name("tessera.log.1"))
    assert log.stat().st_mode & 0o077 == 0


def test_a_redirected_log_is_rotated_by_copying(make_service, folder):
    service = make_service()  # whose standard error appends to a file
    service.get("/v1/plans", headers={"X-Request-ID": "before"})
    wait_until(lambda: "before" in names_in(service.log_path), "the first line")
    rotate(f"{service.log_path} {{\n rotate 2\n copytruncate\n}}\n", folder)
    service.get("/v1/plans", headers={"X-Request-ID": "after"})
    wait_until(lambda: "after" in names_in(service.log_path), "a line after the rotation")
    assert "\0" not in service.log() and "before" not in names_in(service.log_path)


def test_a_hangup_without_a_file_changes_nothing(make_service):
    service = make_service()
    service.process.send_signal(signal.SIGHUP)
    assert service.get("/healthz").status == 200
    assert service.stop() == 0


# --- the end ---


def warnings_of(service):
    return [event for event in service.log_events() if event["level"] in ("warning", "error")]


def with_its_engines(service):
    """As a supervisor that signals everything that it finds in a control group."""
    engines = [child for task in pathlib.Path(f"/proc/{service.process.pid}/task").iterdir() for child in
               map(int, (task / "children").read_text().split())]
    assert engines
    for pid in [*engines, service.process.pid]:
        os.kill(pid, signal.SIGTERM)


def process_alone(service):
    service.process.send_signal(signal.SIGTERM)


@pytest.mark.parametrize("tell", [process_alone, with_its_engines])
@pytest.mark.parametrize("grace", ["30s", "0s"])
def test_a_stop_in_the_middle_of_work_warns_of_nothing(make_service, tell, grace):
    service = make_service(settings={"rate_limits.enabled": "false", "worker.grace": grace})
    key = service.new_account("tester")
    asset = upload(service, key, noise_png(1200, 1200)).json()["id"]
    jobs = []
    for n in range(6):
        options = {"width": 1100 + n, "format": "webp"}
        jobs.append(submit(service, key, asset, f"stopped-{n}", options=options).json()["id"])
    wait_until(
        lambda: any(service.get(f"/v1/jobs/{job}", key=key).json()["status"] == "running" for job in jobs), "work"
    )
    tell(service)
    assert service.process.wait(60) == 0
    assert service.log_events()[-1]["event"] == "stopped"
    assert warnings_of(service) == []
    service.start()
    assert [wait_for_job(service, key, job)["status"] for job in jobs] == ["succeeded"] * 6
    assert warnings_of(service) == []
