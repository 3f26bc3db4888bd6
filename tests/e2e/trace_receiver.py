"""A receiver of spans that reads them with OpenTelemetry's own packages, and what tests of traces do again and again."""

import json
import queue
import shutil
import subprocess
import threading

import pytest
from ports import free_port
from receiver import FAST, TOOLS
from service import wait_until

CALLER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
TRACE, CALLING_SPAN = CALLER.split("-")[1:3]
INTERNAL, SERVER, CLIENT, CONSUMER = 1, 2, 3, 5  # OTLP's kinds of spans


def opentelemetry():
    """Skips where the independent implementation is not installed."""
    node = shutil.which("node")
    if node is None or not (TOOLS / "node_modules" / "@opentelemetry" / "otlp-transformer").exists():
        pytest.skip("node or OpenTelemetry's packages are not installed: scripts/test install")
    return node


class TraceReceiver:
    """tests/tools/receive-traces.mjs: spans at /v1/traces, webhooks at /hook."""

    def __init__(self):
        self.port = free_port()
        self.spans = []
        self.batches = []
        self.webhooks = queue.Queue()
        self.problems = []
        self.process = None

    def start(self):
        line = [opentelemetry(), str(TOOLS / "receive-traces.mjs"), str(self.port)]
        self.process = subprocess.Popen(line, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout.readline() == "ready\n"
        threading.Thread(target=self.read, daemon=True).start()
        return self

    def read(self):
        for line in self.process.stdout:
            told = json.loads(line)
            if "problem" in told:
                self.problems.append(told)
            elif "webhook" in told:
                self.webhooks.put(told["webhook"])
            else:
                self.batches.append(told)
                self.spans.extend(told["spans"])

    def url(self, path="/v1/traces"):
        return f"http://127.0.0.1:{self.port}{path}"

    def of(self, trace):
        assert self.problems == []
        return [span for span in list(self.spans) if span["trace"] == trace]

    def wait_for(self, trace, *names):
        """The spans of these names in that trace, once all are there."""

        def found():
            spans = {span["name"]: span for span in self.of(trace)}
            return [spans[name] for name in names] if set(names) <= set(spans) else None

        return wait_until(found, f"{names}, of which there are {[span['name'] for span in self.of(trace)]}")

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()


@pytest.fixture(scope="module")
def traces():
    one = TraceReceiver()
    yield one.start()
    one.stop()


def sending_to(endpoint, **more):
    """Settings of a node that sends its spans there, soon."""
    return {**FAST, "traces.endpoint": endpoint, "traces.interval": "20ms", **more}
