"""A data folder moves to PostgreSQL and S3: everything reads the same afterwards, also when the move was killed."""

import json
import random
import signal
import subprocess
import time

import pytest
from pictures import png
from service import BINARY, PATIENCE, request_path, upload, wait_for_job


@pytest.fixture
def cluster(database, ceph, folder):
    return {
        "rate_limits.enabled": "false",
        "metadata.url": database.url,
        "blobs.url": f"s3://tessera/{folder.name}?endpoint={ceph.endpoint}",
        "blobs.access_key_id": ceph.access_key,
        "blobs.secret_access_key": ceph.secret_key,
    }


def migrate(folder, settings, source, *more, start=subprocess.run, **options):
    settings = {"data.dir": folder / "target", **settings}
    line = [str(BINARY), "admin", "--json"]
    for key, value in settings.items():
        line += ["--set", f"{key}={value}"]
    return start(line + ["migrate", "--from", str(source), *more], text=True, **options)


def events(done):
    return [json.loads(line) for line in done.stdout.splitlines()]


def moved(folder, settings, source, *more):
    done = migrate(folder, settings, source, *more, capture_output=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return events(done)


def submit(service, key, body, **headers):
    answer = service.post("/v1/jobs", body=body, key=key, headers=headers)
    assert answer.status in (200, 201), answer
    return answer


class World:
    """A service with something of everything in it, and what it answered."""

    def __init__(self, service):
        self.key = service.new_account("tester", cdn=True)
        self.revoked = service.new_key("tester", name="old")
        ids = {one["name"]: one["id"] for one in service.admin("key", "list")}
        service.admin("key", "revoke", ids["old"])
        self.asset = upload(service, self.key, png(300, 200), filename="ein Bild.png").json()
        self.resize = {"asset_id": self.asset["id"], "operation": "resize", "options": {"width": 20}}
        once = submit(service, self.key, self.resize, **{"Idempotency-Key": "only-once-1"}).json()
        tile = {"asset_id": self.asset["id"], "operation": "tile", "options": {"format": "png"}}
        tiled = wait_for_job(service, self.key, submit(service, self.key, tile).json()["id"])
        self.tileset = tiled["artifacts"][0]["metadata"]["tileset_id"]
        patch = {
            "operation": "tile_patch",
            "options": {"tileset_id": self.tileset, "patches": [{"x": 0, "y": 0, "width": 40, "height": 40, "color": "#ff0000"}]},
        }
        patched = wait_for_job(service, self.key, submit(service, self.key, patch).json()["id"])
        self.jobs = [wait_for_job(service, self.key, once["id"])["id"], tiled["id"], patched["id"]]
        artifacts = [one["id"] for job in self.jobs for one in service.get(f"/v1/jobs/{job}", key=self.key).json()["artifacts"]]
        self.artifacts = {one: service.get(f"/v1/artifacts/{one}", key=self.key).json() for one in artifacts}
        self.tiles = [f"/v1/tilesets/{self.tileset}/xyz/{z}/{x}/{y}.png" for z, x, y in ((0, 0, 0), (1, 0, 0), (1, 1, 0))]
        template = service.get(f"/v1/jobs/{tiled['id']}", key=self.key).json()["result"]["public_tile_url_template"]
        # Of the first version: it must resolve until it expires.
        self.signed = [request_path(one["download_url"]) for one in self.artifacts.values()]
        self.signed.append(request_path(template.replace("{z}", "1").replace("{x}", "0").replace("{y}", "0")))
        self.before = self.answers(service)

    def answers(self, service):
        read = {path: service.get(path, key=self.key) for path in self.paths()}
        read.update({path: service.get(path) for path in self.signed})
        return {path: (answer.status, self.lasting(path, answer)) for path, answer in read.items()}

    @staticmethod
    def lasting(path, answer):
        """What reading itself does not change."""
        if path != "/v1/account":
            return answer.body
        account = answer.json()
        del account["usage"]["cdn_delivery_bytes"]
        return account

    def paths(self):
        return ["/v1/plans", "/v1/account", *(f"/v1/jobs/{job}" for job in self.jobs), *self.tiles]

    def check(self, service):
        after = self.answers(service)
        for path, (status, body) in self.before.items():
            assert (status, after[path]) == (200, (status, body)), path
        assert service.get("/v1/account", key=self.revoked).status == 401
        replayed = submit(service, self.key, self.resize, **{"Idempotency-Key": "only-once-1"})
        assert (replayed.status, replayed.json()["id"]) == (200, self.jobs[0])


def test_everything_reads_the_same_after_the_move_and_waiting_jobs_run(make_service, folder, cluster):
    old = make_service("old", settings={"rate_limits.enabled": "false", "server.public_url": "http://images.test"})
    world = World(old)
    old.stop()
    front = make_service("old", settings=old.settings, arguments=["--workers", "0"])
    waiting = submit(front, world.key, {**world.resize, "options": {"width": 21}}).json()["id"]
    world.before = world.answers(front)
    front.stop()

    plan = moved(folder, cluster, old.data_dir, "--dry-run")
    assert [one["event"] for one in plan] == ["plan"]
    assert plan[0]["tables"]["jobs"] == 4 and plan[0]["blobs"] >= 4
    assert not (old.data_dir / "migration-run").exists()

    said = moved(folder, cluster, old.data_dir, "--read-back")
    assert said[-1]["event"] == "done" and said[-1]["blobs"] == plan[0]["blobs"]
    assert {one["step"] for one in said if one["event"] == "progress"} == {"blobs", "rows"}

    new = make_service("new", settings={**cluster, "server.public_url": "http://images.test"}, arguments=["--workers", "0"])
    world.check(new)
    assert new.get(f"/v1/jobs/{waiting}", key=world.key).json()["status"] == "queued"
    make_service("worker", settings=cluster)
    assert wait_for_job(new, world.key, waiting)["status"] == "succeeded"
    again = moved(folder, cluster, old.data_dir)
    assert again[-1] == {"event": "done", "already": True}


def test_a_move_that_is_killed_anywhere_is_run_again_to_the_same_end(make_service, folder, cluster):
    old = make_service("old", settings={"rate_limits.enabled": "false", "server.public_url": "http://images.test"})
    world = World(old)
    for number in range(12):
        upload(old, world.key, png(200 + number, 200))
    world.before = world.answers(old)
    old.stop()
    clock = random.Random(5)
    for _ in range(6):
        running = migrate(folder, cluster, old.data_dir, start=subprocess.Popen, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        time.sleep(clock.uniform(0.02, 0.6))  # the instant is the test's input, not a wait for something
        running.send_signal(signal.SIGKILL)
        complaint = running.communicate()[1]
        assert running.returncode in (0, -signal.SIGKILL), complaint
    assert moved(folder, cluster, old.data_dir)[-1]["event"] == "done"
    new = make_service("new", settings={**cluster, "server.public_url": "http://images.test"})
    world.check(new)


def refused(folder, settings, source, *more):
    done = migrate(folder, settings, source, *more, capture_output=True, timeout=PATIENCE)
    assert done.returncode != 0, done.stdout
    return done.stderr


def test_a_source_in_use_and_a_target_of_others_are_refused(make_service, folder, cluster):
    old = make_service("old")
    assert "runs on the data folder" in refused(folder, cluster, old.data_dir)
    old.stop()
    worker = make_service("old", start=False, command="worker")
    worker.start(wait=False)
    worker.wait_for_event("worker_started")
    assert "worker" in refused(folder, cluster, old.data_dir)
    worker.stop()

    assert "no data folder" in refused(folder, cluster, folder / "nowhere")
    assert "nowhere to move to" in refused(folder, {}, old.data_dir)

    new = make_service("new", settings=cluster)
    key = new.new_account("theirs")
    assert upload(new, key, png(20, 20)).status == 201
    assert "not empty" in refused(folder, cluster, old.data_dir)
    blobs_alone = {k: v for k, v in cluster.items() if k != "metadata.url"}
    assert "not empty" in refused(folder, {**blobs_alone, "data.dir": old.data_dir}, old.data_dir)


def test_a_damaged_blob_stops_the_move_unless_it_is_allowed(make_service, folder, cluster):
    old = make_service("old")
    key = old.new_account("tester")
    asset = upload(old, key, png(64, 64)).json()
    upload(old, key, png(65, 65))
    old.stop()
    file = next(path for path in (old.data_dir / "blobs").rglob("*") if asset["checksum_sha256"] in path.name)
    content = bytearray(file.read_bytes())
    content[-20] ^= 1
    file.write_bytes(content)
    done = migrate(folder, cluster, old.data_dir, capture_output=True, timeout=PATIENCE)
    assert done.returncode == 1 and "--allow-damaged" in done.stderr
    assert [one["count"] for one in events(done) if one["event"] == "damaged"] == [1]
    assert moved(folder, cluster, old.data_dir, "--allow-damaged")[-1]["event"] == "done"


def test_blobs_alone_move_to_a_store(make_service, folder, cluster):
    settings = {k: v for k, v in cluster.items() if k != "metadata.url"}
    old = make_service("old")
    key = old.new_account("tester")
    asset = upload(old, key, png(64, 64)).json()
    old.stop()
    line = {**settings, "data.dir": old.data_dir}
    assert moved(folder, line, old.data_dir)[-1] == {"event": "done", "rows": 0, "blobs": 1}
    new = make_service("old", settings=settings)
    body = {"asset_id": asset["id"], "operation": "resize", "options": {"width": 16}}
    job = wait_for_job(new, key, submit(new, key, body).json()["id"])
    assert job["status"] == "succeeded"
