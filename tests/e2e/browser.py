"""Pages in a real browser, through the scripts of tests/tools."""

import functools
import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import threading

import pytest
from archives import TOOLS, node
from service import PATIENCE

SCREENSHOTS = os.environ.get("TESSERA_SCREENSHOTS")  # a folder, to look at them


def look(script, **wanted):
    if not (TOOLS / "node_modules" / "playwright-core").exists() or not shutil.which("chromium"):
        pytest.skip("chromium and the modules of tests/tools are needed: scripts/test install")
    if SCREENSHOTS:
        name = re.sub(r"[^\w]+", "-", os.environ["PYTEST_CURRENT_TEST"].split("::")[-1].removesuffix(" (call)"))
        wanted["screenshot"] = str(pathlib.Path(SCREENSHOTS) / f"{name}-%.png")
    line = [node(), str(TOOLS / f"{script}.mjs"), json.dumps(wanted)]
    done = subprocess.run(line, capture_output=True, text=True, timeout=PATIENCE * 4)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class AnotherSite:
    """A web server of its own origin."""

    def __init__(self, folder):
        class Quiet(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_GET(self):
                if self.path == "/favicon.ico":
                    self.send_response(204)
                    self.end_headers()
                else:
                    super().do_GET()

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{self.server.server_port}"

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
