"""Lets the tests import the Python client from this checkout."""

import sys

from service import ROOT

PACKAGE = ROOT / "clients" / "python" / "src"
sys.path.insert(0, str(PACKAGE))
