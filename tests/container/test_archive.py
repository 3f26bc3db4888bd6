"""The archive with the program's libraries, on systems that have none of them: TESSERA_ARCHIVE, or the newest in dist."""

import os
import subprocess
import time

import pytest
from containers import OPTIONS, ContainerService, podman
from one_of_each import use
from service import ROOT, temporary_folder

SYSTEMS = ["bookworm", "trixie", "noble"]


def newest():
    return max((ROOT / "dist").glob("tessera-*-linux-*.tar.gz"), key=lambda file: file.stat().st_mtime)


@pytest.fixture(scope="module")
def unpacked():
    with temporary_folder() as folder:
        os.chmod(folder, 0o755)
        subprocess.run(["tar", "--extract", "--file", os.environ.get("TESSERA_ARCHIVE") or newest(), "--directory", folder], check=True)
        yield next(folder.iterdir())


def test_every_library_comes_with_its_licence(unpacked):
    packages = {line.split()[0] for line in (unpacked / "licences" / "PACKAGES").read_text().splitlines()}
    assert {"libvips42", "libheif1", "libjxl0.7", "libstdc++6"} <= packages
    assert packages | {"tessera", "PACKAGES"} == {file.name for file in (unpacked / "licences").iterdir()}
    assert all(file.stat().st_size > 0 for file in (unpacked / "licences").iterdir())
    assert not list((unpacked / "lib").glob("libc.so*")), "the C library is the machine's"


@pytest.mark.parametrize("system", SYSTEMS)
def test_it_runs_on(system, unpacked, folder):
    os.chmod(folder, 0o755)
    image = f"localhost/tessera-base:{system}"
    at = "/opt/tessera"
    service = ContainerService(
        folder / "data",
        image,
        {"TESSERA_DATA__DIR": "/var/lib/tessera", "TESSERA_SANDBOX__REQUIRED": "true"},
        ["--user", "10001:10001", f"--volume={unpacked}:{at}:ro"],
        program=[f"{at}/bin/tessera"],
    )
    try:
        begin = time.monotonic()
        service.start()
        print(f"\n{system}: ready {time.monotonic() - begin:.2f} s after podman was asked")
        assert podman("run", "--rm", *OPTIONS, image, "find", "/usr/lib", "-name", "libvips*").stdout == ""
        key = service.new_account("tester")
        use(service, key)
        in_force, _ = service.sandbox()
        assert "landlock" in in_force and "seccomp" in in_force
        health = service.execute(f"{at}/bin/tessera", "health", check=False)
        assert health.returncode == 0, health
    finally:
        service.stop()
    assert service.complaints() == []
