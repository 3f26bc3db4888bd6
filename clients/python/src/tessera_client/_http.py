"""One exchange over HTTP: connections that are kept, answers that are read as they come, errors of the network as ours."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import ssl
import threading
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import urlsplit

from ._clock import Patience
from ._retry import retry_after_seconds
from .errors import ApiError, ConnectionFailed, TesseraError, TimedOut

MOST_IDLE = 16
IDLE_SECONDS = 15.0  # shorter than services and proxies keep theirs
MOST_JSON = 64 << 20
Address = tuple[str, str, int | None]


class Answer:
    """An answer whose body is still to be read. Reading to the end, or `close`, frees its connection."""

    def __init__(self, connections: Connections, address: Address, connection: http.client.HTTPConnection,
                 response: http.client.HTTPResponse, patience: Patience) -> None:  # fmt: skip
        self.status = response.status
        self.reason = response.reason
        self.headers = response.headers
        self._connections = connections
        self._address = address
        self._connection = connection
        self._response = response
        self._patience = patience

    def read(self, most: int = MOST_JSON) -> bytes:
        """The whole body; at most so many bytes of it."""
        taken = bytearray()
        for chunk in self.chunks():
            taken += chunk
            if len(taken) > most:
                self.close()
                return bytes(taken[:most])
        return bytes(taken)

    def chunks(self, size: int = 256 * 1024) -> Iterator[bytes]:
        """The body, as it comes."""
        ended = False
        try:
            while True:
                self._patience.check()
                with interruptible(self._connection, self._patience):
                    chunk = self._response.read(size)
                if not chunk:
                    break
                yield chunk
            self._patience.check()  # cancelling ends a body, too
            if self._response.length:
                raise ConnectionFailed("the answer was cut off", was_sent=True)
            ended = True
        finally:
            if ended and not self._response.will_close:
                self._connections.keep(self._address, self._connection, self._patience.clock.now())
            else:
                self._connection.close()

    def lines(self) -> Iterator[bytes]:
        """The body line by line, each as soon as it is there."""
        try:
            while True:
                self._patience.check()
                with interruptible(self._connection, self._patience):
                    line = self._response.readline(MOST_JSON)
                if not line:
                    break
                yield line
            self._patience.check()
        finally:
            self._connection.close()

    def close(self) -> None:
        self._connection.close()


@contextlib.contextmanager
def interruptible(connection: http.client.HTTPConnection, patience: Patience, was_sent: bool = True) -> Iterator[None]:
    """Work on a connection that `cancel` breaks off, and whose errors become ours."""

    def wake() -> None:
        sock = connection.sock
        if sock is not None:
            with contextlib.suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)

    cancel = patience.cancel
    if cancel is not None:
        cancel.add_waker(wake)
    try:
        yield
    except (OSError, http.client.HTTPException) as error:
        patience.check()
        if isinstance(error, TimeoutError) and patience.left() <= 0.05:
            raise TimedOut(f"it took longer than {patience.timeout:g} s") from error
        if isinstance(error, ssl.SSLCertVerificationError):
            raise TesseraError(f"{connection.host}: its certificate is not to be trusted: {error.verify_message}") from error
        raise ConnectionFailed(f"{connection.host}: {error or type(error).__name__}", was_sent=was_sent) from error
    finally:
        if cancel is not None:
            cancel.remove_waker(wake)


class Connections:
    """Makes requests; keeps some connections for the next ones. Any number of threads may use it."""

    def __init__(self, socket_timeout: float, ssl_context: ssl.SSLContext | None) -> None:
        self.socket_timeout = socket_timeout
        self._ssl_context = ssl_context
        self._lock = threading.Lock()
        self._idle: list[tuple[Address, http.client.HTTPConnection, float]] = []

    def keep(self, address: Address, connection: http.client.HTTPConnection, now: float) -> None:
        with self._lock:
            self._idle.append((address, connection, now))
            dropped = self._idle[:-MOST_IDLE]
            del self._idle[:-MOST_IDLE]
        for _, old, _ in dropped:
            old.close()

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for _, connection, _ in idle:
            connection.close()

    def _take(self, address: Address, now: float) -> http.client.HTTPConnection | None:
        with self._lock:
            for index in reversed(range(len(self._idle))):
                if self._idle[index][0] == address and now - self._idle[index][2] < IDLE_SECONDS:
                    return self._idle.pop(index)[1]
        return None

    def _new(self, address: Address) -> http.client.HTTPConnection:
        scheme, host, port = address
        if scheme == "https":
            context = self._ssl_context or ssl.create_default_context()
            return http.client.HTTPSConnection(host, port, context=context)
        return http.client.HTTPConnection(host, port)

    def exchange(
        self,
        method: str,
        url: str,
        headers: dict[str, str],
        patience: Patience,
        *,
        body: bytes | Iterable[bytes] | None = None,
        repeatable: bool = True,
        answer_within: float | None = None,
    ) -> Answer:
        """Sends one request and reads the head of its answer, whatever its status. `answer_within` is for a service that is asked
        to hold the request."""
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"not an http address: {url}")
        address = (parts.scheme, parts.hostname, parts.port)
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        span = min(max(self.socket_timeout, answer_within or 0.0), patience.left())
        if repeatable and (kept := self._take(address, patience.clock.now())) is not None:
            try:
                return self._on(kept, address, method, target, headers, body, patience, span)
            except ConnectionFailed:
                kept.close()  # the service had closed it meanwhile: a new one tells
        return self._on(self._new(address), address, method, target, headers, body, patience, span)

    def _on(self, connection: http.client.HTTPConnection, address: Address, method: str, target: str, headers: dict[str, str],
            body: bytes | Iterable[bytes] | None, patience: Patience, span: float) -> Answer:  # fmt: skip
        patience.check()
        connection.timeout = max(span, 0.001)
        if connection.sock is not None:
            connection.sock.settimeout(connection.timeout)
        try:
            with interruptible(connection, patience, was_sent=False):
                whole = send(connection, method, target, headers, body, patience)
            with interruptible(connection, patience, was_sent=whole):
                response = connection.getresponse()
        except BaseException:
            connection.close()
            raise
        return Answer(self, address, connection, response, patience)


def send(connection: http.client.HTTPConnection, method: str, target: str, headers: dict[str, str],
         body: bytes | Iterable[bytes] | None, patience: Patience) -> bool:  # fmt: skip
    """Whether the whole request went out. A service that refuses a long body answers and closes before it has read all of it:
    that is no error, since the answer is there to read."""
    connection.putrequest(method, target, skip_accept_encoding=True)
    for name, value in headers.items():
        connection.putheader(name, value)
    chunks = [body] if isinstance(body, bytes) else body
    chunked = headers.get("Transfer-Encoding") == "chunked"
    connection.endheaders()
    try:
        for chunk in chunks or []:
            patience.check()
            connection.send(b"%x\r\n%b\r\n" % (len(chunk), chunk) if chunked else chunk)
        if chunked:
            connection.send(b"0\r\n\r\n")
    except (BrokenPipeError, ConnectionResetError):
        return False
    return True


def json_answer(answer: Answer, now: float) -> Any:
    """What a successful answer holds; ApiError for any other."""
    body = answer.read()
    text = body.decode("utf-8", "replace")
    try:
        parsed = json.loads(text) if text else None
    except ValueError:
        parsed = None
    if 200 <= answer.status < 300 and (parsed is not None or answer.status == 204):
        return parsed
    raise error_of(answer, parsed, text, now)


def error_of(answer: Answer, parsed: Any, text: str, now: float) -> ApiError:
    reason = answer.reason or http.client.responses.get(answer.status, "")
    if 200 <= answer.status < 300:
        reason = "the answer is no JSON"
    return ApiError.from_answer(
        answer.status,
        reason,
        parsed if isinstance(parsed, dict) else None,
        text,
        answer.headers.get("X-Request-ID"),
        retry_after_seconds(answer.headers.get("Retry-After"), now),
    )
