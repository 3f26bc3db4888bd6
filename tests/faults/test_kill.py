"""kill -9 of the server and its engines at random instants, under load.

Whatever the instant: a request that was answered made one job, a job ends once, is charged once (or not at all when the
service failed it), and what it left behind is what its checksum says. TESSERA_KILLS sets how often.
"""

import collections
import concurrent.futures
import contextlib
import hashlib
import http.client
import os
import random
import sqlite3
import threading
import time

from pictures import png
from service import request_path, upload, wait_for_job, wait_until

KILLS = int(os.environ.get("TESSERA_KILLS", "100"))
LOADERS = 4
MOST_JOBS = 4000


class Load:
    """Clients that ask again, with the same key, until they have an answer: what an honest client does."""

    def __init__(self, service, key, asset):
        self.service, self.key, self.asset = service, key, asset
        self.stopping = threading.Event()
        self.lock = threading.Lock()
        self.accepted = {}  # idempotency key -> job id
        self.started = 0
        self.wrong = []

    def one(self, number):
        body = {"asset_id": self.asset, "operation": "resize", "options": {"width": 8 + number % 24, "format": "png"}}
        name = f"kill-test-{number:06d}"
        while True:
            try:
                answer = self.service.post(
                    "/v1/jobs", body=body, key=self.key, headers={"Idempotency-Key": name}, timeout=20
                )
            except (OSError, http.client.HTTPException):
                if self.stopping.is_set() and not self.service_is_up():
                    return
                time.sleep(0.005)
                continue
            if answer.status in (200, 201):
                with self.lock:
                    job = answer.json()["id"]
                    if self.accepted.setdefault(name, job) != job:
                        self.wrong.append((name, self.accepted[name], job))
                return
            if answer.status < 500:
                with self.lock:
                    self.wrong.append((name, answer.status, answer.body))
                return
            time.sleep(0.005)

    def service_is_up(self):
        with contextlib.suppress(OSError, http.client.HTTPException):
            return self.service.get("/healthz").status == 200
        return False

    def is_over(self):
        return self.wrong or self.started >= MOST_JOBS

    def run(self):
        while not self.stopping.is_set() and self.started < MOST_JOBS:
            with self.lock:
                self.started += 1
                number = self.started
            self.one(number)


def rows(service, query):
    connection = sqlite3.connect(service.data_dir / "tessera.db", timeout=30)
    try:
        return connection.execute(query).fetchall()
    finally:
        connection.close()


def test_nothing_is_lost_doubled_or_mischarged_when_the_server_is_killed(make_service):
    seed = int(os.environ.get("TESSERA_SEED", "0")) or random.randrange(1 << 30)
    print("seed", seed)
    chance = random.Random(seed)
    service = make_service(
        settings={"rate_limits.enabled": "false", "worker.lease": "1s", "worker.retry_base": "10ms"}, clean_log=False
    )
    key = service.new_account("survivor")
    asset = upload(service, key, png(64, 64)).json()["id"]

    load = Load(service, key, asset)
    threads = [threading.Thread(target=load.run) for _ in range(LOADERS)]
    for thread in threads:
        thread.start()
    try:
        for number in range(KILLS):
            if number % 2:  # the others come while it starts, or soon after
                before = len(load.accepted)
                wait_until(lambda: len(load.accepted) >= before + 5 or load.is_over(), "jobs to be accepted")
            time.sleep(chance.uniform(0, 0.25))
            service.kill()
            service.start()
    finally:
        load.stopping.set()
        for thread in threads:
            thread.join()
    assert load.wrong == []
    assert len(load.accepted) > KILLS

    with concurrent.futures.ThreadPoolExecutor(8) as clients:
        jobs = list(clients.map(lambda job: wait_for_job(service, key, job, patience=120), load.accepted.values()))
        ends = collections.Counter((job["status"], job.get("error_code")) for job in jobs)
        print(len(jobs), "jobs:", dict(ends))
        # Three kills while one job was running end it as the service's fault; nothing else may fail here.
        assert set(ends) <= {("succeeded", None), ("failed", "internal_error"), ("failed", "engine_crashed")}, ends
        assert ends[("succeeded", None)] > 0.5 * len(jobs), "most of them, even where a job takes as long as a server lives"
        assert all(len(job["artifacts"]) == (1 if job["status"] == "succeeded" else 0) for job in jobs)

        def intact(job):
            described = service.get(f"/v1/artifacts/{job['artifacts'][0]['id']}", key=key).json()
            content = service.get(request_path(described["download_url"])).body
            return hashlib.sha256(content).hexdigest() == described["checksum_sha256"]

        assert all(clients.map(intact, (job for job in jobs if job["status"] == "succeeded")))

    succeeded = ends[("succeeded", None)]
    usage = service.get("/v1/account", key=key).json()["usage"]["processing_credits"]
    assert usage["used"] == succeeded
    service.stop()
    assert rows(service, "SELECT count(*) FROM jobs") == [(len(load.accepted),)]
    assert rows(service, "SELECT count(*) FROM jobs WHERE status NOT IN ('succeeded', 'failed')") == [(0,)]
    assert rows(service, "SELECT sum(credits) FROM credit_ledger") == [(succeeded,)]
    assert rows(service, "PRAGMA integrity_check") == [("ok",)]
