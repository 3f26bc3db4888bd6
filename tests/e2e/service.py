"""Starts the real binary for a test, speaks HTTP to it and cleans up after it."""

import contextlib
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))

from ports import free_port  # noqa: E402

BINARY = pathlib.Path(os.environ.get("TESSERA_BINARY", ROOT / "build" / "release" / "tessera"))
HOOKED = ROOT / "build" / "release" / "tests" / "support" / "tessera-hooked"  # with engines that can be told to misbehave
SIXTH = ROOT / "build" / "release" / "tests" / "support" / "tessera-sixth"  # with an operation that only the tests have
PATIENCE = float(os.environ.get("TESSERA_TEST_PATIENCE", "60"))


def wait_until(condition, what, patience=PATIENCE, pause=0.01):
    """Waits on a condition, never on the clock alone; returns the condition's first true value."""
    deadline = time.monotonic() + patience
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"gave up after {patience:.0f} s waiting for {what}")
        time.sleep(pause)


class Answer:
    def __init__(self, response, body):
        self.status = response.status
        self.headers = response.headers
        self.body = body

    def json(self):
        return json.loads(self.body)

    def __repr__(self):
        return f"<{self.status} {self.body[:300]!r}>"


class Service:
    """One `tessera serve` with a data folder of its own."""

    def __init__(self, data_dir, settings=None, arguments=(), command="serve", port=None, binary=None):
        self.data_dir = pathlib.Path(data_dir)
        self.settings = {"rate_limits.enabled": "false"} if settings is None else dict(settings)
        self.arguments = list(arguments)
        self.command = command
        self.binary = binary or BINARY
        self.port = port or free_port()
        self.process = None
        self.log_path = self.data_dir.parent / f"{self.data_dir.name}.{self.port}.log"
        self.output_path = self.data_dir.parent / f"{self.data_dir.name}.{self.port}.out"

    # --- life ---
    def command_line(self):
        line = [str(self.binary), self.command, "--data-dir", str(self.data_dir)]
        if self.command == "serve":
            line += ["--listen", f"127.0.0.1:{self.port}"]
        for key, value in self.settings.items():
            line += ["--set", f"{key}={value}"]
        return line + self.arguments

    def start(self, wait=True):
        self.process = subprocess.Popen(
            self.command_line(),
            stdout=open(self.output_path, "ab"),
            stderr=open(self.log_path, "ab"),
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        if wait:
            self.wait_ready()
        return self

    def wait_ready(self):
        def ready():
            if self.process.poll() is not None:
                raise AssertionError(f"tessera ended with {self.process.returncode} at start:\n{self.log()}")
            with contextlib.suppress(OSError, http.client.HTTPException):
                return self.get("/readyz").status == 200
            return False

        wait_until(ready, "the service to be ready")

    def stop(self, patience=PATIENCE):
        if self.process is None or self.process.poll() is not None:
            return self.process.returncode if self.process else None
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(patience)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError("tessera did not end after SIGTERM")

    def kill(self):
        """kill -9 of the server and everything it started."""
        if self.process and self.process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def restart(self):
        self.stop()
        return self.start()

    # --- HTTP ---
    def request(self, method, path, body=None, headers=None, key=None, timeout=PATIENCE):
        headers = dict(headers or {})
        if key:
            headers["Authorization"] = f"Bearer {key}"
        if isinstance(body, (dict, list)):
            body = json.dumps(body)
            headers.setdefault("Content-Type", "application/json")
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            connection.request(method, path, body=body, headers=headers)
            response = connection.getresponse()
            return Answer(response, response.read())
        finally:
            connection.close()

    def get(self, path, **more):
        return self.request("GET", path, **more)

    def post(self, path, body=None, **more):
        return self.request("POST", path, body=body, **more)

    def raw(self, data, timeout=PATIENCE, half_close=False):
        """Sends bytes as they are and returns everything that comes back until the server closes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=timeout) as sock:
            sock.sendall(data)
            if half_close:
                sock.shutdown(socket.SHUT_WR)
            received = b""
            with contextlib.suppress(ConnectionResetError):
                while chunk := sock.recv(65536):
                    received += chunk
            return received

    # --- admin ---
    def admin(self, *arguments, check=True, as_json=True):
        line = [str(self.binary), "admin", "--data-dir", str(self.data_dir)]
        for key in ("metadata.url", "blobs.url", "blobs.access_key_id", "blobs.secret_access_key"):
            if key in self.settings:
                line += ["--set", f"{key}={self.settings[key]}"]
        line += [str(a) for a in arguments]
        if as_json:
            line.append("--json")
        done = subprocess.run(line, capture_output=True, text=True, timeout=PATIENCE)
        if check and done.returncode != 0:
            raise AssertionError(f"{line} ended with {done.returncode}: {done.stderr}")
        if not check:
            return done
        return json.loads(done.stdout) if as_json and done.stdout.strip() else done.stdout

    def new_account(self, slug, plan="unlimited", role="runtime", cdn=False):
        """Makes an account and returns its API key."""
        self.admin("account", "create", "--slug", slug, "--name", slug.title(), "--plan", plan)
        if cdn:
            self.admin("entitlement", "set", "--account", slug, "--feature", "cdn_delivery", "--enabled", "true")
        return self.new_key(slug, role)

    def new_key(self, slug, role="runtime", name="test"):
        return self.admin("key", "create", "--account", slug, "--name", name, "--role", role)["api_key"]

    # --- logs ---
    def log(self):
        return self.log_path.read_text(errors="replace") if self.log_path.exists() else ""

    def output(self):
        return self.output_path.read_text(errors="replace") if self.output_path.exists() else ""

    def log_events(self):
        events = []
        for line in self.log().splitlines():
            with contextlib.suppress(json.JSONDecodeError):
                events.append(json.loads(line))
        return events

    def wait_for_event(self, name, patience=PATIENCE, **fields):
        """The first log line with this event and these fields. The log is written beside the work: it may come later."""

        def found():
            for event in self.log_events():
                if event.get("event") == name and all(event.get(key) == value for key, value in fields.items()):
                    return event
            return None

        return wait_until(found, f"the log line {name} {fields or ''}", patience)

    def complaints(self):
        """Log lines at level error, and lines that are not our JSON: a clean run has none."""
        found = []
        for line in self.log().splitlines():
            try:
                if json.loads(line).get("level") == "error":
                    found.append(line)
            except json.JSONDecodeError:
                found.append(line)
        return found


@contextlib.contextmanager
def temporary_folder():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tessera-test-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def multipart(content, filename="picture.png", field="file", boundary="tessera-test-boundary"):
    """A multipart body and its Content-Type."""
    head = (
        f"--{boundary}\r\n"
        f'Content-Disposition: form-data; name="{field}"; filename="{filename}"\r\n'
        "Content-Type: application/octet-stream\r\n\r\n"
    ).encode()
    return head + content + f"\r\n--{boundary}--\r\n".encode(), f"multipart/form-data; boundary={boundary}"


def upload(service, key, content, filename="picture.png"):
    body, content_type = multipart(content, filename)
    return service.post("/v1/assets", body=body, key=key, headers={"Content-Type": content_type})


def wait_for_job(service, key, job_id, patience=PATIENCE):
    def ended():
        job = service.get(f"/v1/jobs/{job_id}", key=key).json()
        return job if job.get("status") in ("succeeded", "failed") else None

    return wait_until(ended, f"job {job_id} to end", patience)


def request_path(url):
    """The path and query of an absolute address that the service handed out."""
    return re.sub(r"^https?://[^/]+", "", url)
