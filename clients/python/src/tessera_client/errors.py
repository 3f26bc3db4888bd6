"""What can go wrong: requests that are refused, services that can't be reached, jobs that fail, time that runs out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .types import Job, LimitMet


class TesseraError(Exception):
    """What every error of this package is."""


class ApiError(TesseraError):
    """The service answered, and the answer is a refusal or a fault.

    `code` is stable, for programs; it is None where the answer did not come from the service itself (a proxy, say).
    """

    def __init__(
        self,
        status: int,
        message: str,
        *,
        code: str | None = None,
        request_id: str | None = None,
        hint: str | None = None,
        limit: LimitMet | None = None,
        retry_after: float | None = None,
    ) -> None:
        self.status = status
        self.message = message
        self.code = code
        self.request_id = request_id
        self.hint = hint
        self.limit = limit
        self.retry_after = retry_after
        words = f"{status} {code or 'without a code'}: {message}"
        if hint:
            words += f" ({hint})"
        if request_id:
            words += f" [request {request_id}]"
        super().__init__(words)

    @classmethod
    def from_answer(
        cls, status: int, reason: str, body: Mapping[str, Any] | None, text: str, request_id: str | None, retry_after: float | None
    ) -> ApiError:
        """The error of an answer; `body` is None where it was no JSON object, and `text` is what it was instead."""
        if body is None or not isinstance(body.get("error"), str):
            said = " ".join(text.split())[:200]
            return cls(status, f"{reason}: {said}" if said else reason, request_id=request_id, retry_after=retry_after)
        return cls(
            status,
            body["error"],
            code=body.get("code"),
            request_id=body.get("request_id") or request_id,
            hint=body.get("hint"),
            limit=body.get("limit"),
            retry_after=retry_after,
        )


class ConnectionFailed(TesseraError):
    """No answer came. `was_sent` tells whether the service may have got the whole request, and so may have done the work."""

    def __init__(self, message: str, *, was_sent: bool) -> None:
        self.was_sent = was_sent
        super().__init__(message)


class TimedOut(TesseraError):
    """The `timeout` of the call ran out. Where a job had been submitted, `job_id` is how to go on waiting for it."""

    def __init__(self, message: str, *, job_id: str | None = None, idempotency_key: str | None = None) -> None:
        self.job_id = job_id
        self.idempotency_key = idempotency_key
        super().__init__(message)


class Cancelled(TesseraError):
    """The `cancel` of the call was used."""


class JobFailed(TesseraError):
    """A job was accepted and failed later: not an error of a request. `job` is the whole job."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.code = job.get("error_code")
        self.message = job.get("error_message", "")
        super().__init__(f"job {job['id']} ({job['operation']}) failed: {self.code}: {self.message}")


class DamagedDownload(TesseraError):
    """The bytes that came are not those that the service has made: their SHA-256 differs."""


class WebhookInvalid(TesseraError):
    """A webhook is not to be trusted: do nothing with it, and answer 400."""
