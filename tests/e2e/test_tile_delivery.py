"""How tiles reach the public: what caches and browsers are told, what is counted, and what stops resolving."""

import re
import sqlite3
import time

import pytest
from pictures import png
from service import request_path, upload, wait_until
from tilesets import patch, run_job, run_patch, tile_path, tileset_of


@pytest.fixture(scope="module")
def job(service, key):
    asset = upload(service, key, png(700, 500)).json()["id"]
    return run_job(service, key, "tile", {"format": "png"}, asset)


def used_bytes(service, key):
    return service.get("/v1/account", key=key).json()["usage"]["cdn_delivery_bytes"]["used"]


def test_templates_stay_the_same_between_polls(service, key, job):
    def template():
        return service.get(f"/v1/jobs/{job['id']}", key=key).json()["result"]["tile_url_template"]

    # They change four times in their life: twice in a row is not possible here.
    assert template() == template() or template() == template()


def test_caches_are_told_the_time_that_is_left(service, job):
    path = tile_path(job, 0, 0, 0)
    left = int(re.search(r"expires=(\d+)", path).group(1)) - int(time.time())
    told = re.fullmatch(r"public, max-age=(\d+), immutable", service.get(path).headers["Cache-Control"])
    assert left - 30 <= int(told.group(1)) <= left
    assert 0 < left <= 3600


def test_a_known_tag_gets_304_without_bytes(service, job):
    path = tile_path(job, 0, 0, 0)
    first = service.get(path)
    for tag in (first.headers["ETag"], f'"other", {first.headers["ETag"]}', f'W/{first.headers["ETag"]}', "*"):
        again = service.get(path, headers={"If-None-Match": tag})
        assert (again.status, again.body, again.headers["ETag"]) == (304, b"", first.headers["ETag"]), tag
        assert "max-age" in again.headers["Cache-Control"]
        assert again.headers["Access-Control-Allow-Origin"] == "*"
    assert service.get(path, headers={"If-None-Match": '"other"'}).body == first.body


def test_browsers_may_ask_from_anywhere_and_read_refusals(service, job):
    path = tile_path(job, 0, 0, 0)
    asked = {"Origin": "https://example.org", "Access-Control-Request-Method": "GET",
             "Access-Control-Request-Headers": "if-none-match"}
    preflight = service.request("OPTIONS", path, headers=asked)
    assert preflight.status in (200, 204)
    assert preflight.headers["Access-Control-Allow-Origin"] == "*"
    assert "GET" in preflight.headers["Access-Control-Allow-Methods"]
    assert int(preflight.headers["Access-Control-Max-Age"]) >= 600
    for wrong, status in [(path[:-2], 403), (tile_path(job, 0, 5, 0), 404), (path.replace("/0/0/0.", "/0/0/x."), 400)]:
        answer = service.get(wrong, headers={"Origin": "https://example.org"})
        assert (answer.status, answer.headers["Access-Control-Allow-Origin"]) == (status, "*"), wrong
        assert answer.headers["Cache-Control"] == "no-store"
    assert service.get(path).headers["Cross-Origin-Resource-Policy"] == "cross-origin"


def test_a_page_of_any_origin_may_read_tiles_with_a_key(service, key, job):
    path = f"/v1/tilesets/{tileset_of(job)}/xyz/0/0/0.{job['result']['format']}"
    asked = {"Origin": "https://example.org", "Access-Control-Request-Method": "GET",
             "Access-Control-Request-Headers": "x-api-key"}
    preflight = service.request("OPTIONS", path, headers=asked)
    assert (preflight.status, preflight.headers["Access-Control-Allow-Origin"]) == (204, "*")
    allowed = preflight.headers["Access-Control-Allow-Headers"].lower().split(", ")
    assert {"x-api-key", "authorization"} <= set(allowed)
    for more, status in [({"key": key}, 200), ({}, 401)]:
        answer = service.get(path, headers={"Origin": "https://example.org"}, **more)
        assert (answer.status, answer.headers["Access-Control-Allow-Origin"]) == (status, "*")
    # Only tiles: whatever else a key may do is no business of pages.
    for other in ("/v1/account", f"/v1/jobs/{job['id']}"):
        assert "Access-Control-Allow-Origin" not in service.get(other, key=key).headers
        assert "Access-Control-Allow-Origin" not in service.request("OPTIONS", other, headers=asked).headers
    assert "x-api-key" not in service.request("OPTIONS", tile_path(job, 0, 0, 0), headers=asked).headers[
        "Access-Control-Allow-Headers"].lower()  # fmt: skip


def test_an_address_without_an_extension_says_to_add_it(service, key, job):
    answer = service.get(f"/v1/tilesets/{tileset_of(job)}/xyz/0/0/0", key=key)
    assert answer.status == 400 and "{z}/{x}/{y}.png" in answer.json()["error"], answer


SHAPES = [
    "/0/0/0", "/0/0/.png", "/0/0/0.", "/0/0/0.gif", "/0/0/0.PNG", "/0/0/0.png.png", "/0/0/0..png", "/-1/0/0.png",
    "/0/-1/0.png", "/0/0/-1.png", "/+0/0/0.png", "/x/0/0.png", "/00/0/0.png", "/0/00/0.png", "/0/0/00.png", "/0/0/%30.png",
    "/0/0/1e1.png", "/0/0/0x0.png", "/0.0/0/0.png", "/0/0/ 0.png".replace(" ", "%20"), "/0/0/0%00.png", "/0/0/٣.png",
    "/99999999999999999999/0/0.png", "/0/18446744073709551616/0.png", "/0/0/18446744073709551616.png",
]
NOWHERE = [
    "/0/1/0.png", "/0/0/1.png", "/1/2/0.png", "/1/0/2.png", "/3/0/0.png", "/31/0/0.png", "/32/0/0.png", "/255/0/0.png",
    "/2/3/0.png", "/2/0/2.png", "/0/0/0.jpg", "/0/0/0.jpeg", "/0/0/0.webp", "/2/4294967296/0.png", "/2/0/999999999999.png",
]


def test_addresses_of_every_wrong_shape_are_refused_and_what_is_not_there_is_not_found(service, key, job):
    private = f"/v1/tilesets/{tileset_of(job)}/xyz"
    public, query = tile_path(job, 0, 0, 0).split("/0/0/0.png")
    for shape in SHAPES:
        shape = shape.encode().decode("latin-1") if shape.isascii() else "/0/0/%D9%A3.png"
        assert service.get(private + shape, key=key).status == 400, shape
        assert service.get(public + shape + query).status == 400, shape
    for shape in NOWHERE:
        for answer in (service.get(private + shape, key=key), service.get(public + shape + query)):
            assert (answer.status, answer.json()["error"]) == (404, "tile not found"), shape
    for shape in ["/0/0", "/0/0/0.png/0", "/0/0/0.png/", "//0/0.png"]:
        assert service.get(private + shape, key=key).status == 404, shape
    for tileset in ["0", "not-a-uuid", tileset_of(job)[:-1], tileset_of(job) + "0"]:
        assert service.get(f"/v1/tilesets/{tileset}/xyz/0/0/0.png", key=key).status == 400, tileset
    for version in ["0", "-1", "x", "01", "1.0", "99999999999999999999"]:
        assert service.get(public.replace("/v/1/", f"/v/{version}/") + "/0/0/0.png" + query).status == 400, version
    for wrong in ["", "?expires=1", "?sig=" + "0" * 64, query.replace("expires=", "expires=x"), query.replace("sig=", "sig=x")]:
        assert service.get(public + "/0/0/0.png" + wrong).status in (400, 403), wrong


def test_delivered_bytes_are_counted_to_the_byte_and_not_written_one_by_one(make_service):
    service = make_service()
    key = service.new_account("counted", cdn=True)
    asset = upload(service, key, png(700, 500)).json()["id"]
    job = run_job(service, key, "tile", {"format": "png"}, asset)
    database = sqlite3.connect(service.data_dir / "tessera.db", timeout=30)
    commits = lambda: database.execute("PRAGMA data_version").fetchone()[0]  # noqa: E731
    names = [(0, 0, 0), (1, 1, 0), (2, 2, 1)]
    before, sent = commits(), 0
    for i in range(300):
        sent += len(service.get(tile_path(job, *names[i % 3])).body)
    last = service.get(tile_path(job, 0, 0, 0))
    sent += len(last.body)
    service.request("HEAD", tile_path(job, 0, 0, 0))
    service.get(tile_path(job, 0, 0, 0), headers={"If-None-Match": last.headers["ETag"]})
    service.get(f"/v1/tilesets/{tileset_of(job)}/xyz/0/0/0.png", key=key)
    sent += len(service.get(tile_path(job, 0, 0, 0)).body)
    assert commits() - before < 60, "a tile is not a write"
    run_patch(service, key, tileset_of(job), patch(0, 0, 9, 9, color="#fff"))  # closes the version that counted
    wait_until(lambda: used_bytes(service, key) == sent, f"{sent} bytes to be counted")
    database.close()
    sent += len(service.get(tile_path(job, 0, 0, 0)).body)
    service.restart()
    assert used_bytes(service, key) == sent, "what was not written yet is written when the service stops"


PLAN = """
[[plan]]
code = "brief"
display_name = "Brief"
description = "Everything expires at once."
is_public = false
billing_amount_minor = 0
billing_interval = "monthly"
included_processing_credits = 1000

[plan.limits]
max_upload_bytes = "20MiB"
retention_ttl_seconds = 4
"""


def test_tilesets_stop_resolving_when_they_expire(make_service, folder):
    plans = folder / "plans.toml"
    plans.write_text(PLAN)
    service = make_service(settings={"rate_limits.enabled": "false", "plans.file": plans})
    key = service.new_account("brief", plan="brief", cdn=True)
    asset = upload(service, key, png(300, 300)).json()["id"]
    job = run_job(service, key, "tile", {"format": "png"}, asset)
    public, private = tile_path(job, 0, 0, 0), f"/v1/tilesets/{tileset_of(job)}/xyz/0/0/0.png"
    first = service.get(public)
    assert first.status == 200
    assert int(re.search(r"max-age=(\d+)", first.headers["Cache-Control"]).group(1)) <= 4, "caches let go in time"
    wait_until(lambda: service.get(private, key=key).status == 404, "the tileset to expire")
    assert service.get(public).status in (403, 404)
    result = service.get(f"/v1/jobs/{job['id']}", key=key).json()["result"]
    assert set(result) == {"tileset_id", "version", "format"}, "it says what was made, and gives no address any more"


def test_delivery_ends_and_begins_with_the_entitlement(make_service):
    service = make_service()
    key = service.new_account("fickle", cdn=True)
    asset = upload(service, key, png(300, 300)).json()["id"]
    job = run_job(service, key, "tile", {"format": "png"}, asset)
    path = tile_path(job, 0, 0, 0)

    def entitle(enabled):
        service.admin("entitlement", "set", "--account", "fickle", "--feature", "cdn_delivery", "--enabled", enabled)
        return time.monotonic()

    for enabled, status in [("false", 404), ("true", 200), ("false", 404), ("true", 200)]:
        since = entitle(enabled)
        wait_until(lambda status=status: service.get(path).status == status, f"the tile to give {status}")
        assert time.monotonic() - since < 20, "within seconds, however busy the machine"
    since = time.monotonic()
    service.admin("tileset", "delete", tileset_of(job))
    wait_until(lambda: service.get(path).status == 404, "the tileset to go")
    assert time.monotonic() - since < 20


def test_an_older_version_gets_no_address_that_outlives_it(make_service):
    service = make_service(settings={"rate_limits.enabled": "false", "retention.keep_old_versions": "600s",
                                     "signing.tile_url_ttl": "300s"})
    key = service.new_account("old", cdn=True)
    asset = upload(service, key, png(300, 300)).json()["id"]
    job = run_job(service, key, "tile", {"format": "png"}, asset)
    run_patch(service, key, tileset_of(job), patch(0, 0, 9, 9, color="#fff"))
    again = service.get(f"/v1/jobs/{job['id']}", key=key).json()
    assert service.get(request_path(tile_path(again, 0, 0, 0))).status == 200
    service.stop()
    with sqlite3.connect(service.data_dir / "tessera.db") as database:  # as if the patch had come eight minutes ago
        database.execute("UPDATE tileset_versions SET created_at = created_at - 480000 WHERE version = 2")
    service.start()
    again = service.get(f"/v1/jobs/{job['id']}", key=key).json()
    left = int(re.search(r"expires=(\d+)", tile_path(again, 0, 0, 0)).group(1)) - time.time()
    assert 0 < left <= 120
