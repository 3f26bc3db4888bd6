"""resize through the whole service beside sharp on the same cores: a picture is uploaded once, and then jobs are
submitted, waited for and their results downloaded, several clients at a time. Ratios above 1 are in our favour. sharp
has its picture and its result in its own process, and nobody to answer to."""
import http.client
import json
import pathlib
import subprocess
import sys
import threading
import time

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


def run_jobs(service, key, asset, options, count):
    """Seconds from the first submission to the last byte downloaded, and one result."""
    left, lock, results = [count], threading.Lock(), []

    def work():
        client = Client(service, key)
        while True:
            with lock:
                if left[0] == 0:
                    return
                left[0] -= 1
            results.append(client.run_job(asset, options))

    threads = [threading.Thread(target=work) for _ in range(CLIENTS)]
    started = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if len(results) != count:
        raise SystemExit("a client gave up")
    return time.monotonic() - started, results[0]


def sources(pictures, work):
    """Files, and how many pixels across is asked of them."""
    for name in LARGE:
        yield pictures / name, 800
    for across, wanted in SMALL.items():
        for ending in ["jpg", "png", "webp"]:
            small = work / f"small-{across}.{ending}"
            subprocess.run(["vipsthumbnail", str(pictures / "photo.jpg"), "-s", f"{across}x", "-o", str(small)], check=True)
            yield small, wanted


def compare(pictures, count, rounds, sharp_seconds, work):
    """`sharp_seconds(format, source, output, count, width)` does the same jobs with sharp and says how long that took."""
    print("resize through the service, jobs per second, best of runs that take turns")
    print("                                      ours     sharp    ratio")
    with temporary_folder() as folder:
        service = Service(folder / "data", settings={"rate_limits.enabled": "false", "log.level": "warning",
                                                     "worker.slots": "2"}).start()
        key = service.new_account("bench")
        for source, width in sources(pictures, work):
            asset = json.loads(upload(service, key, source.read_bytes(), source.name).body)["id"]
            jobs = count if source.parent == pictures else 10 * count
            for format in ["webp", "jpeg"]:
                options = {"width": width, "format": format}
                run_jobs(service, key, asset, options, CLIENTS)
                sharp_seconds(format, source, work / f"sharp.{format}", CLIENTS, width)
                us, them = [], []
                for _ in range(rounds):
                    seconds, result = run_jobs(service, key, asset, options, jobs)
                    us.append(jobs / seconds)
                    them.append(jobs / sharp_seconds(format, source, work / f"sharp.{format}", jobs, width))
                (work / f"service-{source.stem}.{format}").write_bytes(result)
                print(f"  {source.name:>16} → {width} {format:<5} {max(us):>10.2f} {max(them):>9.2f} {max(us) / max(them):>8.2f}")
                sys.stdout.flush()
        service.stop()
