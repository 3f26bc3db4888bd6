"""The previous release's binary beside this one's. `scripts/test upgrade` builds both."""

import os
import pathlib
import sys

import pytest

TESTS = pathlib.Path(__file__).parents[1]
for folder_of_modules in ("e2e", "support", "faults"):
    sys.path.insert(0, str(TESTS / folder_of_modules))

from backends import ceph, database, postgres  # noqa: E402,F401
from cluster import Cluster  # noqa: E402
from fixtures import folder, make_service  # noqa: E402,F401


@pytest.fixture(scope="session")
def previous():
    """The binary of the previous release. Without it there is nothing to test, and that is a failure."""
    built = TESTS.parent / "build" / "previous" / "build" / "release" / "tessera"
    binary = pathlib.Path(os.environ.get("TESSERA_PREVIOUS", built))
    assert binary.exists(), f"{binary} is not there: scripts/test upgrade builds it"
    return binary


@pytest.fixture
def cluster(make_service, database, ceph, folder):  # noqa: F811
    return Cluster(make_service, database, ceph, folder, **{"tiles.max_layers": "3", "tiles.fold_interval": "200ms"})
