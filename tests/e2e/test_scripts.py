"""What the scripts do to a machine, seen without doing it: the commands that would change it are replaced."""

import os
import subprocess

from service import PATIENCE, ROOT


def shell(script, **environment):
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script], capture_output=True, text=True, timeout=PATIENCE, cwd=ROOT, env={**os.environ, **environment}
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def packages(*sets):
    names = " ".join(f'"${{packages_{name}[@]}}"' for name in sets)
    return set(shell(f"source scripts/lib/install.sh; printf '%s\\n' {names}").split())


def test_the_tests_install_what_a_running_service_is_used_with():
    """Tests run the documentation's commands: on a machine that never saw scripts/run, jq was missing."""
    installed = shell(
        """
        source scripts/lib/install.sh
        source scripts/lib/stages.sh
        missing_packages() { printf '%s\\n' "$@"; }  # an empty machine
        apt_install() { printf '%s\\n' "$@"; }
        install_node_modules() { :; }
        stage_install
        """
    ).split()
    assert "jq" in installed
    assert set(installed) == packages("build", "run", "test")


def test_a_base_system_is_made_as_a_file(folder):
    """Told nothing, mmdebstrap goes by the name's ending, and made a folder of SUITE.tar.part."""
    tools = folder / "tools"
    tools.mkdir()
    fake = tools / "mmdebstrap"
    fake.write_text(
        """#!/bin/sh
for word; do
  case $word in
    --format=tar) made=file ;;
    */roots/*) target=$word ;;
  esac
done
if [ "${made:-folder}" = file ]; then echo a tar file >"$target"; else mkdir "$target"; fi
"""
    )
    fake.chmod(0o755)
    (folder / "roots" / "noble.tar").mkdir(parents=True)  # as it was left
    for suite in ("bookworm", "noble"):
        shell(f"source scripts/lib/container.sh; make_root {suite}", TESSERA_ROOTS=str(folder / "roots"), PATH=f"{tools}:{os.environ['PATH']}")
        assert (folder / "roots" / f"{suite}.tar").is_file()
    assert sorted(p.name for p in (folder / "roots").iterdir()) == ["bookworm.tar", "noble.tar"]
