"""What jobs cost: docs/credits.md is held against what the service charges."""

import json
import pathlib
import re

import pytest
from pictures import png
from service import upload
from tilesets import run_job

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "credits.md"
ROW = re.compile(r"^\| (\S.*?) \| `(\w+)` \| `(\{.*\})` \| ([\d,]+) pixels \| (\d+) \|$", re.MULTILINE)


def examples():
    return [(source, operation, json.loads(options), int(credits)) for source, operation, options, _, credits in ROW.findall(PAGE.read_text())]


@pytest.fixture(scope="module")
def tileset(service, key):
    made = run_job(service, key, "grid_render", {"width": 2000, "height": 1000, "block_width": 500, "artifact": "archive"})
    return made["artifacts"][0]["metadata"]["tileset_id"]


def used(service, key):
    return service.get("/v1/account", key=key).json()["usage"]["processing_credits"]["used"]


def test_the_page_has_an_example_of_every_operation():
    assert {row[1] for row in examples()} == {"resize", "optimize", "tile", "grid_render", "tile_patch"}


@pytest.mark.parametrize("number", range(len(examples())), ids=lambda i: f"{i}-{examples()[i][1]}")
def test_an_example_costs_what_the_page_says(service, key, tileset, number):
    source, operation, options, credits = examples()[number]
    body = {"operation": operation, "options": options}
    if size := re.fullmatch(r"(\d+)x(\d+)", source):
        body["asset_id"] = upload(service, key, png(int(size[1]), int(size[2]), (200, 10, 30))).json()["id"]
    if source == "a tileset":
        options["tileset_id"] = tileset
    before = used(service, key)
    answers = [service.post("/v1/jobs", body=body, key=key, headers={"Idempotency-Key": f"example-{number}-of-credits"}) for _ in range(2)]
    assert [answer.status for answer in answers] == [201, 200], answers
    assert [answer.headers["Job-Credits"] for answer in answers] == [str(credits)] * 2
    assert used(service, key) - before == credits
    assert "credits" not in answers[0].json()
