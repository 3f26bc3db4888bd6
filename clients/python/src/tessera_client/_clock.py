"""Time as the client sees it: pauses that can be cut short, deadlines, and a way to call a request off from another thread."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable

from .errors import Cancelled, TimedOut


class Cancel:
    """Calls off whatever it was given to, at once, from any thread: uploads, waits, pauses and downloads."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._lock = threading.Lock()
        self._wakers: list[Callable[[], None]] = []

    def cancel(self) -> None:
        self._event.set()
        with self._lock:
            wakers = list(self._wakers)
        for wake in wakers:
            wake()

    @property
    def cancelled(self) -> bool:
        return self._event.is_set()

    def wait(self, seconds: float) -> None:
        self._event.wait(seconds)

    def add_waker(self, wake: Callable[[], None]) -> None:
        with self._lock:
            self._wakers.append(wake)
        if self.cancelled:
            wake()

    def remove_waker(self, wake: Callable[[], None]) -> None:
        with self._lock:
            self._wakers.remove(wake)


class Clock:
    """The real one; tests have another."""

    def now(self) -> float:
        return time.monotonic()

    def wall(self) -> float:
        return time.time()

    def pause(self, seconds: float, cancel: Cancel | None) -> None:
        if cancel is None:
            time.sleep(seconds)
        else:
            cancel.wait(seconds)


class Patience:
    """How long one call may still take, over all its requests and pauses."""

    def __init__(self, timeout: float | None, cancel: Cancel | None, clock: Clock) -> None:
        self.timeout = timeout
        self.cancel = cancel
        self.clock = clock
        self._end = math.inf if timeout is None else clock.now() + timeout

    def left(self) -> float:
        return self._end - self.clock.now()

    def check(self) -> None:
        if self.cancel is not None and self.cancel.cancelled:
            raise Cancelled("the call was cancelled")
        if self.left() <= 0:
            raise TimedOut(f"it took longer than {self.timeout:g} s")

    def pause(self, seconds: float) -> None:
        self.check()
        self.clock.pause(max(0.0, min(seconds, self.left())), self.cancel)
        self.check()
