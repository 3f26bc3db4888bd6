"""`tessera remote` as people use it: the real binary against a running service."""

import contextlib
import json
import os
import pathlib
import pty
import re
import select
import signal
import stat
import subprocess

import pytest
from pictures import noise_png, png, png_size, truncated_png
from scripted_server import scripted_server
from service import BINARY, PATIENCE, upload
from tilesets import run_job


class Client:
    """A user's home, and what is typed there."""

    def __init__(self, home, url=None, key=None):
        self.home = pathlib.Path(home)
        self.home.mkdir(parents=True, exist_ok=True)
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(self.home), "LANG": "C.UTF-8"}
        if url:
            self.environment |= {"TESSERA_URL": url, "TESSERA_API_KEY": key}

    def start(self, *arguments, **more):
        line = [str(BINARY), "remote", *map(str, arguments)]
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL} | more
        return subprocess.Popen(line, text=True, cwd=self.home, env=self.environment, **streams)

    def run(self, *arguments, code=0, typed=None):
        with self.start(*arguments, stdin=subprocess.PIPE) as process:
            out, err = process.communicate(typed or "", timeout=PATIENCE * 2)
        assert process.returncode == code, (arguments, process.returncode, out, err)
        assert "tsr_" not in out + err, "a key is never shown"
        return out, err

    def lines(self, *arguments, code=0):
        """The JSON lines of a command, and its summary."""
        out, _ = self.run(*arguments, "--json", code=code)
        *files, last = [json.loads(line) for line in out.splitlines()]
        return files, last["summary"]

    def folder(self, name, **pictures):
        (self.home / name).mkdir(parents=True, exist_ok=True)
        for stem, content in pictures.items():
            (self.home / name / f"{stem}.png").write_bytes(content)
        return self.home / name


def url_of(service):
    return f"http://127.0.0.1:{service.port}"


@pytest.fixture
def client(service, folder, request):
    """A new account of the shared service, and a home of its own."""
    slug = re.sub(r"[^a-z0-9]+", "-", request.node.name.lower())[-40:].strip("-")
    made = Client(folder / "home", url_of(service), service.new_account(slug))
    made.slug = slug
    return made


def jobs_of(service, client):
    return service.get("/v1/jobs?limit=100", key=client.environment["TESSERA_API_KEY"]).json()["jobs"]


def many(count, size=16):
    return {f"p{i:03}": png(size + i, size) for i in range(count)}


# --- logging in ---
def test_a_login_is_checked_kept_private_and_forgotten(service, folder):
    key = service.new_account("login")
    home = Client(folder / "home")
    assert "run `tessera remote login URL`" in home.run("usage", code=3)[1]
    _, err = home.run("login", url_of(service), typed="tsr_wrong_key_of_nobody\n", code=1)
    assert "invalid api key (invalid_api_key; request " in err
    kept = home.home / ".config" / "tessera" / "remote.json"
    assert not kept.exists(), "a key that is not good is not kept"
    assert "as login" in home.run("login", url_of(service) + "/", typed=key + "\n")[0]
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600 and stat.S_IMODE(kept.parent.stat().st_mode) == 0o700
    assert "account  login" in re.sub(" +", "  ", home.run("usage")[0])
    home.run("login", url_of(service), "--profile", "second", typed=service.new_account("second") + "\n")
    assert re.search(r"account +second", home.run("usage", "--profile", "second")[0])
    home.environment["TESSERA_URL"] = "http://127.0.0.1:9"
    assert "set TESSERA_API_KEY, too" in home.run("usage", code=2)[1], "a kept key goes to its own service only"
    del home.environment["TESSERA_URL"]
    kept.chmod(0o644)
    assert "chmod 600" in home.run("usage", code=1)[1]
    kept.chmod(0o600)
    home.run("logout", "--profile", "second")
    assert "second" not in kept.read_text() and key in kept.read_text()
    home.run("logout")
    assert key not in kept.read_text()


def test_a_key_that_is_typed_is_not_shown(service, folder):
    key = service.new_account("typist")
    home = Client(folder / "home")
    leader, follower = pty.openpty()
    process = home.start("login", url_of(service), stdin=follower, stdout=follower, stderr=follower)
    os.close(follower)
    screen = b""

    def read_until(words):
        nonlocal screen
        while words not in screen:
            assert select.select([leader], [], [], PATIENCE)[0], screen
            screen += os.read(leader, 1000)

    read_until(b"not shown): ")
    os.write(leader, key.encode() + b"\n")
    read_until(b"Logged in to")
    assert process.wait(PATIENCE) == 0
    assert key.encode() not in screen
    os.close(leader)


# --- one file ---
def test_one_picture_becomes_a_file(client):
    (client.home / "photo.png").write_bytes(png(60, 40))
    out, _ = client.run("run", "resize", "photo.png", "small.png", "--width", "30")
    assert out.startswith("photo.png -> small.png: 30 x 20 pixels, image/png, ")
    assert png_size((client.home / "small.png").read_bytes()) == (30, 20)
    assert not list(client.home.glob("*.part"))
    assert "done before" in client.run("run", "resize", "photo.png", "small.png", "--width", "30")[0]
    assert "--force" in client.run("run", "resize", "photo.png", "small.png", "--width", "31", code=4)[1]
    client.run("run", "resize", "photo.png", "small.png", "--width", "31", "--force")
    assert png_size((client.home / "small.png").read_bytes())[0] == 31


def test_several_results_of_one_job_are_all_fetched(client):
    (client.home / "photo.png").write_bytes(png(60, 40))
    order = ("run", "resize", "photo.png", "small.png", "--outputs", '[{"width": 30}, {"width": 20}, {"width": 12, "format": "webp"}]')
    out, _ = client.run(*order)
    assert "small.png: 30 x 20 pixels" in out and out.rstrip().endswith("; beside it small-w20.png, small-w12.webp")
    assert png_size((client.home / "small-w20.png").read_bytes())[0] == 20
    assert (client.home / "small-w12.webp").read_bytes()[8:12] == b"WEBP"
    assert "done before" in client.run(*order)[0]
    (client.home / "small-w20.png").unlink()
    files, summary = client.lines(*order)
    assert summary["done"] == 1, "one that is gone is fetched again"
    assert [each["output"] for each in files[0]["further"]] == ["small-w20.png", "small-w12.webp"]
    assert files[0]["further"][1]["artifact"]["kind"] == "w12" and (client.home / "small-w20.png").exists()
    (client.home / "other-w20.png").write_bytes(b"somebody else's")
    assert "is there already" in client.run(*order[:3], "other.png", *order[4:], code=1)[1]
    assert not (client.home / "other.png").exists() and (client.home / "other-w20.png").read_bytes() == b"somebody else's"
    client.run(*order[:3], "other.png", *order[4:], "--force")
    assert png_size((client.home / "other-w20.png").read_bytes())[0] == 20
    assert "the name says png" in client.run(*order[:3], "wrong.png", "--outputs", '[{"width": 9, "format": "jpeg"}]', code=2)[1]
    assert "small-w640.webp" in client.run("run", "resize", "--help")[0]


def test_what_makes_no_sense_is_refused_before_anything_is_sent(service, client):
    client.folder("in", a=png(9, 9))
    client.folder("empty")
    (client.home / "in" / "a.jpg").write_bytes(png(8, 8))
    for words, code, said in [
        (("resize", "in/a.png", "b.png"), 2, "resize requires width or height"),
        (("resize", "in/a.png", "b.bmp", "--width", "3"), 2, ".bmp"),
        (("resize", "in/a.png", "b.png", "--widht", "3"), 2, "--width"),
        (("resize", "none.png", "b.png", "--width", "3"), 3, "none.png"),
        (("resize", "in", "out", "--width", "3", "--format", "webp"), 2, "would become the same file"),
        (("resize", "in/a.png", "in/a.png", "--width", "3", "--force"), 2, "another name"),
        (("resize", "in", "in", "--width", "3", "--force"), 2, "another name"),
        (("resize", "empty", "out", "--width", "3"), 3, "no pictures"),
    ]:
        assert said in client.run("run", *words, code=code)[1], words
    assert service.get("/v1/assets", key=client.environment["TESSERA_API_KEY"]).json()["assets"] == []


def test_tiles_grids_and_patches(service, client):
    (client.home / "map.png").write_bytes(png(600, 400))
    (client.home / "logo.png").write_bytes(png(20, 20, (200, 0, 0)))
    client.run("run", "tile", "map.png", "map.pmtiles", "--format", "png")
    assert (client.home / "map.pmtiles").read_bytes().startswith(b"PMTiles")
    tileset = client.run("tilesets")[0].splitlines()[1].split()[0]
    patches = json.dumps([{"x": 1, "y": 2, "width": 20, "height": 20, "file": "logo.png"}])
    out, _ = client.run("run", "tile_patch", tileset, "--patches", patches)
    assert out == f"tileset {tileset} is at version 2\n"
    out, _ = client.run("run", "tile_patch", tileset, "--patches", patches)
    assert out == f"tileset {tileset} is at version 3\n", "what leaves no file here is done again"
    blocks = json.dumps([{"column": 0, "row": 0, "file": "logo.png"}, {"column": 1, "row": 0, "color": "#00ff00"}])
    client.run("run", "grid_render", "grid.png", "--width", "80", "--height", "40", "--block-width", "40", "--blocks", blocks)
    assert png_size((client.home / "grid.png").read_bytes()) == (80, 40)
    assets = service.get("/v1/assets", key=client.environment["TESSERA_API_KEY"]).json()["assets"]
    assert len(assets) == 2, "the same picture is uploaded once"
    out, _ = client.run("tilesets", "show", tileset)
    assert "version 3" in out and "/xyz/{z}/{x}/{y}." in out and "600 x 400" in out
    client.run("tilesets", "delete", tileset)
    assert "tileset not found" in client.run("tilesets", "show", tileset, code=3)[1]
    assert client.run("tilesets")[0].count("\n") == 2, "the grid's is left"


# --- many files ---
def test_a_folder_with_a_damaged_file(service, client):
    client.folder("in", **many(3), damaged=truncated_png())
    client.folder("in/below", deep=png(20, 20))
    (client.home / "in" / "notes.txt").write_text("no picture")
    (client.home / "in" / "broken.jpg").write_text("no picture either")
    command = ("run", "resize", "in", "out", "--width", "8", "--recursive", "--format", "webp")
    files, summary = client.lines(*command, code=1)
    assert (summary["done"], summary["failed"], summary["left"]) == (4, 2, 0)
    told = {pathlib.Path(file["input"]).name: file for file in files}
    assert told["broken.jpg"]["code"] == "unsupported_media_type" and told["broken.jpg"]["request_id"]
    assert told["damaged.png"]["code"] == "decode_failed" and told["damaged.png"]["job_id"]
    assert told["deep.png"]["output"] == "out/below/deep.webp" and told["deep.png"]["artifact"]["width"] == 8
    assert sorted(p.name for p in (client.home / "out").rglob("*") if p.is_file()) == ["deep.webp", "p000.webp", "p001.webp", "p002.webp"]

    files, summary = client.lines(*command, code=1)
    assert (summary["done"], summary["skipped"], summary["failed"]) == (0, 4, 2)
    assert len(jobs_of(service, client)) == 5, "a damaged file is not charged again"
    (client.home / "in" / "damaged.png").write_bytes(png(50, 50))
    (client.home / "in" / "broken.jpg").unlink()
    (client.home / "out" / "p001.webp").unlink()
    files, summary = client.lines(*command)
    assert (summary["done"], summary["skipped"]) == (2, 3), "a changed file is done, a lost result fetched again"
    assert len(jobs_of(service, client)) == 6, "without another job"


def test_killed_in_the_middle_it_goes_on_and_does_nothing_twice(service, client):
    client.folder("in", **many(24))
    command = ("run", "resize", "in", "out", "--width", "8", "--concurrency", "2", "--json")
    for share in (3, 9, 15):
        process = client.start(*command)
        for _ in range(share):
            if not process.stdout.readline():
                break
        process.kill()
        process.communicate()
    files, summary = client.lines(*command[:-1])
    assert summary["failed"] == summary["left"] == 0 and summary["done"] + summary["skipped"] == 24
    assert summary["done"] < 24, "some was done before"
    jobs = jobs_of(service, client)
    assert len(jobs) == 24 and len({job["asset_id"] for job in jobs}) == 24, "each once"
    assert len(list((client.home / "out").iterdir())) == 24, "nothing half made is left"
    used = service.get("/v1/account", key=client.environment["TESSERA_API_KEY"]).json()["usage"]["processing_credits"]["used"]
    assert used == 24


def test_ctrl_c_ends_cleanly_and_says_how_to_go_on(service, client):
    client.folder("in", **many(40))
    process = client.start("run", "resize", "in", "out", "--width", "8", "--concurrency", "1", "--json")
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130 and "the same command goes on" in err
    assert json.loads(out.splitlines()[-1])["summary"]["interrupted"] is True
    assert not list((client.home / "out").glob("*.part"))
    client.run("run", "resize", "in", "out", "--width", "8")
    assert len(jobs_of(service, client)) == 40


def test_two_at_once_on_the_same_results_are_refused(client):
    client.folder("in", **many(40))
    first = client.start("run", "resize", "in", "out", "--width", "8", "--concurrency", "1", "--json")
    first.stdout.readline()
    assert "another run" in client.run("run", "resize", "in", "out", "--width", "8", code=4)[1]
    first.kill()
    first.communicate()


# --- limits, faults ---
def test_rate_limits_are_kept_to(make_service, folder):
    limits = {"rate_limits.window": "1s", "rate_limits.uploads": "5", "rate_limits.job_submissions": "4"}
    service = make_service(settings=limits)
    client = Client(folder / "home", url_of(service), service.new_account("limited"))
    client.folder("in", **many(14))
    _, summary = client.lines("run", "resize", "in", "out", "--width", "8")
    assert summary["done"] == 14
    counts = re.findall(r'^tessera_http_requests_total\{.*route="/v1/(?:assets|jobs)",status="(.xx)"\} (\d+)', service.get("/metrics").body.decode(), re.M)
    assert sum(int(count) for status, count in counts if status == "2xx") == 28
    assert sum(int(count) for status, count in counts if status == "4xx") < 14, "it slows down by itself"


def test_jobs_in_flight_stay_within_the_plan(service, client):
    service.admin("account", "create", "--slug", "starter", "--name", "Starter", "--plan", "starter")
    client.environment["TESSERA_API_KEY"] = service.new_key("starter")
    client.folder("in", **many(30))
    _, summary = client.lines("run", "resize", "in", "out", "--width", "8", "--concurrency", "32")
    assert summary["done"] == 30


def test_without_credits_it_stops_with_one_message(make_service, folder):
    service = make_service()
    plans = service.admin("plan", "template", as_json=False)
    (folder / "plans.toml").write_text(plans.replace("included_processing_credits = 10_000", "included_processing_credits = 3"))
    service.admin("plan", "apply", folder / "plans.toml")
    client = Client(folder / "home", url_of(service), service.new_account("poor", plan="starter"))
    client.folder("in", **many(12))
    out, err = client.run("run", "resize", "in", "out", "--width", "8", "--quiet", code=5)
    assert out == "" and err.count("credits_exhausted") == 1 and "9 of 12 files are left" in err
    assert len(list((client.home / "out").iterdir())) == 3, "what was accepted is fetched"


def test_a_wrong_key_is_told_at_once(service, client):
    client.environment["TESSERA_API_KEY"] = "tsr_" + "0" * 40
    (client.home / "a.png").write_bytes(png(5, 5))
    for words in (("run", "resize", "a.png", "b.png", "--width", "3"), ("upload", "a.png"), ("jobs",), ("watch",), ("usage",)):
        assert "invalid api key" in client.run(*words, code=1)[1], words


def test_a_service_that_is_restarted_in_the_middle(make_service, folder):
    service = make_service()
    client = Client(folder / "home", url_of(service), service.new_account("patient"))
    client.folder("in", **many(40))
    process = client.start("run", "resize", "in", "out", "--width", "8", "--concurrency", "1", "--json")
    for _ in range(3):
        process.stdout.readline()
    service.kill()
    service.start()
    out, err = process.communicate(timeout=PATIENCE * 2)
    assert process.returncode == 0, err
    assert json.loads(out.splitlines()[-1])["summary"]["done"] == 40
    assert len(jobs_of(service, client)) == 40


def test_a_service_that_stays_away_is_given_up(folder):
    client = Client(folder / "home", "http://127.0.0.1:9", "tsr_x")
    (client.home / "a.png").write_bytes(png(5, 5))
    assert "127.0.0.1" in client.run("run", "resize", "a.png", "b.png", "--width", "3", "--patience", "0", code=1)[1]


def test_damaged_downloads_are_noticed(folder):
    """Bytes that are not those of the checksum never get the result's name."""
    account = {"account": {"id": "1", "slug": "s"}, "quotas": {}}
    artifact = {"id": "7", "content_type": "image/png", "byte_size": 4, "checksum_sha256": "0" * 64}
    asset = {"id": "5"}
    job = {"id": "6", "status": "succeeded", "artifacts": [artifact], "result": {}}

    def answer(request):
        method, path, headers, _ = request
        if path.endswith("/download"):
            assert "authorization" not in headers and "x-api-key" not in headers, "a signed address needs no key"
            return (200, {}, b"evil")
        bodies = {"/v1/account": account, "/v1/assets": asset, "/v1/jobs": job, "/v1/artifacts/7": artifact | {"download_url": server.url + "/download"}}
        return (200, {}, bodies[path])

    with scripted_server(answer) as server:
        client = Client(folder / "home", server.url, "tsr_scripted")
        (client.home / "a.png").write_bytes(png(5, 5))
        _, err = client.run("run", "resize", "a.png", "b.png", "--width", "3", code=1)
        assert "checksum" in err
        assert sorted(p.name for p in client.home.glob("*.p*")) == ["a.png"]
        (key,) = {headers["idempotency-key"] for _, path, headers, _ in server.requests if path == "/v1/jobs"}
        assert re.fullmatch(r"[A-Za-z0-9._:-]{8,128}", key)


def test_a_request_is_repeated_with_its_key(folder):
    account = {"account": {"id": "1"}, "quotas": {}}
    busy = [(503, {"Retry-After": "0"}, {"error": "later", "code": "overloaded"}), None, (429, {"Retry-After": "0"}, {"code": "rate_limited", "error": "slowly"})]
    job = {"id": "6", "status": "failed", "error_code": "decode_failed", "error_message": "damaged", "artifacts": []}

    def answer(request):
        if request[1] == "/v1/jobs":
            return busy.pop(0) if busy else (201, {}, job)
        return (200, {}, account if request[1] == "/v1/account" else {"id": "5"})

    with scripted_server(answer) as server:
        client = Client(folder / "home", server.url, "tsr_scripted")
        (client.home / "a.png").write_bytes(png(5, 5))
        assert "damaged (decode_failed; job 6)" in client.run("run", "resize", "a.png", "b.png", "--width", "3", code=1)[1]
        keys = [headers["idempotency-key"] for _, path, headers, _ in server.requests if path == "/v1/jobs"]
        assert len(keys) == 4 and len(set(keys)) == 1


# --- the other commands ---
def test_upload_tells_assets_and_sends_the_same_bytes_once(service, client):
    client.folder("in", a=png(7, 7), copy=png(7, 7), b=png(8, 7))
    files, summary = client.lines("upload", "in")
    assert len({file["asset_id"] for file in files}) == 2 and summary["failed"] == 0
    files, summary = client.lines("upload", "in/a.png", "in/b.png")
    assert summary["skipped"] == 2
    first = next(file["asset_id"] for file in files if file["input"].endswith("a.png"))
    service.request("DELETE", "/v1/assets/" + first, key=client.environment["TESSERA_API_KEY"])
    again, _ = client.lines("upload", "in/a.png")
    assert again[0]["status"] == "done" and again[0]["asset_id"] != first
    service.request("DELETE", "/v1/assets/" + again[0]["asset_id"], key=client.environment["TESSERA_API_KEY"])
    client.run("run", "resize", "in/a.png", "small.png", "--width", "3")  # an asset that is gone is uploaded anew


def test_jobs_are_listed_shown_and_cancelled(service, client):
    key = client.environment["TESSERA_API_KEY"]
    assert "no jobs yet" in client.run("jobs")[0]
    asset = upload(service, key, png(40, 40)).json()["id"]
    done = run_job(service, key, "resize", {"width": 4}, asset)["id"]
    out, _ = client.run("jobs", "--status", "succeeded", "--operation", "resize")
    assert re.search(rf"^{done}  resize +succeeded +1 .* 4 x 4 image/png", out, re.M)
    assert "No job is like that" in client.run("jobs", "--status", "failed")[0]
    assert [json.loads(line)["id"] for line in client.run("jobs", "--json")[0].splitlines()] == [done]
    out, _ = client.run("jobs", "show", done)
    assert '"width":4' in out and "1 of 3" in out
    assert "ended before: succeeded" in client.run("jobs", "cancel", done)[0]
    slow = service.post("/v1/jobs", key=key, body={"asset_id": asset, "operation": "optimize", "options": {"format": "avif", "effort": 9}}).json()["id"]
    out, _ = client.run("jobs", "cancel", slow)
    assert "cancelled" in out or "ended before" in out
    assert "not the id of a job" in client.run("jobs", "show", "../account", code=2)[1]
    assert "job not found" in client.run("jobs", "show", slow[:-4] + "0000", code=3)[1]


def test_watch_follows_jobs_over_a_restart(make_service, folder):
    service = make_service()
    client = Client(folder / "home", url_of(service), service.new_account("watcher"))
    key = client.environment["TESSERA_API_KEY"]
    asset = upload(service, key, png(40, 40)).json()["id"]
    watching = client.start("watch", "--json")
    try:
        assert "Watching" in watching.stderr.readline()
        ids = []
        for width in (3, 4):
            ids.append(run_job(service, key, "resize", {"width": width}, asset)["id"])
            while (event := json.loads(watching.stdout.readline()))["event"] != "succeeded" or event["data"]["id"] != ids[-1]:
                pass
            if width == 3:
                service.restart()
        watching.send_signal(signal.SIGINT)
        assert watching.wait(PATIENCE) == 0
    finally:
        with contextlib.suppress(ProcessLookupError):
            watching.kill()
        watching.communicate()
    assert re.search(r"resize  succeeded$", client.run("watch", ids[0])[0].strip()), "one job, until it has ended"


def test_usage_shows_credits_and_limits(service, client):
    service.admin("account", "create", "--slug", "metered", "--name", "Metered", "--plan", "starter")
    client.environment["TESSERA_API_KEY"] = service.new_key("metered")
    out, _ = client.run("usage")
    assert "[....................] 0 of 10000 used, 10000 left" in out
    assert re.search(r"max_in_flight_jobs +20", out) and re.search(r"max_upload_bytes +21.0 MB", out)
    assert json.loads(client.run("usage", "--json")[0])["account"]["slug"] == "metered"


def test_a_terminal_sees_a_bar(client):
    client.folder("in", **many(5))
    leader, follower = pty.openpty()
    process = client.start("run", "resize", "in", "out", "--width", "8", stdout=follower, stderr=follower)
    os.close(follower)
    screen = b""
    with contextlib.suppress(OSError):  # as a terminal ends on Linux
        while chunk := os.read(leader, 4096):
            screen += chunk
    os.close(leader)
    assert process.wait(PATIENCE) == 0
    assert b"] 0/5" in screen or b"/5" in screen
    assert b"5 done in" in screen.splitlines()[-1]


def test_a_result_in_another_format_is_not_saved_under_a_wrong_name(client):
    client.folder(".", busy=noise_png(64, 64))
    subprocess.run([BINARY, "process", "resize", "busy.png", "small.jpg", "--width", "48", "--quality", "30"], cwd=client.home, check=True)
    _, err = client.run("run", "optimize", "small.jpg", "out.png", "--lossless", code=1)
    assert "whose jpg is the result: name it out.jpg, or convert it with resize" in err
    assert sorted(path.name for path in client.home.glob("out*")) == []
    client.run("run", "resize", "small.jpg", "out.png", "--width", "48")
    assert (client.home / "out.png").read_bytes().startswith(b"\x89PNG")
