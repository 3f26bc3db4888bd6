"""The console's compare and tileset pages in a real browser, against the real binary: by pointer and by keys, in both
themes and three sizes. What the pages ask for is held against what a patch touches."""

import re

import pytest
from archives import vips
from browser import look
from service import request_path, upload
from test_console import SCREENSHOTS, play
from tilesets import patch, run_job, run_patch, tileset_of
from upload_samples import encoded

WIDTH, HEIGHT, MAX_ZOOM = 2400, 1600, 4


@pytest.fixture(scope="module", autouse=True)
def with_console(service):
    page = service.get("/", headers={"Accept": "text/html"})
    if page.status != 200:
        pytest.skip("the binary has no console: npm ci in web/, then build")


@pytest.fixture(scope="module")
def photo(tmp_path_factory):
    """Something with detail at every size."""
    folder = tmp_path_factory.mktemp("photo")
    for name, cell in (("red", 512), ("green", 256), ("blue", 128)):
        vips("perlin", folder / f"{name}.v", WIDTH, HEIGHT, "--uchar", "--cell-size", cell)
    parts = " ".join(str(folder / f"{name}.v") for name in ("red", "green", "blue"))
    vips("bandjoin", parts, folder / "joined.v")
    vips("copy", folder / "joined.v", folder / "rgb.v", "--interpretation", "srgb")
    vips("jpegsave", folder / "rgb.v", folder / "photo.jpg", "--Q", 95)
    return (folder / "photo.jpg").read_bytes()


@pytest.fixture(scope="module")
def asset(service, key, photo):
    return upload(service, key, photo, "harbour.jpg").json()["id"]


def touched(patch):
    """Names of the tiles that a patch touches, in every zoom."""
    found = set()
    for zoom in range(MAX_ZOOM + 1):
        side = 256 << (MAX_ZOOM - zoom)
        columns = range(patch["x"] // side, (patch["x"] + patch["width"] - 1) // side + 1)
        rows = range(patch["y"] // side, (patch["y"] + patch["height"] - 1) // side + 1)
        found |= {(zoom, column, row) for column in columns for row in rows}
    return found


def names(paths):
    return [tuple(map(int, re.search(r"/xyz/(\d+)/(\d+)/(\d+)\.", path).groups())) for path in paths]


def version_of(path):
    return int(re.search(r"/v/(\d+)/", path).group(1))


def test_the_elements_alone():
    told = look("console-elements")
    shares, keys, zoom = told["shares"], told["keys"], told["zoom"]
    assert shares["start"] == 0.5 and shares["dragged"] == 0.25 and shares["clamped"] == 0
    assert shares["resized"] == [200, 175, 0.25] and shares["afterKey2"] == 0.5
    assert shares["lying"] == [0.5, "vertical", 0.75]
    assert keys == {
        "Home": "0", "ArrowRight": "2", "Shift+ArrowRight": "12", "End": "100", "ArrowLeft": "98", "typing": "98",
        "1": 1, "2": 0.5, "3": 0,
    }  # fmt: skip
    # Both layers lie in the same place, always: 1600x1200 in 800x400, then closer around (200, 100).
    assert zoom["fit"] == [[133.33, 0, 533.33]] * 2 == zoom["fitAgain"]
    left, top, width = zoom["wheel"][0]
    assert zoom["wheel"][0] == zoom["wheel"][1] and width > 533.34
    assert abs((200 - left) / width - (200 - 133.33) / 533.33) < 0.001
    assert zoom["panned"] == [[pytest.approx(left + 50), pytest.approx(top + 30), width]] * 2
    assert zoom["lost"][0][:2] == [800 - 64, 400 - 64]
    assert zoom["hundred"][0][2] == 1600 and zoom["step"] == pytest.approx(125)
    assert told["complaints"] == []


def test_compare(service, key, asset):
    strange = upload(service, key, encoded(".heic"), "strange.heic").json()["id"]
    previews = service.get(f"/v1/assets/{strange}/preview", key=key).status == 200
    jobs = {
        "strange": run_job(service, key, "resize", {"width": 60, "format": "webp"}, strange),
        "optimized": run_job(service, key, "optimize", {"quality": 60}, asset),
        "resized": run_job(service, key, "resize", {"width": 600, "format": "jpeg"}, asset),
        "tiled": run_job(service, key, "tile", {}, asset),
        "several": run_job(service, key, "resize", {"outputs": [{"width": 300}, {"width": 200, "format": "webp", "target": 70}]}, asset),
    }
    told = play("compare", service, key, **{name: job["id"] for name, job in jobs.items()})
    source = service.get(f"/v1/assets/{asset}", key=key).json()
    result = jobs["optimized"]["artifacts"][0]
    assert "optimize · harbour.jpg" in told["title"]
    assert "Source · jpeg" in told["captions"][0] and "2,400 × 1,600" in told["captions"][0]
    assert "jpeg · quality 60" in told["captions"][1]
    assert f"−{round((1 - result['byte_size'] / source['byte_size']) * 100)} %" in told["footer"] and "saved" in told["footer"]
    assert told["download"] == "harbour-optimize.jpg"
    assert told["dragged"] == pytest.approx(0.25, abs=0.002)  # from the middle, by a quarter, wherever it was taken
    assert told["end"] == "100" and told["key2"] == 0.5 and told["flipped"] == [0, 1]
    assert (told["z"], told["step"], told["typed"]) == ("100 %", "125 %", "33 %")
    assert told["shareWhileTyping"] == 1
    assert told["rendering"] == "pixelated"
    assert len(set(told["boxes"])) == 1
    assert f'"asset_id":"{asset}"' in told["curl"] and "$KEY" in told["curl"] and key not in told["curl"]
    # A smaller result is drawn at the source's size, so that the two line up.
    assert len(set(told["resized"]["boxes"])) == 1 and told["resized"]["natural"] == [[2400, 1600], [600, 400]]
    assert "2,400 × 1,600 → 600 × 400" in told["resized"]["footer"]
    assert told["lying"] == "vertical" and told["overflows"] == [False, False]
    assert ("the service's preview" if previews else "download it") in told["strange"][0] and "can't" not in told["strange"][1]
    assert "Only resize and optimize" in told["nothing"]
    second = jobs["several"]["artifacts"][1]["metadata"]
    facts = told["several"]["facts"]
    assert "w200 · 200 × 133 · image/webp" in facts and f"quality {second['quality']}" in facts and f"score {second['score']:.1f}" in facts
    assert second["dominant_color"] in told["several"]["palette"] and second["palette"][0] in told["several"]["palette"]
    assert (told["several"]["compared"], told["several"]["chosen"]) == ([200, 133], [300, 200])
    assert not any(told["axe"].values()), told["axe"]


def test_tilesets(service, key, asset, photo):
    job = run_job(service, key, "tile", {}, asset)
    spare = run_job(service, key, "tile", {}, asset)
    plain_key = service.new_account("plain")
    plain_asset = upload(service, plain_key, photo, "harbour.jpg").json()["id"]
    plain = run_job(service, plain_key, "tile", {}, plain_asset)
    told = play(
        "tilesets", service, key, tileset=tileset_of(job), spare=tileset_of(spare), asset=asset,
        plainKey=plain_key, plainTileset=tileset_of(plain),
    )  # fmt: skip
    assert len(told["cards"]) >= 2 and "harbour.jpg" in told["cards"][0] and "v1" in told["cards"][0]
    assert "harbour.jpg · 2,400 × 1,600" in told["title"]

    assert told["grid"] and "grid=1" in told["gridInAddress"]
    assert re.fullmatch(r"z 4 · x \d · y \d · 100 %", told["hundred"]), told["hundred"]

    # At 100 % a pixel of the screen is one of the picture.
    drawn, moved, resized = told["drawn"], told["moved"], told["resized"]
    assert (drawn["width"], drawn["height"]) in [(w, h) for w in (120, 121) for h in (80, 81)]
    assert (moved["x"] - drawn["x"], moved["y"] - drawn["y"]) == (30, 20)
    assert (resized["width"] - moved["width"], resized["height"] - moved["height"]) == (40, 20)
    assert (told["byKeys"]["x"] - resized["x"], told["byKeys"]["y"] - resized["y"]) == (-1, -10)
    assert told["handleByKeys"]["width"] - told["byKeys"]["width"] == 10
    patch = told["typed"]
    assert patch == {**told["handleByKeys"], "width": 120}
    assert f"touches {len(touched(patch))} tiles in 5 zooms · 1 credit" in told["cost"]
    assert told["afterReload"] == 1

    # Only what the patch touches is asked for, at the new version, and each tile once.
    asked = told["afterPublishing"]
    assert asked and set(names(asked)) <= touched(patch), asked
    assert {version_of(path) for path in asked} == {2} and len(set(asked)) == len(asked)
    assert told["patched"][0] > 200 and told["patched"][1] < 60
    assert told["flashes"] == 1 and not told["flashedBeside"]
    again = [path for path in told["afterZoomingOut"] if names([path])[0] not in touched(patch)]
    assert not set(again) & set(told["before"]), "tiles that were there are asked for again"
    assert all(version_of(path) == 1 for path in again)

    assert [text.split()[0] for text in told["versions"]] == ["v2", "v1"] and "1 patch" in told["versions"][0]
    assert "version=1" in told["oldAddress"]
    assert told["divided"] == "52"
    original, restored = told["restored"]
    assert all(abs(a - b) <= 4 for a, b in zip(original, restored)), told["restored"]
    assert "harbour.jpg" in told["picked"] or "undo-v2" in told["picked"]
    assert told["rows"] == 2 == told["rowsAfterUndo"]

    template = service.get(f"/v1/tilesets/{tileset_of(job)}", key=key).json()["versions"][0]["public_tile_url_template"]
    assert request_path(told["snippets"]["Template"]).split("?")[0] == request_path(template).split("?")[0]
    for viewer in ("OpenSeadragon", "Leaflet", "MapLibre"):
        assert f'"width":{WIDTH},"height":{HEIGHT},"tile_size":256,"max_zoom":{MAX_ZOOM}' in told["snippets"][viewer]
        assert "tiles.example.org" not in told["snippets"][viewer]
    assert f"/v1/tilesets/{tileset_of(job)}/tilejson" in told["snippets"]["TileJSON"]
    assert "/iiif/" in told["snippets"]["IIIF"] and told["snippets"]["IIIF"].endswith("/info.json")
    assert "/dzi/" in told["snippets"]["Deep Zoom"] and told["snippets"]["Deep Zoom"].endswith("/image.dzi")
    assert "tileset export" in told["archive"] and told["download"].endswith(".pmtiles")

    assert told["overflows"] == [False] * 4

    # With the key alone: the newest version only, and still no tile more than is touched.
    asked = told["plain"]["afterPublishing"]
    assert asked and set(names(asked)) <= touched(told["plain"]["patch"]) and all("/v1/tilesets/" in path for path in asked)
    assert told["plain"]["patched"][:3] != [0, 0, 0] and "cdn_delivery" in told["plain"]["note"]

    assert "can't be had back" in told["question"] and "There is no such tileset" in told["notFound"]
    assert not any(told["axe"].values()), told["axe"]


@pytest.mark.skipif(not SCREENSHOTS, reason="makes pictures for the docs: TESSERA_SCREENSHOTS=FOLDER")
def test_pictures_for_the_docs(service):
    told = play("patch_pictures", service, service.new_account("gallery", cdn=True, plan="pro"))
    assert told["tileset"].startswith("#/tilesets/")


def test_a_tileset_under_fingers(service, key, asset):
    told = play("tileset_touch", service, key, tileset=tileset_of(run_job(service, key, "tile", {}, asset)))
    assert told["pinched"] > 1.5 * told["before"]
    assert told["afterDrag"] == told["pinched"] and told["pageMoved"] == 0, "a drag moves the picture alone"
    drawn, moved, resized = told["drawn"], told["moved"], told["resized"]
    assert min(drawn.values()) > 0
    assert (moved["width"], moved["height"]) == (drawn["width"], drawn["height"])
    assert moved["x"] < drawn["x"] and moved["y"] > drawn["y"]
    assert (resized["x"], resized["y"]) == (moved["x"], moved["y"])
    assert resized["width"] > moved["width"] and resized["height"] > moved["height"]


def test_a_patch_is_taken_back_and_versions_are_played(service, key, asset):
    tilesets = {}
    for name in ("png", "webp"):
        tilesets[name] = tileset_of(run_job(service, key, "tile", {"format": name}, asset))
        run_patch(service, key, tilesets[name], patch(900, 600, 600, 400, color="#ff0000"))
    told = play("tileset_undo", service, key, tilesets=tilesets)
    for name, (original, patched, restored) in told["pixels"].items():
        assert patched[0] > 240 and max(patched[1:3]) < 16 and original != patched
        # What was there is exact without losses, and close with them.
        far = max(abs(before - after) for before, after in zip(original, restored))
        assert far <= (0 if name == "png" else 8), (name, told["pixels"])
    assert told["played"][:3] == ["1", "2", "3"], "from the newest on to the oldest, then in time"
