"""What a job has made: files that are fetched when they are read, and tiles."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._clock import Cancel, Patience
from .errors import ApiError, ConnectionFailed, DamagedDownload
from .tiles import Tiles
from .types import Artifact, Job

if TYPE_CHECKING:
    from .client import Tessera

CUT_OFF_MOST = 5  # how often a download that is cut off in the middle goes on where it was


class OutputFile:
    """A file that a job has made. Nothing is fetched before it is read; its bytes are held against their SHA-256."""

    def __init__(self, client: Tessera, artifact: Artifact) -> None:
        self._client = client
        self.artifact = artifact

    def __repr__(self) -> str:
        return f"<OutputFile {self.artifact['id']} {self.artifact['content_type']} {self.artifact['byte_size']} bytes>"

    def url(self, *, timeout: float | None = None, cancel: Cancel | None = None) -> str:
        """A signed address, good for some minutes, that needs no key: for a browser, say."""
        return self._client.artifact(self.artifact["id"], timeout=timeout, cancel=cancel)["download_url"]

    def stream(self, *, timeout: float | None = None, cancel: Cancel | None = None) -> Iterator[bytes]:
        """The bytes as they come. A connection that breaks is made anew where it broke; the last chunk is given only when all that
        came before it is what the service has made."""
        patience = self._client.patience(timeout, cancel)
        digest = hashlib.sha256()
        taken, cuts = 0, 0
        held: bytes | None = None
        while True:
            try:
                for chunk in self._open(taken, patience):
                    if held is not None:
                        yield held
                    held = chunk
                    digest.update(chunk)
                    taken += len(chunk)
                    cuts = 0
                break
            except ConnectionFailed:
                cuts += 1
                if cuts > CUT_OFF_MOST:
                    raise
                patience.pause(self._client.retry_policy.first_pause)
        if digest.hexdigest() != self.artifact["checksum_sha256"]:
            raise DamagedDownload(f"artifact {self.artifact['id']}: {taken} bytes came, and they are not those that were made")
        if held is not None:
            yield held

    def _open(self, taken: int, patience: Patience) -> Iterator[bytes]:
        """The bytes from `taken` on. An address that has expired meanwhile is asked for anew, once."""
        for again in (True, False):
            signed = self._client.artifact_within(self.artifact["id"], patience)["download_url"]
            try:
                return self._client.download_within(signed, taken, patience)
            except ApiError as error:
                if not again or error.code != "invalid_signature":
                    raise
        raise AssertionError("not reached")

    def read(self, *, timeout: float | None = None, cancel: Cancel | None = None) -> bytes:
        return b"".join(self.stream(timeout=timeout, cancel=cancel))

    def save(self, path: str | os.PathLike[str], *, timeout: float | None = None, cancel: Cancel | None = None) -> Path:
        """Writes the file under another name and renames it: under `path` there is never half of it."""
        target = Path(path)
        descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent)
        try:
            with os.fdopen(descriptor, "wb") as file:
                for chunk in self.stream(timeout=timeout, cancel=cancel):
                    file.write(chunk)
                os.fchmod(file.fileno(), 0o666 & ~current_umask())
            os.replace(name, target)
        except BaseException:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(name)
            raise
        return target


def current_umask() -> int:
    """mkstemp makes files for their owner alone; a result has the mode of any file that is written."""
    try:
        with open("/proc/self/status") as status:
            return next(int(line.split()[1], 8) for line in status if line.startswith("Umask:"))
    except (OSError, StopIteration):
        return 0o022


class Result:
    """A job that has succeeded, with what it made."""

    def __init__(self, client: Tessera, job: Job) -> None:
        self.job = job
        self.files = [OutputFile(client, artifact) for artifact in job["artifacts"]]
        self.tiles = Tiles.of_job(client, job)

    def __repr__(self) -> str:
        return f"<Result of {self.job['operation']} {self.job['id']}: {self.files}>"

    @property
    def file(self) -> OutputFile:
        """The job's own result: its `primary` artifact."""
        for file in self.files:
            if file.artifact["kind"] == "primary":
                return file
        raise LookupError(f"job {self.job['id']} has no primary artifact")

    def read(self, **how: Any) -> bytes:
        return self.file.read(**how)

    def save(self, path: str | os.PathLike[str], **how: Any) -> Path:
        return self.file.save(path, **how)
