"""What pages name in their text exists: commands and their flags, routes, files, settings, metrics, events."""

import functools
import json
import re
import subprocess

import pytest
from doc_pages import page_names, prose_of
from service import BINARY, ROOT

SOURCES = "".join(file.read_text() for file in (ROOT / "src").rglob("*.cpp"))
COMMON_FLAGS = "--data-dir --config --set --json --help"
TIMELESS = [page for page in page_names() if page != "CHANGELOG.md"]  # a changelog may name what is gone


@functools.cache
def help_of(*words):
    return subprocess.run([BINARY, *words, "--help"], capture_output=True, text=True).stdout


def subcommands(text):
    listed = re.search(r"^Subcommands:\n((?:  .*\n)+)", text, re.MULTILINE)
    return re.findall(r"^  (\w[\w-]*)", listed[1], re.MULTILINE) if listed else []


def unknown_in(command):
    """The first word of a command line that the program does not know: a subcommand or a flag."""
    words, helps, path = command.split(), help_of(), []
    for word in words:
        if word.startswith("--"):
            if not re.search(re.escape(word.split("=")[0]) + r"(?![\w-])", helps + COMMON_FLAGS):
                return word
        elif deeper := subcommands(help_of(*path)):
            if word in deeper:
                path.append(word)
                helps += help_of(*path)
            elif words[words.index(word) - 1] in path and re.fullmatch(r"[a-z_-]+", word):
                return word
    return None


def fits_so_far(shape, known):
    return shape.endswith("{}") and known.startswith(shape[:-2])


@pytest.mark.parametrize("page", TIMELESS)
def test_commands_and_routes_in_the_text_exist(page):
    document = json.loads(subprocess.check_output([BINARY, "openapi"]))
    routes = {re.sub(r"{\w+}", "{}", route): {method.upper() for method in by} for route, by in document["paths"].items()}
    for number, line in enumerate(prose_of(page), 1):
        for code in re.findall(r"`([^`]+)`", line):
            if command := re.match(r"(?:tessera|ta) (.*)", code):
                words = f"admin {command[1]}" if code.startswith("ta ") else command[1]
                assert unknown_in(words) is None, f"{page}:{number}: `{code}`: {unknown_in(words)} is not there"
            elif route := re.fullmatch(r"(?:(GET|POST|PUT|DELETE|HEAD) )?(/(?:v1|cdn)/[^\s?]+)(\?\S+)?", code):
                shape = re.sub(r"{\w+}\.[\w{}]+$|{\w+}|<\w+>|…", "{}", route[2])
                fits = [methods for known, methods in routes.items() if known == shape or fits_so_far(shape, known)]
                known = fits and (not route[1] or any(route[1] in methods for methods in fits))
                assert known, f"{page}:{number}: no route is `{code}`"


@pytest.mark.parametrize("page", TIMELESS)
def test_files_settings_and_metrics_that_are_named_exist(page, service):
    settings = json.loads(subprocess.check_output([BINARY, "config", "print", "--json"]))
    sections = {name.split(".")[0] for name in settings}
    metrics = service.get("/metrics").body.decode()
    for number, line in enumerate(prose_of(page), 1):
        for word in re.findall(r"`([^`\s]+)`", line):
            at = f"{page}:{number}: {word}"
            if re.fullmatch(r"(src|tests|docs|examples|scripts|bench)/[\w./*-]+", word):
                assert list(ROOT.glob(word.rstrip("/"))), f"{at} is not there"
            elif re.fullmatch(r"tessera_[a-z_]+", word):
                assert re.search(rf"^# TYPE {word} ", metrics, re.MULTILINE), f"{at} is no metric"
            elif re.fullmatch(r"[a-z_]+\.[a-z_]+", word) and word.split(".")[0] in sections:
                # An event of the log is called so, too, and a field of an artifact's metadata.
                ours = {f'"{word}"', word.replace("metadata.", '"') + '"'}
                file = word.rsplit(".")[1] in {"toml", "md", "py", "json", "log", "conf"}
                assert word in settings or file or any(name in SOURCES for name in ours), f"{at} is no setting"


def arrows_of_cmake():
    """Folders and rooms with what they may use; a folder of rooms uses what its rooms use outside of it."""
    files = [file.read_text() for file in (ROOT / "src").rglob("CMakeLists.txt")]
    built = {}
    for made in [made for text in files if (made := re.search(r"^tessera_folder\(([\w/]+)", text, re.MULTILINE))]:
        uses = re.search(r"^\s*USES ([\w/ ]+)", made.string, re.MULTILINE)
        built[made[1]] = set(uses[1].split()) if uses else set()
    for rooms in [rooms for text in files if (rooms := re.search(r"^tessera_rooms\((\w+) ([\w ]+)\)", text, re.MULTILINE))]:
        used = set().union(*(built[f"{rooms[1]}/{room}"] for room in rooms[2].split()))
        built[rooms[1]] = {name.split("/")[0] for name in used} - {rooms[1]}
    return built


def test_the_arrows_between_folders_are_those_of_cmake():
    rows = re.findall(r"^\| `([\w/]+)` \| .* \| (.+) \|$", (ROOT / "docs" / "architecture.md").read_text(), re.MULTILINE)
    told = {folder: set() if uses == "–" else set(uses.split(", ")) for folder, uses in rows}
    built = arrows_of_cmake()
    assert told.pop("app") == {"all"} and built.pop("app")
    assert told == built
