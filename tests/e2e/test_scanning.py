"""Upload scanning with a real clamd, and with scanners that are away, slow or confused."""

import contextlib
import shutil
import socket
import subprocess
import threading

import pytest
from service import free_port, upload, wait_until
from test_uploads import assert_refused, blobs, staged
from upload_samples import png, png_of_size

MARKER = b"this picture is not welcome here"


class Clamd:
    """A clamd of our own with one signature of our own: no download, no system service."""

    def __init__(self, folder, port=None):
        self.folder = folder
        self.socket = folder / "clamd.sock"
        (folder / "signatures").mkdir(parents=True)
        (folder / "signatures" / "test.ndb").write_text(f"Tessera.Test.Marker:0:*:{MARKER.hex()}\n")
        listen = f"TCPSocket {port}\nTCPAddr 127.0.0.1\n" if port else f"LocalSocket {self.socket}\nFixStaleSocket yes\n"
        (folder / "clamd.conf").write_text(
            f"{listen}DatabaseDirectory {folder}/signatures\nForeground yes\nStreamMaxLength 30M\nMaxScanSize 100M\nMaxFileSize 100M\n"
            f"SelfCheck 0\nConcurrentDatabaseReload no\nTemporaryDirectory {folder}\n"
        )
        self.address = f"127.0.0.1:{port}" if port else f"unix:{self.socket}"
        self.port = port
        self.process = None

    def start(self):
        self.process = subprocess.Popen(["clamd", "--config-file", self.folder / "clamd.conf"], stdout=open(self.folder / "out", "ab"), stderr=subprocess.STDOUT)

        def answers():
            assert self.process.poll() is None, (self.folder / "out").read_text()
            with contextlib.suppress(OSError), self._connect() as connection:
                connection.sendall(b"zPING\0")
                return connection.recv(16).startswith(b"PONG")

        wait_until(answers, "clamd to answer")
        return self

    def _connect(self):
        if self.port:
            return socket.create_connection(("127.0.0.1", self.port), timeout=5)
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(5)
        connection.connect(str(self.socket))
        return connection

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()


@pytest.fixture
def make_clamd(folder):
    assert shutil.which("clamd"), "these tests need clamav-daemon"
    made = []

    def make(port=None):
        made.append(Clamd(folder / f"clamd{len(made)}", port))
        return made[-1].start()

    yield make
    for clamd in made:
        clamd.stop()


def scanning(address, timeout="60s"):
    return {"rate_limits.enabled": "false", "scanning.enabled": "true", "scanning.address": address, "scanning.timeout": timeout}


def flagged(seed=0):
    return png(seed=seed) + MARKER


@pytest.mark.parametrize("over", ["unix socket", "TCP"])
def test_a_clean_upload_passes_and_a_flagged_one_is_rejected(make_service, make_clamd, over):
    clamd = make_clamd(free_port() if over == "TCP" else None)
    service = make_service(settings=scanning(clamd.address))
    key = service.new_account("scanned")
    assert upload(service, key, png(seed=1)).status == 201
    assert upload(service, key, png_of_size(20 << 20)).status == 201
    assert_refused(upload(service, key, flagged()), 403, "upload rejected by security policy")
    assert len(blobs(service)) == 2 and staged(service) == []
    assert upload(service, key, png(seed=2)).status == 201


def test_without_scanning_nothing_is_scanned(make_service):
    service = make_service()
    assert upload(service, service.new_account("free"), flagged()).status == 201


def test_an_absent_scanner_closes_the_door_until_it_is_back(make_service, make_clamd):
    clamd = make_clamd()
    service = make_service(settings=scanning(clamd.address), clean_log=False)
    key = service.new_account("scanned")
    assert upload(service, key, png(seed=1)).status == 201
    clamd.stop()
    assert_refused(upload(service, key, png(seed=2)), 503, "upload scanning unavailable")
    assert len(blobs(service)) == 1 and staged(service) == []
    assert service.get("/readyz").status == 200, "all but uploads goes on"
    clamd.start()
    assert upload(service, key, png(seed=2)).status == 201


def test_a_file_over_clamds_own_limit_is_not_waved_through(make_service, make_clamd):
    service = make_service(settings=scanning(make_clamd().address), clean_log=False)
    key = service.new_account("scanned")
    assert_refused(upload(service, key, png_of_size(40 << 20)), 503, "upload scanning unavailable")
    assert blobs(service) == [] and staged(service) == []


class FakeScanner(threading.Thread):
    """Answers pings, and files with whatever it is told to; None: never."""

    def __init__(self, answer):
        super().__init__(daemon=True)
        self.answer = answer
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self.listener.getsockname()[1]}"
        self.held = []
        self.start()

    def run(self):
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self.listener.accept()
                self.held.append(connection)
                if connection.recv(5) == b"zPING":
                    connection.sendall(b"PONG\0")
                elif self.answer is not None:
                    connection.sendall(self.answer)
                    connection.shutdown(socket.SHUT_WR)

    def close(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for connection in self.held:
            connection.close()


@pytest.mark.parametrize("name,answer", [("slow", None), ("confused", b"what?\0"), ("silent", b""), ("unfinished", b"stream: OK"), ("an error", b"stream: Can't allocate memory ERROR\0")])
def test_a_slow_or_confused_scanner_is_no_scanner(make_service, name, answer):
    scanner = FakeScanner(answer)
    service = make_service(settings=scanning(scanner.address, "2s"), clean_log=False)
    key = service.new_account("scanned")
    assert_refused(upload(service, key, png()), 503, "upload scanning unavailable")
    assert blobs(service) == [] and staged(service) == []
    scanner.close()
