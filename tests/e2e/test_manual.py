"""What the command line tells of itself: manual pages, completions for shells, a file of settings; and what it tells systemd."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import tomllib
import urllib.request

import pytest
from service import BINARY, PATIENCE, ROOT, free_port

NAMES = ["bash", "zsh", "fish"]


def output_of(*command, **more):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=PATIENCE, **more)
    assert done.returncode == 0, (command, done.stdout, done.stderr)
    return done.stdout


@pytest.fixture(scope="module")
def scripts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("completion")
    for name in NAMES:
        (folder / name).write_text(output_of(BINARY, "completion", name))
    return folder


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("manual") / "pages"
    output_of(BINARY, "manual", folder)
    return folder


def by_bash(scripts, *words):
    """What bash offers for the last of these words; "=" is a word to it."""
    harness = 'source "$1"; shift; compopt() { :; }; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tessera; printf "%s\\n" "${COMPREPLY[@]}"'
    return output_of("bash", "-c", harness, "bash", scripts / "bash", *words).split()


def by_fish(scripts, line):
    lines = output_of("fish", "--no-config", "-c", f"source {scripts / 'fish'}; complete -C {json.dumps(line)}").splitlines()
    return [line.split("\t")[0] for line in lines]


def by_zsh(scripts, *words):
    """The function itself, with what zsh's own would do with its results printed."""
    harness = """
        compdef() { :; }; compset() { return 1; }; _files() { print FILES; }
        compadd() { print -l -- ${(P)@[-1]}; }
        _describe() { local name; for name in $@; do [[ $name == -* ]] || print -l -- ${(P)name%%:*}; done; }
        source $1; shift; words=("$@"); CURRENT=$#; PREFIX=${@[-1]}; _tessera"""
    return output_of("zsh", "--no-rcs", "-c", harness, "zsh", scripts / "zsh", *words).split()


@pytest.mark.parametrize("name", NAMES)
def test_each_shell_can_read_its_script(scripts, name):
    output_of(name, "-n", scripts / name)


def test_bash_completes_commands_options_values_and_settings(scripts):
    assert by_bash(scripts, "tessera", "se") == ["serve"]
    assert by_bash(scripts, "tessera", "admin", "key", "") == ["create", "revoke", "list"]
    assert by_bash(scripts, "tessera", "admin", "--actor", "key", "key", "cr") == ["create"]  # a value is no command
    assert by_bash(scripts, "tessera", "admin", "key", "create", "--ac") == ["--account", "--actor"]  # of the command above, too
    assert by_bash(scripts, "tessera", "process", "resize", "--fit", "co") == ["cover", "contain"]
    assert by_bash(scripts, "tessera", "process", "resize", "--fit", "=", "co") == ["cover", "contain"]
    assert by_bash(scripts, "tessera", "admin", "key", "create", "--role", "tile") == ["tile_reader"]
    assert by_bash(scripts, "tessera", "serve", "--set", "log.le") == ["log.level="]
    assert by_bash(scripts, "tessera", "serve", "--set", "log.level", "=", "w") == ["warning"]
    assert by_bash(scripts, "tessera", "completion", "") == NAMES
    assert by_bash(scripts, "tessera", "process", "resize", "photo") == []  # bash goes on with names of files


def test_zsh_completes_the_same(scripts):
    assert {"create", "revoke", "list"} == set(by_zsh(scripts, "tessera", "admin", "key", ""))
    assert by_zsh(scripts, "tessera", "process", "resize", "--fit", "") == ["inside", "cover", "contain", "fill", "outside"]
    assert {"--account", "--actor", "--data-dir", "--json"} <= set(by_zsh(scripts, "tessera", "admin", "key", "create", "-"))
    assert "log.level" in by_zsh(scripts, "tessera", "serve", "--set", "")
    assert by_zsh(scripts, "tessera", "process", "resize", "") == ["FILES"]


def test_fish_completes_the_same(scripts):
    assert by_fish(scripts, "tessera admin key ") == ["create", "list", "revoke"]
    assert set(by_fish(scripts, "tessera process resize --fit ")) == {"inside", "cover", "contain", "fill", "outside"}
    assert by_fish(scripts, "tessera admin key create --acc") == ["--account"]
    assert "log.level=warning" in by_fish(scripts, "tessera serve --set log.level=")


def commands_below(words=()):
    text = output_of(BINARY, *words, "--help")
    yield words
    if "Subcommands:" in text:
        for name in re.findall(r"^  (\S+)", text.split("Subcommands:\n")[1].split("\n\n")[0], re.M):
            yield from commands_below((*words, name))


def test_every_command_and_setting_has_its_place_in_the_manual(pages):
    for words in commands_below():
        page = (pages / ("-".join(["tessera", *words[:2]]) + ".1")).read_text()
        assert " ".join(["tessera", *words]).replace("-", "\\-") in page, words
    settings = (pages / "tessera.toml.5").read_text()
    assert all(key in settings for key in json.loads(output_of(BINARY, "config", "print", "--json")))


def test_pages_are_clean(pages):
    told = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", *sorted(pages.iterdir())], capture_output=True, text=True)
    assert told.stdout == "" and told.returncode == 0, told.stdout[:2000]
    page = output_of("man", "--warnings", "-l", pages / "tessera-admin-key.1", env={**os.environ, "MANWIDTH": "80", "LC_ALL": "C.UTF-8"})
    assert "tessera-admin-key - API keys" in page and "--expires TEXT" in page


def test_a_template_says_every_setting_and_changes_nothing(tmp_path):
    file = tmp_path / "tessera.toml"
    file.write_text(output_of(BINARY, "config", "template", "--set", "server.threads=3", "--data-dir", "/var/lib/tessera"))
    assert {section: keys for section, keys in tomllib.loads(file.read_text()).items() if keys} == {
        "data": {"dir": "/var/lib/tessera"},
        "server": {"threads": 3},
    }
    # Every default is one that could be set: with all comments taken away it means the same.
    defaults = json.loads(output_of(BINARY, "config", "print", "--json", "--config", file))
    file.write_text(re.sub(r"^#([a-z_]+ = )", r"\1", file.read_text(), flags=re.M))
    stated = json.loads(output_of(BINARY, "config", "print", "--json", "--config", file))
    empty = {key for key, entry in defaults.items() if entry["value"] in ("", "[]")}
    assert {key: entry["value"] for key, entry in stated.items() if key not in empty} == {
        key: entry["value"] for key, entry in defaults.items() if key not in empty
    }


def test_systemd_is_told_when_requests_are_answered_and_when_it_ends(tmp_path):
    with contextlib.closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as supervisor:
        supervisor.bind(str(tmp_path / "notify"))
        supervisor.settimeout(PATIENCE)
        address = f"127.0.0.1:{free_port()}"
        server = subprocess.Popen(
            [BINARY, "serve", "--data-dir", tmp_path / "data", "--listen", address],
            env={**os.environ, "NOTIFY_SOCKET": str(tmp_path / "notify")}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            assert supervisor.recv(4096).splitlines()[0] == b"READY=1"
            assert urllib.request.urlopen(f"http://{address}/healthz").status == 200
            server.send_signal(signal.SIGTERM)
            assert supervisor.recv(4096).splitlines()[0] == b"STOPPING=1"
            assert server.wait(PATIENCE) == 0
        finally:
            server.kill()
            server.wait()


def test_the_version_is_that_of_the_changelog():
    released = re.search(r"^## (\d+\.\d+\.\d+) \(\d{4}-\d\d-\d\d\)$", (ROOT / "CHANGELOG.md").read_text(), re.M)
    assert output_of(BINARY, "version").split() == ["tessera", released.group(1)]
