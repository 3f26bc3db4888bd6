"""The examples in --help, of every command: each is run as it stands, in a folder that has what they name. Only ports are
not those of the text, since somebody else may have them."""

import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import uuid

import pytest
from pictures import png
from service import BINARY, PATIENCE, Service, upload, wait_until
from tilesets import run_job, tileset_of

PASSWORD = "correct horse battery staple\n"
KEY_ID = "01a1dd2e-c26e-7506-ab6a-956cc5fd96e6"
TILESET_ID = "01a1dd2e-c250-768d-a4a8-21aaf6c9e74d"
ENDPOINT_ID = "01a1dd2e-c26e-7506-ab6a-956cc5fd96e7"
DELIVERY_ID = "01a1dd2e-c26e-4506-ab6a-956cc5fd96e8"
JOB_ID = "01a1dd2e-c26e-7506-ab6a-956cc5fd96e9"
SERVERS = {"serve": "is ready", "worker": "jobs at once", "tiles serve": "is at http", "remote watch": "Watching"}


def help_of(words):
    done = subprocess.run([str(BINARY), *words, "--help"], capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, (words, done.stderr)
    return done.stdout


def all_commands(words=()):
    """Every command with its help, those that only hold others included."""
    text = help_of(words)
    yield list(words), text
    if "Subcommands:" in text:
        for line in text.split("Subcommands:\n")[1].split("\n\n")[0].splitlines():
            if named := re.match(r"  (\S+)", line):
                yield from all_commands((*words, named.group(1)))


def examples_of(text):
    return re.findall(r"^  (tessera .*)$", text.split("Examples:\n")[1].split("\n\n")[0], re.M) if "Examples:" in text else []


COMMANDS = list(all_commands()) if BINARY.exists() else []


def give_id(database, table, column, old, new):
    database.execute(f"UPDATE {table} SET {column} = ? WHERE {column} = ?", (uuid.UUID(new).bytes, uuid.UUID(old).bytes))


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    """The folder in which all examples work, but for what is another one in each copy."""
    folder = tmp_path_factory.mktemp("examples") / "folder"
    folder.mkdir()
    service = Service(folder / "tessera-data").start()
    key = service.new_account("shop", cdn=True)
    job = run_job(service, key, "tile", {"format": "png"}, upload(service, key, png(600, 400)).json()["id"])
    tileset = tileset_of(job)
    key_id = service.admin("key", "list")[0]["id"]
    service.stop()
    endpoint = service.admin("webhook", "add", "shop", "https://example.org/hooks/tessera")["id"]
    delivery = service.admin("webhook", "test", endpoint, "--wait", "0s")["id"]
    database = sqlite3.connect(folder / "tessera-data" / "tessera.db")
    give_id(database, "api_keys", "id", key_id, KEY_ID)
    give_id(database, "tilesets", "id", tileset, TILESET_ID)
    give_id(database, "webhook_endpoints", "id", endpoint, ENDPOINT_ID)
    give_id(database, "webhook_deliveries", "endpoint_id", endpoint, ENDPOINT_ID)
    give_id(database, "webhook_deliveries", "id", delivery, DELIVERY_ID)
    give_id(database, "jobs", "id", job["id"], JOB_ID)
    give_id(database, "artifacts", "job_id", job["id"], JOB_ID)
    for table in ("tileset_versions", "tileset_layers", "jobs"):
        if any(row[1] == "tileset_id" for row in database.execute(f"PRAGMA table_info({table})")):
            give_id(database, table, "tileset_id", tileset, TILESET_ID)
    database.commit()
    database.close()
    (folder / "map.png").write_bytes(png(600, 400))
    subprocess.run(["vips", "jpegsave", "map.png", "photo.jpg", "--Q", "97"], check=True, cwd=folder)  # as cameras write it
    for name in ("original.png", "copy.jpg", "copy.avif"):
        subprocess.run(["vips", "copy", "map.png", name], check=True, cwd=folder)
    subprocess.run([str(BINARY), "process", "tile", "map.png", "map.pmtiles", "--quiet"], check=True, cwd=folder)
    (folder / "blocks.json").write_text(json.dumps([{"column": 1, "row": 2, "file": "photo.jpg"}]))
    (folder / "patches.json").write_text(json.dumps([{"x": 10, "y": 20, "width": 100, "height": 50}]))
    (folder / "plans.toml").write_text(subprocess.run([str(BINARY), "admin", "plan", "template"], capture_output=True, text=True).stdout)
    (folder / "tessera.toml").write_text('[data]\ndir = "tessera-data"\n')
    (folder / "copy-all.sh").write_text("true\n")
    (folder / "key.txt").write_text(key + "\n")
    (folder / "password.txt").write_text(PASSWORD)
    (folder / "pictures").mkdir()
    shutil.copy(folder / "map.png", folder / "pictures")
    return folder


@pytest.fixture
def place(template, folder, request):
    shutil.copytree(template, folder / "place", ignore=shutil.ignore_patterns("*.log", "*.out"))
    (folder / "bin").mkdir()
    (folder / "bin" / "tessera").symlink_to(BINARY)
    if request.node.callspec.id.startswith("admin migrate"):
        database = request.getfixturevalue("database")
        (folder / "place" / "cluster.toml").write_text(
            f'[data]\ndir = "node"\n[metadata]\nurl = "{database.url}"\n[blobs]\nurl = "file:shared"\n'
        )
    if re.match("admin operator (password|remove|revoke|sessions)", request.node.callspec.id):
        for name in ("anna", "ben", "carla"):
            line = [str(BINARY), "admin", "operator", "create", name]
            subprocess.run(line, check=True, input=PASSWORD, text=True, cwd=folder / "place", stdout=subprocess.DEVNULL)
    return folder / "place"


@pytest.fixture
def environment(place, words, text):
    """What the examples find in it: this program, and for those that ask a service one that runs, with its key."""
    found = {**os.environ, "PATH": f"{place.parent}/bin:{os.environ['PATH']}", "TESSERA_SERVER__LISTEN": "127.0.0.1:0"}
    found |= {"XDG_CONFIG_HOME": str(place.parent / "config"), "XDG_STATE_HOME": str(place.parent / "state")}
    if not any(line.startswith(("tessera remote", "tessera health")) for line in examples_of(text)):
        yield found
        return
    shutil.copytree(place / "tessera-data", place.parent / "served")  # other examples start servers on the first one
    service = Service(place.parent / "served").start()
    found |= {"TESSERA_URL": f"http://127.0.0.1:{service.port}", "TESSERA_API_KEY": (place / "key.txt").read_text().strip()}
    if words == ["health"]:
        found["TESSERA_SERVER__LISTEN"] = f"127.0.0.1:{service.port}"
    if words[:2] == ["remote", "logout"]:
        login = [str(BINARY), "remote", "login", found["TESSERA_URL"]]
        subprocess.run(login, check=True, input=found["TESSERA_API_KEY"], text=True, env=found, stdout=subprocess.DEVNULL)
    yield found
    service.stop()


def serves(words):
    if JOB_ID in words:
        return None  # it watches one job, which has ended
    return next((sign for command, sign in SERVERS.items() if " ".join(words).startswith(command)), None)


def run_example(line, place, environment):
    line = line.replace("http://127.0.0.1:8080", environment.get("TESSERA_URL", "http://127.0.0.1:8080"))
    words = line.split("#")[0].split()[1:]
    ready = serves(words)
    if ready is None:
        done = subprocess.run(
            ["sh", "-c", line], input=PASSWORD, capture_output=True, text=True, timeout=PATIENCE * 4, cwd=place, env=environment
        )
        assert done.returncode == 0, (line, done.stderr)
        return
    line = re.sub(r":80\d\d\b", ":0", line.split("#")[0])
    if words[0] == "tiles" and "--listen" not in words:
        line += " --listen 127.0.0.1:0"
    with open(place / "output", "w+b") as output:
        process = subprocess.Popen(["sh", "-c", "exec " + line], stdout=output, stderr=subprocess.STDOUT, cwd=place, env=environment, start_new_session=True)
        try:
            wait_until(lambda: ready in (place / "output").read_text() or process.poll() is not None, line)
            assert ready in (place / "output").read_text(), (line, (place / "output").read_text())
            process.send_signal(signal.SIGTERM)
            assert process.wait(PATIENCE) == 0, (line, (place / "output").read_text())
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


@pytest.mark.parametrize("words, text", COMMANDS, ids=[" ".join(words) or "tessera" for words, _ in COMMANDS])
def test_the_examples_of_a_command_work(words, text, place, environment):
    examples = examples_of(text)
    assert examples, "it has examples of its own"
    assert any(line.startswith(" ".join(["tessera", *words])) for line in examples), examples
    for line in examples:
        run_example(line, place, environment)
