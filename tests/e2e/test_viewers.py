"""Tilesets in a real browser: OpenSeadragon on a signed template, and the page of `tessera tiles serve`."""

import re
import signal
import subprocess

import pytest
from archives import tile
from browser import look
from pictures import png_of
from service import BINARY, PATIENCE, upload, wait_until
from tilesets import patch, run_job, run_patch, tileset_of

WIDTH, HEIGHT = 1500, 1100


def block(x, y):
    """The colour of a block of 100 pixels: no two neighbours are alike."""
    column, row = x // 100, y // 100
    return (column * 17, row * 23, 255 if (column + row) % 2 else 40)


@pytest.fixture(scope="module")
def picture():
    return png_of(WIDTH, HEIGHT, block)


def near(seen, wanted, least=6):
    return max(abs(a - b) for a, b in zip(seen[:3], wanted)) <= least


# Middles of blocks: no tile's and no block's border is near.
POINTS = [(50, 50), (750, 550), (1450, 1050), (1450, 50), (50, 1050), (350, 950)]
CLOSE = [(820, 620), (870, 620), (950, 650), (850, 750), (1050, 650)]


@pytest.mark.parametrize("form", ["png", "jpeg", "webp"])
def test_openseadragon_shows_the_picture_through_its_signed_template(service, key, picture, form):
    asset = upload(service, key, picture).json()["id"]
    job = run_job(service, key, "tile", {"format": form}, asset)
    patched = run_patch(service, key, tileset_of(job), patch(800, 600, 50, 100, color="#ff00ff"))
    metadata = patched["artifacts"][0]["metadata"]
    told = look(
        "view-openseadragon",
        template=patched["result"]["public_tile_url_template"],
        width=WIDTH,
        height=HEIGHT,
        tile_size=metadata["tile_size"],
        max_zoom=metadata["max_zoom"],
        views=[{"area": [0, 0, WIDTH, HEIGHT], "points": POINTS}, {"area": [800, 600, 300, 200], "points": CLOSE}],
    )
    assert told["failures"] == [] and told["complaints"] == [], told
    least = 6 if form == "png" else 30
    whole, close = told["views"]
    for point, seen in zip(POINTS, whole["colours"]):
        assert near(seen, block(*point), least), (point, seen, block(*point))
    assert close["zoom"] > 3 * whole["zoom"]
    for point, seen in zip(CLOSE, close["colours"]):
        wanted = (255, 0, 255) if point[0] < 850 and point[1] < 700 else block(*point)
        assert near(seen, wanted, least), (point, seen, wanted)


@pytest.fixture
def page(tmp_path, picture):
    source, archive = tmp_path / "source.png", tmp_path / "blocks.pmtiles"
    source.write_bytes(picture)
    tile(source, archive, "--format", "png")
    log = tmp_path / "out.txt"
    line = [str(BINARY), "tiles", "serve", str(archive), "--listen", "127.0.0.1:0"]
    with open(log, "wb") as out:
        server = subprocess.Popen(line, stdout=out, stderr=subprocess.STDOUT)
    try:
        yield wait_until(lambda: re.search(r"http://\S+/", log.read_text()), "the address of the page").group(0)
    finally:
        server.send_signal(signal.SIGTERM)
        assert server.wait(PATIENCE) == 0


def test_the_page_of_an_archive_shows_it_moves_and_zooms(page):
    told = look(
        "view-page",
        url=page,
        steps=[
            {"points": POINTS},
            {"keys": ["1"], "points": [(750, 550), (650, 450)]},
            {"keys": ["+", "+", "g"], "points": [(750, 550)]},
            {"keys": ["0", "g"], "drag": [60, -40], "points": [(750, 550)]},
            {"hash": "#800,600,2", "points": [(850, 650), (950, 750)]},
        ],
    )
    assert told["complaints"] == [], told
    assert all(request.startswith((page, "data:")) for request in told["requests"]), "nothing comes from elsewhere"
    whole, actual, close, dragged, named = told["steps"]
    for step, points in [
        (whole, POINTS),
        (actual, [(750, 550), (650, 450)]),
        (close, [(750, 550)]),
        (dragged, [(750, 550)]),
        (named, [(850, 650), (950, 750)]),
    ]:
        assert step["trouble"] == ""
        for point, seen in zip(points, step["colours"]):
            assert near(seen, block(*point)), (point, seen, block(*point))
    assert whole["title"] == "blocks.pmtiles" and whole["size"] == "1500 × 1100"
    assert actual["shown"] == "100 %, zoom 3 of 3" and close["shown"].startswith("400 %")
    assert dragged["hash"] != whole["hash"] and named["hash"].startswith("#800,600,2")
