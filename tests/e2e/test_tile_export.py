"""`tessera admin tileset export`: a version with its patches as one archive, read by the PMTiles project's own package."""

import pytest
from archives import names_of, read
from pictures import png
from service import upload
from tilesets import patch, run_job, run_patch, tile_path, tileset_of

SIZE = (600, 400)
UNKNOWN = "00000000-0000-7000-8000-000000000000"


@pytest.fixture(scope="module")
def patched(service):
    """Two jobs: one that made a tileset, and one that patched it."""
    key = service.new_account("exporter", cdn=True)
    asset = upload(service, key, png(*SIZE, (200, 200, 200))).json()["id"]
    made = run_job(service, key, "tile", {"format": "jpeg"}, asset)
    return made, run_patch(service, key, tileset_of(made), patch(300, 200, 50, 40, color="#c00"))


def assert_shows(service, archive, job, folder):
    names = list(names_of(*SIZE))
    folder.mkdir()
    seen = read(archive, *names, write_to=folder)
    assert all(seen["tiles"].values())
    for name in names:
        served = service.get(tile_path(job, *name.split("/")))
        assert served.status == 200
        assert (folder / name.replace("/", "-")).read_bytes() == served.body, name


def test_every_version_is_an_archive_that_any_client_reads(service, patched, tmp_path):
    made, changed = patched
    now, before = tmp_path / "now.pmtiles", tmp_path / "before.pmtiles"
    told = service.admin("tileset", "export", tileset_of(made), now)
    assert (told["version"], told["byte_size"]) == (2, now.stat().st_size)
    service.admin("tileset", "export", tileset_of(made), before, "--version", "1")
    assert_shows(service, now, changed, tmp_path / "a")
    assert_shows(service, before, made, tmp_path / "b")
    assert not list(tmp_path.glob("*.part"))


def test_what_is_not_there_or_in_the_way_is_said(service, patched, tmp_path):
    made, _ = patched
    file = tmp_path / "map.pmtiles"
    file.write_text("mine")
    refused = service.admin("tileset", "export", tileset_of(made), file, check=False)
    assert refused.returncode == 4 and "is there already" in refused.stderr and file.read_text() == "mine"
    service.admin("tileset", "export", tileset_of(made), file, "--force")
    assert file.read_bytes().startswith(b"PMTiles")
    for arguments, words in [((UNKNOWN,), "no tileset"), ((tileset_of(made), "--version", "7"), "no version 7")]:
        refused = service.admin("tileset", "export", arguments[0], tmp_path / "x", *arguments[1:], check=False)
        assert refused.returncode == 3 and words in refused.stderr
    assert not (tmp_path / "x").exists()
