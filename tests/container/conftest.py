"""Tests that run containers: scripts/test container and scripts/test archive make what they need and start them."""

import pathlib
import sys

TESTS = pathlib.Path(__file__).parents[1]
sys.path[:0] = [str(pathlib.Path(__file__).parent), str(TESTS / "e2e"), str(TESTS / "support")]

import pytest  # noqa: E402
from backends import ceph, database, postgres  # noqa: E402,F401
from fixtures import folder  # noqa: E402,F401
from relay import Relay  # noqa: E402


@pytest.fixture
def database_url(postgres, database):  # noqa: F811
    """A database by an address that containers reach, too."""
    relay = Relay(f"{postgres.socket_folder}/.s.PGSQL.5432")
    yield database.url_through(relay.port)
    relay.stop()
