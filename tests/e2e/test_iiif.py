"""The IIIF Image API 3.0 over tilesets, by the rules that its validator publishes: regions, sizes, rotations, qualities and
formats, info.json, errors, and what HTTP has to say. Pictures are held beside the original."""

import json
import re
import threading
import time

import pytest
from decoded import Decoded, furthest
from iiif_pictures import IiifPictures
from pictures import png, png_of
from service import request_path, upload, wait_until
from tilesets import patch, run_job, run_patch, tileset_of

WIDTH, HEIGHT = 1000, 700
BLOCK = 100
CONTEXT = "http://iiif.io/api/image/3/context.json"


def block(x, y):
    """The colour of a block of 100 pixels: no two neighbours are alike."""
    column, row = x // BLOCK, y // BLOCK
    return (column * 25, row * 35, 255 if (column + row) % 2 else 40)


@pytest.fixture(scope="module")
def asset(service, key):
    return upload(service, key, png_of(WIDTH, HEIGHT, block)).json()["id"]


@pytest.fixture(scope="module")
def tileset(service, key, asset):
    return tileset_of(run_job(service, key, "tile", {"format": "png"}, asset))


@pytest.fixture(scope="module")
def addresses(service, key, tileset):
    return service.get(f"/v1/tilesets/{tileset}/addresses", key=key).json()


@pytest.fixture(scope="module")
def base(addresses):
    return request_path(addresses["public"]["iiif"])


@pytest.fixture(scope="module")
def get(service, base):
    return IiifPictures(service, base).get


@pytest.fixture(scope="module")
def shown(service, base):
    return IiifPictures(service, base).shown


@pytest.fixture(scope="module")
def original():
    return Decoded(png_of(WIDTH, HEIGHT, block))


# --- regions ---
def test_the_whole_picture_is_the_original(shown, original):
    assert shown().pixels == original.pixels


@pytest.mark.parametrize("region, wanted", [
    ("0,0,100,100", (0, 0, 100, 100)),
    ("250,130,333,222", (250, 130, 333, 222)),
    ("900,600,500,500", (900, 600, 100, 100)),  # cut to the picture
    ("pct:10,20,50,30", (100, 140, 500, 210)),
    ("pct:90.5,0,50,100", (905, 0, 95, 700)),
    ("square", (150, 0, 700, 700)),
    ("%30,0,10,10", (0, 0, 10, 10)),  # percent-encoded
])  # fmt: skip
def test_regions_are_cut_from_the_original(shown, original, region, wanted):
    picture = shown(region)
    assert picture.size == wanted[2:]
    assert picture.pixels == original.rectangle(*wanted)


@pytest.mark.parametrize("region", ["1000,0,10,10", "0,700,10,10", "0,0,0,10", "0,0,10,0", "pct:0,0,0,10", "pct:101,0,10,10", "a,b,c,d",
                                    "1,2,3", "-1,0,10,10", "Square", "pct:1e1,0,5,5", "%zz", "1;2;3;4"])  # fmt: skip
def test_regions_that_are_none_are_refused(get, region):
    assert get(region).status == 400


# --- sizes ---
@pytest.mark.parametrize("region, size, wanted", [
    ("full", "max", (1000, 700)), ("full", "500,", (500, 350)), ("full", ",350", (500, 350)), ("full", "pct:10", (100, 70)),
    ("full", "300,300", (300, 300)), ("full", "!300,300", (300, 210)), ("full", "!300,90", (129, 90)),
    ("full", "!5000,5000", (1000, 700)), ("0,0,100,100", "^200,", (200, 200)), ("0,0,100,100", "^,150", (150, 150)),
    ("0,0,100,100", "^pct:300", (300, 300)), ("0,0,100,100", "^250,120", (250, 120)), ("0,0,100,100", "^!400,300", (300, 300)),
    ("0,0,100,50", "^max", (5792, 2896)), ("0,0,100,100", "%5E200,", (200, 200)), ("full", "1,1", (1, 1)),
])  # fmt: skip
def test_sizes_are_what_they_say(get, region, size, wanted):
    answer = get(region, size, "0", "default.jpg")
    assert answer.status == 200, answer
    assert Decoded(answer.body).size == wanted


@pytest.mark.parametrize("size", ["1001,", ",701", "pct:101", "1001,700", "0,", "", ",", "full", "max,", "!0,5", "^9000,", "^8192,8192", "abc", "5,5,5"])
def test_sizes_that_are_none_are_refused(get, size):
    assert get("full", size or "%20").status == 400


@pytest.mark.parametrize("region, size, scale", [("full", "500,", 2), ("full", "400,", 2.5), ("full", "333,233", 3), ("100,100,800,500", "160,", 5),
                                                 ("full", "100,", 10), ("200,100,300,400", "^600,", 0.5)])  # fmt: skip
def test_scaled_pictures_show_the_same_places(shown, region, size, scale):
    picture = shown(region, size)
    left, top = (0, 0) if region == "full" else map(int, region.split(",")[:2])
    for x in range(left // BLOCK * BLOCK + 50, 1000, BLOCK):
        for y in range(top // BLOCK * BLOCK + 50, 700, BLOCK):
            at = int((x - left) / scale), int((y - top) / scale)
            if at[0] < picture.width and at[1] < picture.height:
                assert furthest(picture.at(*at), block(x, y)) <= 3, (x, y)


# --- rotations ---
def test_turned_pictures_have_their_corners_where_they_belong(shown, original):
    corners = [original.at(0, 0), original.at(999, 0), original.at(999, 699), original.at(0, 699)]
    for quarters, rotation in enumerate(["0", "90", "180", "270"]):
        picture = shown("full", "max", rotation)
        assert picture.size == ((1000, 700) if quarters % 2 == 0 else (700, 1000))
        right, bottom = picture.width - 1, picture.height - 1
        seen = [picture.at(0, 0), picture.at(right, 0), picture.at(right, bottom), picture.at(0, bottom)]
        assert seen[quarters:] + seen[:quarters] == corners


def test_mirrored_pictures_are_mirrored_before_they_are_turned(shown, original):
    mirrored = shown("full", "max", "!0")
    assert mirrored.at(0, 0) == original.at(999, 0) and mirrored.at(999, 699) == original.at(0, 699)
    both = shown("full", "max", "!90")
    assert both.at(699, 0) == original.at(999, 0) and both.at(0, 999) == original.at(0, 699)
    assert shown("full", "max", "360").pixels == original.pixels


@pytest.mark.parametrize("rotation, status", [("45", 501), ("!22.5", 501), ("361", 400), ("-90", 400), ("x", 400), ("!", 400)])
def test_other_rotations_are_told_apart(get, rotation, status):
    answer = get("full", "max", rotation)
    assert answer.status == status
    if status == 501:
        assert answer.json()["code"] == "not_implemented"


# --- qualities and formats ---
def test_qualities(shown, original):
    assert shown("0,0,300,300", "max", "0", "color.png").pixels == original.rectangle(0, 0, 300, 300)
    grey = shown("0,0,300,300", "max", "0", "gray.png")
    for x, y in [(50, 50), (250, 150), (150, 250)]:
        red, green, blue = block(x, y)
        luma = round(0.299 * red + 0.587 * green + 0.114 * blue)
        assert furthest(grey.at(x, y), (luma, luma, luma)) <= 1
    assert {*shown("full", "max", "0", "bitonal.png").pixels} == {0, 255}


@pytest.mark.parametrize("extension, media", [("jpg", "image/jpeg"), ("png", "image/png"), ("webp", "image/webp")])
def test_formats(get, original, extension, media):
    answer = get("100,100,400,300", "max", "0", f"default.{extension}")
    assert answer.status == 200 and answer.headers["Content-Type"] == media
    picture = Decoded(answer.body)
    assert picture.form == {"jpg": "jpeg"}.get(extension, extension)
    for x, y in [(50, 50), (250, 150), (350, 250)]:
        assert furthest(picture.at(x, y), block(100 + x, 100 + y)) <= 8


@pytest.mark.parametrize("file, status", [("native.jpg", 400), ("grey.jpg", 400), ("default.xyz", 400), ("default", 400), ("default.jpeg", 400),
                                          ("default.tif", 501), ("default.pdf", 501), ("default.gif", 501), ("default.jp2", 501)])  # fmt: skip
def test_other_qualities_and_formats_are_refused(get, file, status):
    assert get("full", "max", "0", file).status == status


# --- info.json ---
def test_info_tells_what_viewers_have_to_know(service, addresses, base):
    answer = service.get(f"{base}/info.json")
    assert answer.status == 200 and answer.headers["Content-Type"] == "application/json"
    info = answer.json()
    assert info["@context"] == CONTEXT and info["id"] == addresses["public"]["iiif"]
    assert (info["type"], info["protocol"], info["profile"]) == ("ImageService3", "http://iiif.io/api/image", "level2")
    assert (info["width"], info["height"]) == (WIDTH, HEIGHT)
    assert info["sizes"] == [{"width": 250, "height": 175}, {"width": 500, "height": 350}, {"width": 1000, "height": 700}]
    assert info["tiles"] == [{"width": 256, "height": 256, "scaleFactors": [1, 2, 4]}]
    assert info["extraFormats"] == ["webp"] and info["extraQualities"] == ["bitonal"] and info["preferredFormats"] == ["png"]
    assert {"mirroring", "sizeUpscaling", "canonicalLinkHeader", "profileLinkHeader"} == set(info["extraFeatures"])
    assert info["maxWidth"] >= 1000 and info["maxArea"] >= info["maxWidth"]


def test_info_is_linked_data_for_whoever_asks(service, base):
    for accept in ("application/ld+json", f'application/ld+json;profile="{CONTEXT}"', "text/html, application/ld+json;q=0.5"):
        answer = service.get(f"{base}/info.json", headers={"Accept": accept})
        assert answer.headers["Content-Type"] == f'application/ld+json;profile="{CONTEXT}"' and "Accept" in answer.headers["Vary"]
        json.loads(answer.body)
    assert service.get(f"{base}/info.json", headers={"Accept": "*/*"}).headers["Content-Type"] == "application/json"


def test_every_size_that_info_names_can_be_had(service, base, shown):
    for size in service.get(f"{base}/info.json").json()["sizes"]:
        assert shown("full", f"{size['width']},{size['height']}").size == (size["width"], size["height"])


def test_the_base_leads_to_info(service, addresses, base):
    answer = service.get(base)
    assert answer.status == 303 and answer.headers["Location"] == addresses["public"]["iiif"] + "/info.json"


# --- HTTP ---
def test_browsers_may_read_pictures_and_info_from_anywhere(service, get, base):
    for answer in (get("0,0,50,50"), service.get(f"{base}/info.json"), get("nonsense"), service.get(base)):
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert service.request("OPTIONS", f"{base}/info.json").headers["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize("parts, canonical", [
    (("full", "max"), "full/max/0/default.png"),
    (("0,0,1000,700", "500,", "360", "color.jpg"), "full/500,350/0/default.jpg"),
    (("pct:50,50,50,50", "!100,100", "!90", "gray.webp"), "500,350,500,350/100,70/!90/gray.webp"),
    (("0,0,50,50", "^100,"), "0,0,50,50/^100,100/0/default.png"),
])  # fmt: skip
def test_the_only_spelling_is_told(service, get, addresses, parts, canonical):
    link = get(*parts).headers["Link"]
    assert f'<{addresses["public"]["iiif"]}/{canonical}>;rel="canonical"' in link
    assert '<http://iiif.io/api/image/3/level2.json>;rel="profile"' in link
    again = service.get(request_path(re.search(r"<([^>]+)>;rel=\"canonical\"", link).group(1)))
    assert again.body == get(*parts).body and again.headers["Link"] == link


def test_pictures_can_be_kept_until_the_address_ends(get):
    first = get("0,0,70,70", "35,")
    left = int(re.fullmatch(r"public, max-age=(\d+), immutable", first.headers["Cache-Control"]).group(1))
    assert 0 < left <= 3600
    again = get("0,0,70,70", "35,", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status, again.body, again.headers["ETag"]) == (304, b"", first.headers["ETag"])
    assert get("0,0,70,70", "36,").headers["ETag"] != first.headers["ETag"]


# --- tiles ---
def test_a_whole_tile_is_the_tile_itself(service, key, tileset, get):
    for region, size, tile in [("256,256,256,256", "256,256", "2/1/1"), ("0,0,512,512", "256,", "1/0/0")]:
        stored = service.get(f"/v1/tilesets/{tileset}/xyz/{tile}.png", key=key)
        served = get(region, size)
        assert served.body == stored.body and served.headers["ETag"] == stored.headers["ETag"]
        assert get(region, size, headers={"If-None-Match": served.headers["ETag"]}).status == 304


def test_tiles_at_the_edges_are_cut_and_not_padded(shown, original):
    edge = shown("768,512,232,188", "232,188")
    assert edge.pixels == original.rectangle(768, 512, 232, 188)
    assert shown("512,512,488,188", "244,94").size == (244, 94)


@pytest.mark.parametrize("form", ["jpeg", "webp"])
def test_lossy_tilesets_look_the_same(service, key, asset, form):
    tileset = tileset_of(run_job(service, key, "tile", {"format": form}, asset))
    base = request_path(service.get(f"/v1/tilesets/{tileset}/addresses", key=key).json()["public"]["iiif"])
    picture = Decoded(service.get(f"{base}/full/max/0/default.png").body)
    for x in range(50, 1000, 100):
        for y in range(50, 700, 100):
            assert furthest(picture.at(x, y), block(x, y)) <= 12


def test_transparency_stays_or_becomes_white(service, key):
    half = png_of(300, 200, lambda x, y: (200, 30, 30, 255 if x < 150 else 0))
    tileset = tileset_of(run_job(service, key, "tile", {"format": "png"}, upload(service, key, half).json()["id"]))
    base = request_path(service.get(f"/v1/tilesets/{tileset}/addresses", key=key).json()["public"]["iiif"])
    flat = Decoded(service.get(f"{base}/full/max/0/default.jpg").body)
    assert furthest(flat.at(250, 100), (255, 255, 255)) <= 4 and furthest(flat.at(50, 100), (200, 30, 30)) <= 8
    assert service.get(f"{base}/full/150,/0/default.png").body[25] in (3, 4, 6)  # colour types that hold alpha


def test_a_patch_is_a_version_of_its_own(service, key, asset):
    tileset = tileset_of(run_job(service, key, "tile", {"format": "png"}, asset))
    run_patch(service, key, tileset, patch(100, 100, 200, 200, color="#ff00ff"))
    for version, wanted in [(1, block(150, 150)), (2, (255, 0, 255))]:
        given = service.get(f"/v1/tilesets/{tileset}/addresses?version={version}", key=key).json()
        assert given["version"] == version
        for base in (given["public"]["iiif"], given["keyed"]["iiif"]):
            picture = service.get(f"{request_path(base)}/100,100,200,200/100,/0/default.png", key=key)
            assert Decoded(picture.body).at(25, 25) == wanted


# --- who may ask ---
def test_keys_open_their_own_tilesets_alone(service, key, tileset, addresses):
    keyed = request_path(addresses["keyed"]["iiif"])
    assert service.get(f"{keyed}/info.json").status == 401
    info = service.get(f"{keyed}/info.json", key=key)
    assert info.json()["id"] == addresses["keyed"]["iiif"] and info.headers["Cache-Control"] == "private, no-cache"
    assert service.get(keyed, key=key).headers["Location"] == addresses["keyed"]["iiif"] + "/info.json"
    assert service.get(f"{keyed}/0,0,256,256/max/0/default.png", key=key).status == 200
    stranger = service.new_account("iiif-stranger", cdn=True)
    for path in (keyed, f"{keyed}/info.json", f"{keyed}/full/50,/0/default.png", f"/v1/tilesets/{tileset}/addresses"):
        assert service.get(path, key=stranger).status == 404
    assert service.get(f"{keyed}/full/50,/0/default.png".replace("/v/1/", "/v/9/"), key=key).status == 404
    assert service.get(f"{keyed}/full/50,/0/default.png".replace("/v/1/", "/v/0/"), key=key).status == 400


def test_signatures_fit_one_thing_alone(service, key, tileset, addresses, base):
    grant = base.rsplit("/", 1)[1]
    expires, signature = grant.split("-")
    later = str(int(expires) + 60)
    for wrong in (f"{later}-{signature}", f"{expires}-{'0' * 64}", signature, "x", f"{expires}-", f"{expires}-{signature}0"):
        answer = service.get(base.replace(grant, wrong) + "/info.json")
        assert answer.status == 403 and answer.json()["code"] == "invalid_signature", wrong
    assert service.get(base.replace("/v/1/", "/v/2/") + "/info.json").status == 403
    assert service.get(base.replace(grant, grant.replace("-", "%2D")) + "/info.json").status == 200  # as identifiers may be written
    # One for IIIF is none for Deep Zoom or XYZ, and the other way round.
    assert service.get(base.replace("/iiif/", "/dzi/") + "/image.dzi").status == 403
    assert service.get(f"/cdn/tilesets/{tileset}/v/1/xyz/0/0/0.png?expires={expires}&sig={signature}").status == 403
    xyz = re.search(r"expires=(\d+)&sig=([0-9a-f]+)", addresses["public"]["xyz"])
    assert service.get(base.replace(grant, f"{xyz.group(1)}-{xyz.group(2)}") + "/info.json").status == 403


def test_without_the_entitlement_there_is_no_public_address(service):
    key = service.new_account("iiif-plain")
    tileset = tileset_of(run_job(service, key, "tile", {"format": "png"}, upload(service, key, png(300, 200)).json()["id"]))
    addresses = service.get(f"/v1/tilesets/{tileset}/addresses", key=key).json()
    assert "public" not in addresses and set(addresses["keyed"]) == {"xyz", "tilejson", "iiif", "dzi"}
    assert service.get(request_path(addresses["keyed"]["iiif"]) + "/full/100,/0/default.jpg", key=key).status == 200


def test_addresses_end_with_the_tileset(service, key):
    tileset = tileset_of(run_job(service, key, "tile", {"format": "png"}, upload(service, key, png(300, 200)).json()["id"]))
    given = service.get(f"/v1/tilesets/{tileset}/addresses", key=key).json()
    path = request_path(given["public"]["iiif"]) + "/full/100,/0/default.png"
    assert service.get(path).status == 200
    assert time.time() < time.mktime(time.strptime(given["public"]["expires_at"][:19], "%Y-%m-%dT%H:%M:%S")) - time.timezone
    assert service.request("DELETE", f"/v1/tilesets/{tileset}", key=key).status == 204
    assert service.get(path).status == 404
    assert service.get(f"/v1/tilesets/{tileset}/addresses", key=key).status == 404
    assert service.get(f"/v1/tilesets/{tileset}/addresses?version=x", key=key).status == 400


# --- what is counted, and what is shared ---
def test_public_pictures_are_counted_as_delivered(service):
    key = service.new_account("iiif-counted", cdn=True)

    def used():
        return service.get("/v1/account", key=key).json()["usage"]["cdn_delivery_bytes"]["used"]

    tileset = tileset_of(run_job(service, key, "tile", {"format": "png"}, upload(service, key, png(600, 500)).json()["id"]))
    given = service.get(f"/v1/tilesets/{tileset}/addresses", key=key).json()
    public, keyed = request_path(given["public"]["iiif"]), request_path(given["keyed"]["iiif"])
    sent = sum(len(service.get(f"{public}/{parts}").body) for parts in ("full/100,/0/default.jpg", "full/100,/0/default.jpg", "0,0,256,256/max/0/default.png"))
    service.get(f"{keyed}/full/90,/0/default.jpg", key=key)
    service.request("HEAD", f"{public}/full/100,/0/default.jpg")
    wait_until(lambda: used() == sent, "the bytes of public pictures to be counted, and no others")


def test_many_may_ask_for_one_picture_at_once(service, get):
    answers = []

    def ask():
        answers.append(get("13,17,801,601", "400,", "0", "default.jpg"))

    threads = [threading.Thread(target=ask) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {answer.status for answer in answers} == {200} and len({answer.body for answer in answers}) == 1
