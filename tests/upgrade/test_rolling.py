"""Nodes of the previous release and of this one on one PostgreSQL and one S3 store: the new one migrates, the old ones go on,
and a cluster is brought from the one to the other without a pause."""

import json
import threading

from cluster import Load, audit
from service import BINARY, PATIENCE, wait_until
from tilesets import patch, run_patch
from work import every_operation, seen_through, submitted


def schema(database):
    return database.number("SELECT max(version) FROM schema_migrations")


def test_a_cluster_is_upgraded_node_by_node_under_load(cluster, previous):
    old = [cluster.node("old-one", binary=previous), cluster.node("old-two", binary=previous)]
    before = schema(cluster.database)
    key = cluster.account()
    nodes = list(old)
    with Load(nodes, key) as load:
        load.wait_for_more(20)
        new = cluster.node("new-one")
        assert schema(cluster.database) > before, "the new node brings the schema forward, or there is nothing to test"
        nodes.append(new)
        load.wait_for_more(40)
        # The old nodes go one by one, each in good order, as a rolling upgrade does it.
        for node, name in zip(old, ("new-two", "new-three")):
            nodes.remove(node)
            assert node.stop() == 0
            cluster.nodes.remove(node)
            nodes.append(cluster.node(name))
            load.wait_for_more(20)
    audit(cluster, load, key)
    for node in [*old, *cluster.nodes]:
        assert node.complaints() == [], node.log_path


def test_old_and_new_nodes_do_and_show_each_others_work(cluster, previous):
    old = cluster.node("old", binary=previous)
    key = cluster.account(cdn=True)
    first = every_operation(old, key, 1)
    new = cluster.node("new")
    by_old, by_new = every_operation(old, key, 2), every_operation(new, key, 3)
    for jobs in (first, by_old, by_new):
        assert seen_through(old, key, jobs) == seen_through(new, key, jobs)
    # A request that one of them answered is known to the other.
    name = "optimize-00000002"
    again = new.post(
        "/v1/jobs",
        body={"asset_id": new.get(f"/v1/jobs/{by_old['optimize']}", key=key).json()["asset_id"], "operation": "optimize",
              "options": {"format": "png"}},
        key=key, headers={"Idempotency-Key": name},
    )  # fmt: skip
    assert (again.status, again.headers["Idempotency-Replayed"]) == (200, "true") and again.json()["id"] == by_old["optimize"]

    # Each patches what the other made, and stacks are folded by either meanwhile.
    tileset = new.get(f"/v1/jobs/{by_new['tile_patch']}", key=key).json()["artifacts"][0]["metadata"]["tileset_id"]
    for number in range(8):
        node = (old, new)[number % 2]
        run_patch(node, key, tileset, patch(20 * number, 10, 15, 15, color=f"#00{number * 30:02x}ff"))
    path = f"/v1/tilesets/{tileset}/xyz/1/0/0.png"
    wait_until(lambda: old.get(path, key=key).body == new.get(path, key=key).body, "both to show the last version")
    depth = f"SELECT depth FROM tilesets WHERE id = '{tileset}'"
    wait_until(lambda: cluster.database.number(depth) <= 3, "the stack to be folded")
    assert old.get(path, key=key).body == new.get(path, key=key).body

    # The old one is gone, and so is nothing else.
    shown = seen_through(old, key, by_old)
    assert old.stop() == 0
    assert seen_through(new, key, by_old) == shown
    done = new.admin("check", "--checksums", check=False)
    assert done.returncode == 0, (done.stdout, done.stderr)
    assert json.loads(done.stdout.splitlines()[-1])["clean"]


def test_jobs_that_wait_when_the_last_old_node_dies_are_done_by_the_new_one(cluster, previous):
    old = cluster.node("old", binary=previous, arguments=["--workers", "0"])
    key = cluster.account()
    jobs = [every_waiting(old, key, number) for number in range(3)]
    old.kill()
    cluster.nodes.remove(old)
    new = cluster.node("new")
    for job in jobs:
        wait_until(lambda: new.get(f"/v1/jobs/{job}", key=key).json()["status"] == "succeeded", "an old job to be done", PATIENCE)
    assert cluster.database.number("SELECT sum(credits) FROM credit_ledger") == len(jobs)


def every_waiting(node, key, number):
    grid = {"width": 100, "height": 100, "block_width": 50 + number, "block_height": 50, "format": "png"}
    return submitted(node, key, "grid_render", grid)


def test_an_old_node_that_is_started_again_after_the_migration_says_why_it_will_not(cluster, previous):
    old = cluster.node("old", binary=previous)
    cluster.node("new")
    old.stop()
    old.start(wait=False)
    assert old.process.wait(PATIENCE) == 1
    assert "made by a newer Tessera" in old.log()
    cluster.nodes.remove(old)


def test_two_new_nodes_that_start_at_once_migrate_once(cluster, previous):
    cluster.node("old", binary=previous)
    before = schema(cluster.database)
    starting = [cluster.node(name, start=False, binary=BINARY) for name in ("one", "two")]
    threads = [threading.Thread(target=node.start) for node in starting]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    steps = [event["step"] for node in starting for event in node.log_events() if event.get("event") == "database_migrated"]
    assert len(steps) == len(set(steps)) == schema(cluster.database) - before
