"""Where pictures come from: a path, bytes, an open file, or an asset that the service already has."""

from __future__ import annotations

import io
import os
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, Union

from .types import Asset, Job

Source = Union[str, "os.PathLike[str]", bytes, BinaryIO, Asset]
OnProgress = Callable[[Job], None]
CHUNK = 256 * 1024


class FormUpload:
    """A multipart/form-data body with one file, read as it is sent and never held in memory."""

    def __init__(self, source: str | os.PathLike[str] | bytes | BinaryIO, filename: str | None) -> None:
        self.owned = isinstance(source, (str, os.PathLike, bytes))
        if isinstance(source, bytes):
            self.file: BinaryIO = io.BytesIO(source)
        elif isinstance(source, (str, os.PathLike)):
            self.file = open(source, "rb")
            filename = filename or Path(source).name
        else:
            self.file = source
            named = getattr(source, "name", None)
            filename = filename or (Path(named).name if isinstance(named, str) else None)
        self.start = self.file.tell() if self.file.seekable() else None
        boundary = f"tessera-{uuid.uuid4().hex}"
        self.content_type = f"multipart/form-data; boundary={boundary}"
        self._head = (
            f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{quoted(filename or "file")}"\r\n'
            "Content-Type: application/octet-stream\r\n\r\n"
        ).encode()
        self._tail = f"\r\n--{boundary}--\r\n".encode()

    def length(self) -> int | None:
        """Of the whole body; None where the file can't tell, as a pipe can't."""
        if self.start is None:
            return None
        end = self.file.seek(0, os.SEEK_END)
        self.file.seek(self.start)
        return len(self._head) + (end - self.start) + len(self._tail)

    @property
    def can_be_sent_again(self) -> bool:
        return self.start is not None

    def chunks(self) -> Iterator[bytes]:
        if self.start is not None:
            self.file.seek(self.start)
        yield self._head
        while chunk := self.file.read(CHUNK):
            yield chunk
        yield self._tail

    def close(self) -> None:
        if self.owned:
            self.file.close()


def quoted(filename: str) -> str:
    """As browsers write names in forms."""
    return filename.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
