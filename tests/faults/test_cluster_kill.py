"""kill -9 of any node of a cluster at random instants, under load. TESSERA_CLUSTER_KILLS sets how often."""

import os
import random
import time

from cluster import Load, audit, ready
from service import wait_until

KILLS = int(os.environ.get("TESSERA_CLUSTER_KILLS", "8"))


def test_nothing_is_lost_doubled_or_torn_when_nodes_are_killed(cluster):
    seed = int(os.environ.get("TESSERA_SEED", "0")) or random.randrange(1 << 30)
    print("seed", seed)
    chance = random.Random(seed)
    api = [cluster.node("one"), cluster.node("two")]
    worker = cluster.node("three", start=False)
    worker.command = "worker"
    worker.start(wait=False)
    key = cluster.account()

    with Load(api, key) as load:
        for _ in range(KILLS):
            load.wait_for_more(chance.randint(1, 10))
            time.sleep(chance.uniform(0, 0.2))  # the instant is the point
            victim = chance.choice(cluster.nodes)
            victim.kill()
            victim.start(wait=False)
            # The other API node may be the next to go; one is always there to be asked.
            wait_until(lambda: any(ready(node) for node in api), "a node to be ready")
    wait_until(lambda: all(ready(node) for node in api), "every node to be ready")
    # Three kills while one job was running end it as the service's fault, and its credits are given back.
    audit(cluster, load, key, may_fail=0.1)
    assert len(load.accepted) > KILLS
