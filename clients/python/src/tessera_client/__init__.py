"""A client of Tessera, the self-hosted image processing service.

    from tessera_client import Tessera

    tessera = Tessera("https://images.example.org", key)
    tessera.resize("photo.jpg", width=800, format="webp").save("small.webp")
"""

from . import types
from ._clock import Cancel
from ._retry import RetryPolicy
from .client import Tessera, new_idempotency_key
from .errors import ApiError, Cancelled, ConnectionFailed, DamagedDownload, JobFailed, TesseraError, TimedOut, WebhookInvalid
from .events import Event
from .output import OutputFile, Result
from .tiles import Tiles
from .webhooks import sign_webhook, verify_webhook

__all__ = [
    "ApiError",
    "Cancel",
    "Cancelled",
    "ConnectionFailed",
    "DamagedDownload",
    "Event",
    "JobFailed",
    "OutputFile",
    "Result",
    "RetryPolicy",
    "Tessera",
    "TesseraError",
    "Tiles",
    "TimedOut",
    "WebhookInvalid",
    "new_idempotency_key",
    "sign_webhook",
    "types",
    "verify_webhook",
]
