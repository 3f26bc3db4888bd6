"""The pages for people (README, docs/, …) as a test sees them: fenced blocks with what is said about them, links, headings.

A comment on the line before a fence tells the test what to do with the block:

  <!-- not run: WHY -->            nothing can be tried; these are counted (test_docs.py), so that they stay few
  <!-- before: SHELL -->           is run before the block, in the same shell: what a reader knows and the page does not say
  <!-- serves -->                  the block's last command is a server: it must answer, and is then stopped
  <!-- schema: NAME -->            a JSON block: a value of this schema of the OpenAPI document
  <!-- plans -->                   a TOML block: plans, not configuration
  <!-- file: PATH -->              the block is this file of the repository, or whole lines of it
"""

import dataclasses
import re

from service import ROOT

FENCE = re.compile(r"^(`{3,})(\w*)\s*$")
COMMENT = re.compile(r"^<!-- (not run|before|serves|schema|plans|file)(?:: (.*))? -->$")
LINK = re.compile(r"\]\(([^)\s]+)\)")


@dataclasses.dataclass
class Block:
    page: str
    line: int
    language: str
    text: str
    said: dict

    def __str__(self):
        return f"{self.page}:{self.line}"


def page_names():
    """Every page that people read, as a path from the repository's root."""
    clients = [ROOT / "clients" / "README.md", *sorted((ROOT / "clients").glob("*/README.md"))]
    return [str(path.relative_to(ROOT)) for path in [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md")), *clients]]


def text_of(page):
    return (ROOT / page).read_text()


def blocks_of(page):
    lines = text_of(page).splitlines()
    found, number = [], 0
    while number < len(lines):
        opening = FENCE.match(lines[number])
        if not opening:
            number += 1
            continue
        end = next((n for n in range(number + 1, len(lines)) if lines[n] == opening[1]), None)
        assert end is not None, f"{page}:{number + 1}: this fence is never closed"
        text = "\n".join(lines[number + 1 : end]) + "\n"
        found.append(Block(page, number + 1, opening[2], text, comments_before(lines, number)))
        number = end + 1
    return found


def comments_before(lines, fence):
    said = {}
    while fence > 0 and (comment := COMMENT.match(lines[fence - 1])):
        fence -= 1
        said[comment[1]] = comment[2] or ""
    return said


def prose_of(page):
    """The page without its fenced blocks, in lines that keep their numbers."""
    lines, inside = text_of(page).splitlines(), None
    for number, line in enumerate(lines):
        fence = FENCE.match(line)
        if inside or fence:
            lines[number] = ""
            inside = None if inside and line == inside else inside or fence[1]
    return lines


def links_of(page):
    for number, line in enumerate(prose_of(page), 1):
        for target in LINK.findall(re.sub(r"`[^`]*`", "", line)):
            yield number, target


def anchors_of(page):
    """The names that the headings of a page get where Markdown is shown (GitHub's rule)."""
    anchors = set()
    for line in prose_of(page):
        if heading := re.match(r"#+ (.*)", line):
            words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1]).strip().lower()
            name = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
            repeats = sum(a == name or re.fullmatch(re.escape(name) + r"-\d+", a) is not None for a in anchors)
            anchors.add(f"{name}-{repeats}" if repeats else name)
    return anchors
