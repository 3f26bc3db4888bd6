"""Patches through the service: what they show, what is refused, and how long stacks are folded behind everybody's
back."""

import os

import pytest
from archives import psnr, read, vips
from pictures import png
from service import request_path, upload, wait_for_job, wait_until
from tilesets import blob, layers, patch, rows, run_job, run_patch, submit, tile_path, tileset_of

# How many patches in a row: a few for every run, a thousand for a soak.
PATCHES = int(os.environ.get("TESSERA_PATCHES", "60"))
# How many different assets one job patches with.
ASSETS = int(os.environ.get("TESSERA_PATCH_ASSETS", "150"))
LAYERS = 6


@pytest.fixture(scope="module")
def service():
    from service import Service, temporary_folder

    with temporary_folder() as path:
        settings = {"rate_limits.enabled": "false", "tiles.max_layers": LAYERS, "tiles.fold_interval": "100ms"}
        shared = Service(path / "data", settings=settings).start()
        yield shared
        shared.stop()
        assert shared.complaints() == []


@pytest.fixture(scope="module")
def key(service):
    return service.new_account("patcher", cdn=True)


@pytest.fixture(scope="module")
def asset(service, key):
    return upload(service, key, png(600, 400, (200, 200, 200))).json()["id"]


@pytest.fixture
def tileset(service, key, asset):
    return tileset_of(run_job(service, key, "tile", {"format": "png"}, asset))


def wait_until_folded(service, tileset):
    wait_until(lambda: len(layers(service, tileset)) <= LAYERS, "the stack to be folded")


def test_stacks_stay_short_and_every_version_goes_on(service, key, tileset):
    jobs, bodies, deepest = [], [], 0
    for i in range(PATCHES):
        jobs.append(run_patch(service, key, tileset, patch(i % 600, i % 400, 1, 1, color=f"#{i * 7919 % 0xffffff:06x}")))
        deepest = max(deepest, len(layers(service, tileset)))
        bodies.append(service.get(tile_path(jobs[-1], 2, 0, 0)).body)
    wait_until_folded(service, tileset)
    # A fold runs beside the patches: it may be some behind, never without end.
    assert deepest <= 6 * LAYERS
    assert len(set(bodies)) > PATCHES // 3
    service.wait_for_event("tileset.folded", tileset=tileset)
    metrics = service.get("/metrics").body.decode()
    assert 'tessera_tileset_folds_total{end="folded"}' in metrics and 'folds_total{end="failed"} 0' in metrics
    for job, body in list(zip(jobs, bodies))[:: max(1, PATCHES // 20)]:
        answer = service.get(tile_path(job, 2, 0, 0))
        assert (answer.status, answer.body) == (200, body), "an old version shows what it always showed"


def test_a_fold_changes_no_tile(service, key, tileset):
    for i in range(LAYERS - 1):
        job = run_patch(service, key, tileset, patch(37 * i, 20 * i, 200, 150, color=f"#{i * 40:02x}0080"))
    names = [(z, x, y) for z, wide, high in [(0, 1, 1), (1, 2, 1), (2, 3, 2)] for x in range(wide) for y in range(high)]
    before = {name: service.get(tile_path(job, *name)).body for name in names}
    assert len(layers(service, tileset)) == LAYERS
    last = run_patch(service, key, tileset, patch(599, 399, 1, 1, color="#fff"))
    wait_until_folded(service, tileset)
    assert len(layers(service, tileset)) < LAYERS
    again = {name: service.get(tile_path(job, *name)).body for name in names}
    assert again == before
    now = {name: service.get(tile_path(last, *name)).body for name in names}
    assert {name for name in names if now[name] != before[name]} <= {(2, 2, 1), (1, 1, 0), (0, 0, 0)}


def test_patches_that_make_no_sense_are_refused(service, key, tileset, asset):
    for bad, words in [
        (patch(0, 0, 0, 10, color="#fff"), "width"),
        (patch(0, 0, 10, 0, color="#fff"), "height"),
        (patch(591, 0, 10, 10, color="#fff"), "outside the picture of 600x400"),
        (patch(0, 391, 10, 10, color="#fff"), "outside the picture"),
        (patch(-1, 0, 10, 10, color="#fff"), "x"),
        (patch(0, 0, 10, 10), "color or asset_id"),
        (patch(0, 0, 10, 10, color="#fff", asset_id=asset), "both"),
        (patch(0, 0, 10, 10, colour="#fff"), "colour"),
    ]:
        answer = submit(service, key, "tile_patch", {"tileset_id": tileset, "patches": [bad]})
        assert answer.status == 400 and words in answer.json()["error"], (bad, answer)
    for options, words in [
        ({"tileset_id": tileset, "patches": []}, "patches"),
        ({"tileset_id": "not-a-uuid", "patches": [patch(0, 0, 1, 1, color="#fff")]}, "tileset_id must be a valid uuid"),
    ]:
        answer = submit(service, key, "tile_patch", options)
        assert answer.status == 400 and words in answer.json()["error"], answer
    stranger = service.new_account("patch-stranger")
    foreign = {"tileset_id": tileset, "patches": [patch(0, 0, 1, 1, color="#fff")]}
    assert submit(service, stranger, "tile_patch", foreign).json()["error"] == "tileset not found"
    assert len(layers(service, tileset)) == 1


def test_an_asset_that_expired_is_said_to_be_gone(make_service):
    service = make_service(settings={"rate_limits.enabled": "false", "worker.enabled": "false"})
    key = service.new_account("late")
    picture, stamp = (upload(service, key, png(300, 300 + i)).json()["id"] for i in range(2))
    waiting = submit(service, key, "tile", {}, picture).json()["id"]
    service.stop()
    service.settings["worker.enabled"] = "true"
    service.start()
    tileset = tileset_of(wait_for_job(service, key, waiting))
    service.stop()
    service.settings["worker.enabled"] = "false"
    service.start()
    options = {"tileset_id": tileset, "patches": [patch(0, 0, 9, 9, asset_id=stamp)]}
    accepted = submit(service, key, "tile_patch", options).json()["id"]
    service.stop()
    import sqlite3

    with sqlite3.connect(service.data_dir / "tessera.db") as database:
        changed = database.execute("UPDATE assets SET expires_at = 1 WHERE height = 301").rowcount
    assert changed == 1
    service.settings["worker.enabled"] = "true"
    service.start()
    job = wait_for_job(service, key, accepted)
    assert (job["status"], job["error_code"], job["artifacts"]) == ("failed", "source_unavailable", [])
    again = submit(service, key, "tile_patch", options)
    assert (again.status, again.json()["error"]) == (404, "asset not found")
    assert service.get(f"/v1/tilesets/{tileset}/xyz/0/0/0.jpg", key=key).status == 200


def test_many_assets_in_one_job_need_few_descriptors_and_little_memory(make_service):
    service = make_service(settings={"rate_limits.enabled": "false", "engine.memory_limit_bytes": "512MiB"})
    key = service.new_account("many")
    base = upload(service, key, png(1300, 900, (9, 9, 9))).json()["id"]
    tileset = tileset_of(run_job(service, key, "tile", {"format": "png"}, base))
    stamps = [upload(service, key, png(12, 12, (i % 256, i // 256, 77))).json()["id"] for i in range(ASSETS)]
    patches = [patch(i % 40 * 32, i // 40 * 32, 20, 20, asset_id=stamp) for i, stamp in enumerate(stamps)]
    accepted = submit(service, key, "tile_patch", {"tileset_id": tileset, "patches": patches}).json()["id"]
    most = 0

    def ended():
        nonlocal most
        most = max(most, len(os.listdir(f"/proc/{service.process.pid}/fd")))
        job = service.get(f"/v1/jobs/{accepted}", key=key).json()
        return job if job["status"] in ("succeeded", "failed") else None

    job = wait_until(ended, "the job to end")
    assert job["status"] == "succeeded", job
    assert most < 200
    used = service.get("/v1/account", key=key).json()["usage"]["processing_credits"]["used"]
    assert used == 2 + 1, "1.17 megapixels tiled, 0.06 to 0.4 patched"


def test_jpeg_tiles_stay_intact_beside_a_place_that_is_patched_again_and_again(service, key, tmp_path):
    vips("perlin", tmp_path / "clouds.v", 512, 512, "--cell-size", 40, "--uchar")
    vips("worley", tmp_path / "cells.v", 512, 512, "--cell-size", 30)
    vips("cast", tmp_path / "cells.v", tmp_path / "cells8.v", "uchar")
    vips("bandjoin", f"{tmp_path}/clouds.v {tmp_path}/cells8.v {tmp_path}/clouds.v", tmp_path / "three.v")
    vips("copy", tmp_path / "three.v", tmp_path / "source.png", "--interpretation", "srgb")
    source = upload(service, key, (tmp_path / "source.png").read_bytes()).json()["id"]
    first = run_job(service, key, "tile", {"format": "jpeg"}, source)
    tileset = tileset_of(first)
    def paint(colour):
        return run_patch(service, key, tileset, patch(60, 60, 77, 83, color=colour))

    once = paint("#3c8040")
    for i in range(48):
        paint(f"#{i * 5:02x}8040")
    wait_until_folded(service, tileset)
    last = paint("#3c8040")
    for name, job in [("before", first), ("once", once), ("after", last)]:
        (tmp_path / f"{name}.jpg").write_bytes(service.get(tile_path(job, 1, 0, 0)).body)

    def likeness(one, other, *area):
        for name in (one, other):
            vips("crop", tmp_path / f"{name}.jpg", tmp_path / f"{name}.v", *area)
        return psnr(tmp_path / f"{one}.v", tmp_path / f"{other}.v", tmp_path)

    # Right of the patch and below it, past its blocks and the colour that decoders smooth over their border.
    assert likeness("before", "after", 146, 0, 110, 256) > 60
    assert likeness("before", "after", 0, 146, 256, 110) > 60
    # The pixels beside it share blocks with it. They come from the base each time: fifty patches are one patch.
    assert service.get(tile_path(last, 1, 0, 0)).body == service.get(tile_path(once, 1, 0, 0)).body
    assert service.get(tile_path(last, 0, 0, 0)).body == service.get(tile_path(once, 0, 0, 0)).body


def test_other_readers_open_what_a_patch_and_a_fold_wrote(service, key, tileset, tmp_path):
    for i in range(LAYERS + 1):
        job = run_patch(service, key, tileset, patch(i, i, 50, 50, color="#00f"))
    wait_until_folded(service, tileset)
    described = service.get(f"/v1/artifacts/{job['artifacts'][0]['id']}", key=key).json()
    (tmp_path / "delta.pmtiles").write_bytes(service.get(request_path(described["download_url"])).body)
    seen = read(tmp_path / "delta.pmtiles", "0/0/0", "2/0/0", "2/2/1")
    assert seen["tiles"]["0/0/0"] and seen["tiles"]["2/0/0"] and not seen["tiles"]["2/2/1"]
    for storage_key in layers(service, tileset):
        assert read(blob(service, storage_key), "0/0/0")["tiles"]["0/0/0"]
    sizes = rows(service, "SELECT storage_key, byte_size FROM tileset_layers")
    assert all(blob(service, storage_key).stat().st_size == size for storage_key, size in sizes)


def test_a_damaged_archive_is_an_error_in_the_log_and_never_another_picture(make_service):
    service = make_service(clean_log=False)
    key = service.new_account("unlucky", cdn=True)
    source = upload(service, key, png(512, 512)).json()["id"]
    job = run_job(service, key, "tile", {"format": "png"}, source)
    names = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 0, 1), (1, 1, 1)]
    right = {name: service.get(tile_path(job, *name)).body for name in names}
    service.stop()
    path = blob(service, layers(service, tileset_of(job))[0])
    whole = path.read_bytes()
    path.chmod(0o600)
    damaged = bytearray(whole)
    at = whole.index(right[(1, 1, 0)]) + len(right[(1, 1, 0)]) // 2
    damaged[at] ^= 0x10
    path.write_bytes(damaged)
    service.start()
    for name in names:
        answer = service.get(tile_path(job, *name))
        if name == (1, 1, 0):
            assert (answer.status, answer.json()["error"]) == (500, "tileset is unavailable")
        else:
            assert (answer.status, answer.body) == (200, right[name])
    # The log is written behind the answer.
    wait_until(lambda: any("checksum" in line or "damaged" in line for line in service.complaints()), "a line in the log")
    for length in (len(whole) - 1, len(whole) // 2, 126, 0):
        service.stop()
        path.write_bytes(whole[:length])
        service.start()
        for name in names:
            answer = service.get(tile_path(job, *name))
            assert answer.status == 500 or (answer.status == 200 and answer.body == right[name]), (length, name)
        assert any(service.get(tile_path(job, *name)).status == 500 for name in names), length
