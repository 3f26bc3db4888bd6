"""A receiver of webhooks that notes what it was sent and behaves as it is told, one that verifies with npm's
`standardwebhooks`, and what tests of webhooks do again and again."""

import base64
import hashlib
import hmac
import http.server
import json
import shutil
import subprocess
import threading
import time

import pytest
from pictures import png
from ports import free_port
from prometheus import parse
from service import PATIENCE, ROOT, upload, wait_for_job, wait_until

TOOLS = ROOT / "tests" / "tools"



@pytest.fixture
def receiver():
    one = Receiver().start()
    yield one
    one.stop()


class Message:
    def __init__(self, path, headers, body):
        self.path = path
        self.headers = {name.lower(): value for name, value in headers.items()}
        self.body = body
        self.at = time.monotonic()

    @property
    def id(self):
        return self.headers["webhook-id"]

    def json(self):
        return json.loads(self.body)


def answer(status, headers=None, body=b""):
    """A behaviour: every message gets this."""

    def behave(handler, _message):
        handler.send_response(status)
        for name, value in (headers or {}).items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return behave


class Receiver:
    """Listens on a port of its own that stays the same over stop() and start(). `behave[path]` answers."""

    def __init__(self):
        self.port = free_port()
        self.messages = []
        self.behave = {}
        self.let_go = threading.Event()  # of what hangs
        self.server = None

    def start(self):
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                message = Message(self.path, self.headers, self.rfile.read(int(self.headers["Content-Length"])))
                receiver.messages.append(message)
                try:
                    receiver.behave.get(self.path.split("?")[0], answer(204))(self, message)
                except OSError:
                    self.close_connection = True

            do_GET = do_POST

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 128

            def handle_error(self, *_):
                pass

        self.server = Server(("127.0.0.1", self.port), Handler)
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def stop(self):
        self.let_go.set()
        if self.server:
            self.server.shutdown()
            self.server.server_close()
            self.server = None

    def hang(self, handler, _message):
        """Takes the message and never answers."""
        self.let_go.wait(PATIENCE)
        handler.close_connection = True

    def url(self, path="/"):
        return f"http://127.0.0.1:{self.port}{path}"

    def of(self, path):
        return [message for message in list(self.messages) if message.path.split("?")[0] == path]

    def wait_for(self, count, path="/"):
        wait_until(lambda: len(self.of(path)) >= count, f"{count} messages at {path}, not {len(self.of(path))}")
        return self.of(path)


def signature(secret, message):
    """Computed from the specification's words, with nothing of ours."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message.id}.{message.headers['webhook-timestamp']}.".encode() + message.body
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()


def standard_webhooks():
    """Skips where the independent implementation is not installed."""
    node = shutil.which("node")
    if node is None or not (TOOLS / "node_modules" / "standardwebhooks").exists():
        pytest.skip("node or standardwebhooks is not installed: scripts/test install")
    return node


class VerifyingReceiver:
    """A program of its own: answers 204 to what npm's `standardwebhooks` takes by one of the secrets, 400 to all else."""

    def __init__(self):
        self.node = standard_webhooks()
        self.port = free_port()
        self.process = None

    def start(self, *secrets):
        line = [self.node, str(TOOLS / "receive-webhooks.mjs"), str(self.port), *secrets]
        self.process = subprocess.Popen(line, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout.readline() == "ready\n"

    def url(self):
        return f"http://127.0.0.1:{self.port}/"

    def next(self):
        """What the next message was, and which secrets verified it."""
        return json.loads(self.process.stdout.readline())

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()


FAST = {
    "rate_limits.enabled": "false",
    "webhooks.allow_private_addresses": "true",
    "webhooks.retry_pauses": ",".join(["50ms"] * 9),
    "webhooks.endpoint_pause": "100ms",
}


def add_endpoint(service, account, url, *more):
    return service.admin("webhook", "add", account, url, *more, "--set", "webhooks.allow_private_addresses=true")


def submit_resize(service, key, asset):
    made = service.post("/v1/jobs", body={"asset_id": asset, "operation": "resize", "options": {"width": 16}}, key=key)
    assert made.status == 201, made
    return made.json()["id"]


def run_job(service, key, picture=None):
    asset = upload(service, key, picture or png(40, 40)).json()["id"]
    return wait_for_job(service, key, submit_resize(service, key, asset))


def deliveries(service, *more):
    return service.admin("webhook", "deliveries", *more)


def wait_for_state(service, state, count=1):
    def reached():
        return len([one for one in deliveries(service) if one["state"] == state]) >= count

    wait_until(reached, f"{count} deliveries to be {state}", pause=0.1)


def metric(service, name, **labels):
    return parse(service.get("/metrics").body.decode())[name].value(**labels)
