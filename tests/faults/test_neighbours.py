"""Uploads that hang in their engines (with a binary whose engines can be told to): their owner waits, and nobody else."""

import concurrent.futures
import contextlib

import pytest
from pictures import png
from service import HOOKED, upload, wait_until

CURSED = png(64, 64) + b"TESSERA-HOOK:probe:hang"


@pytest.fixture
def hooked(make_service):
    assert HOOKED.exists(), "build the target tessera-hooked"
    return make_service(
        binary=HOOKED,
        clean_log=False,
        settings={
            "rate_limits.enabled": "false",
            "server.blocking_threads": 2,  # so that whoever held one would be noticed
            "server.drain_timeout": "1s",
            "engine.max_waiting_probes": 8,
            "engine.probe_deadline": "10m",
            "engine.probe_engines": 2,
        },
    )


def probes(service, state):
    for line in service.get("/metrics").body.decode().splitlines():
        if line.startswith(f'tessera_probes{{state="{state}"}} '):
            return int(float(line.split()[-1]))
    raise AssertionError("no such metric")


@contextlib.contextmanager
def many_that_hang(service, key, count):
    """Clients that wait for an answer to such an upload; gives the futures."""
    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        waiting = [pool.submit(upload, service, key, CURSED) for _ in range(count)]
        try:
            wait_until(lambda: probes(service, "running") + probes(service, "waiting") == count, "all to wait")
            yield waiting
        finally:
            service.stop()


def test_nobody_waits_behind_an_account_whose_uploads_hang(hooked):
    hostile, neighbour = hooked.new_account("hostile"), hooked.new_account("neighbour")
    with many_that_hang(hooked, hostile, 9):
        assert (probes(hooked, "running"), probes(hooked, "waiting")) == (1, 8)
        for size in range(1, 30):
            assert upload(hooked, neighbour, png(size, 8)).status == 201
            assert hooked.get("/v1/account", key=hostile).status == 200

        refused = upload(hooked, hostile, png(8, 8))
        assert (refused.status, refused.json()["code"]) == (429, "rate_limited"), refused
        assert int(refused.headers["Retry-After"]) >= 1
        assert "too many uploads of this account" in refused.json()["error"]


def test_a_service_that_stops_tells_all_that_wait(hooked):
    key = hooked.new_account("hostile")
    with many_that_hang(hooked, key, 9):
        assert hooked.stop() == 0
    assert not [event for event in hooked.log_events() if event["level"] == "error"]
