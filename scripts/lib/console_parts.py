"""The npm packages that are inside the console, by its lock file. Run, it prints their licences, which go wherever the console goes."""

import json
import pathlib

WEB = pathlib.Path(__file__).resolve().parents[2] / "web"


def console_parts():
    """Name and entry of each package in the lock file that is no tool of the build."""
    packages = json.loads((WEB / "package-lock.json").read_text())["packages"]
    for path, entry in sorted(packages.items()):
        if path and not entry.get("dev") and not entry.get("devOptional"):
            yield path.rpartition("node_modules/")[2], entry


def main():
    print("The console that is built into Tessera holds these packages, under their licences.")
    for name, entry in console_parts():
        (text,) = (WEB / "node_modules" / name).glob("LICENSE*")
        print(f"\n{'=' * 80}\n{name} {entry['version']} ({entry['license']})\n\n{text.read_text().strip()}")


if __name__ == "__main__":
    main()
