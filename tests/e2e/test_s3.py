"""The service on a real S3 store: the same answers as on plain files, clear words at start, and a store that goes away."""

import concurrent.futures
import hashlib

import pytest
from counting_relay import CountingRelay
from pictures import noise_png, png
from service import PATIENCE, request_path, upload, wait_for_job, wait_until
from upload_samples import png_of_size


def on_s3(ceph, prefix, **more):
    return {
        "rate_limits.enabled": "false",
        "blobs.url": f"s3://tessera/{prefix}?endpoint={ceph.endpoint}",
        "blobs.access_key_id": ceph.access_key,
        "blobs.secret_access_key": ceph.secret_key,
        **more,
    }


def resize(service, key, asset):
    body = {"asset_id": asset["id"], "operation": "resize", "options": {"width": 32, "format": "png"}}
    answer = service.post("/v1/jobs", body=body, key=key)
    assert answer.status == 201, answer
    return answer.json()["id"]


def artifact_bytes(service, key, job):
    artifact = service.get(f"/v1/artifacts/{job['artifacts'][0]['id']}", key=key).json()
    answer = service.get(request_path(artifact["download_url"]))
    assert answer.status == 200, answer
    assert hashlib.sha256(answer.body).hexdigest() == artifact["checksum_sha256"]
    return answer.body


def test_uploads_jobs_and_downloads_work_as_on_files(make_service, ceph):
    service = make_service(settings=on_s3(ceph, "whole"))
    key = service.new_account("cloud")
    asset = upload(service, key, png(200, 100)).json()
    job = wait_for_job(service, key, resize(service, key, asset))
    assert job["status"] == "succeeded", job
    first = artifact_bytes(service, key, job)
    assert first.startswith(b"\x89PNG")
    assert not list((service.data_dir / "blobs").glob("**/*")) if (service.data_dir / "blobs").exists() else True
    # Another start has empty caches and reads it all from the store.
    service.restart()
    assert artifact_bytes(service, key, job) == first
    job = wait_for_job(service, key, resize(service, key, asset))
    assert artifact_bytes(service, key, job) == first


def test_tiles_are_read_in_ranges(make_service, ceph):
    service = make_service(settings=on_s3(ceph, "tiles"))
    key = service.new_account("cloud")
    asset = upload(service, key, png(600, 500)).json()
    body = {"asset_id": asset["id"], "operation": "tile", "options": {"format": "png"}}
    job = wait_for_job(service, key, service.post("/v1/jobs", body=body, key=key).json()["id"])
    assert job["status"] == "succeeded", job
    tileset = job["artifacts"][0]["metadata"]["tileset_id"]
    top = job["artifacts"][0]["metadata"]["max_zoom"]

    def tiles():
        answers = [service.get(f"/v1/tilesets/{tileset}/xyz/{top}/{x}/{y}.png", key=key) for x in range(3) for y in range(2)]
        assert {answer.status for answer in answers} == {200}, answers
        return [answer.body for answer in answers]

    first = tiles()
    service.restart()
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert all(again == first for again in pool.map(lambda _: tiles(), range(8)))


def test_a_cold_tile_costs_one_range_request_and_a_warm_one_none(make_service, ceph):
    relay = CountingRelay(ceph.port)
    through = on_s3(ceph, "counted", **{"blobs.url": f"s3://tessera/counted?endpoint=http://127.0.0.1:{relay.port}"})
    service = make_service(settings=through)
    key = service.new_account("cloud")
    asset = upload(service, key, noise_png(1500, 1200)).json()
    body = {"asset_id": asset["id"], "operation": "tile", "options": {"format": "png"}}
    job = wait_for_job(service, key, service.post("/v1/jobs", body=body, key=key).json()["id"])
    assert job["status"] == "succeeded", job
    about = job["artifacts"][0]["metadata"]

    def gets():
        return [line for line in relay.lines if line.startswith(b"GET")]

    def tile(x, y):
        answer = service.get(f"/v1/tilesets/{about['tileset_id']}/xyz/{about['max_zoom']}/{x}/{y}.png", key=key)
        assert answer.status == 200, answer
        return answer.body

    service.restart()  # every cache is empty
    tile(0, 0)
    costs = []
    for x, y in [(x, y) for y in range(5) for x in range(6)][1:]:
        relay.lines.clear()
        tile(x, y)
        costs.append(len(gets()))
    assert max(costs) == 1 and sum(costs) > 5, costs  # neighbours share blocks

    relay.lines.clear()
    for x, y in [(x, y) for y in range(5) for x in range(6)]:
        tile(x, y)
    assert gets() == []

    service.restart()
    tile(0, 0)
    relay.lines.clear()
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        assert len(set(pool.map(lambda _: tile(5, 4), range(32)))) == 1
    assert len(gets()) == 1, "all of them share one"

    service.admin("tileset", "delete", about["tileset_id"])
    gone = f"/v1/tilesets/{about['tileset_id']}/xyz/0/0/0.png"
    wait_until(lambda: service.get(gone, key=key).status == 404, "the deleted tileset to stop resolving")
    relay.stop()


def test_a_large_upload_goes_in_parts(make_service, ceph):
    service = make_service(settings=on_s3(ceph, "large"))
    key = service.new_account("cloud")
    content = png_of_size(40 << 20)
    asset = upload(service, key, content).json()
    assert asset["checksum_sha256"] == hashlib.sha256(content).hexdigest()
    service.restart()
    assert wait_for_job(service, key, resize(service, key, asset))["status"] == "succeeded"


@pytest.mark.parametrize(
    "name,change,words",
    [
        ("missing bucket", {"blobs.url": "s3://nothing-here?endpoint={endpoint}"}, "does not exist"),
        ("wrong secret", {"blobs.secret_access_key": "wrong"}, "the secret access key is wrong"),
        ("unknown key", {"blobs.access_key_id": "NOBODY"}, "access key id is not known"),
        ("bad address", {"blobs.url": "s3://tessera?endpoint=nowhere"}, "endpoint must be http"),
    ],
)
def test_what_is_wrong_with_the_store_is_said_at_start(make_service, ceph, name, change, words):
    settings = on_s3(ceph, "refused", **{key: value.format(endpoint=ceph.endpoint) for key, value in change.items()})
    service = make_service(settings=settings, start=False, clean_log=False)
    service.start(wait=False)
    assert service.process.wait(PATIENCE) != 0
    assert words in service.log() + service.output()


def test_a_store_that_goes_away_is_refused_clearly_and_comes_back(make_service, ceph):
    service = make_service(settings=on_s3(ceph, "away"), clean_log=False)
    key = service.new_account("cloud")
    kept = upload(service, key, png(64, 64)).json()
    ceph.kill_gateway()
    try:
        refused = upload(service, key, png(65, 65))
        assert (refused.status, refused.json()["code"]) == (503, "storage_unavailable"), refused
        wait_until(lambda: service.get("/readyz").status == 503, "the node to say that it is not ready")
        assert service.get("/healthz").status == 200
        waiting = resize(service, key, kept)  # accepted: it waits for the store
    finally:
        ceph.start_gateway()
    wait_until(lambda: service.get("/readyz").status == 200, "the node to be ready again")
    assert upload(service, key, png(65, 65)).status == 201
    assert wait_for_job(service, key, waiting)["status"] == "succeeded"
    assert [p for p in (service.data_dir / "staging").rglob("*") if p.is_file() and p.name != ".lock"] == []


def test_nothing_is_lost_when_the_gateway_is_killed_under_load(make_service, ceph):
    service = make_service(settings=on_s3(ceph, "load"), clean_log=False)
    key = service.new_account("cloud")
    accepted = []

    def send(number):
        content = png_of_size(300_000, seed=number)
        answer = upload(service, key, content)
        assert answer.status in (201, 503), answer
        if answer.status == 201:
            accepted.append((answer.json(), hashlib.sha256(content).hexdigest()))

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        futures = [pool.submit(send, number) for number in range(80)]
        wait_until(lambda: len(accepted) > 10, "uploads to be under way")
        ceph.kill_gateway()
        ceph.start_gateway()
        for future in futures:
            future.result()
    assert len(accepted) > 20
    service.restart()
    for asset, digest in accepted[::5]:
        assert asset["checksum_sha256"] == digest
        assert wait_for_job(service, key, resize(service, key, asset))["status"] == "succeeded"
