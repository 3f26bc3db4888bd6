"""The console's files are a function of its sources: neither the folder it is built in nor the one it is built into is in them."""

import os
import shutil
import subprocess

import pytest
from archives import node
from service import PATIENCE, ROOT

SOURCES = ["web/src", "web/index.html", "web/build.mjs", "web/package.json", "web/tsconfig.json", "examples/viewers", "clients/typescript/src"]


def checkout(folder):
    """The sources in a folder of their own, with the modules that are installed here."""
    for path in SOURCES:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (ROOT / path).is_dir() else shutil.copy
        copy(ROOT / path, folder / path)
    (folder / "web" / "node_modules").symlink_to(ROOT / "web" / "node_modules")
    return folder


def built(sources, out, cwd):
    done = subprocess.run([node(), sources / "web" / "build.mjs", "--out", out], cwd=cwd, capture_output=True, text=True, timeout=PATIENCE * 5)
    assert done.returncode == 0, done.stderr
    return {str(file.relative_to(out)): file.read_bytes() for file in sorted(out.rglob("*")) if file.is_file()}


def test_two_builds_in_folders_of_different_names_make_the_same_bytes(folder):
    if not (ROOT / "web" / "node_modules" / "esbuild").exists():
        pytest.skip("the modules of web are needed: scripts/test install")
    first = checkout(folder / "a")
    second = checkout(folder / "another place" / "with-a-longer-name")
    one = built(first, folder / "out", cwd=folder)
    two = built(second, second / "build" / "console", cwd=second / "web")
    assert sorted(one) == sorted(two)
    assert [name for name in one if one[name] != two[name]] == []
    assert "index.html" in one and len(one) > 50
    assert [name for name in one if os.fsencode(folder) in one[name]] == []
