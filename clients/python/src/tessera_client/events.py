"""The stream of events of an account (Server-Sent Events), taken up again where it broke."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Event:
    """`type` is queued, running, succeeded or failed; or gap: events were lost, so look at your jobs again."""

    type: str
    data: Any
    id: str | None


def parse_events(lines: Iterable[bytes], last_id: str | None = None) -> Iterator[Event]:
    """Events out of the lines of a text/event-stream."""
    kind, id_ = "", last_id
    data: list[str] = []
    for raw in lines:
        line = raw.decode("utf-8", "replace").rstrip("\r\n")
        if not line:
            if data:
                text = "\n".join(data)
                try:
                    value: Any = json.loads(text)
                except ValueError:
                    value = text
                yield Event(kind or "message", value, id_)
            elif id_ != last_id:
                yield Event("", None, id_)  # where the stream stands, before anything has happened
            last_id = id_
            kind, data = "", []
            continue
        name, _, value_text = line.partition(":")
        value_text = value_text.removeprefix(" ")
        if name == "event":
            kind = value_text
        elif name == "data":
            data.append(value_text)
        elif name == "id" and "\0" not in value_text:
            id_ = value_text
