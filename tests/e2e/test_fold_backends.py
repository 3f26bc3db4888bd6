"""Folds on the stores of a cluster: archives in S3, rows in PostgreSQL, and two nodes of which one folds at a time."""

import re

from pictures import png
from service import upload, wait_until
from tilesets import patch, run_job, run_patch, tile_path, tileset_of

LAYERS = 3
TILES = [(0, 0, 0), (1, 0, 0), (1, 1, 1)]


def folds(*services):
    """How many folds ended well, of all these nodes; none may have failed."""
    text = "".join(service.get("/metrics").body.decode() for service in services)
    assert set(re.findall(r'tessera_tileset_folds_total\{end="failed"\} (\d+)', text)) == {"0"}
    return sum(int(count) for count in re.findall(r'tessera_tileset_folds_total\{end="folded"\} (\d+)', text))


def patch_and_compare(services, key, patches=14):
    """Patches through each node in turn; every version goes on showing what it showed, on every node."""
    asset = upload(services[0], key, png(512, 512)).json()["id"]
    first = run_job(services[0], key, "tile", {"format": "png"}, asset)
    shown = []
    for i in range(patches):
        service = services[i % len(services)]
        job = run_patch(service, key, tileset_of(first), patch(i * 30, i * 20, 40, 40, color=f"#{i * 16:02x}8000"))
        assert job["result"]["version"] == i + 2
        shown.append((job, [service.get(tile_path(job, *name)).body for name in TILES]))
    wait_until(lambda: folds(*services) >= patches // LAYERS - 2, "stacks to be folded")
    for job, bodies in shown:
        for service in services:
            assert [service.get(tile_path(job, *name)).body for name in TILES] == bodies


def test_archives_in_s3_are_fetched_folded_and_stored_again(ceph, make_service):
    service = make_service(settings={
        "rate_limits.enabled": "false",
        "tiles.max_layers": LAYERS,
        "blobs.url": f"s3://tessera/folds?endpoint={ceph.endpoint}",
        "blobs.access_key_id": ceph.access_key,
        "blobs.secret_access_key": ceph.secret_key,
    })
    patch_and_compare([service], service.new_account("cloud", cdn=True))


def test_two_nodes_on_one_database_fold_without_a_gap(database, make_service, folder):
    settings = {"rate_limits.enabled": "false", "metadata.url": database.url, "blobs.url": f"file:{folder}/blobs",
                "tiles.max_layers": LAYERS, "tiles.fold_interval": "200ms"}
    nodes = [make_service(name, settings=settings) for name in ("one", "two")]
    patch_and_compare(nodes, nodes[0].new_account("pair", cdn=True))
