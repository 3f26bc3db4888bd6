#!/usr/bin/python3
"""Runs clang-tidy over every source file of src, and fails on any finding.

Most of clang-tidy's time goes into the headers, so files of one folder are read together, several in one translation
unit, those that define the same name apart. Should two of them clash nevertheless, their batch is halved until none do. What
was found clean is remembered until the files, their headers, the flags or .clang-tidy change.

  tidy.py BUILD_FOLDER [--jobs N] [PATH …]     PATH: only sources under these
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import time

TOOL = "clang-tidy-16"
BATCH = 8
# What the compiler says when files clash, as opposed to what a check says.
CLASH = re.compile(r"\[clang-diagnostic-")
# What a file defines at its outermost level, with no namespace or class before its name.
DEFINES = re.compile(r"^(?:(?:struct|class|enum class|using) (\w+)|(?!namespace )[a-z].*? [&*]?(\w+)(?:\(|\[|\{| = ))", re.I | re.M)


# How much is optimised, which warnings of GCC's are wrong, and how it reads headers beforehand is nothing to clang-tidy.
COMPILERS_OWN = re.compile(r"-O\d|-Wno-.*|-Winvalid-pch|-fpch-preprocess")


def units(flags):
    """The flags one by one, with their values, without what is the compiler's own."""
    words = iter(flags)
    for word in words:
        if word == "-include":
            next(words)  # headers that were read beforehand
        elif not COMPILERS_OWN.fullmatch(word):
            yield (word, next(words)) if word in ("-isystem", "-I", "-D") else (word,)


def commands(build, wanted):
    """Maps each folder to its sources and to the flags of all its rooms together."""
    sources, flags = {}, {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        source = os.path.relpath(entry["file"])
        if source.startswith("src/") and any(source.startswith(prefix) for prefix in wanted):
            words = shlex.split(entry["command"])[1:]
            output = words.index("-o")
            folder = source.split("/")[1]
            sources.setdefault(folder, []).append((source, words[output + 1]))
            flags.setdefault(folder, {}).update(dict.fromkeys(units([*words[:output], *words[output + 2 :]][:-2])))
    return {(folder, tuple(word for unit in flags[folder] for word in unit)): sources[folder] for folder in sources}


def dependencies(build):
    """Maps each object file to the files that it was built from, as ninja noted them."""
    notes = subprocess.run(["ninja", "-C", build, "-t", "deps"], capture_output=True, text=True).stdout
    found, current = {}, None
    for line in notes.splitlines():
        if line and not line[0].isspace():
            current = found.setdefault(line.split(":")[0], [])
        elif line.strip():
            current.append(line.strip())
    return found


def ours(build, paths):
    """Those of the paths that are files of this project."""
    resolved = (os.path.realpath(build / path) for path in paths)
    return [path for path in resolved if path.startswith(os.getcwd() + os.sep)]


def batches_of(entries, noted):
    """Divides files into batches in which no two define the same name, those with many headers together."""
    batches = []
    for entry in sorted(entries, key=lambda entry: (-len(noted.get(entry[1], [])), entry)):
        names = {first or second for first, second in DEFINES.findall(pathlib.Path(entry[0]).read_text())}
        for taken, batch in batches:
            if len(batch) < BATCH and not names & taken:
                break
        else:
            taken, batch = set(), []
            batches.append((taken, batch))
        taken |= names
        batch.append(entry)
    return [batch for _, batch in batches]


def fingerprint(sources, flags, needed):
    digest = hashlib.sha256(repr((TOOL, flags, sources)).encode())
    for path in [".clang-tidy", *sorted(set(needed))]:
        digest.update(hashlib.sha256(pathlib.Path(path).read_bytes()).digest())
    return digest.hexdigest()


def tidy(sources, flags, scratch):
    """Returns what is wrong with these sources, or nothing."""
    name = hashlib.sha256(repr(sources).encode()).hexdigest()[:16]
    unit = scratch / f"{name}.cpp"
    unit.write_text("".join(f'#include "{os.path.abspath(source)}"\n' for source in sources))
    run = subprocess.run([TOOL, "--quiet", f"--config-file={os.path.abspath('.clang-tidy')}", str(unit), "--", *flags],
                         capture_output=True, text=True)
    if run.returncode == 0:
        return ""
    said = run.stdout + run.stderr
    if len(sources) > 1 and (CLASH.search(said) or run.returncode < 0):
        middle = len(sources) // 2
        return tidy(sources[:middle], flags, scratch) + tidy(sources[middle:], flags, scratch)
    return said


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("build", type=pathlib.Path)
    arguments.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments.add_argument("paths", nargs="*", default=["src/"])
    options = arguments.parse_args()
    scratch = options.build / "tidy"
    scratch.mkdir(parents=True, exist_ok=True)

    noted, work, clean = dependencies(options.build), [], 0
    for (folder, flags), entries in sorted(commands(options.build, options.paths).items()):
        for batch in batches_of(entries, noted):
            sources = [source for source, _ in batch]
            needed = [path for _, built in batch for path in ours(options.build, noted.get(built, []))]
            stamp = scratch / fingerprint(sources, flags, needed + sources)
            if stamp.exists():
                clean += len(sources)
            else:
                work.append((folder, sources, flags, stamp))
    if clean:
        print(f"{clean} files are unchanged since they were found clean")

    def check(item):
        folder, sources, flags, stamp = item
        begin = time.monotonic()
        wrong = tidy(sources, flags, scratch)
        if not wrong:
            stamp.touch()
        return folder, sources, wrong, time.monotonic() - begin

    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for done, (folder, sources, wrong, seconds) in enumerate(pool.map(check, work), 1):
            verdict = "FOUND" if wrong else "clean"
            print(f"[{done}/{len(work)}] src/{folder}: {len(sources)} files {verdict} in {seconds:.1f} s", flush=True)
            if wrong:
                failed += 1
                print(wrong, flush=True)
    return 1 if failed else 0


sys.exit(main())
