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


@pytest.mark.parametrize("position", ["attention", "entropy", "centre", "north", "southwest"])
def test_every_position_works_in_the_sandbox(picture, tmp_path, position):
    done = process("resize", picture, tmp_path / "x.png", "--width", 90, "--height", 90, "--fit", "cover", "--position", position)
    assert done.returncode == 0, done.stderr
    assert header(tmp_path / "x.png").startswith("90x90 ")


def test_a_result_in_another_format_is_not_written_under_a_wrong_name(picture, tmp_path):
    small, out = tmp_path / "small.jpg", tmp_path / "out.png"
    assert process("resize", picture, small, "--width", 100, "--quality", 30).returncode == 0
    for options in [("--lossless",), ("--lossless", "--force")]:
        done = process("optimize", small, out, *options)
        assert done.returncode == 1 and "whose jpg is the result: name it out.jpg, or convert it with resize" in done.stderr
        assert not out.exists()
    assert process("optimize", small, tmp_path / "out", "--format", "png", "--lossless").returncode == 0
    assert process("resize", small, out, "--width", 100).returncode == 0


@pytest.mark.parametrize("quality", [1, 3, 6])
def test_avif_takes_the_lowest_qualities(tmp_path, quality):
    (tmp_path / "busy.png").write_bytes(pictures.noise_png(32, 32))
    done = process("resize", tmp_path / "busy.png", tmp_path / "small.avif", "--width", 8, "--quality", quality)
    assert done.returncode == 0, done.stderr


def test_replaces_a_file_only_with_force(picture, tmp_path):
    out = tmp_path / "out.png"
    out.write_bytes(b"precious")
    done = process("optimize", picture, out, "--lossless")
    assert done.returncode == 4 and "out.png is there already; --force replaces it" in done.stderr
    assert out.read_bytes() == b"precious"
    assert process("optimize", picture, out, "--lossless", "--quiet", "--force").stdout == ""
    assert header(out).startswith("300x200 ")
    (tmp_path / "dangling.png").symlink_to(tmp_path / "nowhere.png")
    assert process("optimize", picture, tmp_path / "dangling.png").returncode == 4
    (tmp_path / "folder.png").mkdir()
    done = process("optimize", picture, tmp_path / "folder.png", "--force")
    assert done.returncode == 2 and "is a folder" in done.stderr
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["dangling.png", "folder.png", "out.png"]


def test_never_replaces_what_it_reads_by_whatever_name(picture, tmp_path):
    source, hard, soft = tmp_path / "source.png", tmp_path / "hard.png", tmp_path / "soft.png"
    source.write_bytes(picture.read_bytes())
    hard.hardlink_to(source)
    soft.symlink_to(source)
    (tmp_path / "blocks.json").write_text(json.dumps([{"column": 0, "row": 0, "file": str(source)}]))
    assert process("tile", source, tmp_path / "base.pmtiles").returncode == 0
    (tmp_path / "other.pmtiles").hardlink_to(tmp_path / "base.pmtiles")
    (tmp_path / "blocks.png").hardlink_to(tmp_path / "blocks.json")
    grid = ("grid_render", "--width", 64, "--height", 64, "--block-width", 32, "--blocks")
    patch = ("tile_patch", "--patches", '[{"x": 0, "y": 0, "width": 8, "height": 8, "color": "#fff"}]')
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    for arguments in [
        ("optimize", source, source),
        ("optimize", source, tmp_path / "." / "source.png"),
        ("optimize", source, hard),
        ("optimize", source, soft),
        ("optimize", soft, source),
        (*grid, tmp_path / "blocks.json", hard),
        (*grid, tmp_path / "blocks.json", tmp_path / "blocks.png"),
        (*patch, tmp_path / "base.pmtiles", tmp_path / "base.pmtiles"),
        (*patch, tmp_path / "base.pmtiles", tmp_path / "other.pmtiles"),
    ]:
        assert process(*arguments).returncode in (2, 4)
        done = process(*arguments, "--force")
        assert done.returncode == 2, (arguments, done)
        assert "what the result is made of" in done.stderr
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_refuses_what_it_can_not_name(picture, tmp_path):
    cases = [
        (("resize", picture, tmp_path / "p.bmp", "--width", 9), ".bmp is no format that can be written"),
        (("resize", picture, tmp_path / "p.bmp", "--width", 9), ".jpg, .png, .webp, .avif or .jxl"),
        (("resize", picture, tmp_path / "p.gif", "--width", 9), ".gif is no format"),
        (("resize", picture, tmp_path / "p", "--width", 9), "no extension"),
        (("resize", picture, tmp_path / "p.png", "--width", 9, "--format", "webp"), "says png and --format says webp"),
        (("optimize", picture, tmp_path / "p.pmtiles"), ".pmtiles is no format"),
        (("tile", picture, tmp_path / "p.png"), "name it .pmtiles"),
        (("grid_render", tmp_path / "p.svg", "--width", 9, "--height", 9, "--block-width", 3), ".webp or .pmtiles"),
        (("grid_render", tmp_path / "p.png", "--width", 9, "--height", 9, "--block-width", 3, "--artifact", "archive"), "--artifact"),
    ]
    for arguments, words in cases:
        done = process(*arguments)
        assert done.returncode == 2 and words in done.stderr, (arguments, done)
    assert list(tmp_path.iterdir()) == []
    assert process("resize", picture, tmp_path / "P.JPG", "--width", 9).returncode == 0
    assert "jpegload" in header(tmp_path / "P.JPG")


def test_wrong_flags_get_the_one_that_was_meant(picture, tmp_path):
    for words, meant in [
        (("resize", picture, tmp_path / "x.webp", "--widht", 5), "there is no option --widht of `resize`; did you mean --width?"),
        (("resize", "--quiet", picture, tmp_path / "x.webp", "--widht=5"), "did you mean --width?"),
        (("grid_render", tmp_path / "x.png", "--width", 5, "--heigth", 5), "did you mean --height?"),
        (("resize", picture, tmp_path / "x.webp", "--width", 5, "--no-enlarg"), "did you mean --no-enlarge?"),
        (("resize", picture, tmp_path / "x.webp", "--zzzzzzzzzz"), "there is no option --zzzzzzzzzz of `resize`\n"),
        (("resise", picture), 'there is no command "resise"; did you mean resize?'),
    ]:
        done = process(*words)
        assert done.returncode == 2 and meant in done.stderr, (words, done.stderr)


def test_tiles_info_speaks_to_people_and_json_to_programs(picture, tmp_path):
    archive = tmp_path / "a.pmtiles"
    assert process("tile", picture, archive).returncode == 0
    line = [str(BINARY), "tiles", "info", str(archive)]
    text = subprocess.run(line, capture_output=True, text=True, check=True).stdout
    assert "300 x 200 pixels" in text and "0 to 1" in text and "256 x 256" in text and "{" not in text
    told = json.loads(subprocess.run([*line, "--json"], capture_output=True, text=True, check=True).stdout)
    assert (told["width"], told["height"], told["tile_size"], told["max_zoom"]) == (300, 200, 256, 1)
    assert told["tile_count"] == 3 and told["metadata"]["tessera"]
    get = [str(BINARY), "tiles", "get", str(archive), "0/0/0", str(tmp_path / "t.jpg")]
    assert subprocess.run(get).returncode == 0
    assert subprocess.run(get, capture_output=True).returncode == 4
    assert subprocess.run([*get, "--force"]).returncode == 0
    assert subprocess.run([*get[:-1], str(archive), "--force"], capture_output=True).returncode == 2


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
        ((*grid, "--force", "--blocks", '[{"column": 0, "row": 0, "file": "none.png"}]'), 3, "none.png: can't be opened"),
        ((*grid, "--force", "--blocks", json.dumps([{"column": 0, "row": 0, "asset_id": "5f1ee9b8-50a3-4a2e-9b0e-2d8f3f0d6c11"}])),
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
