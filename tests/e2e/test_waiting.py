"""`Prefer: wait`: the answer comes when the job ends, on one node and across nodes."""

import concurrent.futures
import http.client
import json
import socket
import time

import pytest
from pictures import png
from prometheus import parse
from service import upload, wait_for_job, wait_until

RESIZE = {"width": 32, "format": "png"}


@pytest.fixture(scope="module")
def asset(service, key):
    return upload(service, key, png(64, 48)).json()["id"]


def submit(service, key, asset, prefer="wait=30", **headers):
    body = {"asset_id": asset, "operation": "resize", "options": RESIZE}
    return service.post("/v1/jobs", body=body, key=key, headers={"Prefer": prefer, **headers})


def waiting(service):
    return parse(service.get("/metrics").body.decode())["tessera_job_waits"].value()


@pytest.fixture
def idle(make_service):
    """A service with no workers: its jobs stay queued."""
    service = make_service("idle", arguments=["--workers", "0"])
    service.key = service.new_account("tester")
    service.asset = upload(service, service.key, png(64, 48)).json()["id"]
    return service


def test_a_submission_that_waits_is_answered_with_the_ended_job(service, key, asset):
    answer = submit(service, key, asset)
    assert answer.status == 201
    assert answer.headers["Preference-Applied"] == "wait=30"
    assert answer.headers["Job-Credits"] == "1"
    job = answer.json()
    assert job["status"] == "succeeded", job
    assert len(job["artifacts"]) == 1
    assert job == service.get(f"/v1/jobs/{job['id']}", key=key).json(), "the fields are those of the interface"


def test_a_failed_job_ends_the_wait_too(service, key):
    broken = upload(service, key, png(64, 48)[:-40]).json()["id"]
    job = submit(service, key, broken).json()
    assert job["status"] == "failed" and job["error_code"] == "decode_failed"


def test_a_replay_that_waits_says_that_it_is_one(service, key, asset):
    first = submit(service, key, asset, **{"Idempotency-Key": "waiting-once"})
    again = submit(service, key, asset, **{"Idempotency-Key": "waiting-once"})
    assert (first.status, again.status) == (201, 200)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.headers["Preference-Applied"] == "wait=30"
    assert again.json() == first.json()


def test_a_job_that_has_ended_is_answered_at_once(service, key, asset):
    job = submit(service, key, asset).json()["id"]
    answer = service.get(f"/v1/jobs/{job}", key=key, headers={"Prefer": "wait=60"})
    assert answer.headers["Preference-Applied"] == "wait=60"
    assert answer.json()["status"] == "succeeded"


@pytest.mark.parametrize(
    "prefer,applied",
    [
        ("wait=0", "wait=0"),
        ("respond-async, WAIT=0", "wait=0"),
        ('wait="0"; x=1', "wait=0"),
        ("wait=0, wait=60", "wait=0"),
        ('x="a, wait=60", wait=0', "wait=0"),
        ("wait", None),
        ("wait=", None),
        ("wait=soon", None),
        ("wait=-1", None),
        ("wait=1.5", None),
        ("waiting=60", None),
        ("return=minimal", None),
    ],
)
def test_a_preference_is_applied_or_passed_over(idle, prefer, applied):
    answer = submit(idle, idle.key, idle.asset, prefer)
    assert (answer.status, answer.json()["status"]) == (201, "queued")
    assert answer.headers.get("Preference-Applied") == applied
    got = idle.get(f"/v1/jobs/{answer.json()['id']}", key=idle.key, headers={"Prefer": prefer})
    assert got.headers.get("Preference-Applied") == applied


def test_the_wait_ends_when_the_time_is_up(idle):
    began = time.monotonic()
    answer = submit(idle, idle.key, idle.asset, "wait=1")
    assert time.monotonic() - began >= 0.99
    assert (answer.status, answer.json()["status"]) == (201, "queued")
    assert answer.headers["Preference-Applied"] == "wait=1"
    wait_until(lambda: waiting(idle) == 0, "no wait to be left")


def test_more_than_a_minute_is_a_minute(service, key, asset):
    for long in ("wait=61", "wait=3600", "wait=99999999999999999999999"):
        assert submit(service, key, asset, long).headers["Preference-Applied"] == "wait=60"


def test_refusals_do_not_wait(service, key):
    answer = service.post("/v1/jobs", body={"operation": "resize"}, key=key, headers={"Prefer": "wait=60"})
    assert answer.status == 400 and answer.headers.get("Preference-Applied") is None
    missing = "0190b0a0-0000-7000-8000-000000000001"
    answer = service.get(f"/v1/jobs/{missing}", key=key, headers={"Prefer": "wait=60"})
    assert (answer.status, answer.json()["error"]) == (404, "job not found")
    assert service.get("/v1/jobs/none", key=key, headers={"Prefer": "wait=60"}).json()["error"] == "invalid job id"


def test_another_accounts_job_is_not_waited_for(idle):
    job = submit(idle, idle.key, idle.asset, "wait=0").json()["id"]
    stranger = idle.new_account("stranger")
    assert idle.get(f"/v1/jobs/{job}", key=stranger, headers={"Prefer": "wait=60"}).status == 404


def start_wait(service, job, seconds=60):
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=90)
    headers = {"Authorization": f"Bearer {service.key}", "Prefer": f"wait={seconds}"}
    connection.request("GET", f"/v1/jobs/{job}", headers=headers)
    return connection


def test_a_client_that_goes_away_frees_its_wait_at_once(idle):
    job = submit(idle, idle.key, idle.asset, "wait=0").json()["id"]
    connections = [start_wait(idle, job) for _ in range(20)]
    wait_until(lambda: waiting(idle) == 20, "all to wait")
    for connection in connections:
        connection.close()
    wait_until(lambda: waiting(idle) == 0, "the waits to be freed", patience=30)


def test_waits_are_bounded_for_an_account_and_the_rest_is_answered(make_service):
    service = make_service("few", arguments=["--workers", "0", "--set", "waiting.max_requests_per_account=3"])
    service.key = service.new_account("tester")
    service.asset = upload(service, service.key, png(64, 48)).json()["id"]
    job = submit(service, service.key, service.asset, "wait=0").json()["id"]
    connections = [start_wait(service, job) for _ in range(3)]
    wait_until(lambda: waiting(service) == 3, "three to wait")
    answer = service.get(f"/v1/jobs/{job}", key=service.key, headers={"Prefer": "wait=60"})
    assert (answer.status, answer.headers.get("Preference-Applied")) == (200, None)
    for connection in connections:
        connection.close()


def test_sigterm_answers_those_who_wait_with_the_job_as_it_is(idle):
    job = submit(idle, idle.key, idle.asset, "wait=0").json()["id"]
    connections = [start_wait(idle, job) for _ in range(5)]
    wait_until(lambda: waiting(idle) == 5, "all to wait")
    began = time.monotonic()
    assert idle.stop() == 0
    assert time.monotonic() - began < 20
    for connection in connections:
        response = connection.getresponse()
        assert (response.status, response.headers["Connection"]) == (200, "close")
        assert json.loads(response.read())["status"] == "queued"


def test_a_connection_goes_on_after_a_wait_and_requests_in_a_row_are_answered_in_a_row(idle):
    job = submit(idle, idle.key, idle.asset, "wait=0").json()["id"]
    head = f"Host: a\r\nAuthorization: Bearer {idle.key}\r\n"
    first = f"GET /v1/jobs/{job} HTTP/1.1\r\n{head}Prefer: wait=1\r\n\r\n"
    second = f"GET /v1/jobs/{job} HTTP/1.1\r\n{head}Connection: close\r\n\r\n"
    answers = idle.raw((first + second).encode())
    assert answers.count(b"HTTP/1.1 200 OK") == 2
    assert answers.count(b"Preference-Applied: wait=1") == 1


def test_a_wait_outlasts_the_idle_timeout(make_service):
    service = make_service("hasty", arguments=["--workers", "0", "--set", "server.idle_timeout=300ms", "--set", "server.write_timeout=300ms"])
    key = service.new_account("tester")
    asset = upload(service, key, png(64, 48)).json()["id"]
    answer = submit(service, key, asset, "wait=2")
    assert (answer.status, answer.headers["Preference-Applied"]) == (201, "wait=2")


def test_many_wait_at_once_and_all_are_answered(make_service):
    service = make_service("many")
    key = service.new_account("tester")
    asset = upload(service, key, png(64, 48)).json()["id"]
    with concurrent.futures.ThreadPoolExecutor(40) as pool:
        answers = list(pool.map(lambda _: submit(service, key, asset, "wait=60"), range(120)))
    assert {answer.json()["status"] for answer in answers} == {"succeeded"}
    wait_until(lambda: waiting(service) == 0, "no wait to be left")


def test_a_worker_in_another_process_on_the_same_file_ends_the_wait(make_service, idle):
    make_service("idle", start=False, command="worker").start(wait=False)
    assert submit(idle, idle.key, idle.asset, "wait=60").json()["status"] == "succeeded"


def settings(url, folder):
    return {"rate_limits.enabled": "false", "metadata.url": url, "blobs.url": f"file:{folder}/blobs"}


def test_a_job_run_by_another_node_ends_the_wait(database, make_service, folder):
    front = make_service("front", settings=settings(database.url, folder), arguments=["--workers", "0"])
    make_service("back", settings=settings(database.url, folder))
    key = front.new_account("tester")
    asset = upload(front, key, png(64, 48)).json()["id"]
    for _ in range(20):
        answer = submit(front, key, asset, "wait=60")
        assert answer.json()["status"] == "succeeded"
        assert answer.headers["Preference-Applied"] == "wait=60"


def test_the_end_is_found_when_its_word_was_lost(database, make_service, folder):
    front = make_service("front", settings=settings(database.url, folder), arguments=["--workers", "0"])
    key = front.new_account("tester")
    front.key = key
    asset = upload(front, key, png(64, 48)).json()["id"]
    job = submit(front, key, asset, "wait=0").json()["id"]
    connection = start_wait(front, job)
    wait_until(lambda: waiting(front) == 1, "it to wait")
    # As if a node had ended the job and been killed before it could say so.
    database.run(
        f"UPDATE jobs SET status = 'running', started_at = queued_at, attempt_count = 1, claim = 1 WHERE id = '{job}';"
        f"UPDATE jobs SET status = 'failed', error_code = 'timeout', error_message = 'x', completed_at = queued_at WHERE id = '{job}'"
    )
    assert json.loads(connection.getresponse().read())["status"] == "failed"
    assert wait_for_job(front, key, job)["status"] == "failed"


def test_half_closed_clients_are_answered(idle):
    job = submit(idle, idle.key, idle.asset, "wait=0").json()["id"]
    head = f"GET /v1/jobs/{job} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {idle.key}\r\nPrefer: wait=60\r\n\r\n"
    with socket.create_connection(("127.0.0.1", idle.port), timeout=30) as sock:
        sock.sendall(head.encode())
        sock.shutdown(socket.SHUT_WR)
        assert sock.recv(1 << 16).startswith(b"HTTP/1.1 200 OK")
