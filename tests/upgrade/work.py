"""Work of every kind, given to one node and looked at through another."""

import hashlib

from pictures import png
from service import request_path, upload, wait_for_job
from tilesets import patch, submit, tileset_of

CORNERS = [(0, 0, 0), (1, 0, 0), (1, 1, 0)]


def submitted(node, key, operation, options, asset=None, name=None):
    answer = submit(node, key, operation, options, asset, name)
    assert answer.status in (200, 201), answer
    return answer.json()["id"]


def every_operation(node, key, tag):
    """One job of each operation, accepted by `node`; by their names. The patch changes the tileset of an earlier job."""
    asset = upload(node, key, png(300, 200 + tag)).json()["id"]
    tiled = wait_for_job(node, key, submitted(node, key, "tile", {"format": "png"}, asset))
    assert tiled["status"] == "succeeded", tiled
    red = patch(10, 10, 60, 60, color="#ff0000")
    grid = {"width": 200, "height": 100, "block_width": 50, "block_height": 50, "format": "png"}
    return {
        "resize": submitted(node, key, "resize", {"width": 20, "format": "png"}, asset, f"resize-{tag:08d}"),
        "optimize": submitted(node, key, "optimize", {"format": "png"}, asset, f"optimize-{tag:08d}"),
        "tile": tiled["id"],
        "grid_render": submitted(node, key, "grid_render", grid, None, f"grid-{tag:08d}"),
        "tile_patch": submitted(node, key, "tile_patch", {"tileset_id": tileset_of(tiled), "patches": [red]}),
    }


def artifact_bytes(node, key, artifact):
    described = node.get(f"/v1/artifacts/{artifact}", key=key).json()
    answer = node.get(request_path(described["download_url"]))
    assert answer.status == 200, answer
    assert hashlib.sha256(answer.body).hexdigest() == described["checksum_sha256"]
    return answer.body


def seen_through(node, key, jobs):
    """What the jobs made, as a client of this node gets it: artifacts and tiles."""
    seen = {}
    for name, job_id in jobs.items():
        job = wait_for_job(node, key, job_id)
        assert job["status"] == "succeeded" and job["attempt_count"] >= 1, job
        seen[name] = [artifact_bytes(node, key, each["id"]) for each in job["artifacts"]]
        assert seen[name]
    patched = node.get(f"/v1/jobs/{jobs['tile_patch']}", key=key).json()
    tileset = tileset_of(patched)
    tiles = [node.get(f"/v1/tilesets/{tileset}/xyz/{z}/{x}/{y}.png", key=key) for z, x, y in CORNERS]
    assert [tile.status for tile in tiles] == [200] * len(CORNERS), tiles
    return {**seen, "tiles": [tile.body for tile in tiles]}
