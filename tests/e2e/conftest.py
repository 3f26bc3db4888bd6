"""End-to-end tests start the real binary and speak HTTP to it."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))

from backends import ceph, database, postgres  # noqa: E402,F401
from fixtures import folder, key, make_service, service  # noqa: E402,F401
from taken_files import pytest_runtest_protocol  # noqa: E402,F401
