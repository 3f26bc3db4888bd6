"""What one node changes the others know within seconds; what one node must do alone, one does."""

import time

from cluster import Load, audit, ended_job
from pictures import png
from service import request_path, upload, wait_until

SOON = 20  # seconds, on a machine that may be busy; one is enough for an idle one


def within(condition, what):
    begin = time.monotonic()
    wait_until(condition, what, patience=SOON)
    return time.monotonic() - begin


def test_a_revoked_key_is_refused_by_every_node_soon(cluster):
    nodes = [cluster.node(name) for name in ("one", "two", "three")]
    cluster.account()
    made = nodes[0].admin("key", "create", "--account", "survivor", "--name", "short-lived")
    for node in nodes:
        assert node.get("/v1/account", key=made["api_key"]).status == 200
    nodes[0].admin("key", "revoke", made["id"])
    for node in nodes:
        within(lambda: node.get("/v1/account", key=made["api_key"]).status == 401, "the key to be refused")


def test_an_entitlement_and_a_deleted_tileset_are_seen_by_every_node_soon(cluster):
    nodes = [cluster.node(name) for name in ("one", "two", "three")]
    key = cluster.account(cdn=True)
    asset = upload(nodes[0], key, png(300, 300)).json()["id"]
    body = {"asset_id": asset, "operation": "tile", "options": {"format": "png"}}
    job = ended_job(nodes, key, nodes[0].post("/v1/jobs", body=body, key=key).json()["id"])
    tileset = job["result"]["tileset_id"]
    public = request_path(job["result"]["public_tile_url_template"]).format(z=0, x=0, y=0)
    own = f"/v1/tilesets/{tileset}/xyz/0/0/0.png"
    for node in nodes:
        assert node.get(public).status == 200 and node.get(own, key=key).status == 200

    def entitle(enabled):
        nodes[1].admin("entitlement", "set", "--account", "survivor", "--feature", "cdn_delivery", "--enabled", enabled)

    entitle("false")
    for node in nodes:
        within(lambda: not node.get("/v1/account", key=key).json()["features"]["cdn_delivery"], "the feature to go")
        within(lambda: node.get(public).status == 404, "public tiles to stop")
        assert "public_tile_url_template" not in node.get(f"/v1/jobs/{job['id']}", key=key).json()["result"]
        assert node.get(own, key=key).status == 200
    entitle("true")
    for node in nodes:
        within(lambda: node.get(public).status == 200, "public tiles to come back")
    nodes[2].admin("tileset", "delete", tileset)
    for node in nodes:
        within(lambda: node.get(public).status == 404, "the tileset's public tiles to be gone")
        within(lambda: node.get(own, key=key).status == 404, "the tileset to be gone")


def test_one_node_sweeps_at_a_time_and_another_when_it_leaves(cluster):
    sweeping = {"retention.interval": "100ms", "retention.batch": "5", "retention.keep_blobs": "0s"}
    cluster.settings.update(sweeping)
    nodes = [cluster.node("one"), cluster.node("two"), cluster.node("three")]
    key = cluster.account()
    holder = "SELECT holder FROM named_leases WHERE name = 'sweeper'"
    wait_until(lambda: cluster.database.run(holder), "a node to sweep")

    def expire_some(alive, colour):
        for number in range(30):
            assert upload(alive[number % len(alive)], key, png(20 + number, 20, colour=colour)).status == 201
        cluster.database.run("UPDATE assets SET expires_at = 1")
        wait_until(lambda: cluster.database.number("SELECT count(*) FROM assets") == 0, "the sweep")
        waiting = "SELECT count(*) FROM blob_garbage WHERE state <> 'deleted'"
        wait_until(lambda: cluster.database.number(waiting) == 0, "the blobs to be deleted")

    def swept(node):
        return sum(event["rows"] for event in node.log_events() if event.get("event") == "sweeper.swept")

    expire_some(nodes, (1, 2, 3))
    wait_until(lambda: sum(map(swept, nodes)) >= 30, "the log")
    assert sorted(map(swept, nodes)) == [0, 0, 30], "one node did it all, and nothing was counted twice"
    first = max(nodes, key=swept)
    first.stop()
    others = [node for node in nodes if node is not first]
    wait_until(lambda: cluster.database.run(holder), "another node to take over")
    expire_some(others, (4, 5, 6))
    wait_until(lambda: sum(map(swept, others)) >= 30, "the log")
    assert sorted(map(swept, others)) == [0, 30]


def test_what_a_newer_version_adds_to_the_schema_disturbs_no_node_that_runs(cluster):
    """A rolling upgrade: the first new node migrates while old ones work. Migrations only add."""
    nodes = [cluster.node("one"), cluster.node("two")]
    key = cluster.account()
    with Load(nodes, key) as load:
        load.wait_for_more(20)
        for statement in (
            "ALTER TABLE jobs ADD COLUMN added_later integer NOT NULL DEFAULT 7",
            "ALTER TABLE queue_accounts ADD COLUMN added_later text",
            "ALTER TABLE assets ADD COLUMN added_later text",
            "ALTER TABLE artifacts ADD COLUMN added_later bigint",
            "ALTER TABLE api_keys ADD COLUMN added_later bigint",
            "CREATE INDEX CONCURRENTLY added_later ON jobs (queued_at)",
            "INSERT INTO schema_migrations (version, name) VALUES (999, 'later')",
        ):
            cluster.database.run(statement)
            load.wait_for_more(5)
    ended = audit(cluster, load, key)
    assert all(job["status"] == "succeeded" for job in ended)
    assert not load.refusals, load.refusals
