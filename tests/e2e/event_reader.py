"""A reader of Server-Sent Events as the standard has it: fields, comments, the last id, and what a reader does when it comes back."""

import contextlib
import http.client
import json
import queue
import socket
import threading
import time


class Event:
    def __init__(self, name, data, identity):
        self.name, self.id = name, identity
        self.data = json.loads(data)

    def __repr__(self):
        return f"<{self.name} {self.id}>"


class EventReader:
    """Reads on a thread of its own; `next()` gives the events in order. When the service ended the stream, as it does when something of
    the account has changed, `next()` comes back with the last id, and passes over what it has had."""

    def __init__(self, service, key, path="/v1/events", last_event_id=None):
        self.port, self.key, self.path = service.port, key, path
        self.last_event_id = last_event_id or ""
        self.retry = None
        self.comments = 0
        self.events = queue.Queue()
        self.had = set()
        self._open()

    def _open(self):
        headers = {"Authorization": f"Bearer {self.key}", "Accept": "text/event-stream"}
        if self.last_event_id:
            headers["Last-Event-ID"] = self.last_event_id
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        self.connection.request("GET", self.path, headers=headers)
        self.socket = self.connection.sock
        self.response = self.connection.getresponse()
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self._read, daemon=True)
        if self.response.status == 200:
            self.thread.start()
        else:
            self.refusal = json.loads(self.response.read())
            self.ended.set()

    def _read(self):
        name, data = "", []
        try:
            while line := self.response.readline():
                line = line.rstrip(b"\r\n").decode()
                if not line:
                    if data:
                        self.events.put(Event(name or "message", "\n".join(data), self.last_event_id))
                    name, data = "", []
                    continue
                field, _, value = line.partition(":")
                value = value.removeprefix(" ")
                if not field:
                    self.comments += 1
                elif field == "id":
                    self.last_event_id = value
                elif field == "event":
                    name = value
                elif field == "data":
                    data.append(value)
                elif field == "retry":
                    self.retry = int(value)
        except (OSError, ValueError, AttributeError, http.client.HTTPException):
            pass  # cut off
        self.ended.set()

    def next(self, patience=60):
        deadline = time.monotonic() + patience
        while True:
            try:
                event = self.events.get(timeout=0.1)
            except queue.Empty:
                if time.monotonic() > deadline:
                    raise
                if self.ended.is_set() and self.events.empty():
                    self.close()
                    self._open()
                continue
            told = (event.id, event.data.get("progress"))
            if told not in self.had:
                self.had.add(told)
                return event

    def until(self, name, job=None, patience=60):
        """All events up to the one of this name, and of this job."""
        seen = []
        while not seen or seen[-1].name != name or (job and seen[-1].data.get("id") != job):
            seen.append(self.next(patience))
        return seen

    def close(self):
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)  # wakes the thread that reads
        if self.thread.ident is not None:
            self.thread.join()
        self.response.close()
        self.connection.close()
