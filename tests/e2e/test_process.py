"""`tessera process`: the operations on local files, through the same engine as the service's."""
import json
import subprocess

import pictures
import pytest

from service import BINARY, PATIENCE


def process(*arguments):
    line = [str(BINARY), "process", *map(str, arguments)]
    return subprocess.run(line, capture_output=True, text=True, timeout=PATIENCE * 4)


def header(path):
    out = subprocess.run(["vipsheader", str(path)], capture_output=True, text=True, check=True).stdout
    return out.split(": ", 1)[1]


@pytest.fixture(scope="module")
def picture(tmp_path_factory):
    path = tmp_path_factory.mktemp("pictures") / "source.png"
    subprocess.run(["vips", "gaussnoise", str(path) + ".v", "300", "200"], check=True)
    subprocess.run(["vips", "cast", str(path) + ".v", str(path), "uchar"], check=True)
    return path


def test_resizes_to_the_format_that_the_name_says(picture, tmp_path):
    for extension, loader in [("jpg", "jpegload"), ("png", "pngload"), ("webp", "webpload"), ("avif", "heifload")]:
        out = tmp_path / f"small.{extension}"
        done = process("resize", picture, out, "--width", 60)
        assert done.returncode == 0, done.stderr
        assert header(out).startswith("60x40 ")
        assert loader in header(out)
        assert "60 x 40" in done.stdout


def test_takes_every_option_as_a_flag(picture, tmp_path):
    out = tmp_path / "out.bin"
    done = process("resize", picture, out, "--width", 50, "--height", 50, "--fit", "cover", "--position", "north",
                   "--format", "webp", "--quality", 60, "--background", "#fff", "--no-enlarge", "--keep-metadata",
                   "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["width"], told["height"], told["content_type"]) == (50, 50, "image/webp")
    assert told["metadata"]["quality"] == 60
    assert told["byte_size"] == out.stat().st_size


@pytest.mark.parametrize("quality", [1, 3, 6])
def test_avif_takes_the_lowest_qualities(tmp_path, quality):
    (tmp_path / "busy.png").write_bytes(pictures.noise_png(32, 32))
    done = process("resize", tmp_path / "busy.png", tmp_path / "small.avif", "--width", 8, "--quality", quality)
    assert done.returncode == 0, done.stderr


def test_optimizes_in_place(picture, tmp_path):
    copy = tmp_path / "copy.png"
    copy.write_bytes(picture.read_bytes())
    before = copy.stat().st_size
    assert process("optimize", copy, copy, "--lossless", "--quiet").stdout == ""
    assert copy.stat().st_size <= before
    assert header(copy).startswith("300x200 ")
    assert [entry.name for entry in tmp_path.iterdir()] == ["copy.png"]


def test_says_what_is_wrong_and_leaves_nothing_behind(picture, tmp_path):
    broken = tmp_path / "broken.png"
    broken.write_bytes(picture.read_bytes()[:2000])
    cases = [
        (("resize", picture, tmp_path / "x.webp"), 2, "resize requires width or height"),
        (("resize", picture, tmp_path / "x.webp", "--width", "wide"), 2, "width must be an integer"),
        (("resize", picture, tmp_path / "x.webp", "--widht", "5"), 2, "--widht"),
        (("optimize", picture, tmp_path / "x.jpg", "--lossless"), 2, "lossless optimize is not supported for jpeg"),
        (("resize", tmp_path / "none.png", tmp_path / "x.webp", "--width", 5), 3, "can't be opened"),
        (("resize", broken, tmp_path / "x.webp", "--width", 5), 1, "decode_failed"),
        (("resize", picture, tmp_path / "no" / "x.webp", "--width", 5), 1, "x.webp"),
    ]
    for arguments, code, words in cases:
        done = process(*arguments)
        assert done.returncode == code, (arguments, done.stderr)
        assert words in done.stderr
    assert [entry.name for entry in tmp_path.iterdir()] == ["broken.png"]


def test_tiles_of_local_files_are_drawn_and_patched(picture, tmp_path):
    grid = ("grid_render", tmp_path / "grid.pmtiles", "--width", 600, "--height", 400, "--block-width", 50)
    assert process(*grid, "--blocks", '[{"column": 1, "row": 1, "color": "#f00"}]').returncode == 0
    box = {"x": 0, "y": 0, "width": 20, "height": 20}
    cases = [
        (("grid_render", tmp_path / "x.png", "--width", 10), 2, "--height is required"),
        ((*grid, "--blocks", tmp_path / "none.json"), 3, "none.json: can't be read"),
        ((*grid, "--blocks", "[{"), 2, "--blocks: not JSON"),
        ((*grid, "--blocks", '[{"column": 0, "row": 0, "file": "none.png"}]'), 3, "none.png: can't be opened"),
        ((*grid, "--blocks", json.dumps([{"column": 0, "row": 0, "asset_id": "5f1ee9b8-50a3-4a2e-9b0e-2d8f3f0d6c11"}])),
         2, 'name a "file"'),
        (("tile_patch", tmp_path / "grid.pmtiles", tmp_path / "x.pmtiles"), 2, "--patches is required"),
        (("tile_patch", picture, tmp_path / "x.pmtiles", "--patches", "[]"), 1, "source.png"),
        (("tile_patch", tmp_path / "grid.pmtiles", tmp_path / "x.pmtiles", "--patches", json.dumps([box])), 2,
         "needs color or asset_id"),
        (("tile_patch", tmp_path / "grid.pmtiles", tmp_path / "x.pmtiles", "--patches",
          json.dumps([{**box, "x": 590, "color": "#fff"}])), 2, "outside the picture of 600x400"),
    ]
    for arguments, code, words in cases:
        done = process(*arguments)
        assert done.returncode == code, (arguments, done.stderr)
        assert words in done.stderr, done.stderr
    done = process("tile_patch", tmp_path / "grid.pmtiles", tmp_path / "x.pmtiles", "--source", picture, "--patches",
                   json.dumps([box]))
    assert done.returncode == 0, done.stderr
    assert "600 x 400" in done.stdout
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["grid.pmtiles", "x.pmtiles"]


def test_help_tells_what_a_list_holds_and_what_names_may_be_used():
    for operation, words in [
        ("resize", ["IN", "OUT", "--fit", "inside", "cover", "Default: 80."]),
        ("tile", ["--tile-size", "--preprocess", "normalize", "sharpen"]),
        ("grid_render", ["OUT", "--blocks", "a file with it", "column", "color", "file", ".pmtiles"]),
        ("tile_patch", ["BASE", "OUT", "--source", "--patches", "x, y, width, height, file, color"]),
    ]:
        done = process(operation, "--help")
        text = " ".join(done.stdout.split())
        assert done.returncode == 0
        for word in words:
            assert word in text, (operation, word, done.stdout)
        assert "tileset_id" not in text and "--tileset-id" not in text and "UUID" not in text
