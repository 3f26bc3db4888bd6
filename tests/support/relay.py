#!/usr/bin/python3
"""A TCP relay whose network can fall silent: stopped with SIGSTOP it keeps connections open and carries nothing, as a
cable that was cut does, and nobody is told. Continued, it delivers late what waited.

    relay.py PORT TARGET     TARGET is HOST:PORT or the path of a Unix socket
"""

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys
import time

from ports import free_port


class Relay:
    def __init__(self, target):
        self.port = free_port()
        self.process = subprocess.Popen([sys.executable, __file__, str(self.port), target])
        deadline = time.monotonic() + 30
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
                return
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError("the relay does not listen")
            time.sleep(0.02)

    def fall_silent(self):
        os.kill(self.process.pid, signal.SIGSTOP)

    def carry_on(self):
        os.kill(self.process.pid, signal.SIGCONT)

    def stop(self):
        self.process.kill()
        self.process.wait()


async def copy(reader, writer):
    with contextlib.suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    writer.close()


async def serve(port, target):
    async def relay(reader, writer):
        try:
            if target.startswith("/"):
                onward = await asyncio.open_unix_connection(target)
            else:
                onward = await asyncio.open_connection(*target.rsplit(":", 1))
        except OSError:
            writer.close()
            return
        await asyncio.gather(copy(reader, onward[1]), copy(onward[0], writer))

    server = await asyncio.start_server(relay, "127.0.0.1", port)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]), sys.argv[2]))
