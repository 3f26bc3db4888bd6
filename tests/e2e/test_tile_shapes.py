"""Pictures of awkward shapes, and every operation that makes tiles, seen with other eyes: tiles come out of the archive
through the PMTiles project's reader and are put together and compared by libvips."""

import json
import math

import pytest
from archives import difference, names_of, noise, process, psnr, read, tile, top_zoom, vips, whole_picture
from pictures import png_of

SIZES = [(1, 1), (1, 100_000), (257, 255), (16384, 3), (1023, 513), (3, 700)]


@pytest.mark.parametrize("width,height", SIZES)
def test_png_tiles_at_full_size_are_the_pixels_of_the_source(tmp_path, width, height):
    source = noise(tmp_path / "source.png", width, height)
    told = tile(source, tmp_path / "out.pmtiles", "--format", "png", "--background", "#000")
    assert told["metadata"]["tile_count"] == len(list(names_of(width, height)))
    whole = whole_picture(tmp_path / "out.pmtiles", width, height, tmp_path / "tiles")
    assert difference(whole, source, tmp_path) == 0


@pytest.mark.parametrize("width,height", [(257, 255), (1023, 513)])
def test_transparency_is_kept_exactly_too(tmp_path, width, height):
    source = noise(tmp_path / "source.png", width, height, bands=4)
    tile(source, tmp_path / "out.pmtiles", "--format", "png")
    whole = whole_picture(tmp_path / "out.pmtiles", width, height, tmp_path / "tiles")
    assert difference(whole, source, tmp_path) == 0


@pytest.mark.parametrize("width,height", [(257, 255), (1023, 513), (999, 777)])
def test_smaller_zooms_are_the_picture_made_smaller(tmp_path, width, height):
    source = tmp_path / "source.png"
    source.write_bytes(png_of(width, height, lambda x, y: (x * 255 // width, y * 255 // height, 128)))
    tile(source, tmp_path / "out.pmtiles", "--format", "png", "--background", "#000")
    small = whole_picture(tmp_path / "out.pmtiles", width, height, tmp_path / "tiles", zoom=0)
    shrink = 2 ** top_zoom(width, height)
    across, down = math.ceil(width / shrink) / width, math.ceil(height / shrink) / height
    vips("resize", source, tmp_path / "peer.v", across, "--vscale", down, "--kernel", "linear")
    assert psnr(small, tmp_path / "peer.v", tmp_path) > 36


@pytest.mark.parametrize("form", ["png", "webp"])
def test_edges_of_transparency_have_no_fringes(tmp_path, form):
    def disc(x, y):
        return (255, 0, 0, 255) if (x - 300) ** 2 + (y - 300) ** 2 < 250**2 else (0, 0, 0, 0)

    source = tmp_path / "disc.png"
    source.write_bytes(png_of(600, 600, disc))
    tile(source, tmp_path / "out.pmtiles", "--format", form, "--quality", 100)
    for zoom in range(3):
        whole = whole_picture(tmp_path / "out.pmtiles", 600, 600, tmp_path / f"tiles{zoom}", zoom=zoom)
        for band, name in enumerate(["red", "green", "blue", "alpha"]):
            vips("extract_band", whole, tmp_path / f"{name}.v", band)
        # webp is lossy in colour: what shines through hardly counts there.
        vips("relational_const", tmp_path / "alpha.v", tmp_path / "visible.v", "more", 0 if form == "png" else 128)
        vips("linear", tmp_path / "red.v", tmp_path / "white.v", 0, 255)
        vips("ifthenelse", tmp_path / "visible.v", tmp_path / "red.v", tmp_path / "white.v", tmp_path / "seen.v")
        assert float(vips("min", tmp_path / "seen.v")) >= (255 if form == "png" else 190), f"a dark fringe at zoom {zoom}"
        vips("linear", tmp_path / "red.v", tmp_path / "black.v", 0, 0)
        vips("ifthenelse", tmp_path / "visible.v", tmp_path / "green.v", tmp_path / "black.v", tmp_path / "seen.v")
        assert float(vips("max", tmp_path / "seen.v")) <= (0 if form == "png" else 30), f"another colour at zoom {zoom}"


def test_a_grid_is_drawn_as_asked_and_read_by_others(tmp_path):
    logo = tmp_path / "logo.png"
    logo.write_bytes(png_of(30, 30, lambda x, y: (x * 8, y * 8, 200)))
    blocks = tmp_path / "blocks.json"
    blocks.write_text(json.dumps([
        {"column": 1, "row": 2, "color": "#ff0000"},
        {"column": 4, "row": 0, "columns": 2, "rows": 3, "color": "#00ff00"},
        {"column": 8, "row": 8, "file": str(logo), "fit": "fill"},
    ]))
    archive = tmp_path / "grid.pmtiles"
    told = process("grid_render", archive, "--width", 768, "--height", 512, "--block-width", 31, "--line-color",
                   "#0000ff", "--blocks", blocks)
    assert (told["content_type"], told["width"], told["height"]) == ("application/vnd.pmtiles", 768, 512)
    assert read(archive)["header"]["numAddressedTiles"] == len(list(names_of(768, 512)))

    def expected(x, y):
        column, row = x // 31, y // 31
        if (column, row) == (1, 2) and x % 31 and y % 31:
            return (255, 0, 0)
        if 4 <= column < 6 and row < 3 and (x - 4 * 31) and y:
            return (0, 255, 0)
        if (column, row) == (8, 8) and x % 31 and y % 31:
            return ((x % 31 - 1) * 8, (y % 31 - 1) * 8, 200)
        return (0, 0, 255) if x % 31 == 0 or y % 31 == 0 or x == 767 or y == 511 else (255, 255, 255)

    peer = tmp_path / "peer.png"
    peer.write_bytes(png_of(768, 512, expected))
    whole = whole_picture(archive, 768, 512, tmp_path / "tiles")
    assert difference(whole, peer, tmp_path) == 0

    # The same as a picture.
    process("grid_render", tmp_path / "grid.png", "--width", 768, "--height", 512, "--block-width", 31, "--line-color",
            "#0000ff", "--blocks", blocks)
    assert difference(tmp_path / "grid.png", peer, tmp_path) == 0


PATCHES = [
    {"x": 0, "y": 0, "width": 1, "height": 1, "color": "#ff0000"},  # the corners
    {"x": 512, "y": 302, "width": 1, "height": 1, "color": "#00ff00"},
    {"x": 250, "y": 100, "width": 20, "height": 200, "color": "#0000ff"},  # over borders of tiles
    {"x": 240, "y": 250, "width": 100, "height": 53, "color": "#ffff00"},  # over the last one
    {"x": 0, "y": 150, "width": 513, "height": 2, "color": "#123456"},  # from border to border
    {"x": 260, "y": 90, "width": 5, "height": 5, "color": "#00000080"},  # half transparent
]


def painted(x, y):
    colour = (x * 255 // 513, y * 255 // 303, 77)
    for patch in PATCHES:
        if 0 <= x - patch["x"] < patch["width"] and 0 <= y - patch["y"] < patch["height"]:
            text = patch["color"][1:]
            new, alpha = [int(text[i : i + 2], 16) for i in (0, 2, 4)], int(text[6:8] or "ff", 16)
            colour = tuple((n * alpha + c * (255 - alpha) + 127) // 255 for n, c in zip(new, colour))
    return colour


def test_patches_at_borders_and_over_each_other_are_exact(tmp_path):
    source, base, out = tmp_path / "source.png", tmp_path / "base.pmtiles", tmp_path / "out.pmtiles"
    source.write_bytes(png_of(513, 303, lambda x, y: (x * 255 // 513, y * 255 // 303, 77)))
    tile(source, base, "--format", "png", "--background", "#000")
    before = base.read_bytes()
    patches = tmp_path / "patches.json"
    patches.write_text(json.dumps(PATCHES))
    told = process("tile_patch", base, out, "--patches", patches)
    assert told["byte_size"] == out.stat().st_size
    assert base.read_bytes() == before
    peer = tmp_path / "peer.png"
    peer.write_bytes(png_of(513, 303, painted))
    assert difference(whole_picture(out, 513, 303, tmp_path / "tiles"), peer, tmp_path) <= 1

    # Every zoom of the patched archive is that of a new one made from the patched picture.
    fresh = tmp_path / "fresh.pmtiles"
    tile(peer, fresh, "--format", "png", "--background", "#000")
    for zoom in (0, 1, 2):
        ours = whole_picture(out, 513, 303, tmp_path / f"ours{zoom}", zoom=zoom)
        theirs = whole_picture(fresh, 513, 303, tmp_path / f"theirs{zoom}", zoom=zoom)
        assert difference(ours, theirs, tmp_path) <= 1, zoom


def test_patches_may_be_pictures_and_a_patched_archive_may_be_patched_again(tmp_path):
    source, stamp = tmp_path / "source.png", tmp_path / "stamp.png"
    base, once, archive = (tmp_path / name for name in ("a.pmtiles", "b.pmtiles", "c.pmtiles"))
    source.write_bytes(png_of(512, 512, lambda x, y: (200, 200, 200)))
    stamp.write_bytes(png_of(40, 40, lambda x, y: (10, 20, 30)))
    tile(source, base, "--format", "png")
    patch = {"x": 10, "y": 10, "width": 40, "height": 40}
    process("tile_patch", base, once, "--patches", json.dumps([{**patch, "file": str(stamp)}]))
    process("tile_patch", once, archive, "--source", stamp, "--patches", json.dumps([{**patch, "x": 200}]))
    peer = tmp_path / "peer.png"
    inside = lambda x, y: 10 <= y < 50 and (10 <= x < 50 or 200 <= x < 240)  # noqa: E731
    peer.write_bytes(png_of(512, 512, lambda x, y: (10, 20, 30) if inside(x, y) else (200, 200, 200)))
    assert difference(whole_picture(archive, 512, 512, tmp_path / "tiles"), peer, tmp_path) == 0
