"""What README.md and the pages in docs/ show is tried as it stands there: commands are run against a real server, what they
print is compared with what the page shows, configuration is loaded, JSON is held against the OpenAPI document, links lead
somewhere. doc_pages.py says how a page tells what a block is; a new page needs nothing here."""

import json
import re
import subprocess

import pytest
from doc_pages import anchors_of, blocks_of, links_of, page_names
from doc_programs import PROGRAMS, run_program
from doc_stage import PageStage
from nginx_conf import whole_configuration
from openapi_client import Document
from service import BINARY, ROOT

PAGES = page_names()
SHELL = {"sh", "console"}
TRIED = SHELL | PROGRAMS | {"json", "toml", "html", "js", "nginx"}
MOST_NOT_RUN = 10  # over all pages: whoever adds one should have to think


def blocks(*languages):
    return [b for page in PAGES for b in blocks_of(page) if b.language in languages and "not run" not in b.said]


def test_every_block_says_what_it_is():
    for page in PAGES:
        for block in blocks_of(page):
            assert block.language, f"{block}: name its language; `text` is for drawings"
            assert block.language in TRIED | {"text"} or "not run" in block.said, f"{block}: nothing tries {block.language}"


def test_few_blocks_are_not_run_and_each_says_why():
    kept = [block for page in PAGES for block in blocks_of(page) if "not run" in block.said]
    assert all(len(block.said["not run"]) > 10 for block in kept), kept
    assert len(kept) <= MOST_NOT_RUN, [str(block) for block in kept]


@pytest.mark.parametrize("page", sorted({block.page for block in blocks(*SHELL)}))
def test_the_commands_of_a_page_work_one_after_the_other(page, folder, request):
    stage = PageStage(page, folder, request)
    try:
        stage.start()
        for block in [block for block in blocks(*SHELL) if block.page == page]:
            try:
                stage.run(block)
            except AssertionError as trouble:
                raise AssertionError(f"{block}: {trouble}") from None
    finally:
        stage.stop()
    assert stage.service.complaints() == []


@pytest.mark.parametrize("page,language", sorted({(block.page, block.language) for block in blocks(*PROGRAMS)}))
def test_the_programs_of_a_page_work(page, language, folder, request):
    stage = PageStage(page, folder, request)
    try:
        stage.start()
        run_program(stage, language, [block for block in blocks(language) if block.page == page])
    finally:
        stage.stop()
    assert stage.service.complaints() == []


def test_the_readmes_job_says_why_when_it_fails(folder, request):
    stage = PageStage("README.md", folder, request)
    try:
        stage.start()
        photo = stage.work / "photo.jpg"
        photo.write_bytes(photo.read_bytes()[:50_000])  # its header is whole
        first_job = next(block for block in blocks("sh") if block.page == "README.md" and "/v1/jobs" in block.text)
        said, _ = stage.shell.run(stage.literal(first_job.text), must_succeed=False)
        status, message = said.splitlines()
        assert status == "failed" and message == json.loads((stage.work / "job.json").read_text())["error_message"], said
        assert not (stage.work / "small.webp").exists()
    finally:
        stage.stop()


@pytest.mark.parametrize("block", blocks("toml"), ids=str)
def test_configuration_that_is_shown_is_taken(block, folder):
    file = folder / "shown.toml"
    file.write_text(block.text)
    line = [BINARY, "config", "print", "--config", file]
    if "plans" in block.said:
        line = [BINARY, "admin", "--data-dir", folder / "data", "plan", "apply", file]
        subprocess.run([BINARY, "admin", "--data-dir", folder / "data", "init"], check=True, capture_output=True)
    done = subprocess.run(line, capture_output=True, text=True)
    assert done.returncode == 0, f"{block}: {done.stderr}"


@pytest.mark.parametrize("block", blocks("json"), ids=str)
def test_json_that_is_shown_is_what_the_openapi_document_says(block):
    document = Document(json.loads(subprocess.check_output([BINARY, "openapi"])))
    assert "schema" in block.said, f"{block}: name its schema in a comment before it, or show it in a console block"
    assert document.errors(json.loads(block.text), document.schema(block.said["schema"]), strict=True) == [], block


@pytest.mark.parametrize("block", blocks("html", "js"), ids=str)
def test_pages_for_browsers_are_files_that_a_test_opens(block):
    name = block.said.get("file")
    assert name, f"{block}: name the file that it is from in a comment before it"
    whole = (ROOT / name).read_text()
    if block.language == "html" and block.text.startswith("<!doctype"):
        assert block.text == whole, f"{block} is not {name}"
    assert f"\n{block.text}" in f"\n{whole}", f"{block} is no part of {name}"
    assert any(name.rsplit("/", 1)[1] in test.read_text() for test in (ROOT / "tests" / "e2e").glob("test_*.py")), name


@pytest.mark.parametrize("block", blocks("nginx"), ids=str)
def test_nginx_understands_what_is_shown(block, folder):
    text = block.text if re.search(r"^\s*server \{", block.text, re.MULTILINE) else f"server {{\n{block.text}}}\n"
    done = subprocess.run([*whole_configuration(folder, text), "-t", "-q"], capture_output=True, text=True)
    assert done.returncode == 0, f"{block}: {done.stderr}"


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page):
    for line, target in links_of(page):
        if re.match(r"(https?|mailto):", target):
            continue
        path, _, anchor = target.partition("#")
        aimed = (ROOT / page).parent / path if path else ROOT / page
        assert aimed.exists(), f"{page}:{line}: {target} is not there"
        if anchor:
            name = str(aimed.resolve().relative_to(ROOT))
            assert anchor in anchors_of(name), f"{page}:{line}: {name} has no heading #{anchor}"


def linked_from(page):
    """Pages that a page links to, as paths from the repository's root."""
    targets = {target.partition("#")[0] for _, target in links_of(page) if not re.match(r"(https?|mailto):", target)}
    return {str(((ROOT / page).parent / target).resolve().relative_to(ROOT)) for target in targets if target}


def test_every_page_can_be_found_from_the_readme():
    """In one step; those of a folder of docs/ in two, over its own README."""
    found = linked_from("README.md")
    for index in [page for page in found if page.startswith("docs/") and page.endswith("/README.md")]:
        found = found | linked_from(index)
    assert [page for page in PAGES if page.startswith("docs/") and page not in found] == []
