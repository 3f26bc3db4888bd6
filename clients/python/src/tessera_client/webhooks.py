"""Webhooks by the Standard Webhooks specification: verifying and reading them is one call on the bytes as they came."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping, Sequence
from typing import Any

from .errors import WebhookInvalid

TOLERANCE_SECONDS = 300


def verify_webhook(
    body: bytes, headers: Mapping[str, str], secret: str | Sequence[str], *, now: float | None = None, tolerance: float = TOLERANCE_SECONDS
) -> Any:
    """What a webhook says, as parsed JSON, when one of its signatures is made with one of the secrets; WebhookInvalid otherwise.

    `body` must be the bytes as they were received: JSON that was parsed and written again has another signature. Several secrets
    are for the time in which one replaces another. `now` and `tolerance` are seconds; a time outside is refused either way.
    """
    if not isinstance(body, (bytes, bytearray, memoryview)):
        raise TypeError("the body must be the bytes as they were received, before anything parsed them")
    given = {name.lower(): value for name, value in headers.items()}
    webhook_id, timestamp, signatures = (header(given, name) for name in ("webhook-id", "webhook-timestamp", "webhook-signature"))
    if not (timestamp.isascii() and timestamp.isdigit()) or len(timestamp) > 15:
        raise WebhookInvalid("webhook-timestamp is no number of seconds")
    if abs((time.time() if now is None else now) - int(timestamp)) > tolerance:
        raise WebhookInvalid("webhook-timestamp is too far from now: an old message sent again, or a clock that is wrong")
    secrets = [secret] if isinstance(secret, str) else list(secret)
    if not secrets:
        raise ValueError("there is no secret to verify with")
    wanted = [signature(one, webhook_id, timestamp, bytes(body)) for one in secrets]
    brought = [word.removeprefix("v1,").encode() for word in signatures.split(" ") if word.startswith("v1,")]
    # Every pair is compared: how long it takes tells nothing.
    if not any([hmac.compare_digest(one, other) for one in wanted for other in brought]):
        raise WebhookInvalid(
            "no signature fits: the secret is another one, or the body is not the bytes as they came (parsed and written again?)"
        )
    try:
        return json.loads(bytes(body))
    except ValueError as error:
        raise WebhookInvalid("the signature is right, but the body is no JSON") from error


def sign_webhook(body: bytes, secret: str, webhook_id: str, timestamp: int) -> dict[str, str]:
    """The headers with which the service would send these bytes: for the tests of what receives them."""
    return {
        "webhook-id": webhook_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": "v1," + signature(secret, webhook_id, str(timestamp), body).decode(),
    }


def header(given: Mapping[str, str], name: str) -> str:
    if not given.get(name):
        raise WebhookInvalid(f"the header {name} is missing")
    return given[name]


def signature(secret: str, webhook_id: str, timestamp: str, body: bytes) -> bytes:
    signed = f"{webhook_id}.{timestamp}.".encode() + body
    return base64.b64encode(hmac.new(key_of(secret), signed, hashlib.sha256).digest())


def key_of(secret: str) -> bytes:
    """The bytes of a secret that is written whsec_<base64>."""
    try:
        key = base64.b64decode(secret.strip().removeprefix("whsec_"), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not key:
        raise ValueError("a webhook secret is written whsec_ and base64, as the service showed it")
    return key
