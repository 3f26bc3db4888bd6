"""A campaign of kills while everything runs: uploads, all five operations, patches of one tileset in order, and folds.

TESSERA_CAMPAIGN_KILLS sets how often something is killed on each backend, TESSERA_SEED repeats a run. What is checked:
every accepted job ended once and was charged once, its bytes are what their checksum says, tiles are whole, and the store
holds what the rows name and nothing else.
"""

import collections
import concurrent.futures
import http.client
import os
import random
import sqlite3
import threading
import time

import pytest
from cluster import ended_job, one_of, ready, torn
from pictures import png
from service import PATIENCE, multipart, wait_until
from tilesets import patch, tile_path

KILLS = int(os.environ.get("TESSERA_CAMPAIGN_KILLS", "6"))
LAYERS = 3
BUSY = {
    "rate_limits.enabled": "false",
    "worker.lease": "2s",
    "worker.retry_base": "10ms",
    "tiles.max_layers": LAYERS,
    "tiles.fold_interval": "100ms",
}
# After the kills: everything that no row names is looked for at once.
SWEEPING = {"retention.interval": "200ms", "retention.keep_blobs": "0s", "retention.orphan_scan_interval": "1s", "retention.orphan_age": "1s"}
NAMED = " UNION ".join(f"SELECT storage_key FROM {table}" for table in ("assets", "artifacts", "tileset_layers"))


class Embedded:
    """One process, SQLite and files."""

    def __init__(self, make_service):
        self.nodes = [make_service(settings=dict(BUSY), clean_log=False)]

    def run(self, query):
        connection = sqlite3.connect(self.nodes[0].data_dir / "tessera.db", timeout=30)
        try:
            return [[str(value) for value in row] for row in connection.execute(query).fetchall()]
        finally:
            connection.close()

    def stored(self):
        blobs = self.nodes[0].data_dir / "blobs"
        return {f"{file.relative_to(blobs).parts[0]}/{file.name.replace('+', '/')}" for file in blobs.rglob("*") if file.is_file()}


class Clustered:
    """Two nodes on PostgreSQL and S3."""

    def __init__(self, cluster):
        cluster.settings.update(BUSY)
        self.cluster = cluster
        self.nodes = [cluster.node("one"), cluster.node("two")]

    def run(self, query):
        return self.cluster.database.run(query)

    def stored(self):
        listed = self.cluster.ceph.rclone("lsf", f"tessera/{self.cluster.database.name}", "--recursive", "--files-only")
        return set(listed.split()) - {""}


@pytest.fixture(params=["embedded", "clustered"])
def world(request, make_service):
    if request.param == "embedded":
        return Embedded(make_service)
    return Clustered(request.getfixturevalue("cluster"))


class Clients:
    """They ask again, of any node and with the same key, until they are answered."""

    def __init__(self, nodes, key):
        self.nodes, self.key = nodes, key
        self.stopping = threading.Event()
        self.lock = threading.Lock()
        self.accepted = {}  # idempotency key → job id
        self.wrong = []
        self.tileset_jobs = []
        works = [self.pictures, self.pictures, self.pictures, self.tileset]
        self.threads = [threading.Thread(target=work, args=(number,), daemon=True) for number, work in enumerate(works)]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.stopping.set()
        for thread in self.threads:
            thread.join()

    def ask(self, path, body, headers):
        deadline = time.monotonic() + 2 * PATIENCE
        while True:
            try:
                answer = one_of(self.nodes).post(path, body=body, key=self.key, headers=headers, timeout=40)
                if answer.status in (200, 201):
                    return answer.json()
                if answer.status < 500:
                    raise AssertionError(f"{path}: {answer}")
            except (OSError, http.client.HTTPException):
                pass
            if time.monotonic() > deadline:
                raise AssertionError(f"{path} was never answered")
            time.sleep(0.01)

    def upload(self, picture):
        body, content_type = multipart(picture)
        return self.ask("/v1/assets", body, {"Content-Type": content_type})["id"]

    def job(self, name, operation, options, asset=None):
        wanted = {"operation": operation, "options": options, **({"asset_id": asset} if asset else {})}
        job = self.ask("/v1/jobs", wanted, {"Idempotency-Key": name})["id"]
        with self.lock:
            if self.accepted.setdefault(name, job) != job:
                self.wrong.append((name, self.accepted[name], job))
        return job

    def guarded(self, work):
        try:
            work()
        except Exception as trouble:
            with self.lock:
                self.wrong.append(trouble)
            self.stopping.set()

    def pictures(self, client):
        def work():
            number = 0
            while not self.stopping.is_set():
                number += 1
                name = f"campaign-{client}-{number:06d}"
                asset = self.upload(png(40 + number % 200, 30 + client))
                self.job(name + "-resize", "resize", {"width": 16, "format": "webp"}, asset)
                self.job(name + "-optimize", "optimize", {"format": "png"}, asset)
                self.job(name + "-tile", "tile", {"format": "png"}, asset)
                grid = {"width": 96, "height": 64, "block_width": 32, "blocks": [{"column": 1, "row": 0, "asset_id": asset}]}
                last = self.job(name + "-grid", "grid_render", grid)
                ended_job(self.nodes, self.key, last)  # the queue stays short

        self.guarded(work)

    def tileset(self, client):
        def work():
            asset = self.upload(png(512, 512, (200, 10, 10)))
            first = self.job("campaign-tileset", "tile", {"format": "png"}, asset)
            made = ended_job(self.nodes, self.key, first)
            if made["status"] != "succeeded":
                return  # three kills in a row met it
            tileset = made["artifacts"][0]["metadata"]["tileset_id"]
            number = 0
            while not self.stopping.is_set():
                number += 1
                paint = patch(0, 0, 512, 512, color=f"#{number * 7919 % 0xffffff:06x}")
                job = self.job(f"campaign-patch-{number:06d}", "tile_patch", {"tileset_id": tileset, "patches": [paint]})
                self.tileset_jobs.append(job)
                if number % 3 == 0:
                    ended_job(self.nodes, self.key, job)

        self.guarded(work)


def kill_at_random(world, clients, chance):
    for number in range(KILLS):
        if number % 2:  # the others come while it starts, or soon after
            before = len(clients.accepted)
            wait_until(lambda: len(clients.accepted) >= before + 4 or clients.wrong, "jobs to be accepted")
        time.sleep(chance.uniform(0, 0.4))  # the instant is the point
        victim = chance.choice(world.nodes)
        victim.kill()
        victim.start(wait=False)
        wait_until(lambda: any(ready(node) for node in world.nodes), "a node to be ready")
        assert not clients.wrong, clients.wrong[:3]


def check_jobs(world, clients):
    nodes, key = world.nodes, clients.key
    jobs = list(clients.accepted.values())
    assert len(set(jobs)) == len(jobs)
    with concurrent.futures.ThreadPoolExecutor(6) as readers:
        ended = list(readers.map(lambda job: ended_job(nodes, key, job), jobs))
        ends = collections.Counter((job["operation"], job["status"], job.get("error_code")) for job in ended)
        print(f"{KILLS} kills, {len(jobs)} jobs: {dict(ends)}")
        # Three kills while one job was running end it as the service's fault; nothing else may fail here.
        failures = {code for _, status, code in ends if status == "failed"}
        assert failures <= {"internal_error", "engine_crashed"}, ends
        succeeded = [job for job in ended if job["status"] == "succeeded"]
        assert len(succeeded) >= 0.5 * len(jobs), ends
        with_bytes = [job for job in succeeded if job["artifacts"] and job["operation"] not in ("tile", "tile_patch")]
        assert [bad for bad in readers.map(lambda job: torn(one_of(nodes), key, job), with_bytes) if bad] == []
        painted = [job for job in succeeded if job["id"] in set(clients.tileset_jobs)]
        bodies = list(readers.map(lambda job: {one_of(nodes).get(tile_path(job, *name)).body for name in ((0, 0, 0), (1, 0, 1), (1, 1, 0))}, painted))
        assert all(len(shown) == 1 for shown in bodies), "a version that shows tiles of two paintings"
    versions = [job["result"]["version"] for job in sorted(painted, key=lambda job: clients.tileset_jobs.index(job["id"]))]
    assert versions == sorted(versions), "patches were applied in the order of acceptance"
    return jobs


def check_rows(world, jobs):
    def number(query):
        return int(float(world.run(query)[0][0] or 0))

    assert number("SELECT count(*) FROM jobs") == len(jobs)
    assert number("SELECT count(*) FROM idempotency_keys") == len(jobs)
    assert number("SELECT count(*) FROM jobs WHERE status NOT IN ('succeeded', 'failed')") == 0
    charged = "SELECT coalesce(sum(credits), 0) FROM credit_ledger"
    assert number(charged) == number("SELECT sum(credits) FROM jobs WHERE status = 'succeeded'")
    for table in ("queue_ready", "queue_delayed", "queue_leases"):
        assert number(f"SELECT count(*) FROM {table}") == 0, table


def check_store(world):
    """What the rows name is there, and nothing else, once the sweeper has been."""
    for node in world.nodes:
        node.stop()
        node.settings.update(SWEEPING)
        node.start()

    def difference():
        stored, named = world.stored(), {row[0] for row in world.run(NAMED)}
        return {"left over": sorted(stored - named), "missing": sorted(named - stored)}

    try:
        wait_until(lambda: not any(difference().values()), "the store to hold just what the rows name", patience=2 * PATIENCE, pause=0.2)
    except AssertionError as trouble:
        raise AssertionError(f"{trouble}: {difference()}") from None
    for node in world.nodes:
        node.stop()
        # A process that ended well leaves nothing behind in its staging folder.
        assert [file for file in (node.data_dir / "staging").rglob("*") if file.is_file() and file.stat().st_size] == []


def test_nothing_is_lost_doubled_torn_or_left_over(world):
    seed = int(os.environ.get("TESSERA_SEED", "0")) or random.randrange(1 << 30)
    print("seed", seed)
    key = world.nodes[0].new_account("survivor", cdn=True)
    with Clients(world.nodes, key) as clients:
        kill_at_random(world, clients, random.Random(seed))
        clients_had_enough = 4 * 3
        wait_until(lambda: len(clients.accepted) >= clients_had_enough or clients.wrong, "each client to have been served")
    assert clients.wrong == []
    for node in world.nodes:
        wait_until(lambda node=node: ready(node), "every node to be ready")
    check_rows(world, check_jobs(world, clients))
    check_store(world)
