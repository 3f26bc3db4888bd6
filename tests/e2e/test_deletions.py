"""DELETE of assets, artifacts and tilesets: gone at once, on every node, and the same when it is asked for again."""

import pytest
from pictures import noise_png, png
from service import request_path, upload, wait_for_job, wait_until
from tilesets import blob, layers, run_job, submit, tile_path, tileset_of

NOBODY = "00000000-0000-7000-8000-000000000000"


def delete(service, key, path):
    return service.request("DELETE", path, key=key)


def refusal(answer):
    return answer.status, answer.json()["error"]


@pytest.fixture(scope="module")
def stranger(service):
    return service.new_account("stranger")


def used(service, key):
    return service.get("/v1/account", key=key).json()["usage"]["processing_credits"]["used"]


def test_a_deleted_asset_is_gone_and_its_address_too(service, key, stranger):
    asset = upload(service, key, png(20, 20)).json()["id"]
    content = request_path(service.get(f"/v1/assets/{asset}", key=key).json()["content_url"])
    assert refusal(delete(service, stranger, f"/v1/assets/{asset}")) == (404, "asset not found")
    assert service.get(content).status == 200
    answer = delete(service, key, f"/v1/assets/{asset}")
    assert (answer.status, answer.body) == (204, b"")
    assert delete(service, key, f"/v1/assets/{asset}").status == 204, "again is no error"
    assert refusal(service.get(f"/v1/assets/{asset}", key=key)) == (404, "asset not found")
    assert refusal(service.get(content)) == (404, "asset not found")
    assert asset not in [one["id"] for one in service.get("/v1/assets", key=key).json()["assets"]]
    body = {"asset_id": asset, "operation": "resize", "options": {"width": 8}}
    assert refusal(service.post("/v1/jobs", body=body, key=key)) == (404, "asset not found")


@pytest.mark.parametrize(
    "path,error",
    [
        (f"/v1/assets/{NOBODY}", (404, "asset not found")),
        (f"/v1/artifacts/{NOBODY}", (404, "artifact not found")),
        (f"/v1/jobs/{NOBODY}/artifacts", (404, "job not found")),
        (f"/v1/tilesets/{NOBODY}", (404, "tileset not found")),
        ("/v1/assets/x", (400, "invalid asset id")),
        ("/v1/artifacts/x", (400, "invalid artifact id")),
        ("/v1/jobs/x/artifacts", (400, "invalid job id")),
        ("/v1/tilesets/x", (400, "invalid tileset id")),
    ],
)
def test_what_was_never_there_is_not_deleted(service, key, path, error):
    assert refusal(delete(service, key, path)) == error


@pytest.mark.parametrize("role", ["reader", "uploader", "submitter", "tile_reader", "artifact_reader"])
def test_only_a_runtime_key_deletes(service, key, role):
    asset = upload(service, key, png(21, 20)).json()["id"]
    own = service.new_key("tester", role, name=f"delete-{role}")
    assert refusal(delete(service, own, f"/v1/assets/{asset}")) == (403, "permission denied")


def test_a_job_whose_asset_was_deleted_before_its_turn_fails_and_costs_nothing(make_service):
    service = make_service(arguments=["--workers", "1"])
    key = service.new_account("tester")
    busy = upload(service, key, noise_png(1900, 1900)).json()["id"]
    blocker = submit(service, key, "optimize", {"format": "avif", "effort": 9}, busy).json()["id"]
    wait_until(lambda: service.get(f"/v1/jobs/{blocker}", key=key).json()["status"] == "running", "the first job to run")
    before = used(service, key)
    asset = upload(service, key, png(64, 64)).json()["id"]
    job = submit(service, key, "resize", {"width": 8}, asset).json()["id"]
    assert delete(service, key, f"/v1/assets/{asset}").status == 204
    assert delete(service, key, f"/v1/assets/{busy}").status == 204  # it has been opened: that job goes on
    assert service.get(f"/v1/jobs/{blocker}", key=key).json()["status"] == "running"
    service.post(f"/v1/jobs/{blocker}/cancel", key=key)
    ended = wait_for_job(service, key, job)
    assert (ended["status"], ended["error_code"]) == ("failed", "source_unavailable")
    assert used(service, key) == before


def test_artifacts_go_one_by_one_or_with_their_job(service, key, stranger):
    asset = upload(service, key, png(50, 40)).json()["id"]
    job = run_job(service, key, "resize", {"width": 20}, asset)
    artifact = job["artifacts"][0]["id"]
    download = request_path(service.get(f"/v1/artifacts/{artifact}", key=key).json()["download_url"])
    assert delete(service, stranger, f"/v1/artifacts/{artifact}").status == 404
    assert [delete(service, key, f"/v1/artifacts/{artifact}").status for _ in range(2)] == [204, 204]
    assert refusal(service.get(download)) == (404, "artifact not found")
    left = service.get(f"/v1/jobs/{job['id']}", key=key).json()
    assert (left["status"], left["artifacts"]) == ("succeeded", [])

    job = run_job(service, key, "resize", {"width": 21}, asset)
    assert delete(service, stranger, f"/v1/jobs/{job['id']}/artifacts").status == 404
    assert [delete(service, key, f"/v1/jobs/{job['id']}/artifacts").status for _ in range(2)] == [204, 204]
    assert service.get(f"/v1/jobs/{job['id']}", key=key).json()["artifacts"] == []


def test_a_job_that_has_not_ended_has_no_artifacts_to_delete(make_service):
    service = make_service(arguments=["--workers", "0"])
    key = service.new_account("tester")
    asset = upload(service, key, png(50, 40)).json()["id"]
    job = submit(service, key, "resize", {"width": 20}, asset).json()["id"]
    answer = delete(service, key, f"/v1/jobs/{job}/artifacts")
    assert (answer.status, answer.json()["code"], answer.json()["error"]) == (409, "conflict", "the job has not ended")


def test_a_deleted_tileset_stops_at_once_and_its_archive_goes_with_its_last_name(make_service):
    service = make_service(settings={"rate_limits.enabled": "false", "retention.interval": "1s"})
    key = service.new_account("tester", cdn=True)
    asset = upload(service, key, png(300, 200)).json()["id"]
    job = run_job(service, key, "tile", {"format": "png"}, asset)
    tileset = tileset_of(job)
    signed, keyed = tile_path(job, 0, 0, 0), f"/v1/tilesets/{tileset}/xyz/0/0/0.png"
    assert (service.get(signed).status, service.get(keyed, key=key).status) == (200, 200)
    (base,) = layers(service, tileset)
    archive = blob(service, base)
    assert [delete(service, key, f"/v1/tilesets/{tileset}").status for _ in range(2)] == [204, 204]
    assert (service.get(signed).status, service.get(keyed, key=key).status) == (404, 404)
    for path in ("", "/tilejson"):
        assert refusal(service.get(f"/v1/tilesets/{tileset}{path}", key=key)) == (404, "tileset not found")
    assert service.get("/v1/tilesets", key=key).json()["tilesets"] == []
    # The archive is the job's artifact, too, and stays as such.
    artifact = job["artifacts"][0]["id"]
    download = request_path(service.get(f"/v1/artifacts/{artifact}", key=key).json()["download_url"])
    assert service.get(download).body[:7] == b"PMTiles"
    assert archive.exists()
    red = {"tileset_id": tileset, "patches": [{"x": 0, "y": 0, "width": 4, "height": 4, "color": "red"}]}
    assert refusal(submit(service, key, "tile_patch", red)) == (404, "tileset not found")


def test_a_deleted_tileset_stops_on_every_node(database, make_service, folder):
    settings = {"rate_limits.enabled": "false", "metadata.url": database.url, "blobs.url": f"file:{folder}/blobs"}
    one = make_service("one", settings=settings)
    key = one.new_account("tester", cdn=True)
    two = make_service("two", settings=settings)
    asset = upload(one, key, png(300, 200)).json()["id"]
    job = run_job(one, key, "tile", {"format": "png"}, asset)
    address = tile_path(job, 0, 0, 0)
    assert (one.get(address).status, two.get(address).status) == (200, 200)
    assert delete(one, key, f"/v1/tilesets/{tileset_of(job)}").status == 204
    assert one.get(address).status == 404
    wait_until(lambda: two.get(address).status == 404, "the other node to hear of it", patience=2)
