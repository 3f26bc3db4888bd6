"""Fault tests use the end-to-end harness: a real binary, real services, real sockets, real signals."""

import pathlib
import sys

import pytest

TESTS = pathlib.Path(__file__).parents[1]
for folder_of_modules in ("e2e", "support", "faults"):
    sys.path.insert(0, str(TESTS / folder_of_modules))

from backends import ceph, database, postgres  # noqa: E402,F401
from cluster import Cluster  # noqa: E402
from fixtures import folder, key, make_service, service  # noqa: E402,F401


@pytest.fixture
def cluster(make_service, database, ceph, folder):  # noqa: F811
    return Cluster(make_service, database, ceph, folder)
