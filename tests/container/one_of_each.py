"""What a user does first, on any service: upload, jobs, a tile, a download."""

import pictures
from service import request_path, upload, wait_for_job


def run(service, key, operation, asset, **options):
    body = {"asset_id": asset, "operation": operation, "options": options}
    job = wait_for_job(service, key, service.post("/v1/jobs", body=body, key=key).json()["id"])
    assert job["status"] == "succeeded", job
    return job


def download(service, key, job):
    artifact = service.get(f"/v1/artifacts/{job['artifacts'][0]['id']}", key=key).json()
    answer = service.get(request_path(artifact["download_url"]))
    assert answer.status == 200, answer
    return answer.body


def use(service, key):
    """One of each; returns the path of a tile and its bytes."""
    asset = upload(service, key, pictures.png(700, 500)).json()["id"]
    assert download(service, key, run(service, key, "resize", asset, width=120, format="webp"))[8:12] == b"WEBP"
    for format, mark in (("avif", b"ftypavif"), ("jxl", b"\xff\x0a")):  # both by modules that are loaded at run time
        made = download(service, key, run(service, key, "resize", asset, width=120, format=format))
        assert mark in made[:16], made[:16]
        again = upload(service, key, made, f"again.{format}")
        assert again.status == 201, again
    job = run(service, key, "tile", asset, format="png")
    tileset = job["artifacts"][0]["metadata"]["tileset_id"]
    path = f"/v1/tilesets/{tileset}/xyz/0/0/0.png"
    tile = service.get(path, key=key)
    assert tile.status == 200 and tile.body.startswith(b"\x89PNG"), tile
    return path, tile.body
