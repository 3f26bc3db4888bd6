"""Lists of what an account has, and single reads of it: assets, jobs, tilesets."""

import hashlib
import json
import urllib.request

import pytest
from pictures import png
from service import request_path, upload, wait_until
from tilesets import run_job, run_patch, tileset_of

ASSET_FIELDS = {
    "id", "account_id", "source_type", "status", "original_filename", "content_type", "checksum_sha256", "byte_size",
    "width", "height", "storage_key", "created_at",
}  # fmt: skip


@pytest.fixture(scope="module")
def stranger(service):
    return service.new_account("stranger")


def pages(service, key, path, name):
    """Every page, one after the other."""
    found, cursor = [], None
    while True:
        joined = path + (("&" if "?" in path else "?") + f"cursor={cursor}" if cursor else "")
        answer = service.get(joined, key=key)
        assert answer.status == 200, answer
        page = answer.json()
        assert set(page) == {name, "next_cursor"}
        found.append([one["id"] for one in page[name]])
        cursor = page["next_cursor"]
        if cursor is None:
            return found


def refusal(answer):
    return answer.status, answer.json()["code"], answer.json()["error"]


def test_assets_are_listed_newest_first_in_pages(service, stranger):
    key = service.new_account("lister")
    made = [upload(service, key, png(8 + i, 8)).json() for i in range(5)]
    upload(service, stranger, png(8, 9))
    newest_first = [asset["id"] for asset in reversed(made)]
    assert pages(service, key, "/v1/assets?limit=2", "assets") == [newest_first[:2], newest_first[2:4], newest_first[4:]]
    assert pages(service, key, "/v1/assets", "assets") == [newest_first]
    listed = service.get("/v1/assets?limit=1", key=key).json()["assets"][0]
    assert {name: listed[name] for name in ASSET_FIELDS} == made[-1]
    assert set(listed) - ASSET_FIELDS <= {"expires_at"}


def test_an_upload_keeps_exactly_its_fields(service, key):
    assert set(upload(service, key, png(8, 8)).json()) == ASSET_FIELDS


def test_an_asset_is_read_and_its_bytes_are_had_from_a_signed_address(service, key, stranger):
    picture = png(31, 17)
    asset = upload(service, key, picture, "a photo.png").json()
    answer = service.get(f"/v1/assets/{asset['id']}", key=key)
    assert answer.status == 200
    described = answer.json()
    assert set(described) - {"expires_at"} == ASSET_FIELDS | {"content_url", "content_expires_at"}
    path = request_path(described["content_url"])
    content = service.get(path)  # no key
    assert (content.status, content.headers["Content-Type"]) == (200, "image/png")
    assert content.body == picture
    assert hashlib.sha256(content.body).hexdigest() == asset["checksum_sha256"]
    assert content.headers["Access-Control-Allow-Origin"] == "*"
    assert "a photo.png" in content.headers["Content-Disposition"]
    part = service.get(path, headers={"Range": "bytes=1-3"})
    assert (part.status, part.body) == (206, picture[1:4])
    assert service.get(path, headers={"If-None-Match": content.headers["ETag"]}).status == 304
    assert service.request("HEAD", path).status == 200

    assert refusal(service.get(path[:-1] + ("0" if path[-1] != "0" else "1"))) == (
        403, "invalid_signature", "invalid or expired content signature",
    )  # fmt: skip
    assert service.get(f"/v1/assets/{asset['id']}/content", key=key).status == 403
    # The signature of one thing fits no other.
    artifact = path.replace("/v1/assets/", "/v1/artifacts/").replace("/content", "/download")
    assert service.get(artifact).status == 403
    assert refusal(service.get(f"/v1/assets/{asset['id']}", key=stranger)) == (404, "asset_not_found", "asset not found")
    assert refusal(service.get("/v1/assets/nonsense", key=key)) == (400, "invalid_id", "invalid asset id")


def test_jobs_are_listed_and_filtered(service, stranger):
    key = service.new_account("worker")
    one, two = (upload(service, key, png(40 + i, 30)).json()["id"] for i in range(2))
    resized = run_job(service, key, "resize", {"width": 16, "format": "png"}, one)
    optimized = run_job(service, key, "optimize", {}, one)
    other = run_job(service, key, "resize", {"width": 8}, two)
    tiled = run_job(service, key, "tile", {"format": "png"}, two)
    patched = run_patch(service, key, tileset_of(tiled), {"x": 0, "y": 0, "width": 4, "height": 4, "color": "red"})
    in_order = [job["id"] for job in (patched, tiled, other, optimized, resized)]

    def listed(query=""):
        return [one for page in pages(service, key, f"/v1/jobs?limit=2{query}", "jobs") for one in page]

    assert listed() == in_order
    assert listed("&status=succeeded") == in_order
    assert listed("&status=failed") == listed("&status=queued") == []
    assert listed("&operation=resize") == [other["id"], resized["id"]]
    assert listed("&operation=resize&status=succeeded") == [other["id"], resized["id"]]
    assert listed(f"&asset_id={one}") == [optimized["id"], resized["id"]]
    assert listed(f"&asset_id={one}&operation=resize&status=succeeded") == [resized["id"]]
    assert listed(f"&tileset_id={tileset_of(tiled)}") == [patched["id"], tiled["id"]]
    assert listed("&status=&operation=&asset_id=&tileset_id=") == in_order  # a form that was left empty
    assert pages(service, stranger, f"/v1/jobs?asset_id={one}", "jobs") == [[]]

    shown = {job["id"]: job for job in service.get("/v1/jobs", key=key).json()["jobs"]}
    for job in (resized, patched):
        own = service.get(f"/v1/jobs/{job['id']}", key=key).json()
        told = shown[job["id"]]
        assert (told.pop("credits"), told.pop("progress")) == (1, 1.0)
        told.pop("tileset_id", None)
        for artifact in told["artifacts"]:
            artifact.pop("expires_at", None)
        assert told == own, "otherwise as on its own route"


def test_a_tile_job_in_a_list_has_its_signed_templates(service, key):
    asset = upload(service, key, png(300, 200)).json()["id"]
    job = run_job(service, key, "tile", {"format": "png"}, asset)
    told = next(one for one in service.get("/v1/jobs", key=key).json()["jobs"] if one["id"] == job["id"])
    assert told["result"] == service.get(f"/v1/jobs/{job['id']}", key=key).json()["result"] != {}
    assert told["tileset_id"] == tileset_of(job)


@pytest.mark.parametrize(
    "path,error",
    [
        ("/v1/assets?limit=0", "limit must be a whole number from 1 to 100"),
        ("/v1/jobs?limit=101", "limit must be a whole number from 1 to 100"),
        ("/v1/tilesets?limit=ten", "limit must be a whole number from 1 to 100"),
        ("/v1/assets?cursor=nonsense", "invalid cursor"),
        ("/v1/assets?cursor=" + "B" * 22, "invalid cursor"),
        ("/v1/jobs?status=done", "status must be queued, running, succeeded or failed"),
        ("/v1/jobs?asset_id=7", "asset_id must be a valid uuid"),
        ("/v1/jobs?tileset_id=7", "tileset_id must be a valid uuid"),
        ("/v1/jobs?stats=failed", "unknown query parameter 'stats'"),
        ("/v1/assets?status=ready", "unknown query parameter 'status'"),
        ("/v1/jobs?limit=1&limit=2", "invalid query parameter 'limit'"),
    ],
)
def test_a_list_that_is_asked_for_wrongly_says_so(service, key, path, error):
    assert refusal(service.get(path, key=key)) == (400, "invalid_request", error)


def test_an_operation_that_there_is_not_is_refused(service, key):
    assert refusal(service.get("/v1/jobs?operation=sharpen", key=key)) == (
        400, "unsupported_operation", "unsupported operation",
    )  # fmt: skip


def test_a_tileset_tells_of_itself_and_of_its_versions(service, key, stranger):
    asset = upload(service, key, png(600, 400)).json()["id"]
    tiled = run_job(service, key, "tile", {"format": "png"}, asset)
    tileset = tileset_of(tiled)
    patched = run_patch(service, key, tileset, {"x": 0, "y": 0, "width": 9, "height": 9, "color": "red"})
    told = service.get(f"/v1/tilesets/{tileset}", key=key).json()
    versions = told.pop("versions")
    assert {name: told[name] for name in ("id", "version", "format", "width", "height", "tile_size", "job_id")} == {
        "id": tileset, "version": 2, "format": "png", "width": 600, "height": 400, "tile_size": 256, "job_id": patched["id"],
    }  # fmt: skip
    assert (told["min_zoom"], told["max_zoom"]) == (0, 2)
    assert [one["version"] for one in versions] == [2, 1]
    assert [one["job_id"] for one in versions] == [patched["id"], tiled["id"]]
    assert versions[1]["replaced_at"] == versions[0]["created_at"] == told["updated_at"]
    for version in versions:
        template = version["public_tile_url_template"]
        assert template == version["tile_url_template"]
        tile = service.get(request_path(template.replace("{z}", "0").replace("{x}", "0").replace("{y}", "0")))
        assert (tile.status, tile.headers["Content-Type"]) == (200, "image/png")
    assert versions[0]["tile_url_template"] == service.get(f"/v1/jobs/{patched['id']}", key=key).json()["result"]["tile_url_template"]
    assert service.get("/v1/tilesets?limit=1", key=key).json()["tilesets"] == [told]

    for path in ("", "/tilejson"):
        assert refusal(service.get(f"/v1/tilesets/{tileset}{path}", key=stranger)) == (
            404, "tileset_not_found", "tileset not found",
        )  # fmt: skip
        assert refusal(service.get(f"/v1/tilesets/x{path}", key=key)) == (400, "invalid_id", "invalid tileset id")


def fetch(address, key=None):
    request = urllib.request.Request(address, headers={"X-API-Key": key} if key else {})
    with urllib.request.urlopen(request) as answer:
        return answer.headers["Content-Type"], answer.read()


@pytest.mark.parametrize("cdn", [True, False], ids=["signed", "keyed"])
def test_tilejson_leads_to_the_tiles(service, cdn):
    key = service.new_account(f"map{cdn}".lower(), cdn=cdn)
    asset = upload(service, key, png(1024, 512)).json()["id"]
    tileset = tileset_of(run_job(service, key, "tile", {"format": "png"}, asset))
    source = json.loads(fetch(f"http://127.0.0.1:{service.port}/v1/tilesets/{tileset}/tilejson", key)[1])
    assert source["tilejson"] == "3.0.0"
    assert (source["minzoom"], source["maxzoom"], source["scheme"], source["tileSize"]) == (0, 2, "xyz", 256)
    assert source["bounds"] == pytest.approx([-180, 0, 180, 85.0511288])  # all of the width, the upper half
    (template,) = source["tiles"]
    assert ("sig=" in template) == cdn
    address = template.replace("{z}", "2").replace("{x}", "3").replace("{y}", "1")
    assert fetch(address, None if cdn else key)[0] == "image/png"
    assert "public_tile_url_template" not in json.dumps(
        [] if cdn else service.get(f"/v1/tilesets/{tileset}", key=key).json()
    )


@pytest.mark.parametrize(
    "role,allowed",
    [
        ("runtime", {"/v1/assets", "/v1/jobs", "/v1/tilesets"}),
        ("reader", {"/v1/assets", "/v1/jobs", "/v1/tilesets"}),
        ("tile_reader", {"/v1/tilesets"}),
        ("uploader", set()),
        ("submitter", {"/v1/jobs"}),
        ("artifact_reader", {"/v1/jobs"}),
        ("account_reader", set()),
    ],
)
def test_a_role_lists_what_it_may_read(service, key, role, allowed):
    own = service.new_key("tester", role, name=role)
    answers = {path: service.get(path, key=own).status for path in ("/v1/assets", "/v1/jobs", "/v1/tilesets")}
    assert answers == {path: 200 if path in allowed else 403 for path in answers}


def test_lists_are_rate_limited_each_by_its_own_setting(make_service):
    limits = {"asset_reads": 2, "job_lists": 3, "tileset_reads": 4, "job_cancellations": 1, "deletions": 1}
    service = make_service(settings={f"rate_limits.{name}": count for name, count in limits.items()})
    key = service.new_account("tester")
    for path, count in (("/v1/assets", 2), ("/v1/jobs", 3), ("/v1/tilesets", 4)):
        answers = [service.get(path, key=key) for _ in range(count + 1)]
        assert [one.status for one in answers] == [200] * count + [429]
        assert answers[-1].json()["code"] == "rate_limited"
        assert int(answers[-1].headers["Retry-After"]) > 0
    nothing = "/v1/jobs/00000000-0000-7000-8000-000000000000"
    assert [service.post(f"{nothing}/cancel", key=key).status for _ in range(2)] == [404, 429]
    assert [service.request("DELETE", f"{nothing}/artifacts", key=key).status for _ in range(2)] == [404, 429]


def test_what_expired_is_not_there_any_more(make_service, folder):
    plans = folder / "plans.toml"
    plans.write_text(
        '[[plan]]\ncode = "brief"\ndisplay_name = "Brief"\ndescription = "For a moment."\nis_public = false\n'
        'billing_amount_minor = 0\nbilling_interval = "monthly"\nincluded_processing_credits = 1000\n'
        "[plan.limits]\nretention_ttl_seconds = 3\n"
    )
    service = make_service()
    service.admin("plan", "apply", plans)
    key = service.new_account("tester", plan="brief")
    asset = upload(service, key, png(16, 16)).json()["id"]
    assert [one["expires_at"] > one["created_at"] for one in service.get("/v1/assets", key=key).json()["assets"]] in ([True], [])
    wait_until(lambda: service.get(f"/v1/assets/{asset}", key=key).status == 404, "the asset to expire")
    assert service.get("/v1/assets", key=key).json() == {"assets": [], "next_cursor": None}
