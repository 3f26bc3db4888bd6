"""The TypeScript client, built, and installed as users install it."""

import functools
import json
import os
import shutil
import subprocess

from archives import node
from service import PATIENCE, ROOT

CLIENT = ROOT / "clients" / "typescript"
# Nothing is asked of a network: all that is needed is there, or the test fails.
QUIET = ["--offline", "--no-audit", "--no-fund", "--loglevel=error"]


def run(line, **more):
    done = subprocess.run([str(word) for word in line], capture_output=True, text=True, timeout=PATIENCE * 4, **more)
    assert done.returncode == 0, f"{line}: {done.stdout}{done.stderr}"
    return done.stdout


def tool(name):
    """A program of the client's development dependencies."""
    return CLIENT / "node_modules" / ".bin" / name


@functools.cache
def built():
    """Compiles the client; its folder, whose dist/ is then true."""
    shutil.rmtree(CLIENT / "dist", ignore_errors=True)
    run([tool("tsc"), "-p", CLIENT])
    return CLIENT


def installed_in(project):
    """Packs the client and installs the package in a folder, as `npm install tessera-client` would."""
    built()
    packed = json.loads(run(["npm", "pack", "--json", "--ignore-scripts", "--pack-destination", project, *QUIET], cwd=CLIENT))
    (project / "package.json").write_text('{"private": true, "type": "module"}\n')
    run(["npm", "install", *QUIET, project / packed[0]["filename"]], cwd=project)
    return {file["path"] for file in packed[0]["files"]}


def run_node(line, environment, cwd=None):
    return run([node(), *line], env=os.environ | environment, cwd=cwd)
