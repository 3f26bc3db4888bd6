"""`GET /v1/events`: what happens to an account's jobs, live, after a reconnect, and on every node of a cluster."""

import contextlib
import json
import os
import socket
import subprocess
import uuid

import pytest
from event_reader import EventReader
from pictures import noise_png, png
from prometheus import parse
from service import PATIENCE, ROOT, upload, wait_for_job, wait_until

RESIZE = {"width": 32, "format": "png"}


@pytest.fixture(scope="module")
def asset(service, key):
    return upload(service, key, png(64, 48)).json()["id"]


@pytest.fixture
def read(service, key):
    """Opens streams that end with the test."""
    opened = []

    def open_stream(of=service, with_key=key, **more):
        opened.append(EventReader(of, with_key, **more))
        return opened[-1]

    yield open_stream
    for reader in opened:
        reader.close()


def submit(service, key, asset, options=RESIZE):
    body = {"asset_id": asset, "operation": "resize", "options": options}
    return service.post("/v1/jobs", body=body, key=key).json()["id"]


def open_streams(service):
    return parse(service.get("/metrics").body.decode())["tessera_event_streams"].value()


def test_a_job_is_followed_from_the_queue_to_its_end(service, key, asset, read):
    reader = read()
    assert reader.response.status == 200
    assert reader.response.headers["Content-Type"] == "text/event-stream"
    assert reader.response.headers["Cache-Control"] == "private, no-store"
    assert reader.response.headers["Transfer-Encoding"] == "chunked"
    job = submit(service, key, asset)
    seen = [event for event in reader.until("succeeded", job) if event.data["id"] == job]
    names = [event.name for event in seen]
    assert names == [name for name in ("queued", "running", "succeeded") if name in names], "in order, each once"
    for event in seen:
        assert event.data["status"] == event.name
        assert event.id.endswith(f"-{job}-{event.name}")
    end = seen[-1].data
    assert end == service.get(f"/v1/jobs/{job}", key=key).json()
    assert reader.retry == 2000


def test_a_failure_is_told(service, key, read):
    broken = upload(service, key, png(64, 48)[:-40]).json()["id"]
    reader = read()
    job = submit(service, key, broken)
    assert reader.until("failed", job)[-1].data["error_code"] == "decode_failed"


def test_what_happened_before_is_not_told(service, key, asset, read):
    old = submit(service, key, asset)
    wait_for_job(service, key, old)
    reader = read()
    new = submit(service, key, asset)
    assert old not in {event.data["id"] for event in reader.until("succeeded", new)}


def test_progress_is_told_while_a_job_runs(make_service, read):
    service = make_service("slow", settings={"rate_limits.enabled": "false", "worker.progress_interval": "100ms"})
    key = service.new_account("tester")
    asset = upload(service, key, noise_png(1700, 1700)).json()["id"]
    reader = read(service, key)
    job = submit(service, key, asset, {"width": 1699, "format": "avif"})
    running = [event for event in reader.until("succeeded", job, patience=300) if event.name == "running"]
    progress = [event.data["progress"] for event in running]
    assert len(progress) >= 2 and progress == sorted(progress), progress


def test_other_accounts_are_not_told(service, key, asset, read):
    stranger = service.new_account("stranger")
    theirs = upload(service, stranger, png(8, 8)).json()["id"]
    reader, other = read(), read(with_key=stranger)
    job = submit(service, key, asset)
    their_job = submit(service, stranger, theirs)
    assert {event.data["id"] for event in reader.until("succeeded", job)} == {job}
    assert {event.data["id"] for event in other.until("succeeded", their_job)} == {their_job}


def test_a_stream_of_one_job_tells_of_no_other(service, key, asset, read):
    first = submit(service, key, asset, {"width": 31})
    wait_for_job(service, key, first)
    reader, everything = read(path=f"/v1/events?job_id={first}"), read()
    second = submit(service, key, asset)
    everything.until("succeeded", second)
    assert reader.events.empty()
    bad = service.get("/v1/events?job_id=no", key=key)
    assert (bad.status, bad.json()["error"]) == (400, "invalid job id")


def test_a_reader_that_comes_back_is_told_what_it_missed(service, key, asset, read):
    reader = read()
    first = submit(service, key, asset)
    last = reader.until("succeeded", first)[-1].id
    reader.close()
    missed = [submit(service, key, asset) for _ in range(5)]
    for job in missed:
        wait_for_job(service, key, job)
    again = read(last_event_id=last)
    seen = []
    while not set(missed) <= {event.data["id"] for event in seen if event.name == "succeeded"}:
        seen.append(again.next())  # in the order in which they ended
    assert "gap" not in {event.name for event in seen}
    assert last not in {event.id for event in seen}, "the one that was seen is not told again"


def test_a_reader_that_saw_no_event_yet_misses_nothing_either(service, key, asset, read):
    reader = read()
    wait_until(lambda: reader.last_event_id, "its place")
    reader.close()
    job = submit(service, key, asset)
    wait_for_job(service, key, job)
    assert read(last_event_id=reader.last_event_id).until("succeeded", job)


@pytest.mark.parametrize(
    "last,reason",
    [
        ("none-of-ours", "id_unknown"),
        ("123-x-y", "id_unknown"),
        ("9999999999999999999999", "id_unknown"),
        ("99999999999999", "id_unknown"),
        ("1000", "too_old"),
    ],
)
def test_what_can_not_be_told_is_told_as_a_gap(service, key, asset, read, last, reason):
    reader = read(last_event_id=last)
    gap = reader.next()
    assert (gap.name, gap.data["reason"]) == ("gap", reason)
    assert "GET /v1/jobs" in gap.data["hint"]
    job = submit(service, key, asset)
    assert reader.until("succeeded", job), "and the stream goes on"


def test_heads_and_http_1_0(service, key, asset):
    head = service.request("HEAD", "/v1/events", key=key)
    assert (head.status, head.body) == (200, b"")
    assert head.headers["Content-Type"] == "text/event-stream"
    assert head.headers.get("Content-Length") is None
    with socket.create_connection(("127.0.0.1", service.port), timeout=PATIENCE) as sock:
        sock.sendall(f"GET /v1/events HTTP/1.0\r\nX-API-Key: {key}\r\n\r\n".encode())
        received = b""
        while b"\r\n\r\nretry: 2000\n" not in received:
            chunk = sock.recv(65536)
            assert chunk, received
            received += chunk
    assert b"Connection: close" in received and b"Transfer-Encoding" not in received


def test_strangers_are_refused(service):
    assert service.get("/v1/events").json()["error"] == "missing api key"
    assert service.get("/v1/events", key="tsr_none").json()["error"] == "invalid api key"


def test_streams_are_bounded_for_an_account_and_freed_when_they_end(make_service, read):
    service = make_service("few", settings={"rate_limits.enabled": "false", "waiting.max_streams_per_account": "3"})
    key = service.new_account("tester")
    readers = [read(service, key) for _ in range(3)]
    assert [reader.response.status for reader in readers] == [200] * 3
    # The service ends streams when it hears of the account's change, which makes room for others.
    while readers[-1].response.status == 200:
        readers.append(read(service, key))
    assert (readers[-1].response.status, readers[-1].refusal["code"]) == (429, "event_streams_exceeded")
    for reader in readers:
        reader.close()
    wait_until(lambda: open_streams(service) == 0, "the streams to be freed")
    assert read(service, key).response.status == 200
    assert read(service, service.new_account("other")).response.status == 200


def test_a_revoked_key_ends_its_streams(make_service, read):
    service = make_service("revoking")
    service.admin("account", "create", "--slug", "tester", "--name", "Tester", "--plan", "unlimited")
    made = service.admin("key", "create", "--account", "tester", "--name", "test")
    reader = read(service, made["api_key"])
    assert not reader.ended.is_set()
    service.admin("key", "revoke", made["id"])
    assert reader.ended.wait(PATIENCE)
    assert service.get("/v1/events", key=made["api_key"]).status == 401


def test_sigterm_ends_streams_as_whole_answers(make_service):
    service = make_service("ending")
    key = service.new_account("tester")
    with socket.create_connection(("127.0.0.1", service.port), timeout=PATIENCE) as sock:
        sock.sendall(f"GET /v1/events HTTP/1.1\r\nHost: a\r\nX-API-Key: {key}\r\n\r\n".encode())
        received = sock.recv(65536)
        assert service.stop() == 0
        with contextlib.suppress(ConnectionResetError):
            while chunk := sock.recv(65536):
                received += chunk
    assert received.endswith(b"0\r\n\r\n")
    [line] = [event for event in service.log_events() if event.get("route") == "/v1/events"]
    assert line["status"] == 200 and line["bytes"] > 0


def test_the_example_follows_jobs_and_comes_back_after_a_restart(make_service, folder):
    service = make_service("followed", settings={"rate_limits.enabled": "false"})
    key = service.new_account("tester")
    asset = upload(service, key, png(64, 48)).json()["id"]
    environment = {**os.environ, "URL": f"http://127.0.0.1:{service.port}", "KEY": key}
    said = folder / "said"
    with open(said, "wb") as out:
        follower = subprocess.Popen(["node", ROOT / "examples" / "events" / "follow.mjs"], env=environment, stdout=out)
    try:
        wait_until(lambda: open_streams(service) == 1, "it to read")
        first = submit(service, key, asset)
        wait_until(lambda: f"succeeded {first}" in said.read_text(), "the first end")
        service.restart()
        second = submit(service, key, asset)
        wait_until(lambda: f"succeeded {second}" in said.read_text(), "the second end")
    finally:
        follower.kill()
        follower.wait()


def settings(url, folder):
    return {"rate_limits.enabled": "false", "metadata.url": url, "blobs.url": f"file:{folder}/blobs"}


def test_every_node_tells_the_same_and_a_reader_may_come_back_to_any(database, make_service, folder, read):
    one = make_service("one", settings=settings(database.url, folder))
    two = make_service("two", settings=settings(database.url, folder), arguments=["--workers", "0"], clean_log=False)
    key = one.new_account("tester")
    asset = upload(one, key, png(64, 48)).json()["id"]
    here, there = read(one, key), read(two, key)
    first = submit(two, key, asset)
    ends = [reader.until("succeeded", first)[-1] for reader in (here, there)]
    assert ends[0].id == ends[1].id and ends[0].data == ends[1].data
    two.kill()
    assert there.ended.wait(PATIENCE)
    missed = [submit(one, key, asset) for _ in range(3)]
    for job in missed:
        wait_for_job(one, key, job)
    back = read(one, key, last_event_id=there.last_event_id)
    ended = set()
    while not set(missed) <= ended:  # in whichever order they ended
        event = back.next()
        if event.name == "succeeded":
            ended.add(event.data["id"])


def test_no_end_is_lost_while_nodes_are_killed_and_readers_come_back(database, make_service, folder):
    """A reader that goes from node to node with its last id sees the end of every job, whatever happens to nodes."""
    front = make_service("front", settings=settings(database.url, folder), clean_log=False)
    other = make_service("other", settings=settings(database.url, folder), clean_log=False)
    key = front.new_account("tester")
    asset = upload(front, key, png(64, 48)).json()["id"]
    nodes = [front, other]
    ended, last, wanted = set(), None, set()
    for turn in range(6):
        reading, killed = nodes[turn % 2], nodes[(turn + 1) % 2]
        reader = EventReader(reading, key, last_event_id=last)
        wanted |= {submit(reading, key, asset) for _ in range(8)}
        killed.kill()
        wanted |= {submit(reading, key, asset) for _ in range(8)}
        for _ in range(5):
            event = reader.next()
            assert event.name != "gap"
            if event.name == "succeeded":
                ended.add(event.data["id"])
        reader.close()
        last = event.id
        killed.start()
    reader = EventReader(front, key, last_event_id=last)
    while not wanted <= ended:
        event = reader.next(patience=120)
        assert event.name != "gap", event.data
        if event.name == "succeeded":
            ended.add(event.data["id"])
    reader.close()


def test_changes_that_nobody_was_told_of_are_found(database, make_service, folder, read):
    service = make_service("alone", settings=settings(database.url, folder), arguments=["--workers", "0"])
    key = service.new_account("tester")
    asset = upload(service, key, png(64, 48)).json()["id"]
    reader = read(service, key)
    job = submit(service, key, asset)
    reader.until("queued", job)
    # As if a node had ended the job and been killed before it could say so.
    now = "(extract(epoch FROM now()) * 1000)::bigint"
    database.run(
        f"UPDATE jobs SET status = 'running', started_at = {now}, updated_at = {now}, attempt_count = 1, claim = 1 WHERE id = '{job}';"
        f"UPDATE jobs SET status = 'failed', error_code = 'timeout', error_message = 'x', completed_at = {now}, updated_at = {now}"
        f" WHERE id = '{job}'"
    )
    assert reader.until("failed", job)[-1].data["error_code"] == "timeout"


def test_thousands_of_changes_at_once_are_told_as_a_gap(database, make_service, folder, read):
    service = make_service("alone", settings=settings(database.url, folder), arguments=["--workers", "0"])
    key = service.new_account("tester")
    asset = upload(service, key, png(64, 48)).json()["id"]
    reader = read(service, key)
    job = submit(service, key, asset)
    last = reader.until("queued", job)[-1].id
    reader.close()
    database.run(
        "INSERT INTO jobs (id, account_id, operation, options, heavy, credits, period_starts_at, queued_at, updated_at, max_attempts)"
        " SELECT gen_random_uuid(), account_id, operation, options, heavy, credits, period_starts_at, queued_at, updated_at, max_attempts"
        f" FROM jobs, generate_series(1, 1500) WHERE id = '{job}'"
    )
    gap = read(service, key, last_event_id=last).next()
    assert (gap.name, gap.data["reason"]) == ("gap", "too_many")
    assert json.dumps(gap.data) and uuid.UUID(job)
