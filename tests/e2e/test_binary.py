"""How the binary was built, as other tools read it: the hardening of a release is there."""

import platform
import re
import subprocess

from service import BINARY


def said(*line):
    return subprocess.run([*line, BINARY], check=True, capture_output=True, text=True).stdout


def test_it_can_be_placed_anywhere_and_its_tables_are_read_only():
    dynamic = said("readelf", "-Wd")
    assert "PIE" in dynamic and "BIND_NOW" in dynamic
    headers = said("readelf", "-Wl")
    assert "GNU_RELRO" in headers
    stack = next(line for line in headers.splitlines() if "GNU_STACK" in line)
    assert "RWE" not in stack and " RW " in stack


def test_copies_stacks_and_indexes_are_checked():
    symbols = said("readelf", "-Ws")
    assert "__stack_chk_fail" in symbols
    assert re.search(r"__(mem|str|v?s?n?printf)\w*_chk@", symbols), "_FORTIFY_SOURCE"
    assert "__glibcxx_assert_fail" in symbols, "_GLIBCXX_ASSERTIONS"


def test_calls_and_returns_land_where_they_should():
    code = subprocess.run(["objdump", "-d", "--disassemble=main", BINARY], check=True, capture_output=True, text=True).stdout
    landing = {"x86_64": "endbr64", "aarch64": "paciasp"}[platform.machine()]
    assert landing in code
