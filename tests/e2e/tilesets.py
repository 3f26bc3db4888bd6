"""What tests of tilesets share: jobs that make and change them, addresses of their tiles, and the rows behind them."""

import sqlite3

from service import request_path, wait_for_job


def submit(service, key, operation, options, asset=None, name=None):
    body = {"operation": operation, "options": options}
    if asset:
        body["asset_id"] = asset
    return service.post("/v1/jobs", body=body, key=key, headers={"Idempotency-Key": name} if name else None)


def run_job(service, key, operation, options, asset=None):
    """The job when it has ended well."""
    answer = submit(service, key, operation, options, asset)
    assert answer.status == 201, answer
    job = wait_for_job(service, key, answer.json()["id"])
    assert job["status"] == "succeeded", job
    return job


def tileset_of(job):
    return job["artifacts"][0]["metadata"]["tileset_id"]


def tile_path(job, z, x, y):
    """The path of a tile by the job's signed template."""
    template = job["result"]["public_tile_url_template"]
    return request_path(template.replace("{z}", str(z)).replace("{x}", str(x)).replace("{y}", str(y)))


def patch(x, y, width, height, **filling):
    return {"x": x, "y": y, "width": width, "height": height, **filling}


def run_patch(service, key, tileset, *patches, asset=None):
    return run_job(service, key, "tile_patch", {"tileset_id": tileset, "patches": list(patches)}, asset)


def rows(service, query, *values):
    """Of the embedded database, beside the running service."""
    connection = sqlite3.connect(service.data_dir / "tessera.db", timeout=30)
    try:
        return connection.execute(query, values).fetchall()
    finally:
        connection.close()


def layers(service, tileset, version=None):
    """The storage keys of a version, bottom first; of the current one unless told."""
    query = """SELECT hex(l.tileset_id), l.storage_key FROM tileset_layers l JOIN tilesets t ON t.id = l.tileset_id
                WHERE l.version = coalesce(?, t.current_version) ORDER BY l.position"""
    wanted = tileset.replace("-", "").upper()
    return [key for owner, key in rows(service, query, version) if owner in (wanted, tileset.encode().hex().upper())]


def blob(service, storage_key):
    """The file of a blob in the embedded store."""
    return next(service.data_dir.rglob("*" + storage_key.rsplit("/", 1)[1]))
