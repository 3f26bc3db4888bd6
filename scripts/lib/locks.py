#!/usr/bin/python3
"""Fails when a package that a package-lock.json holds does not take Debian 12's Node.

  locks.py [--node 18.20.4]     every package-lock.json that git knows

A machine with a newer Node installs and runs such a package without a word; a newcomer's Debian does not.
"""
import argparse
import json
import re
import subprocess
import sys

PARTIAL = re.compile(r"(\^|~|>=|<=|>|<|=|)v?(\d+|[xX*])(?:\.(\d+|[xX*]))?(?:\.(\d+|[xX*]))?(?:[-+][\w.-]+)?$")


def bounds(comparator):
    """The versions that one comparator takes, as [lowest, first beyond); None is no bound."""
    operator, *parts = PARTIAL.match(comparator).groups()
    numbers = []
    for part in parts:
        if part is None or part in "xX*":
            break
        numbers.append(int(part))
    if not numbers:
        return (0, 0, 0), None
    lowest = tuple(numbers + [0] * (3 - len(numbers)))

    def after(kept):  # the first version whose first `kept` numbers are higher
        return (*lowest[: kept - 1], lowest[kept - 1] + 1, *[0] * (3 - kept))

    if operator == ">=":
        return lowest, None
    if operator == ">":
        return after(len(numbers)), None
    if operator == "<":
        return (0, 0, 0), lowest
    if operator == "<=":
        return (0, 0, 0), after(len(numbers))
    if operator == "~":
        return lowest, after(min(len(numbers), 2))
    if operator == "^":
        first = next((i for i, number in enumerate(numbers) if number), len(numbers) - 1)
        return lowest, after(first + 1)
    return lowest, after(len(numbers))


def takes(wanted, version):
    """Whether an npm range, as `^14.15.0 || >=18`, takes a version."""
    for alternative in wanted.split("||"):
        span = re.match(r"\s*(\S+)\s+-\s+(\S+)\s*$", alternative)
        words = [f">={span[1]}", f"<={span[2]}"] if span else re.sub(r"(\^|~|>=|<=|>|<|=)\s+", r"\1", alternative).split()
        if all(low <= version and (beyond is None or version < beyond) for low, beyond in map(bounds, words)):
            return True
    return False


def node_ranges(package):
    engines = package.get("engines") or {}
    if isinstance(engines, dict):
        return [engines["node"]] if "node" in engines else []
    return [words[4:].strip() for words in engines if words.startswith("node")]  # the old way: ["node >= 6.0"]


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--node", default="18.20.4")
    node = arguments.parse_args().node
    version = tuple(map(int, node.split(".")))
    wrong, count = [], 0
    for lock in subprocess.check_output(["git", "ls-files", "*package-lock.json"], text=True).splitlines():
        for name, package in json.load(open(lock))["packages"].items():
            count += 1
            for wanted in node_ranges(package):
                if not takes(wanted, version):
                    wrong.append(f"{lock}: {name or 'the package itself'} {package.get('version', '')} wants node {wanted}")
    if wrong:
        print(f"Debian 12 has Node {node}, which these do not take; pin older versions in package.json:", *wrong, sep="\n  ")
        return 1
    print(f"{count} locked packages take Node {node}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
