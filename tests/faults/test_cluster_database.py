"""A PostgreSQL that goes away, cuts its connections or falls silent while two nodes work."""

import os
import time

import pytest
from cluster import Load, audit, not_ready, ready
from relay import Relay
from service import wait_until

AWAY_SECONDS = float(os.environ.get("TESSERA_DATABASE_AWAY", "4"))
CUTS = int(os.environ.get("TESSERA_DATABASE_CUTS", "5"))


def seconds_to_refuse(node, key):
    begin = time.monotonic()
    refused = node.get("/v1/jobs/00000000-0000-7000-8000-000000000000", key=key)
    assert (refused.status, refused.json()["code"]) == (503, "storage_unavailable"), refused
    return time.monotonic() - begin


def test_a_database_that_stops_is_said_refused_and_found_again(cluster, postgres):
    nodes = [cluster.node("one"), cluster.node("two")]
    key = cluster.account()
    with Load(nodes, key) as load:
        load.wait_for_more(20)
        postgres.down()
        away_since = time.monotonic()
        try:
            for node in nodes:
                wait_until(lambda: not_ready(node, "database"), "the node to say that its database is away")
                assert node.get("/healthz").status == 200
                assert seconds_to_refuse(node, key) < 10
            wait_until(lambda: time.monotonic() - away_since > AWAY_SECONDS, "the outage to be over")
        finally:
            postgres.up()
        for node in nodes:
            wait_until(lambda: ready(node), "the node to find its database again")
        load.wait_for_more(20)
    assert load.refusals[500] + load.refusals[503] > 0
    ended = audit(cluster, load, key)
    assert all(job["status"] == "succeeded" for job in ended)


def test_connections_that_the_server_ends_cost_nothing(cluster):
    nodes = [cluster.node("one"), cluster.node("two")]
    key = cluster.account()
    with Load(nodes, key) as load:
        for _ in range(CUTS):
            load.wait_for_more(10)
            cluster.database.terminate_connections()
        load.wait_for_more(20)
    ended = audit(cluster, load, key)
    assert all(job["status"] == "succeeded" for job in ended)


@pytest.fixture
def relay(postgres):
    made = Relay(f"{postgres.socket_folder}/.s.PGSQL.5432")
    yield made
    made.stop()


def test_a_network_that_falls_silent_stops_one_node_and_no_other(cluster, relay):
    through = cluster.database.url_through(relay.port)
    far = cluster.node("far", **{"metadata.url": through})
    near = cluster.node("near")
    key = cluster.account()
    assert far.get("/v1/account", key=key).status == 200  # known to the node from now on
    with Load([far, near], key) as load:
        load.wait_for_more(30)
        relay.fall_silent()
        silent_since = time.monotonic()
        try:
            wait_until(lambda: not_ready(far), "the cut-off node to say so")
            assert ready(near)
            # Whoever began to connect before the silence was noticed waits for that; the others are refused at once.
            wait_until(lambda: seconds_to_refuse(far, key) < 2, "the cut-off node to refuse without waiting")
            # Jobs that the silent node had are taken over when their leases run out.
            wait_until(lambda: time.monotonic() - silent_since > AWAY_SECONDS, "the outage to be over")
        finally:
            relay.carry_on()
        wait_until(lambda: ready(far), "the node to find its database again")
        load.wait_for_more(20)
    # A lease that ran out while a node was cut off has cost an attempt, never the job.
    ended = audit(cluster, load, key)
    assert all(job["status"] == "succeeded" for job in ended)
