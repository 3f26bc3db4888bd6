"""Archives as others see them: the PMTiles project's own reader, and libvips' own pyramid of the same picture."""
import hashlib
import subprocess

import pytest
from archives import names_of, read, tile, vips
from service import BINARY, PATIENCE


@pytest.fixture(scope="module")
def picture(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tile-archives")
    vips("worley", folder / "cells.v", 1700, 1100, "--cell-size", 64)
    vips("perlin", folder / "clouds.v", 1700, 1100, "--cell-size", 200, "--uchar")
    vips("cast", folder / "cells.v", folder / "cells8.v", "uchar")
    vips("bandjoin", f"{folder}/cells8.v {folder}/clouds.v {folder}/cells8.v", folder / "three.v")
    vips("copy", folder / "three.v", folder / "picture.png", "--interpretation", "srgb")
    return folder / "picture.png"


@pytest.mark.parametrize("form", ["png", "jpeg", "webp"])
def test_another_reader_finds_every_tile_and_no_more(picture, tmp_path, form):
    archive = tmp_path / "out.pmtiles"
    told = tile(picture, archive, "--format", form)
    names = list(names_of(1700, 1100))
    seen = read(archive, *names, "3/7/0", "3/0/5", "4/0/0")
    assert all(seen["tiles"][name] for name in names)
    assert (seen["tiles"]["3/7/0"], seen["tiles"]["3/0/5"], seen["tiles"]["4/0/0"]) == (None, None, None)
    header = seen["header"]
    assert (header["minZoom"], header["maxZoom"], header["clustered"]) == (0, 3, True)
    assert header["numAddressedTiles"] == len(names) == told["metadata"]["tile_count"]
    assert header["tileType"] == {"png": 2, "jpeg": 3, "webp": 4}[form]
    assert (seen["metadata"]["tessera"]["width"], seen["metadata"]["tessera"]["height"]) == (1700, 1100)


def test_an_archive_with_leaf_directories_is_read_by_others_too(tmp_path):
    # One pixel wide and very tall: thousands of different tiles, all of them small.
    vips("gaussnoise", tmp_path / "noise.v", 1, 2_500_000)
    vips("cast", tmp_path / "noise.v", tmp_path / "noise.png", "uchar")
    archive = tmp_path / "out.pmtiles"
    told = tile(tmp_path / "noise.png", archive, "--format", "png")
    names = list(names_of(1, 2_500_000))
    assert told["metadata"]["tile_count"] == len(names)
    some = names[::7]
    seen = read(archive, *some)
    assert seen["header"]["leafDirectoryLength"] > 0
    assert all(seen["tiles"].values())
    assert len(set(seen["tiles"].values())) == len(some)
    assert seen["header"]["numTileContents"] == told["metadata"]["stored_tiles"]


# dzsave's own tiles of the same picture: every pixel of every tile that lies inside the picture is the same.
def test_png_tiles_are_those_of_libvips_at_every_zoom(picture, tmp_path):
    archive = tmp_path / "out.pmtiles"
    tile(picture, archive, "--format", "png", "--background", "#ffffff")
    vips("dzsave", picture, tmp_path / "peer", "--layout", "google", "--suffix", ".png[strip]", "--skip-blanks", "-1",
         "--background", "255")
    ours = tmp_path / "ours.png"
    for name in names_of(1700, 1100):
        z, x, y = name.split("/")
        line = [str(BINARY), "tiles", "get", "--force", str(archive), name, str(ours)]
        subprocess.run(line, check=True, capture_output=True, timeout=PATIENCE)
        peer = tmp_path / "peer" / z / y / f"{x}.png"
        vips("subtract", f"{ours}", f"{peer}", tmp_path / "difference.v")
        vips("abs", tmp_path / "difference.v", tmp_path / "absolute.v")
        assert float(vips("max", tmp_path / "absolute.v")) == 0, name


def test_the_bytes_another_reader_gets_are_the_bytes_we_stored(picture, tmp_path):
    archive = tmp_path / "out.pmtiles"
    tile(picture, archive, "--format", "jpeg")
    out = tmp_path / "tile.jpg"
    subprocess.run([str(BINARY), "tiles", "get", str(archive), "3/2/1", str(out)], check=True, timeout=PATIENCE)
    assert read(archive, "3/2/1")["tiles"]["3/2/1"] == hashlib.sha256(out.read_bytes()).hexdigest()
