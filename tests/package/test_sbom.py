"""The parts list of a package, by the rules of SPDX 2.3 that its readers rely on."""

import json
import os
import pathlib
import re
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "lib"))

from licences import SPDX_NAMES  # noqa: E402

PACKAGES = [pathlib.Path(path) for path in os.environ.get("TESSERA_PACKAGES", "").split()]
KNOWN_LICENCES = {*SPDX_NAMES.values(), "Apache-2.0", "BSD-3-Clause", "MIT", "NOASSERTION"}


@pytest.fixture(scope="module")
def document():
    return json.loads(PACKAGES[0].with_suffix(".spdx.json").read_text())


def test_it_says_what_it_is_about(document):
    assert document["spdxVersion"] == "SPDX-2.3" and document["dataLicense"] == "CC0-1.0"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", document["creationInfo"]["created"])
    described = [link for link in document["relationships"] if link["relationshipType"] == "DESCRIBES"]
    assert [link["relatedSpdxElement"] for link in described] == ["SPDXRef-tessera"]
    assert document["packages"][0]["packageFileName"] == PACKAGES[0].name


def test_every_id_is_there_once_and_every_relationship_resolves(document):
    ids = [package["SPDXID"] for package in document["packages"]]
    assert len(ids) == len(set(ids))
    assert all(re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", one) for one in ids)
    known = {*ids, "SPDXRef-DOCUMENT"}
    links = [(link["spdxElementId"], link["relationshipType"], link["relatedSpdxElement"]) for link in document["relationships"]]
    assert len(links) == len(set(links))
    assert [link for link in links if link[0] not in known or link[2] not in known] == []
    reached, waiting = set(), ["SPDXRef-DOCUMENT"]
    while waiting:
        one = waiting.pop()
        reached.add(one)
        waiting += [right for left, _, right in links if left == one and right not in reached]
    assert reached == known, "a part that nothing leads to"


def test_licences_are_valid(document):
    texts = {entry["licenseId"] for entry in document["hasExtractedLicensingInfos"]}
    for package in document["packages"]:
        for term in package["licenseDeclared"].split(" AND "):
            assert term in KNOWN_LICENCES or term in texts, (package["name"], term)


def test_what_is_known_to_be_inside_is_named(document):
    names = {package["name"] for package in document["packages"]}
    assert {"libvips42", "libheif1", "libssl3", "libsqlite3-0", "libcli11-dev", "preact", "openseadragon"} <= names
    assert "esbuild" not in names  # it builds the console, and is no part of it
    for package in document["packages"][1:]:
        assert package["versionInfo"] and package["externalRefs"][0]["referenceLocator"].startswith("pkg:"), package["name"]
