"""The client: one call for the common case, and the steps that it is made of."""

from __future__ import annotations

import json
import logging
import os
import ssl
import uuid
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO, cast
from urllib.parse import quote, urlencode

from . import types
from ._clock import Cancel, Clock, Patience
from ._http import Answer, Connections, error_of, json_answer
from ._operations import Operations
from ._retry import RetryPolicy, with_retries
from .errors import ApiError, Cancelled, ConnectionFailed, JobFailed, TesseraError, TimedOut
from .events import Event, parse_events
from .output import OutputFile, Result
from .sources import FormUpload, OnProgress, Source
from .tiles import Tiles

FINISHED = ("succeeded", "failed")
HELD_SECONDS = 30  # how long the service is asked to hold a request for a job's end
FIRST_POLL, LONGEST_POLL = 0.2, 3.0  # seconds between looks at a job, where the service does not hold requests
PAGE = 100

log = logging.getLogger("tessera_client")


def new_idempotency_key() -> str:
    return f"py-{uuid.uuid4()}"


class Tessera(Operations):
    """A client of one service with one API key. Threads may share it.

    url, key      default to $TESSERA_URL and $TESSERA_KEY
    timeout       seconds that a call may take over all its requests and pauses, where it is not told otherwise; None: no bound
    socket_timeout  seconds after which a service that says nothing is taken for dead
    """

    def __init__(
        self,
        url: str | None = None,
        key: str | None = None,
        *,
        timeout: float | None = None,
        socket_timeout: float = 60.0,
        retry_policy: RetryPolicy = RetryPolicy(),
        ssl_context: ssl.SSLContext | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.base_url = (url or os.environ.get("TESSERA_URL") or "").rstrip("/")
        if not self.base_url.startswith(("http://", "https://")):
            raise ValueError("the address of the service is needed, with http:// or https://: Tessera(url, key), or $TESSERA_URL")
        self._key = (key or os.environ.get("TESSERA_KEY") or "").strip()
        self.timeout = timeout
        self.retry_policy = retry_policy
        self._clock = clock or Clock()
        self._connections = Connections(socket_timeout, ssl_context)

    def __repr__(self) -> str:
        return f"<Tessera {self.base_url}>"

    def __enter__(self) -> Tessera:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes connections that are kept for the next requests."""
        self._connections.close()

    # --- all at once ---
    def run(
        self,
        operation: str,
        source: Source | None,
        options: Mapping[str, Any],
        *,
        timeout: float | None = None,
        cancel: Cancel | None = None,
        idempotency_key: str | None = None,
        on_progress: OnProgress | None = None,
    ) -> Result:
        """Uploads, submits and waits; JobFailed where the job fails. `cancel` also cancels the job at the service, if it can.

        `on_progress` gets the job as often as it is looked at."""
        patience = self.patience(timeout, cancel)
        key = idempotency_key or new_idempotency_key()
        job: types.Job | None = None
        try:
            asset_id = None if source is None else self._asset_id(source, patience)
            job = self._submit(operation, options, asset_id, key, patience, hold=True)
            return self._result(self._wait(job, patience, on_progress))
        except TimedOut as error:
            raise TimedOut(str(error), job_id=job["id"] if job else None, idempotency_key=key) from error
        except Cancelled:
            if job is not None:
                self._cancel_quietly(job["id"])
            raise

    # --- step by step ---
    def upload(
        self,
        source: str | os.PathLike[str] | bytes | BinaryIO,
        *,
        filename: str | None = None,
        timeout: float | None = None,
        cancel: Cancel | None = None,
    ) -> types.Asset:
        """Stores a picture. It is read from disk as it is sent."""
        return self._upload(source, filename, self.patience(timeout, cancel))

    def submit(
        self,
        operation: str,
        options: Mapping[str, Any],
        *,
        asset_id: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        cancel: Cancel | None = None,
    ) -> types.Job:
        """Submits a job and returns at once. With the same key, the same request gives the same job, however often it is sent."""
        key = idempotency_key or new_idempotency_key()
        return self._submit(operation, options, asset_id, key, self.patience(timeout, cancel), hold=False)

    def wait(
        self,
        job: types.Job | str,
        *,
        timeout: float | None = None,
        cancel: Cancel | None = None,
        on_progress: OnProgress | None = None,
    ) -> types.Job:
        """The job once it has succeeded or failed. It takes an id, too: of a job that another process has submitted."""
        patience = self.patience(timeout, cancel)
        known = self._job(job, patience, hold=False)[0] if isinstance(job, str) else job
        try:
            return self._wait(known, patience, on_progress)
        except TimedOut as error:
            raise TimedOut(str(error), job_id=known["id"]) from error

    def result(
        self, job: types.Job | str, *, timeout: float | None = None, cancel: Cancel | None = None, on_progress: OnProgress | None = None
    ) -> Result:
        """Waits for a job and gives what it made; JobFailed where it failed."""
        return self._result(self.wait(job, timeout=timeout, cancel=cancel, on_progress=on_progress))

    # --- reads ---
    def plans(self, *, timeout: float | None = None, cancel: Cancel | None = None) -> list[types.Plan]:
        return cast(types.PlanList, self._get("/v1/plans", self.patience(timeout, cancel)))["plans"]

    def account(self, *, timeout: float | None = None, cancel: Cancel | None = None) -> types.AccountContext:
        return cast(types.AccountContext, self._get("/v1/account", self.patience(timeout, cancel)))

    def job(self, job_id: str, *, timeout: float | None = None, cancel: Cancel | None = None) -> types.Job:
        return self._job(job_id, self.patience(timeout, cancel), hold=False)[0]

    def artifact(self, artifact_id: str, *, timeout: float | None = None, cancel: Cancel | None = None) -> types.ArtifactWithDownload:
        return self.artifact_within(artifact_id, self.patience(timeout, cancel))

    def asset(self, asset_id: str, *, timeout: float | None = None, cancel: Cancel | None = None) -> types.AssetWithContent:
        return cast(types.AssetWithContent, self._get(f"/v1/assets/{quote(asset_id, safe='')}", self.patience(timeout, cancel)))

    def asset_addresses(self, asset_id: str, *, timeout: float | None = None, cancel: Cancel | None = None) -> types.AssetAddresses:
        """Where an asset is for viewers of IIIF; for accounts with `asset_pictures`."""
        path = f"/v1/assets/{quote(asset_id, safe='')}/addresses"
        return cast(types.AssetAddresses, self._get(path, self.patience(timeout, cancel)))

    def tileset(self, tileset_id: str, *, timeout: float | None = None, cancel: Cancel | None = None) -> types.TilesetWithVersions:
        return cast(types.TilesetWithVersions, self._get(f"/v1/tilesets/{quote(tileset_id, safe='')}", self.patience(timeout, cancel)))

    def tilejson(self, tileset_id: str, *, timeout: float | None = None, cancel: Cancel | None = None) -> types.TileJson:
        path = f"/v1/tilesets/{quote(tileset_id, safe='')}/tilejson"
        return cast(types.TileJson, self._get(path, self.patience(timeout, cancel)))

    def tileset_addresses(
        self, tileset_id: str, version: int | None = None, *, timeout: float | None = None, cancel: Cancel | None = None
    ) -> types.TilesetAddresses:
        """Where a version is for viewers: XYZ, TileJSON, IIIF, Deep Zoom. Of the current one where none is named."""
        query = "" if version is None else f"?version={version}"
        path = f"/v1/tilesets/{quote(tileset_id, safe='')}/addresses{query}"
        return cast(types.TilesetAddresses, self._get(path, self.patience(timeout, cancel)))

    # --- lists: an item at a time, pages are fetched as they are needed ---
    def assets(self, *, timeout: float | None = None, cancel: Cancel | None = None) -> Iterator[types.ListedAsset]:
        return self._items("assets", {}, timeout, cancel)

    def jobs(
        self,
        *,
        status: str | None = None,
        operation: str | None = None,
        asset_id: str | None = None,
        tileset_id: str | None = None,
        timeout: float | None = None,
        cancel: Cancel | None = None,
    ) -> Iterator[types.ListedJob]:
        wanted = {"status": status, "operation": operation, "asset_id": asset_id, "tileset_id": tileset_id}
        return self._items("jobs", wanted, timeout, cancel)

    def tilesets(self, *, timeout: float | None = None, cancel: Cancel | None = None) -> Iterator[types.Tileset]:
        return self._items("tilesets", {}, timeout, cancel)

    # --- removals ---
    def delete_asset(self, asset_id: str, *, timeout: float | None = None, cancel: Cancel | None = None) -> None:
        self._delete(f"/v1/assets/{quote(asset_id, safe='')}", self.patience(timeout, cancel))

    def delete_artifact(self, artifact_id: str, *, timeout: float | None = None, cancel: Cancel | None = None) -> None:
        self._delete(f"/v1/artifacts/{quote(artifact_id, safe='')}", self.patience(timeout, cancel))

    def delete_tileset(self, tileset_id: str, *, timeout: float | None = None, cancel: Cancel | None = None) -> None:
        self._delete(f"/v1/tilesets/{quote(tileset_id, safe='')}", self.patience(timeout, cancel))

    def cancel_job(self, job_id: str, *, timeout: float | None = None, cancel: Cancel | None = None) -> types.Job:
        """Calls a job off at the service. Cancelling twice is cancelling once, so that it may be sent again."""
        path = f"/v1/jobs/{quote(job_id, safe='')}/cancel"
        return cast(types.Job, self._json("POST", path, self.patience(timeout, cancel), body=b"")[0])

    # --- events ---
    def events(
        self, *, last_event_id: str | None = None, timeout: float | None = None, cancel: Cancel | None = None
    ) -> Iterator[Event]:
        """What happens to the account's jobs, as it happens. A connection that breaks is made anew after the last event that was seen;
        it ends by `timeout` or `cancel` alone."""
        patience = self.patience(timeout, cancel)
        seen = last_event_id
        while True:
            headers = {"Accept": "text/event-stream", **({"Last-Event-ID": seen} if seen else {})}
            answer = self._retried("GET", "/v1/events", patience, headers=headers)
            try:
                for event in parse_events(answer.lines(), seen):
                    seen = event.id
                    if event.type:
                        yield event
            except ConnectionFailed as error:
                log.debug("the stream of events broke: %s", error)
            patience.pause(self.retry_policy.first_pause)

    # --- what files and tiles use ---
    def patience(self, timeout: float | None, cancel: Cancel | None) -> Patience:
        return Patience(self.timeout if timeout is None else timeout, cancel, self._clock)

    def artifact_within(self, artifact_id: str, patience: Patience) -> types.ArtifactWithDownload:
        return cast(types.ArtifactWithDownload, self._get(f"/v1/artifacts/{quote(artifact_id, safe='')}", patience))

    def download_within(self, signed_url: str, taken: int, patience: Patience) -> Iterator[bytes]:
        """The bytes behind a signed address, from `taken` on. The key is not sent there."""
        headers = {"Range": f"bytes={taken}-"} if taken else {}
        answer = self._retried("GET", signed_url, patience, headers=headers, with_key=False)
        if taken and answer.status != 206:
            answer.close()
            raise ApiError(answer.status, "a part of the file was asked for, and the answer is not that part")
        return answer.chunks()

    def tile_bytes(self, url: str, *, with_key: bool, timeout: float | None, cancel: Cancel | None) -> bytes:
        return self._retried("GET", url, self.patience(timeout, cancel), with_key=with_key).read()

    def file(self, artifact: types.Artifact) -> OutputFile:
        """An artifact of a job as a file."""
        return OutputFile(self, artifact)

    def tiles(self, job: types.Job) -> Tiles | None:
        return Tiles.of_job(self, job)

    # --- inside ---
    def _asset_id(self, source: Source, patience: Patience) -> str:
        if isinstance(source, Mapping):
            return source["id"]
        return self._upload(cast(Any, source), None, patience)["id"]

    def _upload(self, source: str | os.PathLike[str] | bytes | BinaryIO, filename: str | None, patience: Patience) -> types.Asset:
        form = FormUpload(source, filename)
        try:
            length = form.length()
            headers = {"Content-Type": form.content_type}
            headers |= {"Transfer-Encoding": "chunked"} if length is None else {"Content-Length": str(length)}

            def send() -> types.Asset:
                answer = self._exchange("POST", "/v1/assets", patience, headers=headers, body=form.chunks(), repeatable=False)
                return cast(types.Asset, json_answer(answer, self._clock.wall()))

            if not form.can_be_sent_again:
                return send()
            return with_retries(send, repeatable=False, policy=self.retry_policy, patience=patience)
        finally:
            form.close()

    def _submit(
        self, operation: str, options: Mapping[str, Any], asset_id: str | None, key: str, patience: Patience, hold: bool
    ) -> types.Job:
        request = {"operation": operation, "options": dict(options), **({"asset_id": asset_id} if asset_id else {})}
        headers = {"Content-Type": "application/json", "Idempotency-Key": key}
        log.debug("submitting a %s job with the idempotency key %s", operation, key)
        job, _ = self._json("POST", "/v1/jobs", patience, headers=headers, body=json.dumps(request).encode(), hold=hold)
        return cast(types.Job, job)

    def _job(self, job_id: str, patience: Patience, hold: bool) -> tuple[types.Job, bool]:
        """A job, and whether the service held the request."""
        job, answer = self._json("GET", f"/v1/jobs/{quote(job_id, safe='')}", patience, hold=hold)
        return cast(types.Job, job), "wait" in answer.headers.get("Preference-Applied", "")

    def _wait(self, job: types.Job, patience: Patience, on_progress: OnProgress | None) -> types.Job:
        pause = FIRST_POLL
        while True:
            if on_progress is not None:
                try:
                    on_progress(job)
                except Exception:  # what shows progress must not lose the job
                    log.exception("on_progress failed")
            if job["status"] in FINISHED:
                return job
            job, held = self._job(job["id"], patience, hold=True)
            if not held and job["status"] not in FINISHED:
                patience.pause(pause)
                pause = min(pause * 1.5, LONGEST_POLL)

    def _result(self, job: types.Job) -> Result:
        if job["status"] != "succeeded":
            raise JobFailed(job)
        return Result(self, job)

    def _cancel_quietly(self, job_id: str) -> None:
        try:
            self.cancel_job(job_id, timeout=5)
        except TesseraError as error:
            log.debug("job %s could not be cancelled: %s", job_id, error)

    def _items(self, name: str, wanted: Mapping[str, str | None], timeout: float | None, cancel: Cancel | None) -> Iterator[Any]:
        query: dict[str, str] = {"limit": str(PAGE), **{key: value for key, value in wanted.items() if value is not None}}
        while True:
            page = self._get(f"/v1/{name}?{urlencode(query)}", self.patience(timeout, cancel))
            yield from page[name]
            if not page.get("next_cursor"):
                return
            query["cursor"] = page["next_cursor"]

    def _get(self, path: str, patience: Patience) -> Any:
        return self._json("GET", path, patience)[0]

    def _delete(self, path: str, patience: Patience) -> None:
        self._json("DELETE", path, patience)

    def _json(
        self, method: str, path: str, patience: Patience, *, headers: Mapping[str, str] = {}, body: bytes | None = None, hold: bool = False
    ) -> tuple[Any, Answer]:
        """The JSON of an answer, and its head. Everything that comes this way may be sent twice."""

        def send() -> tuple[Any, Answer]:
            seconds = int(min(HELD_SECONDS, patience.left())) if hold else 0
            held = {"Prefer": f"wait={seconds}"} if seconds >= 1 else {}
            length = {} if body is None else {"Content-Length": str(len(body))}
            answer = self._exchange(
                method, path, patience, headers={**headers, **held, **length}, body=body, answer_within=seconds + 30.0
            )
            return json_answer(answer, self._clock.wall()), answer

        return with_retries(send, repeatable=True, policy=self.retry_policy, patience=patience)

    def _retried(
        self, method: str, url: str, patience: Patience, *, headers: Mapping[str, str] = {}, with_key: bool = True
    ) -> Answer:
        """A successful answer whose body is still to be read."""

        def send() -> Answer:
            answer = self._exchange(method, url, patience, headers=headers, with_key=with_key)
            if answer.status >= 300:
                text = answer.read().decode("utf-8", "replace")
                try:
                    parsed = json.loads(text)
                except ValueError:
                    parsed = None
                raise error_of(answer, parsed, text, self._clock.wall())
            return answer

        return with_retries(send, repeatable=True, policy=self.retry_policy, patience=patience)

    def _exchange(
        self,
        method: str,
        url: str,
        patience: Patience,
        *,
        headers: Mapping[str, str] = {},
        body: Any = None,
        repeatable: bool = True,
        answer_within: float | None = None,
        with_key: bool = True,
    ) -> Answer:
        own = {"User-Agent": "tessera-client-python/0.1", "Accept": "application/json", **headers}
        if with_key and self._key:
            own["Authorization"] = f"Bearer {self._key}"
        whole = url if "://" in url else self.base_url + url
        return self._connections.exchange(
            method, whole, own, patience, body=body, repeatable=repeatable, answer_within=answer_within
        )
