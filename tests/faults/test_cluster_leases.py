"""Nodes that stand still past their lease, nodes whose clocks differ, and nodes that want the same thing at once."""

import collections
import datetime
import os
import pathlib
import subprocess
import threading

import pytest
from cluster import ended_job, pause, ready, resume
from pictures import png, png_size
from service import HOOKED, upload, wait_for_job, wait_until

PATCHES = int(os.environ.get("TESSERA_CLUSTER_PATCHES", "12"))


def submit(node, key, body, status=201):
    answer = node.post("/v1/jobs", body=body, key=key)
    assert answer.status == status, answer
    return answer.json()["id"]


def tile(asset, **options):
    return {"asset_id": asset, "operation": "tile", "options": {"format": "png", **options}}


def test_a_node_paused_past_its_lease_can_not_complete(cluster):
    """The paused node's job is done by the other; what the first says when it wakes is refused."""
    slow = cluster.node("slow", binary=HOOKED)  # whose engines hang on this picture; others' do not
    key = cluster.account()
    asset = upload(slow, key, png(2000, 2000) + b"TESSERA-HOOK:run:hang").json()["id"]
    job = submit(slow, key, tile(asset, format="webp"))
    wait_until(lambda: slow.get(f"/v1/jobs/{job}", key=key).json()["status"] == "running", "the job to start")
    pause(slow)
    try:
        other = cluster.node("other")
        done = ended_job([other], key, job)
    finally:
        resume(slow)
    assert (done["status"], done["attempt_count"]) == ("succeeded", 2), done
    wait_until(lambda: ready(slow), "the node to be itself again")
    # It notices, by being refused: what it may have stored is garbage and nothing that anybody sees has changed.
    wait_until(lambda: counter(slow, "lost") >= 1, "the paused node to learn that it lost the job")
    assert other.get(f"/v1/jobs/{job}", key=key).json() == done
    tileset = done["artifacts"][0]["metadata"]["tileset_id"]
    assert done["artifacts"][0]["metadata"]["version"] == 1
    for node in (slow, other):
        assert node.get(f"/v1/tilesets/{tileset}/xyz/0/0/0.webp", key=key).status == 200
    assert cluster.database.number("SELECT count(*) FROM artifacts") == 1
    assert cluster.database.number("SELECT sum(credits) FROM credit_ledger") == 4
    # And it works on.
    other.stop()
    asset = upload(slow, key, png(300, 300)).json()["id"]
    again = submit(slow, key, tile(asset))
    assert ended_job([slow], key, again)["status"] == "succeeded"


def counter(node, outcome):
    """Attempts of this node that ended in this way."""
    for line in node.get("/metrics").body.decode().splitlines():
        if f'end="{outcome}"' in line:
            return float(line.rsplit(" ", 1)[1])
    return 0


def test_two_nodes_patching_one_tileset_apply_every_patch_in_order(cluster):
    nodes = [cluster.node("one"), cluster.node("two")]
    key = cluster.account()
    asset = upload(nodes[0], key, png(512, 512, colour=(255, 255, 255))).json()["id"]
    made = wait_for_job(nodes[0], key, submit(nodes[0], key, tile(asset)))
    tileset = made["artifacts"][0]["metadata"]["tileset_id"]

    def patch(number):
        # All of them over the same tile: each must find what the one before it left.
        where = {"x": 16 * (number % 16), "y": 16 * (number // 16), "width": 16, "height": 16}
        return {"operation": "tile_patch", "options": {"tileset_id": tileset, "patches": [{**where, "color": colour(number)}]}}

    def colour(number):
        return f"#{number * 7 % 256:02x}{255 - number:02x}40"

    jobs = {}

    def send(mine):
        for number in mine:
            jobs[number] = submit(nodes[number % 2], key, patch(number))

    threads = [threading.Thread(target=send, args=(range(first, PATCHES, 2),)) for first in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    ended = [ended_job(nodes, key, jobs[number]) for number in range(PATCHES)]
    assert collections.Counter(job["status"] for job in ended) == {"succeeded": PATCHES}, ended
    versions = sorted(job["artifacts"][0]["metadata"]["version"] for job in ended)
    assert versions == list(range(2, PATCHES + 2)), "each patch is one version, none is skipped or taken twice"
    in_order_of_acceptance = cluster.database.run("SELECT id FROM jobs WHERE operation = 'tile_patch' ORDER BY sequence")
    by_version = sorted(ended, key=lambda job: job["artifacts"][0]["metadata"]["version"])
    assert [row[0] for row in in_order_of_acceptance] == [job["id"] for job in by_version]
    for node in nodes:
        tile_now = node.get(f"/v1/tilesets/{tileset}/xyz/1/0/0.png", key=key)
        assert tile_now.status == 200 and png_size(tile_now.body) == (256, 256)
        pixels = decoded(tile_now.body)
        for number in range(PATCHES):
            at = (16 * (number % 16) + 8, 16 * (number // 16) + 8)
            assert pixels(*at) == bytes.fromhex(colour(number)[1:]), f"patch {number} is missing on {node.data_dir.name}"


def decoded(content):
    """Reads pixels of a PNG by way of another program's decoder."""
    raw = subprocess.run(["vips", "rawsave", "stdin", "/dev/stdout"], input=content, capture_output=True)
    if raw.returncode != 0:
        raw = subprocess.run(
            ["bash", "-c", 'f=$(mktemp -d); cat >"$f/in.png"; vips rawsave "$f/in.png" "$f/out.raw"; cat "$f/out.raw"; rm -r "$f"'],
            input=content, capture_output=True, check=True,
        )  # fmt: skip
    width, height = png_size(content)
    bands = len(raw.stdout) // (width * height)
    return lambda x, y: raw.stdout[(y * width + x) * bands :][:3]


FAKETIME = next(pathlib.Path("/usr/lib").glob("*/faketime/libfaketime.so.1"), None)


@pytest.mark.parametrize("skew", ["+60s", "-60s"])
def test_a_clock_that_is_a_minute_off_takes_no_lease_and_loses_none(cluster, monkeypatch, skew):
    assert FAKETIME, "install faketime"
    cluster.settings["worker.lease"] = "15s"  # far less than the clocks differ, far more than a busy machine stalls
    right = cluster.node("right", arguments=["--workers", "0"])
    key = cluster.account(cdn=True)
    monkeypatch.setenv("LD_PRELOAD", str(FAKETIME))
    monkeypatch.setenv("FAKETIME", skew)
    monkeypatch.setenv("FAKETIME_DONT_FAKE_MONOTONIC", "1")
    monkeypatch.setenv("FAKETIME_NO_CACHE", "1")
    wrong = cluster.node("wrong")
    for name in ("LD_PRELOAD", "FAKETIME", "FAKETIME_DONT_FAKE_MONOTONIC", "FAKETIME_NO_CACHE"):
        monkeypatch.delenv(name)
    first = wait_until(lambda: wrong.log_events(), "the log")[0]["time"]
    off = datetime.datetime.fromisoformat(first.replace("Z", "+00:00")) - datetime.datetime.now(datetime.timezone.utc)
    assert 50 < abs(off.total_seconds()) < 70, off
    # Its leases last as long as everybody's: a worker with the right time takes none of its jobs away.
    asset = upload(right, key, png(2000, 2000)).json()["id"]
    job = submit(right, key, tile(asset, format="webp"))
    wait_until(lambda: right.get(f"/v1/jobs/{job}", key=key).json()["status"] != "queued", "the job to start")
    third = cluster.node("third")
    done = ended_job([right, third], key, job)
    assert (done["status"], done["attempt_count"]) == ("succeeded", 1), done
    assert done["queued_at"] <= done["started_at"] <= done["completed_at"]
    # What one signs the others accept, for either way of being wrong.
    for signer in (right, wrong):
        described = signer.get(f"/v1/artifacts/{done['artifacts'][0]['id']}", key=key).json()
        for reader in (right, wrong, third):
            path = described["download_url"].split("/", 3)[3]
            assert reader.get("/" + path, headers={"Range": "bytes=0-9"}).status == 206
