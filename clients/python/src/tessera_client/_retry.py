"""When a request is sent again, and after which pause: all the rules are here."""

from __future__ import annotations

import email.utils
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from ._clock import Patience
from .errors import ApiError, ConnectionFailed

T = TypeVar("T")


@dataclass(frozen=True)
class RetryPolicy:
    """`faults` is how often a request is sent again after a fault of the service or the network; being told to wait (429 with
    `Retry-After`) is no fault, and bounded by `longest_wait` seconds over all the pauses of one request."""

    faults: int = 5
    first_pause: float = 0.5
    longest_pause: float = 30.0
    longest_wait: float = 900.0


def backoff(policy: RetryPolicy, count: int, uniform: Callable[[], float]) -> float:
    """Doubles, up to the longest pause; up to half of it is left to chance, and none is shorter than the first."""
    whole = min(policy.longest_pause, policy.first_pause * 2.0**count)
    return max(policy.first_pause, whole * (1.0 - uniform() / 2.0))


def is_wait(error: ApiError) -> bool:
    """Whether the service only asks for patience. Other 429s (credits, limits of the plan) are not helped by it."""
    return error.status == 429 and (error.retry_after is not None or error.code == "in_flight_limit_exceeded")


def may_repeat(error: ApiError | ConnectionFailed, repeatable: bool) -> bool:
    """`repeatable`: sending it twice does the work once (a read, or a request with an idempotency key)."""
    if isinstance(error, ConnectionFailed):
        return repeatable or not error.was_sent
    if error.status == 503 or is_wait(error):
        return True
    return repeatable and error.status in (500, 502, 504)


def with_retries(
    send: Callable[[], T],
    *,
    repeatable: bool,
    policy: RetryPolicy,
    patience: Patience,
    uniform: Callable[[], float] = random.random,
) -> T:
    """Sends until there is an answer, or an error that stays."""
    faults = waits = 0
    waited = 0.0
    while True:
        patience.check()
        try:
            return send()
        except (ApiError, ConnectionFailed) as error:
            if not may_repeat(error, repeatable):
                raise
            told = error.retry_after if isinstance(error, ApiError) else None
            if isinstance(error, ApiError) and is_wait(error):
                # All clients of an account are told the same moment: the small addition keeps them apart.
                pause = told + uniform() * policy.first_pause if told is not None else backoff(policy, waits, uniform)
                waits += 1
            else:
                pause = max(told or 0.0, backoff(policy, faults, uniform))
                faults += 1
            waited += pause
            if faults > policy.faults or waited > policy.longest_wait or pause > patience.left():
                raise
            patience.pause(pause)


def retry_after_seconds(value: str | None, now: float) -> float | None:
    """`Retry-After` as seconds from now, whether it is a number or a date; None where it is neither."""
    if value is None:
        return None
    if value.strip().isdigit():
        return float(value)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - now)
    except ValueError:
        return None
