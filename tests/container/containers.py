"""A service in a container, with podman: not root, a read-only root, default capabilities and system calls, one volume."""

import json
import os
import resource
import subprocess
import uuid

from service import PATIENCE, Service, wait_until

USER = 10001
# What a machine may lack is not asked for, none of which takes privileges away or gives them: network plugins (its own
# network), control groups of the second version (none), the right to raise limits (those that it has), systemd (no timer for
# the health check, which the tests run by themselves).
FILES = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
LIMITS = [f"--ulimit=nofile={FILES}:{FILES}", "--ulimit=nproc=4096:4096"]
OPTIONS = ["--network=host", "--cgroups=disabled", *LIMITS, "--health-interval=disable", "--read-only", "--read-only-tmpfs=false"]


def podman(*arguments, check=True):
    done = subprocess.run(["podman", *map(str, arguments)], capture_output=True, text=True, timeout=PATIENCE * 4)
    if check:
        assert done.returncode == 0, (arguments, done.stderr)
    return done


class ContainerService(Service):
    """The same as a Service, in a container. Its data folder is the volume, on this machine."""

    def __init__(self, data_dir, image, environment=None, options=(), program=(), **more):
        super().__init__(data_dir, **more)
        self.image = image
        self.environment = {"TESSERA_RATE_LIMITS__ENABLED": "false", **(environment or {})}
        self.options = list(options)
        self.program = list(program)  # before the command, where the image has no entry point
        self.name = f"tessera-test-{uuid.uuid4().hex[:8]}"
        self.settings = {}
        if not self.data_dir.exists():
            self.data_dir.mkdir()
            os.chown(self.data_dir, USER, USER)

    def command_line(self):
        here = f"127.0.0.1:{self.port}"
        listen = "TESSERA_SERVER__LISTEN" if self.command == "serve" else "TESSERA_WORKER__ADMIN_LISTEN"
        line = ["podman", "run", "--rm", "--name", self.name, *OPTIONS, "--volume", f"{self.data_dir}:/var/lib/tessera"]
        for key, value in {**self.environment, listen: here}.items():
            line += ["--env", f"{key}={value}"]
        return [*line, *self.options, self.image, *self.program, self.command, *self.arguments]

    def execute(self, *arguments, check=True):
        return podman("exec", self.name, *arguments, check=check)

    def admin(self, *arguments, **_):
        program = self.program or ["tessera"]
        done = self.execute(*program, "admin", "--json", *arguments)
        return json.loads(done.stdout) if done.stdout.strip() else None

    def health(self):
        """What the image's own health check says."""
        return podman("healthcheck", "run", self.name, check=False)

    def log(self):
        """Without what podman itself says, of the timer that it can't have where there is no systemd."""
        return "".join(line for line in super().log().splitlines(True) if not line.startswith('time="'))

    def kill(self):
        podman("kill", self.name, check=False)
        super().kill()

    def sandbox(self):
        """The parts in force, and those that are missing, as the start's one line tells."""
        line = self.wait_for_event("started" if self.command == "serve" else "worker_started")["sandbox"]
        in_force, _, missing = line.partition("; without ")
        return in_force, missing

    def wait_gone(self):
        wait_until(lambda: podman("container", "exists", self.name, check=False).returncode == 1, "the container to be gone")
