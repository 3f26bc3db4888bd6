"""The image as people run it: TESSERA_IMAGE, made of the Debian package by packaging/container/Containerfile."""

import json
import os
import stat

import pytest
from containers import ContainerService, podman
from one_of_each import use
from service import PATIENCE, wait_until

IMAGE = os.environ.get("TESSERA_IMAGE", "localhost/tessera:test")


@pytest.fixture
def make_container(folder):
    os.chmod(folder, 0o755)
    made = []

    def make(name="data", **options):
        service = ContainerService(folder / name, IMAGE, **options)
        made.append(service)
        return service.start(wait=options.get("command", "serve") == "serve")

    yield make
    for service in made:
        service.stop()


def test_the_image_needs_no_shell_no_root_and_one_volume():
    image = json.loads(podman("image", "inspect", IMAGE).stdout)[0]
    config = image["Config"]
    assert config["User"] == "10001:10001"
    assert list(config["Volumes"]) == ["/var/lib/tessera"]
    assert config["Entrypoint"] == ["tessera"] and config["Cmd"] == ["serve"]
    assert image["HealthCheck" if "HealthCheck" in image else "Healthcheck"]["Test"] == ["CMD", "tessera", "health", "--node", "any"]
    print(f"\nimage: {image['Size'] / 1e6:.0f} MB")


def test_it_serves_survives_a_restart_and_is_sandboxed_in_full(make_container, folder):
    nothing = folder / "nothing"
    nothing.touch(mode=0o644)
    without_shells = [f"--volume={nothing}:/usr/bin/{shell}:ro" for shell in ("dash", "bash")]
    service = make_container(options=[*without_shells, "--cap-drop", "all", "--security-opt", "no-new-privileges"])
    assert service.execute("sh", "-c", "true", check=False).returncode != 0, "there is no shell in this container"
    in_force, _ = service.sandbox()
    for part in ("seccomp", "landlock", "no_new_privs", "rlimits", "sealed_results"):
        assert part in in_force, in_force
    key = service.new_account("tester")
    path, tile = use(service, key)
    health = service.health()
    assert health.returncode == 0, health
    assert stat.S_IMODE(service.data_dir.stat().st_mode) == 0o700
    service.stop()
    service.wait_gone()
    service.start()
    again = service.get(path, key=key)
    assert again.status == 200 and again.body == tile, "the volume has everything"
    service.stop()
    assert service.complaints() == []
    assert not any(event["event"] == "sandbox_incomplete" for event in service.log_events())


def test_a_required_sandbox_is_had_with_default_privileges(make_container):
    service = make_container(environment={"TESSERA_SANDBOX__REQUIRED": "true"})
    assert service.get("/readyz").status == 200


def test_what_a_container_lacks_is_told_in_one_line(make_container, folder):
    """The calls of Landlock are refused, as profiles from before it refuse them."""
    profile = json.load(open("/usr/share/containers/seccomp.json"))
    for rule in profile["syscalls"]:
        rule["names"] = [name for name in rule["names"] if not name.startswith("landlock_")]
    old = folder / "old.json"
    old.write_text(json.dumps(profile))
    service = make_container(options=["--security-opt", f"seccomp={old}"])
    warning = service.wait_for_event("sandbox_incomplete")
    assert warning["missing"] == "landlock (no such call: a kernel before 5.13, or a container's seccomp profile)"
    service.stop()
    service.wait_gone()
    service.environment["TESSERA_SANDBOX__REQUIRED"] = "true"
    service.start(wait=False)
    assert service.process.wait(PATIENCE) == 1
    last = service.log().strip().splitlines()[-1]
    assert "the sandbox is required and incomplete" in last and "landlock" in last, last


def test_the_health_check_fails_while_the_service_is_away_or_hangs(make_container):
    service = make_container()
    assert service.health().returncode == 0
    paused = service.execute("tessera", "health", "--set", "server.listen=127.0.0.1:1", check=False)
    assert paused.returncode == 1 and "127.0.0.1:1/readyz" in paused.stderr, paused
    server = podman("inspect", "--format", "{{.State.Pid}}", service.name).stdout.strip()
    os.kill(int(server), 19)
    try:
        hanging = service.health()
        assert hanging.returncode != 0, hanging
    finally:
        os.kill(int(server), 18)
    wait_until(lambda: service.health().returncode == 0, "the check to pass again")


def test_a_worker_answers_the_same_check(make_container, database_url):
    environment = {"TESSERA_METADATA__URL": database_url, "TESSERA_BLOBS__URL": "file:/var/lib/tessera/blobs"}
    worker = make_container(command="worker", environment=environment)
    wait_until(lambda: worker.health().returncode == 0, "the worker to be ready", pause=0.2)
