"""Runs the programs that the pages of the clients show: all the blocks of a page in one language are one program."""

import subprocess

from archives import node
from service import PATIENCE, ROOT
from typescript_client import CLIENT, installed_in, run, tool

PROGRAMS = {"python", "ts"}


def run_program(stage, language, blocks):
    """In the folder with photo.jpg, against the service of the stage."""
    environment = stage.environment | {"TESSERA_URL": stage.environment["URL"], "TESSERA_KEY": stage.key}
    line = PREPARED[language](stage, "\n".join(block.text for block in blocks), environment)
    done = subprocess.run(line, cwd=stage.work, env=environment, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, f"{blocks[0].page}: {done.stdout}{done.stderr}"
    return done.stdout


def python(stage, text, environment):
    (stage.work / "program.py").write_text(text)
    environment["PYTHONPATH"] = str(ROOT / "clients" / "python" / "src")
    return ["/usr/bin/python3", "-X", "dev", "-W", "error", "program.py"]


def ts(stage, text, environment):
    """Checked as strict TypeScript, then run as the JavaScript that it becomes."""
    installed_in(stage.work)
    (stage.work / "program.ts").write_text(text)
    options = ["--strict", "--module", "NodeNext", "--target", "ES2022", "--lib", "ES2022", "--types", "node"]
    run([tool("tsc"), *options, "--typeRoots", CLIENT / "node_modules" / "@types", "program.ts"], cwd=stage.work)
    return [node(), "program.js"]


PREPARED = {"python": python, "ts": ts}
