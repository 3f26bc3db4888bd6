"""Tilesets from a job to a tile: with a key, and with a signed address for everybody."""

import re
import uuid

import pytest
from pictures import png, png_size
from service import request_path, upload, wait_for_job, wait_until


def tile_job(service, key, asset, **options):
    body = {"asset_id": asset, "operation": "tile", "options": {"format": "png", **options}}
    return wait_for_job(service, key, service.post("/v1/jobs", body=body, key=key).json()["id"])


@pytest.fixture(scope="module")
def asset(service, key):
    return upload(service, key, png(700, 300)).json()["id"]


@pytest.fixture(scope="module")
def job(service, key, asset):
    ended = tile_job(service, key, asset)
    assert ended["status"] == "succeeded", ended
    return ended


def tile_path(job, z, x, y):
    template = job["result"]["public_tile_url_template"]
    return request_path(template.replace("{z}", str(z)).replace("{x}", str(x)).replace("{y}", str(y)))


def test_an_entitled_account_gets_templates_that_stay_the_same(service, key, job):
    result = job["result"]
    assert set(result) == {"tileset_id", "version", "format", "public_tile_url_template", "tile_url_template"}
    assert (result["version"], result["format"]) == (1, "png")
    pattern = rf".*/cdn/tilesets/{result['tileset_id']}/v/1/xyz/{{z}}/{{x}}/{{y}}\.png\?expires=\d+&sig=[0-9a-f]{{64}}"
    assert re.fullmatch(pattern, result["tile_url_template"])
    again = service.get(f"/v1/jobs/{job['id']}", key=key).json()["result"]
    assert again["tileset_id"] == result["tileset_id"]


def test_every_account_finds_its_tileset_in_the_artifact(job):
    metadata = job["artifacts"][0]["metadata"]
    assert metadata["tileset_id"] == job["result"]["tileset_id"]
    assert {"version", "format", "tile_size", "min_zoom", "max_zoom", "tile_count"} <= set(metadata)


def test_tiles_are_served_with_a_key_and_to_everybody_with_a_signature(service, key, job):
    tileset = job["result"]["tileset_id"]
    top = job["artifacts"][0]["metadata"]["max_zoom"]
    private = service.get(f"/v1/tilesets/{tileset}/xyz/{top}/0/0.png", key=key)
    public = service.get(tile_path(job, top, 0, 0))
    assert private.status == public.status == 200
    assert private.body == public.body and png_size(public.body) == (256, 256)
    assert public.headers["Content-Type"] == "image/png"
    assert public.headers["Access-Control-Allow-Origin"] == "*"
    assert re.fullmatch(r"public, max-age=\d+, immutable", public.headers["Cache-Control"])
    assert service.get(tile_path(job, top, 0, 0), headers={"If-None-Match": public.headers["ETag"]}).status == 304
    head = service.request("HEAD", tile_path(job, top, 0, 0))
    assert head.status == 200 and int(head.headers["Content-Length"]) == len(public.body)
    asked = {"Origin": "https://example.org", "Access-Control-Request-Method": "GET"}
    assert service.request("OPTIONS", tile_path(job, top, 0, 0), headers=asked).status in (200, 204)


def test_tiles_that_are_not_there_and_addresses_that_are_none(service, key, job):
    base = f"/v1/tilesets/{job['result']['tileset_id']}/xyz"
    for path in ["/0/1/0.png", "/20/0/0.png", "/0/0/0.webp"]:
        assert service.get(base + path, key=key).status == 404, path
    for path in ["/0/0/0", "/0/0/0.gif", "/-1/0/0.png", "/x/0/0.png", "/00/0/0.png", "/0/0/%30.png", "/0/0/1e1.png"]:
        assert service.get(base + path, key=key).status == 400, path
    assert service.get(base + "/0/0/0.png").status == 401
    assert service.get(f"/v1/tilesets/{uuid.uuid4()}/xyz/0/0/0.png", key=key).json()["error"] == "tileset not found"
    stranger = service.new_account("tile-stranger")
    assert service.get(base + "/0/0/0.png", key=stranger).status == 404


def test_signatures_fit_one_version_of_one_tileset(service, key, asset, job):
    path = tile_path(job, 0, 0, 0)
    other = tile_job(service, key, asset)
    wrong = path.replace(job["result"]["tileset_id"], other["result"]["tileset_id"])
    assert service.get(wrong).status == 403
    assert service.get(path.replace("/v/1/", "/v/2/")).status == 403
    assert service.get(path[:-1] + ("0" if path[-1] != "0" else "1")).status == 403
    assert service.get(path.split("?")[0]).status == 403


def test_a_rebuild_is_the_next_version_and_the_old_one_stays(service, key, asset):
    first = tile_job(service, key, asset)
    tileset = first["result"]["tileset_id"]
    second = tile_job(service, key, asset, tileset_id=tileset, rotate=90)
    assert (second["result"]["tileset_id"], second["result"]["version"]) == (tileset, 2)
    old, new = service.get(tile_path(first, 0, 0, 0)), service.get(tile_path(second, 0, 0, 0))
    assert old.status == new.status == 200 and old.body != new.body
    assert service.get(f"/v1/tilesets/{tileset}/xyz/0/0/0.png", key=key).body == new.body


def test_deleted_and_unentitled_tilesets_stop_resolving(make_service):
    service = make_service()
    key = service.new_account("fickle", cdn=True)
    asset = upload(service, key, png(300, 300)).json()["id"]
    job = tile_job(service, key, asset)
    path = tile_path(job, 0, 0, 0)
    assert service.get(path).status == 200
    service.admin("entitlement", "set", "--account", "fickle", "--feature", "cdn_delivery", "--enabled", "false")
    wait_until(lambda: service.get(path).status == 404, "public delivery to end")
    wait_until(lambda: service.get(f"/v1/jobs/{job['id']}", key=key).json()["result"] == {}, "the templates to go")
    private = f"/v1/tilesets/{job['artifacts'][0]['metadata']['tileset_id']}/xyz/0/0/0.png"
    assert service.get(private, key=key).status == 200
    service.admin("tileset", "delete", job["artifacts"][0]["metadata"]["tileset_id"])
    wait_until(lambda: service.get(private, key=key).status == 404, "the tileset to go")


def test_retries_are_answered_with_their_jobs_whatever_became_of_the_tileset(make_service):
    service = make_service()
    key = service.new_account("retries", plan="starter")

    def submit(name):
        return service.post("/v1/jobs", body=requests[name], key=key, headers={"Idempotency-Key": f"retry-{name}"})

    def credits():
        return service.get("/v1/account", key=key).json()["usage"]["processing_credits"]["used"]

    large, small = (upload(service, key, png(size, size)).json()["id"] for size in (300, 20))
    tileset = tile_job(service, key, large)["artifacts"][0]["metadata"]["tileset_id"]
    requests = {
        # Over the plan's caps on pictures: its artifact is the archive.
        "grid": {"operation": "grid_render", "options": {"width": 9000, "height": 100, "block_width": 100}},
        "patch": {
            "operation": "tile_patch",
            "asset_id": small,
            "options": {"tileset_id": tileset, "patches": [{"x": 250, "y": 250, "width": 40, "height": 40}]},
        },
        "rebuild": {"operation": "tile", "asset_id": large, "options": {"tileset_id": tileset}},
    }
    jobs = {}
    for name in requests:
        accepted = submit(name)
        assert accepted.status == 201, accepted
        jobs[name] = wait_for_job(service, key, accepted.json()["id"])["id"]

    def answers():
        spent, sent = credits(), {name: submit(name) for name in requests}
        assert credits() == spent
        return {name: (answer.status, answer.json().get("id")) for name, answer in sent.items()}

    originals = {name: (200, job) for name, job in jobs.items()}
    assert answers() == originals
    assert tile_job(service, key, small, tileset_id=tileset)["status"] == "succeeded"
    assert answers() == originals
    service.admin("tileset", "delete", tileset)
    assert answers() == originals
