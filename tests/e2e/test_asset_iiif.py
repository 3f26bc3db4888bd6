"""The IIIF Image API 3.0 over assets: who has it, what it shows beside the original, its limits, and what is shared.
The rules of addresses are those of tilesets (test_iiif.py); here is what differs."""

import re
import subprocess
import threading

import pytest
from decoded import Decoded, furthest
from iiif_pictures import IiifPictures
from pictures import png, png_of, truncated_png
from service import request_path, temporary_folder, upload, wait_until

WIDTH, HEIGHT = 1300, 700
BLOCK = 100


def block(x, y):
    column, row = x // BLOCK, y // BLOCK
    return (column * 19, row * 35, 255 if (column + row) % 2 else 40)


@pytest.fixture(scope="module")
def viewer(service):
    """A key of an account that has pictures of assets, and public addresses."""
    made = service.new_account("asset-viewer", cdn=True)
    grant(service, "asset-viewer", True)
    return made


def grant(service, account, enabled):
    service.admin("entitlement", "set", "--account", account, "--feature", "asset_pictures", "--enabled", str(enabled).lower())


def allowed(service, key):
    wait_until(lambda: service.get("/v1/account", key=key).json()["features"]["asset_pictures"], "the feature")


@pytest.fixture(scope="module")
def asset(service, viewer):
    allowed(service, viewer)
    return upload(service, viewer, png_of(WIDTH, HEIGHT, block)).json()["id"]


@pytest.fixture(scope="module")
def addresses(service, viewer, asset):
    return service.get(f"/v1/assets/{asset}/addresses", key=viewer).json()


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


# --- what is shown ---
def test_parts_are_those_of_the_original(shown, original):
    assert shown().pixels == original.pixels
    for region, wanted in [("250,130,333,222", (250, 130, 333, 222)), ("1200,600,500,500", (1200, 600, 100, 100)), ("square", (300, 0, 700, 700))]:
        picture = shown(region)
        assert picture.size == wanted[2:] and picture.pixels == original.rectangle(*wanted)


def test_scaled_parts_show_the_same_places(shown):
    for region, size, scale in [("full", "650,", 2), ("100,100,800,500", "160,", 5), ("200,100,300,400", "^600,", 0.5), ("full", "130,", 10)]:
        picture = shown(region, size)
        left, top = (0, 0) if region == "full" else map(int, region.split(",")[:2])
        for x in range(left + 50, WIDTH, BLOCK):
            for y in range(top + 50, HEIGHT, BLOCK):
                at = int((x - left) / scale), int((y - top) / scale)
                if at[0] < picture.width and at[1] < picture.height:
                    assert furthest(picture.at(*at), block(x, y)) <= 4, (region, size, x, y)
    assert shown("0,0,100,50", "^max", "0", "default.jpg").size == (5792, 2896)
    assert shown("full", "37,91").size == (37, 91)


def test_turns_and_colours(shown, original):
    corners = [original.at(0, 0), original.at(WIDTH - 1, 0), original.at(WIDTH - 1, HEIGHT - 1), original.at(0, HEIGHT - 1)]
    for quarters, rotation in enumerate(["0", "90", "180", "270"]):
        picture = shown("full", "max", rotation)
        right, bottom = picture.width - 1, picture.height - 1
        seen = [picture.at(0, 0), picture.at(right, 0), picture.at(right, bottom), picture.at(0, bottom)]
        assert seen[quarters:] + seen[:quarters] == corners
    both = shown("full", "max", "!90")
    assert both.at(HEIGHT - 1, 0) == original.at(WIDTH - 1, 0)
    assert {*shown("full", "max", "0", "bitonal.png").pixels} == {0, 255}
    assert shown("0,0,300,300", "max", "0", "gray.webp").form == "webp"


def turned_jpeg(picture):
    """A JPEG whose EXIF says that it is to be turned by 90 degrees clockwise."""
    with temporary_folder() as folder:
        (folder / "in.png").write_bytes(picture)
        subprocess.run(["vips", "copy", folder / "in.png", folder / "out.jpg[Q=95]"], check=True, capture_output=True)
        jpeg = (folder / "out.jpg").read_bytes()
    exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0"
    return jpeg[:2] + b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif + jpeg[2:]


def test_an_asset_is_shown_as_displayed(service, viewer):
    stored = png_of(800, 400, block)
    made = upload(service, viewer, turned_jpeg(stored), "turned.jpg").json()
    base = request_path(service.get(f"/v1/assets/{made['id']}/addresses", key=viewer).json()["public"]["iiif"])
    info = service.get(f"{base}/info.json").json()
    assert (info["width"], info["height"]) == (400, 800) and info["preferredFormats"] == ["jpg"]
    for parts, scale in [("full/max", 1), ("full/100,", 4)]:  # a quarter is decoded at a reduced scale
        picture = Decoded(service.get(f"{base}/{parts}/0/default.png").body)
        assert picture.size == (400 // scale, 800 // scale)
        for x, y in [(50, 50), (350, 50), (350, 750), (150, 450)]:
            assert furthest(picture.at(x // scale, y // scale), block(y, 399 - x)) <= 12
    part = Decoded(service.get(f"{base}/300,700,100,100/50,/0/default.png").body)
    assert furthest(part.at(25, 25), block(750, 49)) <= 12


def test_transparency_stays_or_becomes_white(service, viewer):
    half = upload(service, viewer, png_of(300, 200, lambda x, y: (200, 30, 30, 255 if x < 150 else 0))).json()["id"]
    base = request_path(service.get(f"/v1/assets/{half}/addresses", key=viewer).json()["public"]["iiif"])
    flat = Decoded(service.get(f"{base}/full/max/0/default.jpg").body)
    assert furthest(flat.at(250, 100), (255, 255, 255)) <= 4 and furthest(flat.at(50, 100), (200, 30, 30)) <= 8
    assert service.get(f"{base}/full/150,/0/default.png").body[25] in (3, 4, 6)  # colour types that hold alpha


# --- info.json and HTTP ---
def test_info_tells_what_viewers_have_to_know(service, addresses, base):
    info = service.get(f"{base}/info.json").json()
    assert info["id"] == addresses["public"]["iiif"] and info["profile"] == "level2"
    assert (info["width"], info["height"]) == (WIDTH, HEIGHT)
    assert info["sizes"] == [{"width": 650, "height": 350}, {"width": 1300, "height": 700}]
    assert info["tiles"] == [{"width": 1024, "height": 1024, "scaleFactors": [1, 2]}] and info["preferredFormats"] == ["png"]
    assert service.get(f"{base}/info.json", headers={"Accept": "application/ld+json"}).headers["Content-Type"].startswith("application/ld+json")
    assert service.get(base).headers["Location"] == addresses["public"]["iiif"] + "/info.json"


def test_every_size_and_tile_that_info_names_can_be_had(service, base, shown):
    info = service.get(f"{base}/info.json").json()
    for size in info["sizes"]:
        assert shown("full", f"{size['width']},{size['height']}").size == (size["width"], size["height"])
    assert shown("1024,0,276,700", "276,700").size == (276, 700)


def test_answers_can_be_kept_and_read_from_anywhere(service, get, base, addresses):
    first = get("0,0,70,70", "35,")
    assert re.fullmatch(r"public, max-age=\d+, immutable", first.headers["Cache-Control"])
    assert f'<{addresses["public"]["iiif"]}/0,0,70,70/35,35/0/default.png>;rel="canonical"' in first.headers["Link"]
    assert get("0,0,70,70", "35,", headers={"If-None-Match": first.headers["ETag"]}).status == 304
    for answer in (first, service.get(f"{base}/info.json"), get("nonsense"), service.get(base)):
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert [get(*parts).status for parts in [("full", "9000,"), ("9999,0,5,5",), ("full", "max", "45"), ("full", "max", "0", "default.tif")]] == [400, 400, 501, 501]


# --- who may ask ---
def test_accounts_without_the_feature_are_told(service, key):
    plain = upload(service, key, png(40, 30)).json()["id"]
    for path in (f"/v1/assets/{plain}/addresses", f"/v1/assets/{plain}/iiif/info.json", f"/v1/assets/{plain}/iiif/full/max/0/default.jpg"):
        answer = service.get(path, key=key)
        assert (answer.status, answer.json()["code"]) == (403, "permission_denied")
        assert "asset_pictures" in answer.json()["hint"] and "tile job" in answer.json()["hint"]


def test_keys_open_their_own_assets_alone(service, viewer, asset, addresses):
    keyed = request_path(addresses["keyed"]["iiif"])
    assert service.get(f"{keyed}/info.json").status == 401
    info = service.get(f"{keyed}/info.json", key=viewer)
    assert info.json()["id"] == addresses["keyed"]["iiif"] and info.headers["Cache-Control"] == "private, no-cache"
    assert service.get(f"{keyed}/full/50,/0/default.jpg", key=viewer).status == 200
    stranger = service.new_account("asset-stranger")
    grant(service, "asset-stranger", True)
    allowed(service, stranger)
    for path in (keyed, f"{keyed}/info.json", f"{keyed}/full/50,/0/default.png", f"/v1/assets/{asset}/addresses"):
        assert service.get(path, key=stranger).status == 404
    assert service.get("/v1/assets/nonsense/iiif/info.json", key=viewer).status == 400
    own = upload(service, stranger, png(50, 40)).json()["id"]
    assert "public" not in service.get(f"/v1/assets/{own}/addresses", key=stranger).json(), "public addresses need cdn_delivery, too"


def test_signatures_fit_one_thing_alone(service, viewer, asset, base):
    grant_given = base.rsplit("/", 1)[1]
    expires, signature = grant_given.split("-")
    for wrong in (f"{int(expires) + 60}-{signature}", f"{expires}-{'0' * 64}", signature, "x"):
        answer = service.get(base.replace(grant_given, wrong) + "/info.json")
        assert (answer.status, answer.json()["code"]) == (403, "invalid_signature"), wrong
    assert service.get(f"/v1/assets/{asset}/content?expires={expires}&sig={signature}").status == 403
    content = service.get(f"/v1/assets/{asset}", key=viewer).json()["content_url"]
    other = re.search(r"expires=(\d+)&sig=([0-9a-f]+)", content)
    assert service.get(base.replace(grant_given, f"{other.group(1)}-{other.group(2)}") + "/info.json").status == 403


def test_addresses_end_with_the_feature_and_with_the_asset(service):
    key = service.new_account("asset-ends", cdn=True)
    grant(service, "asset-ends", True)
    allowed(service, key)
    asset = upload(service, key, png(300, 200)).json()["id"]
    path = request_path(service.get(f"/v1/assets/{asset}/addresses", key=key).json()["public"]["iiif"]) + "/full/100,/0/default.png"
    assert service.get(path).status == 200
    grant(service, "asset-ends", False)
    wait_until(lambda: service.get(path).status == 404, "the address to end with the feature")
    grant(service, "asset-ends", True)
    wait_until(lambda: service.get(path).status == 200, "the address to be back")
    assert service.request("DELETE", f"/v1/assets/{asset}", key=key).status == 204
    assert service.get(path).status == 404


# --- limits, and what is shared ---
def test_what_is_too_large_is_to_be_tiled(make_service):
    service = make_service(settings={"rate_limits.enabled": "false", "pictures.max_asset_megapixels": "1"})
    key = service.new_account("large")
    grant(service, "large", True)
    allowed(service, key)
    large = upload(service, key, png(1200, 1000)).json()["id"]
    for path in (f"/v1/assets/{large}/addresses", f"/v1/assets/{large}/iiif/info.json", f"/v1/assets/{large}/iiif/full/10,/0/default.jpg"):
        answer = service.get(path, key=key)
        assert (answer.status, answer.json()["code"]) == (400, "image_too_large")
        assert "tile job" in answer.json()["hint"]
    small = upload(service, key, png(1000, 1000)).json()["id"]
    assert service.get(f"/v1/assets/{small}/iiif/full/10,/0/default.jpg", key=key).status == 200


def test_a_damaged_asset_is_told(service, viewer):
    damaged = upload(service, viewer, truncated_png(400, 300)).json()["id"]
    answer = service.get(f"/v1/assets/{damaged}/iiif/full/max/0/default.png", key=viewer)
    assert (answer.status, answer.json()["code"]) == (415, "unsupported_media_type")


def test_public_pictures_are_counted_as_delivered(service):
    key = service.new_account("asset-counted", cdn=True)
    grant(service, "asset-counted", True)
    allowed(service, key)

    def used():
        return service.get("/v1/account", key=key).json()["usage"]["cdn_delivery_bytes"]["used"]

    asset = upload(service, key, png(600, 500)).json()["id"]
    given = service.get(f"/v1/assets/{asset}/addresses", key=key).json()
    public, keyed = request_path(given["public"]["iiif"]), request_path(given["keyed"]["iiif"])
    sent = sum(len(service.get(f"{public}/full/100,/0/default.jpg").body) for _ in range(2))
    service.get(f"{keyed}/full/90,/0/default.jpg", key=key)
    service.request("HEAD", f"{public}/full/100,/0/default.jpg")
    wait_until(lambda: used() == sent, "the bytes of public pictures to be counted, and no others")


def test_many_may_ask_for_one_picture_at_once(get):
    answers = []
    threads = [threading.Thread(target=lambda: answers.append(get("13,17,801,601", "400,", "0", "default.jpg"))) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {answer.status for answer in answers} == {200} and len({answer.body for answer in answers}) == 1


def test_the_same_with_postgresql(make_service, database):
    service = make_service(settings={"rate_limits.enabled": "false", "metadata.url": database.url})
    key = service.new_account("shared", cdn=True)
    grant(service, "shared", True)
    allowed(service, key)
    asset = upload(service, key, png_of(300, 200, block)).json()["id"]
    given = service.get(f"/v1/assets/{asset}/addresses", key=key).json()
    public = request_path(given["public"]["iiif"]) + "/100,100,100,100/50,/0/default.png"
    assert furthest(Decoded(service.get(public).body).at(25, 25), block(150, 150)) <= 4
    assert service.get(request_path(given["keyed"]["iiif"]) + "/full/max/0/default.jpg", key=key).status == 200
    grant(service, "shared", False)
    wait_until(lambda: service.get(public).status == 404, "the address to end with the feature")
