"""Several nodes on one PostgreSQL and one S3 store, clients that load them, and the audit that comes after a fault."""

import collections
import concurrent.futures
import contextlib
import hashlib
import http.client
import os
import random
import signal
import threading
import time

from pictures import png
from service import PATIENCE, multipart, request_path, wait_until


class Cluster:
    """Makes nodes that share a database, a bucket and the signing secrets."""

    def __init__(self, make_service, database, ceph, folder, **settings):
        self.make_service, self.database, self.ceph = make_service, database, ceph
        secrets = folder / "signing-secrets"  # made by the first node that starts
        self.settings = {
            "rate_limits.enabled": "false",
            "metadata.url": database.url,
            "blobs.url": f"s3://tessera/{database.name}?endpoint={ceph.endpoint}",
            "blobs.access_key_id": ceph.access_key,
            "blobs.secret_access_key": ceph.secret_key,
            "signing.secrets_file": secrets,
            "worker.lease": "2s",
            "worker.retry_base": "20ms",
            **settings,
        }
        self.nodes = []

    def node(self, name, start=True, arguments=(), binary=None, **settings):
        made = self.make_service(
            name, start=start, clean_log=False, arguments=arguments, binary=binary, settings={**self.settings, **settings}
        )
        self.nodes.append(made)
        return made

    def account(self, slug="survivor", **more):
        return self.nodes[0].new_account(slug, **more)


def one_of(nodes, chance=random):
    return chance.choice(nodes)


def says_later(answer):
    return answer.status == 500 and "Retry-After" in answer.headers


class Load:
    """Clients that upload, ask for a resize, and ask again, of any node and with the same key, until they are answered.
    The only refusals that they put up with are a 503, and a 500 that says when to try again."""

    def __init__(self, nodes, key, clients=4, most_jobs=3000):
        self.nodes, self.key, self.most_jobs = nodes, key, most_jobs
        self.stopping = threading.Event()
        self.lock = threading.Lock()
        self.started = 0
        self.accepted = {}  # idempotency key -> job id
        self.refusals = collections.Counter()
        self.wrong = []
        self.slowest = 0.0
        self.threads = [threading.Thread(target=self._run, daemon=True) for _ in range(clients)]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.stopping.set()
        for thread in self.threads:
            thread.join()

    def wait_for_more(self, count=10):
        """Until the service has accepted this many more jobs."""
        goal = len(self.accepted) + count
        wait_until(lambda: len(self.accepted) >= goal or self.wrong or self.started >= self.most_jobs, "jobs to be accepted")
        assert not self.wrong, self.wrong[:3]

    def _run(self):
        while not self.stopping.is_set() and self.started < self.most_jobs:
            with self.lock:
                self.started += 1
                number = self.started
            body, content_type = multipart(png(24 + number % 40, 16 + number // 40 % 40))
            asset = self._until_answered("/v1/assets", body, {"Content-Type": content_type})
            if asset is None:
                continue
            name = f"cluster-{number:08d}"
            wanted = {"asset_id": asset["id"], "operation": "resize", "options": {"width": 8, "format": "png"}}
            job = self._until_answered("/v1/jobs", wanted, {"Idempotency-Key": name})
            if job is not None:
                with self.lock:
                    self.accepted[name] = job["id"]

    def _until_answered(self, path, body, headers):
        deadline = time.monotonic() + PATIENCE
        while True:
            node = one_of(self.nodes)
            begin = time.monotonic()
            try:
                answer = node.post(path, body=body, key=self.key, headers=headers, timeout=40)
            except (OSError, http.client.HTTPException) as trouble:
                answer, said = None, type(trouble).__name__
            with self.lock:
                self.slowest = max(self.slowest, time.monotonic() - begin)
                if answer is not None and answer.status in (200, 201):
                    return answer.json()
                if answer is not None and answer.status != 503 and not says_later(answer):
                    self.wrong.append((path, answer.status, answer.body))
                    return None
                self.refusals[answer.status if answer is not None else said] += 1
                if time.monotonic() > deadline:
                    self.wrong.append((path, "was never answered"))
                    return None
            time.sleep(0.02)


def read_job(nodes, key, job):
    """From whichever node answers."""
    with contextlib.suppress(OSError, http.client.HTTPException):
        answer = one_of(nodes).get(f"/v1/jobs/{job}", key=key)
        assert answer.status in (200, 503), answer
        return answer.json() if answer.status == 200 else None
    return None


def ended_job(nodes, key, job, patience=PATIENCE * 2):
    def ended():
        found = read_job(nodes, key, job)
        return found if found and found["status"] in ("succeeded", "failed") else None

    return wait_until(ended, f"job {job} to end", patience, pause=0.05)


def audit(cluster, load, key, may_fail=0.0):
    """Nothing lost: every accepted job ended. Nothing doubled: one job a request, charged once. Nothing torn: the bytes
    are what their checksums say, on every node."""
    assert load.wrong == [], load.wrong[:5]
    nodes, database = cluster.nodes, cluster.database
    api = [node for node in nodes if node.command == "serve"]
    jobs = list(load.accepted.values())
    assert len(set(jobs)) == len(jobs)
    with concurrent.futures.ThreadPoolExecutor(6) as clients:
        ended = list(clients.map(lambda job: ended_job(api, key, job), jobs))
        ends = collections.Counter((job["status"], job.get("error_code")) for job in ended)
        print(f"{len(jobs)} jobs: {dict(ends)}; refused: {dict(load.refusals)}; slowest answer {load.slowest:.1f} s")
        assert set(ends) <= {("succeeded", None), ("failed", "internal_error"), ("failed", "engine_crashed")}, ends
        succeeded = [job for job in ended if job["status"] == "succeeded"]
        assert len(succeeded) >= (1 - may_fail) * len(jobs), ends
        assert all(len(job["artifacts"]) == 1 for job in succeeded)
        wrong = [bad for bad in clients.map(lambda job: torn(one_of(api), key, job), succeeded[-400:]) if bad]
        assert wrong == []

    assert database.number("SELECT count(*) FROM jobs") == len(jobs)
    assert database.number("SELECT count(*) FROM idempotency_keys") == len(jobs)
    assert database.number("SELECT count(*) FROM jobs WHERE status NOT IN ('succeeded', 'failed')") == 0
    assert database.number("SELECT count(*) FROM artifacts") == len(succeeded)
    assert database.number("SELECT sum(credits) FROM credit_ledger") == len(succeeded)
    for table in ("queue_ready", "queue_delayed", "queue_leases"):
        assert database.number(f"SELECT count(*) FROM {table}") == 0, table
    assert database.run("SELECT sum(in_flight), sum(running) FROM queue_accounts") == [["0", "0"]]
    return ended


def torn(node, key, job):
    """What is wrong with the job's artifact; None when nothing is."""
    described = node.get(f"/v1/artifacts/{job['artifacts'][0]['id']}", key=key).json()
    answer = node.get(request_path(described["download_url"]))
    whole = answer.status == 200 and hashlib.sha256(answer.body).hexdigest() == described["checksum_sha256"]
    return None if whole else (job["id"], answer)


def pause(node):
    os.killpg(node.process.pid, signal.SIGSTOP)


def resume(node):
    os.killpg(node.process.pid, signal.SIGCONT)


def not_ready(node, part=None):
    """Whether the node says that it can't work, and because of which part."""
    with contextlib.suppress(OSError, http.client.HTTPException):
        answer = node.get("/readyz", timeout=20)
        said = answer.json()
        return answer.status == 503 and (part is None or said["checks"].get(part) == "failed" or "reason" in said)
    return False


def ready(node):
    with contextlib.suppress(OSError, http.client.HTTPException):
        return node.get("/readyz", timeout=20).status == 200
    return False
