"""kill -9 in the middle of tiling, patching and folding, and readers in between.

Every job on a tileset paints it whole in one colour, so that all its tiles are the same bytes: a reader who fetches
several tiles of one version and finds two that differ has seen a mix. TESSERA_TILE_KILLS sets how often the server is
killed.
"""

import collections
import contextlib
import hashlib
import http.client
import os
import random
import threading
import time

import pytest
from pictures import png
from service import upload, wait_for_job, wait_until
from tilesets import blob, layers, patch, rows, run_job, submit, tile_path, tileset_of

KILLS = int(os.environ.get("TESSERA_TILE_KILLS", "10"))
SIZE = 1024  # four by four tiles, none of them padded
LAYERS = 3
TILES = [(0, 0, 0), (1, 0, 0), (1, 1, 1), (2, 0, 0), (2, 3, 1), (2, 3, 3)]
SETTINGS = {
    "rate_limits.enabled": "false",
    "worker.lease": "1s",
    "worker.retry_base": "10ms",
    "tiles.max_layers": LAYERS,
    "tiles.fold_interval": "100ms",
}


def colour(number):
    return (number * 37 % 256, number * 101 % 256, number * 193 % 256)


class Tileset:
    """One that is patched and rebuilt by one client, in order, and read by others."""

    def __init__(self, service, key, number, assets):
        self.service, self.key, self.number, self.assets = service, key, number, assets
        first = run_job(service, key, "tile", {"format": "png"}, assets[0])
        self.id = tileset_of(first)
        self.lock = threading.Lock()
        self.jobs = [first["id"]]  # as accepted
        self.ended = {1: first}  # by version
        self.bodies = {}  # what a version has shown, once and for all
        self.wrong = []

    def request(self, number):
        if number % 5 == 4:
            asset = self.assets[number % len(self.assets)]
            return "tile", {"format": "png", "tileset_id": self.id}, asset
        text = "#" + bytes(colour(number)).hex()
        return "tile_patch", {"tileset_id": self.id, "patches": [patch(0, 0, SIZE, SIZE, color=text)]}, None

    def ask(self, number):
        """Until there is an answer, as an honest client does: the server always comes back."""
        operation, options, asset = self.request(number)
        name = f"tileset-{self.number}-{number:05d}"
        while True:
            with contextlib.suppress(OSError, http.client.HTTPException):
                answer = submit(self.service, self.key, operation, options, asset, name)
                if answer.status in (200, 201):
                    with self.lock:
                        self.jobs.append(answer.json()["id"])
                    return
                if answer.status < 500:
                    self.wrong.append((name, answer.status, answer.body))
                    return
            time.sleep(0.005)

    def work(self, stopping, ahead):
        number = 0
        while not stopping.is_set():
            number += 1
            self.ask(number)
            # A few jobs wait in the queue, never all of them.
            while not stopping.is_set() and not self.is_near_the_end(ahead):
                time.sleep(0.005)

    def is_near_the_end(self, ahead):
        with contextlib.suppress(OSError, http.client.HTTPException):
            job = self.service.get(f"/v1/jobs/{self.jobs[max(0, len(self.jobs) - ahead)]}", key=self.key, timeout=20).json()
            if job.get("status") == "succeeded" and job.get("result"):
                with self.lock:
                    self.ended[job["result"]["version"]] = job
            return job.get("status") in ("succeeded", "failed")
        return False

    def read(self, stopping, chance):
        while not stopping.is_set():
            with self.lock:
                version, job = chance.choice(list(self.ended.items())[-4:])
            with contextlib.suppress(OSError, http.client.HTTPException):
                self.look(version, job)

    def look(self, version, job):
        for name in random.sample(TILES, 4):
            answer = self.service.get(tile_path(job, *name), timeout=20)
            if answer.status != 200:
                self.wrong.append((version, name, answer.status, answer.body[:200]))
                continue
            with self.lock:
                first = self.bodies.setdefault(version, answer.body)
            if first != answer.body:
                self.wrong.append((version, name, "differs from what this version has shown before"))


def run_load(service, jobs, kills, chance, tilesets, ahead=3):
    stopping = threading.Event()
    threads = [threading.Thread(target=t.work, args=(stopping, ahead)) for t in tilesets]
    threads += [threading.Thread(target=t.read, args=(stopping, random.Random(chance.random()))) for t in tilesets]
    for thread in threads:
        thread.start()
    try:
        for number in range(kills):
            if number % 2:  # the others come while it starts, or soon after
                before = [len(t.jobs) for t in tilesets]
                wait_until(lambda: [len(t.jobs) for t in tilesets] != before or any(t.wrong for t in tilesets), "progress")
            time.sleep(chance.uniform(0, 0.5))
            service.kill()
            service.start()
        wait_until(lambda: all(len(t.jobs) > jobs for t in tilesets), "enough jobs")
    finally:
        stopping.set()
        for thread in threads:
            thread.join()


def check_ends(service, key, tilesets):
    """Every job has ended once; what succeeded is there, whole, and is all that was paid for."""
    ends = collections.Counter()
    paid = 0
    for t in tilesets:
        assert t.wrong == []
        version = 0
        for number, accepted in enumerate(t.jobs):
            job = wait_for_job(service, key, accepted, patience=120)
            ends[(job["status"], job.get("error_code"))] += 1
            if job["status"] != "succeeded":
                assert job["artifacts"] == []
                continue
            paid += 2  # SIZE squared is 1.05 megapixels
            version += 1
            assert job["result"]["version"] == version, "versions follow each other in the order of acceptance"
            for name in TILES:
                answer = service.get(tile_path(job, *name))
                assert answer.status == 200, (number, name, answer)
                assert t.bodies.setdefault(version, answer.body) == answer.body, (number, name)
        assert version > 1
        wait_until(lambda t=t: len(layers(service, t.id)) <= LAYERS, "stacks to be folded")
    # Three kills while one job was running end it as the service's fault; nothing else may fail here.
    assert set(ends) <= {("succeeded", None), ("failed", "internal_error"), ("failed", "engine_crashed")}, ends
    assert ends[("succeeded", None)] > 0.5 * sum(ends.values()), ends
    used = service.get("/v1/account", key=key).json()["usage"]["processing_credits"]["used"]
    assert used == paid
    return ends


@pytest.fixture
def tilesets_of(make_service):
    def make(count, **options):
        service = make_service(settings=SETTINGS, **options)
        key = service.new_account("painter", cdn=True)
        assets = [upload(service, key, png(SIZE, SIZE, colour(1000 + i))).json()["id"] for i in range(3)]
        return service, key, [Tileset(service, key, number, assets) for number in range(count)]

    return make


def test_patches_and_rebuilds_race_and_no_reader_sees_a_mix(tilesets_of):
    service, key, tilesets = tilesets_of(2)
    run_load(service, 20, 0, random.Random(1), tilesets)
    ends = check_ends(service, key, tilesets)
    assert set(ends) == {("succeeded", None)}
    service.wait_for_event("tileset.folded")
    bodies = [body for t in tilesets for body in t.bodies.values()]
    assert len({hashlib.sha256(body).digest() for body in bodies}) > 10, "versions differ from each other"


def test_whatever_the_instant_of_a_kill_old_versions_serve_and_jobs_end_once(tilesets_of):
    seed = int(os.environ.get("TESSERA_SEED", "0")) or random.randrange(1 << 30)
    print("seed", seed)
    service, key, tilesets = tilesets_of(2, clean_log=False)
    run_load(service, 3, KILLS, random.Random(seed), tilesets)
    ends = check_ends(service, key, tilesets)
    print(dict(ends))
    service.stop()
    for storage_key, size in rows(service, "SELECT DISTINCT storage_key, byte_size FROM tileset_layers"):
        assert blob(service, storage_key).stat().st_size == size
    assert rows(service, "SELECT count(*) FROM jobs WHERE status NOT IN ('succeeded', 'failed')") == [(0,)]
    assert rows(service, "PRAGMA integrity_check") == [("ok",)]
