#!/usr/bin/python3
"""A throw-away S3 store for tests: one Ceph monitor, one OSD in memory and one RADOS gateway, all on loopback.

As a program it runs until it is told to end or its parent is gone:

    ceph_s3.py --ready FILE     writes {"endpoint", "bucket", "access_key", "secret_key", "pid"} to FILE once S3 answers

Needs: apt-get install --no-install-recommends ceph-mon ceph-osd radosgw
"""

import argparse
import contextlib
import ctypes
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import uuid

from ports import free_port

PATIENCE = float(os.environ.get("TESSERA_TEST_PATIENCE", "60"))


def _die_with_parent():
    ctypes.CDLL("libc.so.6", use_errno=True).prctl(1, signal.SIGKILL)


def _configuration(folder, fsid, s3_port, msgr2_port, msgr1_port):
    settings = {
        "fsid": fsid,
        "mon host": f"[v2:127.0.0.1:{msgr2_port},v1:127.0.0.1:{msgr1_port}]",
        "public addr": "127.0.0.1",
        "cluster addr": "127.0.0.1",
        # Everything stays on this machine: no keys between the daemons. The gateway asks the monitor for encryption
        # all the same unless it is told that checksums will do.
        "auth cluster required": "none",
        "auth service required": "none",
        "auth client required": "none",
        "ms mon client mode": "crc",
        "run dir": folder / "run",
        "admin socket": f"{folder}/run/$name.asok",
        "log file": f"{folder}/$name.log",
        "mon cluster log file": folder / "cluster.log",
        "mon data": folder / "mon",
        "osd data": folder / "osd",
        "rgw data": folder / "rgw",
        # A single copy on a single OSD.
        "osd pool default size": 1,
        "osd pool default min size": 1,
        "osd pool default pg num": 1,
        "osd pool default pgp num": 1,
        "osd pool default pg autoscale mode": "off",
        "osd crush chooseleaf type": 0,
        "mon allow pool size one": "true",
        "mon data avail crit": 1,
        "osd objectstore": "memstore",
        "memstore device bytes": 3 << 30,
        # The monitor otherwise collects changes for a second before it tells anyone.
        "paxos propose interval": 0.05,
        "paxos min wait": 0.01,
        "rgw frontends": f"beast endpoint=127.0.0.1:{s3_port}",
        "rgw thread pool size": 64,
        # For addresses with the bucket in the host: bucket.localhost.
        "rgw dns name": "localhost",
        # Deleted data would otherwise stay in memory for hours.
        "rgw gc obj min wait": 1,
        "rgw gc processor period": 2,
        "rgw gc processor max time": 2,
    }
    return "[global]\n" + "".join(f"{name} = {value}\n" for name, value in settings.items())


class CephS3:
    access_key = "TESSERATESTACCESS"
    secret_key = "tessera/test+secret0123456789"
    reader_access_key = "TESSERATESTREADER"  # of a user who owns nothing; the same secret

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tessera-ceph-"))
        self.daemons = {}
        self.port = None

    @property
    def endpoint(self):
        return f"http://127.0.0.1:{self.port}"

    def start(self):
        self.port, msgr2_port, msgr1_port = free_port(), free_port(), free_port()
        fsid = str(uuid.uuid4())
        for name in ("mon", "osd", "rgw", "run"):
            (self.folder / name).mkdir()
        self.configuration = self.folder / "ceph.conf"
        self.configuration.write_text(_configuration(self.folder, fsid, self.port, msgr2_port, msgr1_port))

        monmap = self.folder / "monmap"
        address = f"[v2:127.0.0.1:{msgr2_port},v1:127.0.0.1:{msgr1_port}]"
        self._run("monmaptool", "--create", "--fsid", fsid, "--addv", "a", address, monmap)
        self._run("ceph-mon", "-i", "a", "--mkfs", "--monmap", monmap)
        self._spawn("mon", "ceph-mon", "-i", "a", "-f")
        osd = str(uuid.uuid4())
        self._run("ceph", "--connect-timeout", "60", "osd", "new", osd)
        self._run("ceph-osd", "-i", "0", "--mkfs", "--osd-uuid", osd)
        self._spawn("osd", "ceph-osd", "-i", "0", "-f")
        # Before the gateway starts: it would otherwise make the pools at the same time.
        self.add_user("tessera", self.access_key, self.secret_key)
        self.add_user("reader", self.reader_access_key, self.secret_key)
        self.start_gateway()
        return self

    def add_user(self, name, access_key, secret_key):
        self._run("radosgw-admin", "user", "create", f"--uid={name}", f"--display-name={name}", f"--access-key={access_key}", f"--secret={secret_key}")

    def create_bucket(self, name, readable=False):
        """`readable`: everybody may list and read it, and only its owner may write."""
        grant = ["--header", "x-amz-acl: public-read"] if readable else []
        empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        self._run(
            "curl", "--silent", "--show-error", "--fail", "--request", "PUT", "--aws-sigv4", "aws:amz:us-east-1:s3",
            "--user", f"{self.access_key}:{self.secret_key}", "--header", f"x-amz-content-sha256: {empty}", *grant, f"{self.endpoint}/{name}",
        )  # fmt: skip

    def rclone(self, command, *arguments):
        """What another client than ours sees; a place is bucket/path."""
        place = f":s3,provider=Ceph,endpoint='{self.endpoint}',access_key_id='{self.access_key}',secret_access_key='{self.secret_key}':"
        alone = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
        line = ["rclone", "--config=", command, *[part if part.startswith("--") else place + part for part in arguments]]
        return subprocess.run(line, check=True, env=alone, capture_output=True, text=True, timeout=PATIENCE * 2).stdout

    def start_gateway(self):
        self._spawn("rgw", "radosgw", "-n", "client.rgw.a", "-f")
        deadline = time.monotonic() + PATIENCE
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
                return
            if self.daemons["rgw"].poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"radosgw does not answer; see {self.folder}")
            time.sleep(0.02)

    def kill_gateway(self):
        """kill -9: what clients see is refused connections and answers that stop in the middle."""
        self.daemons["rgw"].kill()
        self.daemons["rgw"].wait()

    def stop(self):
        for daemon in self.daemons.values():
            with contextlib.suppress(ProcessLookupError):
                daemon.kill()
            daemon.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _environment(self):
        return {**os.environ, "CEPH_CONF": str(self.configuration), "CEPH_ARGS": ""}

    def _run(self, *command):
        done = subprocess.run([str(part) for part in command], env=self._environment(), capture_output=True, text=True, timeout=PATIENCE * 2)
        if done.returncode != 0:
            raise RuntimeError(f"{command[0]} ended with {done.returncode}: {done.stderr}")

    def _spawn(self, name, *command):
        with open(self.folder / f"{name}.out", "ab") as output:
            self.daemons[name] = subprocess.Popen(
                command, env=self._environment(), stdin=subprocess.DEVNULL, stdout=output, stderr=output, preexec_fn=_die_with_parent
            )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ready", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    _die_with_parent()
    ended = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ended.set())

    store = CephS3()
    try:
        store.start()
        store.create_bucket("tessera-test")
        ready = {"endpoint": store.endpoint, "bucket": "tessera-test", "access_key": store.access_key, "secret_key": store.secret_key, "pid": os.getpid()}
        draft = arguments.ready.with_suffix(".draft")
        draft.write_text(json.dumps(ready))
        draft.rename(arguments.ready)
        ended.wait()
    finally:
        store.stop()


if __name__ == "__main__":
    sys.exit(main())
