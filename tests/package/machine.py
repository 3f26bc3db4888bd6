"""A bare Debian 12 with systemd as its first process, in a container of systemd-nspawn that has no network but its own: what
happens in it is what happens on a machine."""

import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = ROOT / "build" / "package"
BASE = WORK / "debian12.tar"
ARCHIVES = WORK / "archives"  # of apt, kept for the next run
BARE = ["systemd", "systemd-sysv", "dbus", "ca-certificates", "curl"]
NSPAWN = ["systemd-nspawn", "--quiet", "--register=no", "--keep-unit", f"--bind={ARCHIVES}:/var/cache/apt/archives"]
NSPAWN += ["--system-call-filter=landlock_create_ruleset landlock_add_rule landlock_restrict_self"]  # as on a machine
PATIENCE = float(os.environ.get("TESSERA_TEST_PATIENCE", "300"))


def run(*command, **more):
    done = subprocess.run(command, capture_output=True, text=True, **more)
    assert done.returncode == 0, f"{command}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
    return done.stdout


def wait_until(condition, what):
    deadline = time.monotonic() + PATIENCE
    while not (value := condition()):
        assert time.monotonic() < deadline, f"gave up waiting for {what}"
        time.sleep(0.2)
    return value


def make_base():
    """Made once: a minimal system and nothing of ours."""
    if BASE.exists():
        return
    WORK.mkdir(parents=True, exist_ok=True)
    part = BASE.with_suffix(".part.tar")
    run("mmdebstrap", "--variant=minbase", "--include=" + ",".join(BARE), "bookworm", str(part))
    part.rename(BASE)


class Machine:
    def __init__(self, name="machine"):
        self.folder = WORK / name
        self.process = None
        self.leader = None

    def unpack(self):
        make_base()
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        (ARCHIVES / "partial").mkdir(parents=True, exist_ok=True)
        run("tar", "--extract", "--file", str(BASE), "--directory", str(self.folder), "--numeric-owner")
        (self.folder / "etc" / "dpkg" / "dpkg.cfg.d" / "quick").write_text("force-unsafe-io\n")  # it need not survive a power cut

    def put(self, file, path):
        shutil.copy(file, self.folder / path.lstrip("/"))

    def before_boot(self, *command):
        """With the network of the machine around it."""
        return run(*NSPAWN, f"--directory={self.folder}", "--pipe", *command)

    def boot(self):
        log = open(WORK / "machine.log", "w")  # noqa: SIM115: the container's
        self.process = subprocess.Popen(
            [*NSPAWN, f"--directory={self.folder}", "--private-network", "--boot", "--console=pipe"],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
        self.leader = wait_until(self.first_process, "the container's first process")
        wait_until(lambda: self.does("systemctl", "is-system-running").strip() in ("running", "degraded"), "systemd")

    def first_process(self):
        """Its id outside; the first child of systemd-nspawn only prepares it."""
        for child in pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split():
            with contextlib.suppress(OSError):
                if pathlib.Path(f"/proc/{child}/comm").read_text() == "systemd\n":
                    return child
        return None

    def does(self, *command):
        """What a command prints, however it ends. Root types it."""
        inside = ["nsenter", f"--target={self.leader}", "--mount", "--uts", "--ipc", "--net", "--pid", "--cgroup", "--root", "--wd"]
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive", "SYSTEMD_PAGER": ""}
        done = subprocess.run([*inside, *command], capture_output=True, text=True, env=environment, stdin=subprocess.DEVNULL)
        self.status = done.returncode
        return done.stdout + done.stderr

    def must(self, *command):
        output = self.does(*command)
        assert self.status == 0, f"{command} ended with {self.status}: {output[-3000:]}"
        return output

    def stop(self):
        if self.process is None:
            return
        self.process.send_signal(signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(60)
        self.process.kill()
        self.process.wait()
