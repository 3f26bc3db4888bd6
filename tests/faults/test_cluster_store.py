"""An S3 store that goes away while two nodes work, and one that can't be used at start."""

import os
import time

from cluster import Load, audit, not_ready, one_of, ready
from pictures import png
from service import PATIENCE, upload, wait_until

GATEWAY_KILLS = int(os.environ.get("TESSERA_GATEWAY_KILLS", "2"))
AWAY_SECONDS = float(os.environ.get("TESSERA_STORE_AWAY", "5"))


# These first: for a while after its gateway was killed, Ceph takes long to make a bucket.


def refused_at_start(cluster, **settings):
    node = cluster.node("refused", start=False, **settings)
    node.start(wait=False)
    assert node.process.wait(PATIENCE) != 0
    return node.log() + node.output()


def test_a_missing_bucket_stops_the_start_with_a_clear_message(cluster, ceph):
    said = refused_at_start(cluster, **{"blobs.url": f"s3://nothing-here?endpoint={ceph.endpoint}"})
    assert 'bucket "nothing-here"' in said and "does not exist" in said, said


def test_a_read_only_bucket_stops_the_start_with_a_clear_message(cluster, ceph):
    ceph.create_bucket("readable", readable=True)
    said = refused_at_start(
        cluster,
        **{
            "blobs.url": f"s3://readable?endpoint={ceph.endpoint}",
            "blobs.access_key_id": ceph.reader_access_key,
        },
    )
    assert 'bucket "readable"' in said and "read-only" in said, said


def test_a_gateway_that_is_killed_loses_nothing(cluster, ceph):
    nodes = [cluster.node("one"), cluster.node("two")]
    key = cluster.account()
    with Load(nodes, key) as load:
        for _ in range(GATEWAY_KILLS):
            load.wait_for_more(15)
            ceph.kill_gateway()
            ceph.start_gateway()
        load.wait_for_more(15)
    ended = audit(cluster, load, key)
    assert all(job["status"] == "succeeded" for job in ended)


def test_a_store_that_is_long_away_costs_no_job_its_attempts(cluster, ceph):
    # A short cache would hide the store's absence: sources must be fetched.
    nodes = [cluster.node("one", **{"blobs.attempts": "2"}), cluster.node("two", **{"blobs.attempts": "2"})]
    key = cluster.account()
    asset = upload(nodes[0], key, png(48, 48)).json()["id"]
    body = {"asset_id": asset, "operation": "resize", "options": {"width": 8, "format": "png"}}
    with Load(nodes, key) as load:
        load.wait_for_more(15)
        ceph.kill_gateway()
        away_since = time.monotonic()
        try:
            for node in nodes:
                wait_until(lambda: not_ready(node, "blobs"), "the node to say that its store is away")
                assert node.get("/healthz").status == 200
                refused = upload(node, key, png(50, 50))
                assert (refused.status, refused.json()["code"]) == (503, "storage_unavailable"), refused
            # What needs no store is accepted, and waits.
            for number in range(20):
                name = f"waiting-{number:04d}"
                answer = one_of(nodes).post("/v1/jobs", body=body, key=key, headers={"Idempotency-Key": name})
                assert answer.status == 201, answer
                load.accepted[name] = answer.json()["id"]
            wait_until(lambda: time.monotonic() - away_since > AWAY_SECONDS, "the outage to be over")
        finally:
            ceph.start_gateway()
        for node in nodes:
            wait_until(lambda: ready(node), "the node to find its store again")
        load.wait_for_more(10)
    ended = audit(cluster, load, key)
    assert all(job["status"] == "succeeded" for job in ended)
