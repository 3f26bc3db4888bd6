"""The pages in examples/viewers, pasted as docs/viewers.md says, in a real browser: openseadragon.html, leaflet.html and
maplibre.html with a signed template, openseadragon-key.html, leaflet-key.html and maplibre-key.html with a key. The picture
must be on the screen, whole, the right way round and in place, at every zoom."""

import functools
import http.client
import json
import re
import socket
import subprocess

import pytest
from browser import AnotherSite, look
from doc_pages import blocks_of
from nginx_conf import whole_configuration
from pictures import png_of
from service import ROOT, free_port, upload, wait_until
from tilesets import run_job, tileset_of

PAGES = ROOT / "examples" / "viewers"
VIEWERS = ["openseadragon", "leaflet", "maplibre"]
# Not square, no powers of two, more than one tile at the top; and one that is higher than wide, in large tiles.
SHAPES = {"wide": (1500, 1100, 256), "high": (700, 1900, 512), "small": (200, 130, 256)}


def block(x, y):
    """The colour of a block of 50 pixels: no two neighbours are alike, and none is white."""
    column, row = x // 50, y // 50
    return (column * 6 % 200, row * 6 % 200, 220 if (column + row) % 2 else 40)


@functools.cache
def picture(width, height):
    return png_of(width, height, block)


@pytest.fixture(scope="module")
def made(service, key):
    """Tilesets by shape and format, each made once."""

    @functools.cache
    def make(shape, form):
        width, height, size = SHAPES[shape]
        asset = upload(service, key, picture(width, height)).json()["id"]
        return run_job(service, key, "tile", {"format": form, "tile_size": size}, asset)

    return make


def pasted(page, job, key=None, service=None):
    """The page with the line of the tileset in it, as the command in docs/viewers.md prints it."""
    artifact, template = job["artifacts"][0], job["result"]["public_tile_url_template"]
    if key:
        form = artifact["metadata"]["format"]
        template = f"http://127.0.0.1:{service.port}/v1/tilesets/{tileset_of(job)}/xyz/{{z}}/{{x}}/{{y}}.{form}"
    values = {"width": artifact["width"], "height": artifact["height"], "template": template}
    values |= {name: artifact["metadata"][name] for name in ("tile_size", "max_zoom")}
    text = (PAGES / page).read_text()
    text, count = re.subn(r"^const picture = .*;$", lambda _: f"const picture = {json.dumps(values)};", text, flags=re.MULTILINE)
    assert count == 1
    return text.replace("tsr_…", key) if key else text


def centres(width, height, area=None):
    """Middles of blocks in the corners and the middle of an area, and their colours."""
    left, top, wide, high = area or (0, 0, width, height)
    columns = [left // 50, (left + wide // 2) // 50, (left + wide - 1) // 50]
    rows = [top // 50, (top + high // 2) // 50, (top + high - 1) // 50]
    points = [(min(c * 50 + 25, width - 5), min(r * 50 + 25, height - 5)) for c in columns for r in rows]
    return [[x, y, block(x, y)] for x, y in points]


def views_of(width, height):
    """As the page opens; close, at full size and more; far away; and from corner to corner again."""
    close = [width * 2 // 3 // 50 * 50, height * 2 // 3 // 50 * 50, 100, 50]
    far = [-width // 2, -height // 2, width * 2, height * 2]
    return [
        {"area": None, "points": centres(width, height)},
        {"area": close, "points": centres(width, height, close)},
        {"area": far, "points": [[25, 25, block(25, 25)], [width - 25, height - 25, block(width - 25, height - 25)]]},
        {"area": [0, 0, width, height], "points": centres(width, height)},
    ]


def open_page(viewer, url, service, shape, form="png", **more):
    width, height, _ = SHAPES[shape]
    told = look(
        "view-example", url=url, viewer=viewer, service=f"http://127.0.0.1:{service.port}/", within=12 if form == "png" else 40,
        views=views_of(width, height), **more,
    )  # fmt: skip
    for view, seen in zip(views_of(width, height), told["views"]):
        assert seen["right"], (view, seen)
    assert told["refused"] == [] and told["complaints"] == [], told
    return told


@pytest.mark.parametrize("shape,form", [("wide", "png"), ("high", "png"), ("small", "png"), ("wide", "jpeg"), ("wide", "webp")])
@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_pasted_page_shows_the_picture_from_a_file(service, made, tmp_path, viewer, shape, form):
    page = tmp_path / "page.html"
    page.write_text(pasted(f"{viewer}.html", made(shape, form)))
    told = open_page(viewer, page.as_uri(), service, shape, form)
    assert all(request["key"] is None for request in told["asked"])


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_pasted_page_shows_the_picture_in_a_narrow_window_of_another_site(service, made, tmp_path, viewer):
    (tmp_path / "page.html").write_text(pasted(f"{viewer}.html", made("wide", "png")))
    with AnotherSite(tmp_path) as site:
        open_page(viewer, f"{site}/page.html", service, "wide", window=[360, 720])


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_page_with_a_key_sends_it_with_tiles_and_to_nobody_else(service, made, tmp_path, viewer):
    key = service.new_key("tester", role="tile_reader", name=viewer)
    (tmp_path / "page.html").write_text(pasted(f"{viewer}-key.html", made("wide", "png"), key, service))
    with AnotherSite(tmp_path) as site:
        told = open_page(viewer, f"{site}/page.html", service, "wide")
    tiles = [request for request in told["asked"] if "/v1/tilesets/" in request["url"]]
    assert tiles and {request["key"] for request in tiles} == {key}
    assert all(request["key"] is None for request in told["asked"] if "/v1/tilesets/" not in request["url"])


def is_open(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_the_proxy_of_the_page_adds_the_key(service, made, tmp_path):
    """The location that docs/viewers.md shows, in an nginx of its own."""
    block = next(block for block in blocks_of("docs/viewers.md") if block.language == "nginx")
    location = block.text.replace("127.0.0.1:8080", f"127.0.0.1:{service.port}")
    location = location.replace("tsr_…", service.new_key("tester", role="tile_reader", name="proxy"))
    port = free_port()
    line = whole_configuration(tmp_path, f"server {{\nlisten 127.0.0.1:{port};\n{location}}}\n")
    nginx = subprocess.Popen(line, stdin=subprocess.DEVNULL)
    try:
        wait_until(lambda: is_open(port), "nginx to answer")
        connection = http.client.HTTPConnection("127.0.0.1", port)
        connection.request("GET", f"/tiles/{tileset_of(made('wide', 'png'))}/xyz/0/0/0.png")
        answer = connection.getresponse()
        assert (answer.status, answer.headers["Content-Type"]) == (200, "image/png"), answer.read()
    finally:
        nginx.terminate()
        nginx.wait(60)
