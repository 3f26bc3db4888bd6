"""One machine: this release starts on a data folder that the previous one left, whatever state it was left in."""

import json
import shutil

from service import PATIENCE, wait_for_job, wait_until
from tilesets import rows
from work import every_operation, seen_through, submitted

WAITING = 12


def waiting_jobs(service, key):
    grid = {"width": 600, "height": 400, "block_height": 20, "format": "png"}
    return [submitted(service, key, "grid_render", {**grid, "block_width": 10 + n}, None, f"waiting-{n:08d}") for n in range(WAITING)]


def test_a_queue_that_was_not_empty_is_worked_off_once(make_service, folder, previous):
    old = make_service(binary=previous)
    key = old.new_account("tester", cdn=True)
    jobs = every_operation(old, key, 1)
    shown = seen_through(old, key, jobs)
    waiting = waiting_jobs(old, key)
    old.kill()  # in the middle of it
    unfinished = rows(old, "SELECT count(*) FROM jobs WHERE status IN ('queued', 'running')")[0][0]
    assert unfinished > 0, "nothing was left to do"

    new = make_service()
    assert seen_through(new, key, jobs) == shown
    for job in waiting:
        ended = wait_for_job(new, key, job)
        assert ended["status"] == "succeeded" and len(ended["artifacts"]) == 1, ended
    charged = rows(new, "SELECT count(*), count(DISTINCT job_id) FROM credit_ledger WHERE kind = 'charge'")[0]
    assert charged == (len(jobs) + WAITING, len(jobs) + WAITING)
    assert rows(new, "SELECT count(*) FROM credit_ledger WHERE kind = 'return'") == [(0,)]
    again = every_operation(new, key, 2)
    seen_through(new, key, again)
    done = new.admin("check", "--checksums", check=False)
    assert done.returncode == 0 and json.loads(done.stdout.splitlines()[-1])["clean"], (done.stdout, done.stderr)


def test_the_previous_release_refuses_a_folder_that_was_brought_forward(make_service, folder, previous):
    old = make_service("data", binary=previous, clean_log=False)
    key = old.new_account("tester")
    old.stop()
    shutil.copytree(old.data_dir, folder / "before")  # what an administrator keeps until the new one has proved itself
    new = make_service("data")
    new.stop()
    database = (old.data_dir / "tessera.db").read_bytes()

    old.start(wait=False)
    assert old.process.wait(PATIENCE) == 1
    assert "was made by a newer Tessera" in old.log() and "restore a backup" in old.log()
    assert (old.data_dir / "tessera.db").read_bytes() == database, "nothing in it is changed"

    back = make_service("before", binary=previous)
    wait_until(lambda: back.get("/v1/account", key=key).status == 200, "the old folder to serve")
