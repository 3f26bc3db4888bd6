"""The first minutes: folders that were mistyped, hints that are pasted, starts that fail."""

import json
import os
import re
import shlex
import socket
import subprocess

import pytest
from service import BINARY, PATIENCE, wait_until


def run(*words, cwd=None, environment=None):
    return subprocess.run(
        [str(BINARY), *map(str, words)], capture_output=True, text=True, timeout=PATIENCE, cwd=cwd, env={**os.environ, **(environment or {})}
    )


def pasted(line, cwd):
    """A line of ours, given to a shell as it stands."""
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, timeout=PATIENCE, cwd=cwd)
    assert done.returncode == 0, (line, done.stderr)
    return done.stdout


def hint(text, after):
    """The command that a message tells people to type."""
    return re.search(re.escape(after) + r" ?(.*)", text).group(1)


ADMIN_COMMANDS = [
    ["account", "list"],
    ["account", "create", "--slug", "shop", "--name", "Shop", "--plan", "pro"],
    ["key", "list"],
    ["plan", "list"],
    ["secret", "list"],
    ["secret", "rotate"],
    ["usage", "--account", "shop"],
    ["audit"],
    ["tileset", "list", "--account", "shop"],
    ["backup", "copy"],
]


@pytest.mark.parametrize("command", ADMIN_COMMANDS, ids=" ".join)
def test_admin_makes_no_database_and_says_where_it_looked(folder, command):
    done = run("admin", "--data-dir", "mistyped", *command, cwd=folder)
    assert done.returncode == 3, done
    assert f"no database in the data folder {folder}/mistyped" in done.stderr
    assert list(folder.iterdir()) == [], "nothing was made"
    (folder / "mistyped").mkdir()
    assert run("admin", "--data-dir", "mistyped", *command, cwd=folder).returncode == 3
    assert list((folder / "mistyped").iterdir()) == []


def test_admin_makes_no_tables_in_an_empty_postgresql(folder, database):
    setting = f"metadata.url={database.url}"
    for _ in range(2):
        done = run("admin", "--set", setting, "account", "list", cwd=folder)
        assert done.returncode == 3 and "holds no tables of Tessera" in done.stderr, done
    assert list(folder.iterdir()) == []
    done = run("admin", "--set", setting, "init", "--json", cwd=folder)
    assert done.returncode == 0 and json.loads(done.stdout) == {"database": "PostgreSQL", "made": True}, done
    assert run("admin", "--set", setting, "account", "list", "--json", cwd=folder).stdout == "[]\n"


def test_init_makes_what_a_first_start_would_and_hints_can_be_pasted(folder):
    place = folder / "a b"  # to be quoted
    place.mkdir()
    (place / "my.toml").write_text('[data]\ndir = "data"\n')
    refused = run("admin", "--config", "my.toml", "account", "list", cwd=place)
    assert refused.returncode == 3 and f"{place}/data" in refused.stderr
    made = pasted(hint(refused.stderr, "to make one now:"), place)
    assert str(place / "data" / "tessera.db") in made
    assert (place / "data" / "signing-secrets").stat().st_mode & 0o777 == 0o600
    account = pasted(hint(made, "next:"), place)
    assert "on plan unlimited" in account
    key = pasted(hint(account, "next:"), place)
    assert "tsr_" in key
    again = run("admin", "--config", "my.toml", "init", "--json", cwd=place)
    assert json.loads(again.stdout)["made"] is False


def test_hints_carry_the_folder_as_it_was_typed(folder):
    assert run("admin", "init", "--data-dir", "it's here", cwd=folder).returncode == 0
    empty = run("admin", "--data-dir", "it's here", "account", "list", cwd=folder).stdout
    assert shlex.split(hint(empty, "to make one:"))[1:4] == ["admin", "--data-dir", "it's here"]
    pasted(hint(empty, "to make one:"), folder)
    keys = run("admin", "--data-dir", "it's here", "key", "list", cwd=folder).stdout
    assert "tsr_" in pasted(hint(keys, "to make one:"), folder)
    unknown = run("admin", "--data-dir", "it's here", "usage", "--account", "you", cwd=folder)
    assert unknown.returncode == 3 and "me" in pasted(hint(unknown.stderr, "those there are:"), folder)


def test_a_hint_repeats_no_password(folder):
    url = "postgresql://tessera:hunter2@127.0.0.1:1/none"
    done = run("admin", "--set", f"metadata.url={url}", "account", "list", cwd=folder)
    assert done.returncode == 1 and "hunter2" not in done.stderr + done.stdout


def offered(service):
    """The commands that the banner tells people to type; it comes just after the first request can be answered."""
    wait_until(lambda: "is ready" in service.output(), "the banner")
    return re.findall(r"^  (\S* admin .*)$", service.output(), re.M)


def test_the_banner_offers_an_account_only_where_there_is_none(make_service, folder):
    service = make_service()
    lines = offered(service)
    assert len(lines) == 2, service.output()
    for line in lines:
        assert f"--data-dir {service.data_dir}" in line
        pasted(line, "/")
    service.stop()
    service.output_path.unlink()
    service.start()
    wait_until(lambda: "is ready" in service.output(), "the banner")
    assert "admin" not in service.output()


def test_the_banner_names_a_plan_that_exists(make_service, folder):
    template = run("admin", "plan", "template").stdout
    own = template.split("[[plan]]")[1].replace('"starter"', '"tiny"')
    (folder / "plans.toml").write_text("[[plan]]" + own)
    service = make_service(settings={"plans.file": folder / "plans.toml"})
    lines = offered(service)
    assert "--plan tiny" in lines[0]
    pasted(lines[0], "/")


@pytest.fixture
def taken_port():
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        sock.listen()
        yield sock.getsockname()[1]


@pytest.mark.parametrize("there", [True, False], ids=["empty folder", "no folder"])
def test_a_start_that_fails_leaves_nothing_behind(folder, taken_port, there):
    data = folder / "some" / "where"
    if there:
        data.mkdir(parents=True)
    (folder / "plans.toml").write_text("nonsense = 1\n")
    for words, code in [
        (["--listen", f"127.0.0.1:{taken_port}"], 1),
        (["--listen", f"127.0.0.1:{taken_port}", "--demo"], 1),
        (["--listen", "127.0.0.1:0", "--set", f"plans.file={folder}/plans.toml"], 1),
        (["--listen", "127.0.0.1:0", "--set", "scanning.enabled=true", "--set", "scanning.address=nowhere"], 1),
        (["--listen", "127.0.0.1:0", "--set", "server.threads=many"], 2),
    ]:
        done = run("serve", "--data-dir", data, *words)
        assert done.returncode == code, (words, done)
        left = list(folder.rglob("*"))
        assert sorted(left) == sorted([folder / "plans.toml", *([data.parent, data] if there else [])]), words


def test_a_start_that_fails_takes_nothing_that_was_there(make_service, taken_port):
    service = make_service()
    service.new_account("kept")
    service.stop()
    before = sorted(p.name for p in service.data_dir.iterdir())
    assert run("serve", "--data-dir", service.data_dir, "--listen", f"127.0.0.1:{taken_port}").returncode == 1
    assert sorted(p.name for p in service.data_dir.iterdir()) == before
    assert [a["slug"] for a in service.admin("account", "list")] == ["kept"]


def test_a_demo_that_could_not_start_shows_its_key_when_it_does(make_service, taken_port):
    service = make_service()
    service.stop()
    failed = run("serve", "--demo", "--data-dir", service.data_dir, "--listen", f"127.0.0.1:{taken_port}")
    assert failed.returncode == 1
    service.arguments = ["--demo"]
    service.start()
    wait_until(lambda: "tsr_" in service.output(), "the key")


def test_paths_in_a_file_are_relative_to_that_file(folder):
    etc, elsewhere = folder / "etc", folder / "elsewhere"
    etc.mkdir()
    elsewhere.mkdir()
    (etc / "tessera.toml").write_text(
        '[data]\ndir = "../data"\n[plans]\nfile = "plans.toml"\n[signing]\nsecrets_file = "secrets"\n'
        '[metadata]\nurl = "sqlite:own.db"\n[blobs]\nurl = "file:bytes"\n[log]\nfile = "/var/log/tessera.log"\n'
        '[scanning]\naddress = "unix:clamd.sock"\n'
    )
    shown = json.loads(run("config", "print", "--json", "--config", "../etc/tessera.toml", cwd=elsewhere).stdout)
    assert {key: shown[key]["value"] for key in shown if shown[key]["origin"] != "default"} == {
        "data.dir": f"{folder}/data",
        "plans.file": f"{etc}/plans.toml",
        "signing.secrets_file": f"{etc}/secrets",
        "metadata.url": f"sqlite:{etc}/own.db",
        "blobs.url": f"file:{etc}/bytes",
        "log.file": "/var/log/tessera.log",
        "scanning.address": f"unix:{etc}/clamd.sock",
    }
    # What is typed is relative to where it is typed.
    shown = json.loads(run("config", "print", "--json", "--config", "../etc/tessera.toml", "--data-dir", "here", cwd=elsewhere).stdout)
    assert shown["data.dir"]["value"] == f"{elsewhere}/here"
