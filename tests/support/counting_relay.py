"""A TCP relay on loopback that counts the HTTP requests which pass it."""

import contextlib
import re
import socket
import threading

REQUEST_LINE = re.compile(rb"(?:GET|HEAD|PUT|POST|DELETE) \S+ HTTP/1\.1\r\n")


class CountingRelay:
    def __init__(self, target_port):
        self.target_port = target_port
        self.lines = []
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port = self.listening.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def requests(self):
        return len(self.lines)

    def stop(self):
        self.listening.close()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.listening.accept()
                onward = socket.create_connection(("127.0.0.1", self.target_port))
                for one in (client, onward):
                    one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                threading.Thread(target=self._copy, args=(client, onward, True), daemon=True).start()
                threading.Thread(target=self._copy, args=(onward, client, False), daemon=True).start()

    def _copy(self, source, target, counted):
        with contextlib.suppress(OSError):
            while data := source.recv(262144):
                if counted:
                    self.lines += REQUEST_LINE.findall(data)
                target.sendall(data)
        for one in (source, target):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
