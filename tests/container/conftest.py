"""Tests that run containers: scripts/test container and scripts/test archive make what they need and start them."""

import pathlib
import sys

TESTS = pathlib.Path(__file__).parents[1]
sys.path[:0] = [str(pathlib.Path(__file__).parent), str(TESTS / "e2e"), str(TESTS / "support")]

from backends import ceph, database, postgres  # noqa: E402,F401
from fixtures import folder  # noqa: E402,F401
