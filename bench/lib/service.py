"""Starts the real service for a benchmark, makes an account, and runs jobs through it."""

import contextlib
import http.client
import json
import os
import signal
import socket
import subprocess
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TESSERA = ROOT / "build" / "release" / "tessera"


def pictures():
    """The folder of the pictures that benchmarks share."""
    made = subprocess.run([ROOT / "bench" / "lib" / "pictures"], capture_output=True, text=True, check=True)
    return Path(made.stdout.split()[-1])


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def fetch(url):
    with urllib.request.urlopen(url, timeout=60) as answer:
        return answer.read()


def wait_for(url, seconds=60):
    deadline = time.monotonic() + seconds
    while True:
        try:
            return fetch(url)
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.005)


@contextlib.contextmanager
def running(command):
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def serve_command(data, port, settings=(), more=()):
    flags = [part for setting in ("rate_limits.enabled=false", *settings) for part in ("--set", setting)]
    return [str(TESSERA), "serve", "--data-dir", str(data), "--listen", f"127.0.0.1:{port}", *flags, *more]


def admin(data, *words):
    done = subprocess.run([str(TESSERA), "admin", "--data-dir", str(data), *words, "--json"], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    return json.loads(done.stdout) if done.stdout.strip() else {}


def make_account(data):
    """A database with an account without limits, with public delivery; gives its key."""
    admin(data, "init")
    admin(data, "account", "create", "--slug", "bench", "--name", "Bench", "--plan", "unlimited")
    admin(data, "entitlement", "set", "--account", "bench", "--feature", "cdn_delivery", "--enabled", "true")
    return admin(data, "key", "create", "--account", "bench", "--name", "bench")["api_key"]


class Client:
    """One connection, kept."""

    def __init__(self, port, key):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        self.key = key
        self.headers = {}  # of the last answer

    def call(self, method, path, body=None, content_type="application/json"):
        headers = {"X-API-Key": self.key}
        if body is not None:
            headers["Content-Type"] = content_type
        self.connection.request(method, path, body=body, headers=headers)
        answer = self.connection.getresponse()
        data = answer.read()
        self.headers = answer.headers
        if answer.status >= 300:
            raise SystemExit(f"{method} {path}: {answer.status} {data[:500]!r}")
        return data

    def upload(self, path):
        edge = "----bench"
        head = f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="{path.name}"\r\n\r\n'.encode()
        body = head + path.read_bytes() + f"\r\n--{edge}--\r\n".encode()
        return json.loads(self.call("POST", "/v1/assets", body, f"multipart/form-data; boundary={edge}"))

    def submit(self, operation, options, **more):
        return json.loads(self.call("POST", "/v1/jobs", json.dumps({"operation": operation, "options": options, **more})))

    def finish(self, job):
        """Waits for the job, which must succeed."""
        while job["status"] in ("queued", "running"):
            time.sleep(0.005)
            job = json.loads(self.call("GET", f"/v1/jobs/{job['id']}"))
        if job["status"] != "succeeded":
            raise SystemExit(f"a job failed: {job}")
        return job


@contextlib.contextmanager
def service(data, settings=(), more=(), prefix=()):
    """Gives the port of a running service. `prefix` may pin it to a core."""
    port = free_port()
    with running([*prefix, *serve_command(data, port, settings, more)]):
        wait_for(f"http://127.0.0.1:{port}/readyz")
        yield port
