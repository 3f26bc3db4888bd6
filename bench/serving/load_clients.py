"""Clients that ask a server for paths in turn over kept connections: one of ours and two that others wrote.

Each is a command and a way to read what it prints."""

import json
import os
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
UNITS = {"us": 1e-3, "ms": 1, "s": 1e3}


class OwnClient:
    name = "our client"
    program = str(ROOT / "build" / "release" / "bench" / "serving" / "bench_serving_load")

    @staticmethod
    def lines(_base, paths):
        return paths

    @classmethod
    def command(cls, port, connections, seconds, file, key):
        return [cls.program, str(port), str(connections), str(seconds), file, *([f"X-API-Key: {key}"] if key else [])]

    @staticmethod
    def figures(text):
        """Requests, seconds, p99 in milliseconds, and the share of the time that it had something to do."""
        it = json.loads(text)
        return it["requests"], it["seconds"], it["p99_ms"], 1 - it["idle"]


class Wrk:
    name = "wrk"
    program = "wrk"

    @staticmethod
    def lines(_base, paths):
        return paths

    @staticmethod
    def command(port, connections, seconds, file, key):
        return ["env", f"TILE_PATHS={file}", *([f"TILE_KEY={key}"] if key else []),
                "wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency",
                "-s", str(ROOT / "bench" / "serving" / "tiles.lua"), f"http://127.0.0.1:{port}"]

    @staticmethod
    def figures(text):
        if "Non-2xx" in text or "Socket errors" in text:
            raise SystemExit(f"errors while measuring:\n{text}")
        p99, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)", text).groups()
        requests, seconds = re.search(r"(\d+) requests in ([\d.]+)s", text).groups()
        return int(requests), float(seconds), float(p99) * UNITS[unit], None


class H2load:
    name = "h2load"
    program = "h2load"

    @staticmethod
    def lines(base, paths):
        return [base + path for path in paths]

    @staticmethod
    def command(_port, connections, seconds, file, key):
        return ["h2load", "--h1", "-t1", f"-c{connections}", f"-D{seconds}", "-i", file,
                *(["-H", f"X-API-Key: {key}"] if key else [])]

    @staticmethod
    def figures(text):
        """It tells no p99."""
        succeeded, failed = map(int, re.search(r"(\d+) succeeded, (\d+) failed", text).groups())
        if failed or not re.search(rf"status codes: {succeeded} 2xx", text):
            raise SystemExit(f"errors while measuring:\n{text}")
        rate = float(re.search(r"finished in [\d.]+\w+, ([\d.]+) req/s", text).group(1))
        return succeeded, succeeded / rate, None, None
