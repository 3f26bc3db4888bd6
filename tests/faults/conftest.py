"""Fault tests use the end-to-end harness: a real binary, real sockets, real signals."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "e2e"))

from fixtures import folder, key, make_service, service  # noqa: E402,F401
