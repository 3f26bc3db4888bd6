"""The shell in which the commands of one page are run, one block after the other, as a reader would paste them."""

import os
import re
import signal
import subprocess

from service import PATIENCE, wait_until


class PageShell:
    """One bash for a page: variables, functions and aliases stay from block to block. The first command that fails ends it."""

    def __init__(self, folder, scripts, environment):
        self.folder, self.scripts, self.count = folder, scripts, 0
        self.told_end, shell_end = os.pipe()
        self.process = subprocess.Popen(
            ["/bin/bash", "--norc", "--noprofile"], cwd=folder, env=environment, pass_fds=[shell_end], text=True,
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        os.close(shell_end)
        self.told = os.fdopen(self.told_end)
        self._say(f"shopt -s expand_aliases; set -o pipefail; told={shell_end}\n")

    def _say(self, line):
        self.process.stdin.write(line)
        self.process.stdin.flush()

    def _files(self, text):
        self.count += 1
        script = self.scripts / f"{self.count}.sh"
        script.write_text(text)
        script.with_suffix(".out").touch()
        return script, script.with_suffix(".out"), script.with_suffix(".err")

    def run(self, text, must_succeed=True):
        """What the commands wrote, both ways. A command that fails is an error unless the page shows what it says."""
        script, out, err = self._files(text)
        stop = "set -e; " if must_succeed else "set +e; "
        self._say(f"{stop}source {script} >{out} 2>{err} </dev/null; set +e; echo ended >&$told\n")
        if self.told.readline() != "ended\n":
            raise AssertionError(f"this failed:\n{text}\n{out.read_text()}{err.read_text()}")
        return out.read_text(), err.read_text()

    def run_server(self, text):
        """For a block that ends with a server: it must name an address that it serves, and end when it is told to."""
        script, out, _ = self._files(text)
        self._say(f"set -m; (set -e; source {script}) >{out} 2>&1 </dev/null & echo $! >&$told; set +m\n")
        group = int(self.told.readline())
        try:
            wait_until(lambda: re.search(r"http://\S+", out.read_text()), f"the address of a server:\n{text}")
        except AssertionError as trouble:
            raise AssertionError(f"{trouble}\n{out.read_text()}") from None
        finally:
            os.killpg(group, signal.SIGTERM)
            self._say(f"wait {group}; echo ended >&$told\n")
            self.told.readline()
        return out.read_text()

    def close(self):
        self.process.stdin.close()
        try:
            self.process.wait(PATIENCE)
        finally:
            if self.process.poll() is None:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()
            self.told.close()


def commands_and_output(text):
    """A console block as pairs: what is typed after `$ ` (further lines after `> `) and what the page shows then."""
    pairs = []
    for line in text.splitlines():
        if line.startswith("$ "):
            pairs.append([line[2:] + "\n", ""])
        elif line.startswith("> ") and pairs and not pairs[-1][1]:
            pairs[-1][0] += line[2:] + "\n"
        else:
            assert pairs, f"a console block starts with a line of `$ `, and this one with: {line}"
            pairs[-1][1] += line + "\n"
    return pairs
