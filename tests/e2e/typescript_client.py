"""The TypeScript client, built, and installed as users install it."""

import fcntl
import functools
import hashlib
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
    """Compiles the client; its folder, whose dist/ is then true. Of runners side by side one compiles: the others wait for it."""
    (ROOT / "build").mkdir(exist_ok=True)
    with open(ROOT / "build" / "typescript_client.built", "a+") as stamp:
        fcntl.flock(stamp, fcntl.LOCK_EX)
        stamp.seek(0)
        if not (CLIENT / "dist").exists() or stamp.read() != sources():
            stamp.truncate(0)
            shutil.rmtree(CLIENT / "dist", ignore_errors=True)
            run([tool("tsc"), "-p", CLIENT])
            stamp.write(sources())
            stamp.flush()
    return CLIENT


def sources():
    """What tells the sources of the client from those that were compiled before."""
    files = [*sorted((CLIENT / "src").rglob("*.ts")), CLIENT / "tsconfig.json", CLIENT / "package.json", CLIENT / "package-lock.json"]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def installed_in(project):
    """Packs the client and installs the package in a folder, as `npm install tessera-client` would."""
    built()
    packed = json.loads(run(["npm", "pack", "--json", "--ignore-scripts", "--pack-destination", project, *QUIET], cwd=CLIENT))
    (project / "package.json").write_text('{"private": true, "type": "module"}\n')
    run(["npm", "install", *QUIET, project / packed[0]["filename"]], cwd=project)
    return {file["path"] for file in packed[0]["files"]}


def run_node(line, environment, cwd=None):
    return run([node(), *line], env=os.environ | environment, cwd=cwd)
