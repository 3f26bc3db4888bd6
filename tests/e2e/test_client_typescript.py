"""The TypeScript client: its own tests against the real service, and tiny projects that use it as users do."""

import json
import os
import shutil
import subprocess

import pytest
from archives import node
from browser import look
from pictures import noise_png, png
from service import PATIENCE
from typescript_client import CLIENT, built, installed_in, run, run_node, tool

PROJECTS = CLIENT / "test" / "projects"


def node_tests(file, environment):
    built()
    line = [node(), "--test", "--test-reporter", "tap", CLIENT / "test" / file]
    done = subprocess.run(line, capture_output=True, text=True, timeout=PATIENCE * 5, env=os.environ | environment)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "\n# pass 0\n" not in done.stdout


@pytest.mark.parametrize("file", ["rules.test.mjs", "webhooks.test.mjs"])
def test_its_rules(file):
    node_tests(file, {})


def test_against_the_service(service, key, make_service, folder):
    pictures = {"PHOTO": ("photo.png", png(300, 200)), "TORN": ("torn.png", noise_png(400, 400)[:60_000])}
    pictures["BIG"] = ("big.png", noise_png(4000, 4000))
    for name, (file, content) in list(pictures.items()):
        (folder / file).write_bytes(content)
        pictures[name] = str(folder / file)
    idle = make_service("idle", arguments=["--workers", "0"])
    slow = make_service("slow", settings={"rate_limits.uploads": "3", "rate_limits.window": "1s"})
    node_tests(
        "service.test.mjs",
        {
            **pictures,
            "TESSERA_URL": f"http://127.0.0.1:{service.port}",
            "TESSERA_KEY": key,
            "STARTER_KEY": service.new_account("ts-starter", plan="starter"),
            "KEYED_KEY": service.new_account("ts-keyed"),
            "IDLE_URL": f"http://127.0.0.1:{idle.port}",
            "IDLE_KEY": idle.new_account("idle"),
            "SLOW_URL": f"http://127.0.0.1:{slow.port}",
            "SLOW_KEY": slow.new_account("slow"),
        },
    )


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A folder in which the packed package is installed."""
    path = tmp_path_factory.mktemp("project")
    files = installed_in(path)
    assert {"package.json", "README.md", "dist/index.js", "dist/index.d.ts", "dist/platform_browser.js"} <= files
    assert not [file for file in files if file.startswith(("src/", "test/", "node_modules/"))]
    assert "dependencies" not in json.loads((CLIENT / "package.json").read_text())
    for name in ("esm", "strict", "bundle"):
        shutil.copytree(PROJECTS / name, path / name)
    return path


def test_a_project_of_modules_uses_it(project, service, key, folder):
    (folder / "photo.png").write_bytes(png(30, 20))
    environment = {"TESSERA_URL": f"http://127.0.0.1:{service.port}", "TESSERA_KEY": key}
    assert run_node(["esm/main.mjs", folder / "photo.png"], environment, cwd=project) == "12\n"


@pytest.mark.parametrize(
    "platform",
    [
        ["--module", "NodeNext", "--lib", "ES2022", "--types", "node"],
        ["--module", "ESNext", "--moduleResolution", "Bundler", "--lib", "ES2022,DOM,DOM.AsyncIterable"],
    ],
    ids=["node", "browser"],
)
def test_a_strict_typescript_project_compiles_with_it(project, platform):
    """And its types find what is wrong: the project expects those errors."""
    strict = ["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--noEmit", "--target", "ES2022"]
    types = ["--typeRoots", CLIENT / "node_modules" / "@types", "--skipLibCheck", "false"]
    run([tool("tsc"), *strict, *platform, *(types if "node" in platform else []), "strict/main.ts"], cwd=project)


def test_a_bundle_for_browsers_has_nothing_of_node_and_works_in_one(project, service, key):
    bundle = project / "bundle" / "page.js"
    line = [tool("esbuild"), "bundle/page.ts", "--bundle", "--format=esm", "--platform=browser", "--minify", f"--outfile={bundle}"]
    run(line, cwd=project)
    text = bundle.read_text()
    assert "node:" not in text and len(text) < 25_000
    seen = look("run-client", url=f"http://127.0.0.1:{service.port}", key=key, bundle=str(bundle))
    assert seen == {"report": "30x20 true", "complaints": []}
