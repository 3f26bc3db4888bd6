"""Archives of tiles as others see them: read by the PMTiles project's own package, looked at by libvips."""

import json
import math
import pathlib
import shutil
import subprocess

import pytest
from service import BINARY, PATIENCE

TOOLS = pathlib.Path(__file__).resolve().parents[1] / "tools"


def vips(*arguments):
    return subprocess.run(["vips", *map(str, arguments)], check=True, capture_output=True, text=True).stdout


def process(*arguments):
    """`tessera process …`; gives what it prints with --json."""
    line = [str(BINARY), "process", *map(str, arguments), "--json"]
    done = subprocess.run(line, capture_output=True, text=True, timeout=PATIENCE * 6)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def tile(source, archive, *options):
    return process("tile", source, archive, *options)


def node():
    found = shutil.which("node")
    if found is None or not (TOOLS / "node_modules" / "pmtiles").exists():
        pytest.skip("node and the modules of tests/tools are needed: scripts/test install")
    return found


def read(archive, *names, write_to=None):
    line = [node(), str(TOOLS / "read-pmtiles.mjs"), str(archive)]
    if write_to is not None:
        line += ["--write", str(write_to)]
    done = subprocess.run(line + list(names), check=True, capture_output=True, text=True, timeout=PATIENCE * 4)
    return json.loads(done.stdout)


def top_zoom(width, height, size=256):
    return max(0, math.ceil(math.log2(max(width, height) / size)))


def names_at(zoom, width, height, size=256):
    shrink = 2 ** (top_zoom(width, height, size) - zoom)
    columns = math.ceil(math.ceil(width / shrink) / size)
    rows = math.ceil(math.ceil(height / shrink) / size)
    return [f"{zoom}/{x}/{y}" for y in range(rows) for x in range(columns)]


def names_of(width, height, size=256):
    for zoom in range(top_zoom(width, height, size) + 1):
        yield from names_at(zoom, width, height, size)


def whole_picture(archive, width, height, folder, zoom=None, size=256):
    """The picture at a zoom (full size unless told), put together from its tiles: a file that vips reads."""
    top = top_zoom(width, height, size)
    zoom = top if zoom is None else zoom
    names = names_at(zoom, width, height, size)
    folder.mkdir(exist_ok=True)
    seen = read(archive, *names, write_to=folder)
    assert all(seen["tiles"].values()), [name for name, found in seen["tiles"].items() if not found]
    shrink = 2 ** (top - zoom)
    small = (math.ceil(width / shrink), math.ceil(height / shrink))
    files = " ".join(str(folder / name.replace("/", "-")) for name in names)
    vips("arrayjoin", files, folder / "joined.v", "--across", math.ceil(small[0] / size))
    vips("crop", folder / "joined.v", folder / f"whole-{zoom}.v", 0, 0, *small)
    return folder / f"whole-{zoom}.v"


def difference(one, other, folder):
    """The largest difference of any band of any pixel."""
    vips("subtract", one, other, folder / "difference.v")
    vips("abs", folder / "difference.v", folder / "absolute.v")
    return float(vips("max", folder / "absolute.v"))


def psnr(one, other, folder):
    vips("subtract", one, other, folder / "difference.v")
    vips("multiply", folder / "difference.v", folder / "difference.v", folder / "squares.v")
    mean = float(vips("avg", folder / "squares.v"))
    return math.inf if mean == 0 else 10 * math.log10(255**2 / mean)


def noise(path, width, height, bands=3):
    """A picture in which no pixel is like its neighbour."""
    folder = path.parent
    for band in range(bands):
        vips("gaussnoise", folder / f"noise{band}.v", width, height, "--mean", 128, "--sigma", 60)
        vips("cast", folder / f"noise{band}.v", folder / f"band{band}.v", "uchar")
    vips("bandjoin", " ".join(str(folder / f"band{band}.v") for band in range(bands)), folder / "joined-bands.v")
    vips("copy", folder / "joined-bands.v", path, "--interpretation", "srgb")
    return path
