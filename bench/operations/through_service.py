"""resize through the whole service beside sharp on the same cores: a picture is uploaded once, and then jobs are
submitted, waited for and their results downloaded, several clients at a time. Ratios above 1 are in our favour.

sharp is asked in two ways: as a service, whose clients send one request for each result; and in a process of its own,
which has picture and result and nobody to answer to. Processor time is that of the servers alone, for each result."""
import contextlib
import http.client
import json
import os
import pathlib
import statistics
import subprocess
import sys
import threading
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "e2e"))

from service import Service, request_path, temporary_folder, upload  # noqa: E402

CLIENTS = 4  # twice the slots, so that none waits for a client; and as many of sharp's at once
LARGE = ["photo.jpg", "baseline.jpg", "photo.png", "photo.webp"]
SMALL = {1024: 800, 384: 300}  # pixels across: from, to


class Client:
    """Keeps one connection open, as a real one would."""

    def __init__(self, service, key):
        self.connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=120)
        self.headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json", "Prefer": "wait=60"}

    def ask(self, method, path, body=None):
        self.connection.request(method, path, json.dumps(body) if body else None, self.headers)
        answer = self.connection.getresponse()
        content = answer.read()
        if answer.status not in (200, 201):
            raise SystemExit(f"{method} {path}: {answer.status} {content[:300]!r}")
        return content

    def run_job(self, asset, options):
        job = json.loads(self.ask("POST", "/v1/jobs", {"asset_id": asset, "operation": "resize", "options": options}))
        if job["status"] != "succeeded":
            raise SystemExit(f"the job is {job['status']}: {job}")
        artifact = json.loads(self.ask("GET", f"/v1/artifacts/{job['artifacts'][0]['id']}"))
        return self.ask("GET", request_path(artifact["download_url"]))


class PeerClient:
    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)

    def ask(self, path):
        self.connection.request("GET", path)
        answer = self.connection.getresponse()
        content = answer.read()
        if answer.status != 200:
            raise SystemExit(f"sharp: {answer.status} {content[:300]!r}")
        return content


class Peer:
    """sharp as a service."""

    def __init__(self, port):
        self.port = port

    def processor_seconds(self):
        return float(PeerClient(self.port).ask("/processor_seconds"))

    def run(self, source, options, count):
        path = "/?" + urllib.parse.urlencode({"source": source, **options})
        return run_all(lambda: PeerClient(self.port), lambda client: client.ask(path), count)[0]


@contextlib.contextmanager
def peer_service(modules):
    script = ROOT / "bench" / "operations" / "peer_server.js"
    environment = {**os.environ, "NODE_PATH": str(modules)}
    with subprocess.Popen(["node", str(script)], env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield Peer(int(process.stdout.readline()))
        finally:
            process.kill()


def processor_seconds(process):
    """Of a process and all that it has started, alive or ended."""
    children, used = {}, {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
            children.setdefault(int(fields[1]), []).append(int(folder.name))
            used[int(folder.name)] = sum(int(field) for field in fields[11:15])
    left, ticks = [process], 0
    while left:
        one = left.pop()
        ticks += used.get(one, 0)
        left += children.get(one, [])
    return ticks / os.sysconf("SC_CLK_TCK")


def run_all(make_client, work_once, count):
    """Seconds from the first request to the last byte downloaded, and one result."""
    left, lock, results = [count], threading.Lock(), []

    def work():
        client = make_client()
        while True:
            with lock:
                if left[0] == 0:
                    return
                left[0] -= 1
            results.append(work_once(client))

    threads = [threading.Thread(target=work) for _ in range(CLIENTS)]
    started = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if len(results) != count:
        raise SystemExit("a client gave up")
    return time.monotonic() - started, results[0]


def run_jobs(service, key, asset, options, count):
    return run_all(lambda: Client(service, key), lambda client: client.run_job(asset, options), count)


def sources(pictures, work):
    """Files, and how many pixels across is asked of them."""
    for name in LARGE:
        yield pictures / name, 800
    for across, wanted in SMALL.items():
        for ending in ["jpg", "png", "webp"]:
            small = work / f"small-{across}.{ending}"
            subprocess.run(["vipsthumbnail", str(pictures / "photo.jpg"), "-s", f"{across}x", "-o", str(small)], check=True)
            yield small, wanted


class Turns:
    """Runs of both sides take turns; the best rate counts, and the median of processor time."""

    def __init__(self, run, processor_seconds, count):
        self.run, self.processor_seconds, self.count = run, processor_seconds, count
        self.rates, self.costs = [], []

    def take(self):
        before = self.processor_seconds()
        self.rates.append(self.count / self.run(self.count))
        self.costs.append((self.processor_seconds() - before) / self.count)

    def rate(self):
        return max(self.rates)

    def cost(self):
        return statistics.median(self.costs)


def compare(pictures, count, rounds, modules, sharp_seconds, work):
    """`sharp_seconds(format, source, output, count, width)` does the same jobs with sharp and says how long that took."""
    print("resize through the service, results per second, best of runs that take turns, and processor time of each")
    print("                                      ours   sharp, served   ratio    ours ms   sharp ms   ratio   in its process")
    with temporary_folder() as folder, peer_service(modules) as peer:
        service = Service(folder / "data", settings={"rate_limits.enabled": "false", "log.level": "warning",
                                                     "worker.slots": "2"}).start()
        key = service.new_account("bench")
        for source, width in sources(pictures, work):
            asset = json.loads(upload(service, key, source.read_bytes(), source.name).body)["id"]
            jobs = count if source.parent == pictures else 10 * count
            for format in ["webp", "jpeg"]:
                options = {"width": width, "format": format}
                _, result = run_jobs(service, key, asset, options, CLIENTS)
                (work / f"service-{source.stem}.{format}").write_bytes(result)
                peer.run(source, options, CLIENTS)
                us = Turns(lambda many: run_jobs(service, key, asset, options, many)[0],
                           lambda: processor_seconds(service.process.pid), jobs)
                them = Turns(lambda many: peer.run(source, options, many), peer.processor_seconds, jobs)
                alone = []
                for _ in range(rounds):
                    us.take()
                    them.take()
                    alone.append(jobs / sharp_seconds(format, source, work / f"sharp.{format}", jobs, width))
                print(f"  {source.name:>16} → {width} {format:<5} {us.rate():>10.2f} {them.rate():>13.2f} "
                      f"{us.rate() / them.rate():>9.2f} {1e3 * us.cost():>10.2f} {1e3 * them.cost():>10.2f} "
                      f"{them.cost() / us.cost():>7.2f} {us.rate() / max(alone):>11.2f}")
                sys.stdout.flush()
        service.stop()
