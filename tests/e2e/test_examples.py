"""The files in examples/ and packaging/ are taken by the programs that they are for. nginx.conf has test_nginx.py."""

import re
import subprocess

from service import BINARY, ROOT, temporary_folder

EXAMPLES = ROOT / "examples"


def test_the_clusters_configuration_is_accepted_and_takes_its_secrets_from_the_environment():
    secret = "postgresql://tessera:PASSWORD@db.example.org/tessera"
    done = subprocess.run(
        [BINARY, "config", "print", "--config", EXAMPLES / "cluster.toml"],
        capture_output=True, text=True, env={"TESSERA_METADATA__URL": secret},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert re.search(r'public_url = "https://images.example.org" +# \S*cluster.toml:\d+', done.stdout)
    assert "TESSERA_METADATA__URL" in done.stdout and "PASSWORD" not in done.stdout


def test_the_units_are_understood_by_systemd():
    with temporary_folder() as folder:
        units = []
        for unit in sorted((BINARY.parent / "packaging").glob("*.service")):
            units.append(folder / unit.name)
            units[-1].write_text(re.sub(r"^ExecStart=\S+", f"ExecStart={BINARY}", unit.read_text(), flags=re.MULTILINE))
        assert len(units) == 2
        done = subprocess.run(["systemd-analyze", "verify", "--man=no", *units], capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        for unit in units:
            text = unit.read_text()
            command = re.search(r"^ExecStart=(.*)$", text, re.MULTILINE).group(1).split()
            assert subprocess.run([*command[:2], "--help"], capture_output=True).returncode == 0
