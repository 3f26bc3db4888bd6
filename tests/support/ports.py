"""Ports for servers that tests start later, or start again: none that the kernel would give to a client meanwhile.

A port from bind(0) is free only until the next outgoing connection takes it, and a client that tries a port of that
range whose server is down may even get the same one for itself and be connected to itself.
"""

import pathlib
import random
import socket

RANGE = pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range")
LOWEST = 10_000
_given = set()


def free_port():
    first_of_clients = int(RANGE.read_text().split()[0])
    chance = random.SystemRandom()
    for _ in range(1000):
        # Where clients are given nearly every port, one that is free now must do.
        port = chance.randrange(LOWEST, first_of_clients) if first_of_clients > LOWEST + 1000 else 0
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            port = probe.getsockname()[1]
        if port not in _given:
            _given.add(port)
            return port
    raise RuntimeError("no free port")
