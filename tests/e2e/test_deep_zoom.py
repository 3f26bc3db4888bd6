"""Deep Zoom over tilesets: the descriptor, exact tiles at the edges, small levels; and viewers that open it, and IIIF."""

import xml.etree.ElementTree

import pytest
from browser import look
from decoded import Decoded, furthest
from pictures import png_of
from service import request_path, upload
from test_viewers import HEIGHT, POINTS, WIDTH, block, near
from tilesets import run_job, tileset_of

LEVELS = 11  # 2 ** 11 is the first power of two that is no less than 1500


@pytest.fixture(scope="module")
def given(service, key):
    """The addresses of one picture's tilesets, by format."""
    asset = upload(service, key, png_of(WIDTH, HEIGHT, block)).json()["id"]
    made = {form: tileset_of(run_job(service, key, "tile", {"format": form}, asset)) for form in ("png", "jpeg")}
    return {form: service.get(f"/v1/tilesets/{tileset}/addresses", key=key).json() for form, tileset in made.items()}


def tiles_of(address):
    return request_path(address).removesuffix(".dzi") + "_files"


def test_the_descriptor_names_the_picture(service, given):
    answer = service.get(request_path(given["jpeg"]["public"]["dzi"]))
    assert answer.status == 200 and answer.headers["Content-Type"] == "application/xml"
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    image = xml.etree.ElementTree.fromstring(answer.body)
    assert image.tag == "{http://schemas.microsoft.com/deepzoom/2008}Image"
    assert image.attrib == {"Format": "jpg", "Overlap": "0", "TileSize": "256"}
    assert image[0].attrib == {"Width": str(WIDTH), "Height": str(HEIGHT)}


def test_tiles_are_the_pictures_pixels(service, given):
    original = Decoded(png_of(WIDTH, HEIGHT, block))
    files = tiles_of(given["png"]["public"]["dzi"])
    for column in (0, 2, 5):  # the first, one in the middle, and those that are cut
        for row in (0, 2, 4):
            tile = Decoded(service.get(f"{files}/{LEVELS}/{column}_{row}.png").body)
            wide, high = min(256, WIDTH - 256 * column), min(256, HEIGHT - 256 * row)
            assert tile.size == (wide, high)
            assert tile.pixels == original.rectangle(256 * column, 256 * row, wide, high)


def test_every_level_is_half_of_the_next(service, given):
    files = tiles_of(given["png"]["public"]["dzi"])
    for level in range(LEVELS + 1):
        halved = [-(-edge // 2 ** (LEVELS - level)) for edge in (WIDTH, HEIGHT)]
        tile = Decoded(service.get(f"{files}/{level}/0_0.png").body)
        assert tile.size == (min(256, halved[0]), min(256, halved[1])), level
        if halved[0] <= 256 and halved[0] >= 94:  # whole blocks are still to be seen
            for x, y in POINTS:
                at = int(x * halved[0] / WIDTH), int(y * halved[1] / HEIGHT)
                assert furthest(tile.at(*at), block(x, y)) <= 12, (level, x, y)


@pytest.mark.parametrize("tile, status", [("12/0_0.png", 404), ("11/6_0.png", 404), ("11/0_5.png", 404), ("7/1_0.png", 404), ("11/0_0.jpg", 404),
                                          ("11/0_0", 400), ("11/x_0.png", 400), ("011/0_0.png", 400), ("11/00_0.png", 400)])  # fmt: skip
def test_what_is_not_there_is_told_apart(service, given, tile, status):
    assert service.get(f"{tiles_of(given['png']['public']['dzi'])}/{tile}").status == status


def test_keys_open_it_and_strangers_dont(service, key, given):
    address = request_path(given["png"]["keyed"]["dzi"])
    assert service.get(address).status == 401 and service.get(address, key=key).status == 200
    assert service.get(f"{tiles_of(given['png']['keyed']['dzi'])}/{LEVELS}/5_4.png", key=key).status == 200
    stranger = service.new_account("dzi-stranger", cdn=True)
    assert service.get(address, key=stranger).status == 404


@pytest.mark.parametrize("form", ["png", "jpeg"])
@pytest.mark.parametrize("source", ["iiif", "dzi"])
def test_openseadragon_opens_it(given, form, source):
    address = given[form]["public"][source] + ("/info.json" if source == "iiif" else "")
    close = [(850, 650), (950, 650), (850, 750), (1050, 650)]
    told = look(
        "view-openseadragon",
        source=address,
        views=[{"area": [0, 0, WIDTH, HEIGHT], "points": POINTS}, {"area": [800, 600, 300, 200], "points": close}],
    )
    assert told["failures"] == [] and told["complaints"] == [], told
    least = 6 if form == "png" else 30
    for points, view in zip((POINTS, close), told["views"]):
        for point, seen in zip(points, view["colours"]):
            assert near(seen, block(*point), least), (point, seen, block(*point))
