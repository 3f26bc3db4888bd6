"""The console in a real browser against the real binary: tests/tools/console has the scenes, tests here say what they must find.

TESSERA_SCREENSHOTS=FOLDER keeps pictures of every page; TESSERA_CONSOLE_PICTURES=docs/images makes those of the docs anew."""

import base64
import json
import os
import shutil
import subprocess

import pytest
from archives import TOOLS, node
from decoded import Decoded
from pictures import png, png_of, truncated_png
from service import PATIENCE, Service, request_path, temporary_folder, upload, wait_for_job

SCREENSHOTS = os.environ.get("TESSERA_SCREENSHOTS")


class Account:
    """An account of its own for each scene, on one service."""

    def __init__(self, service, slug, **options):
        self.service = service
        self.slug = slug
        self.key = service.new_account(slug, **options)

    def upload(self, content, filename="picture.png"):
        answer = upload(self.service, self.key, content, filename)
        assert answer.status == 201, answer
        return answer.json()["id"]

    def submit(self, operation="grid_render", asset=None, **options):
        body = {"operation": operation, "options": options or {"width": 64, "height": 64, "block_width": 16}}
        if asset:
            body["asset_id"] = asset
        answer = self.service.post("/v1/jobs", body=body, key=self.key)
        assert answer.status == 201, answer
        return answer.json()["id"]

    def ended(self, job):
        return wait_for_job(self.service, self.key, job)


@pytest.fixture(scope="module")
def service():
    """Uploads in short windows, so that a queue meets the rate limit and the test does not take a minute."""
    with temporary_folder() as path:
        settings = {"rate_limits.window": "2s", "rate_limits.uploads": "10"}
        for name in ("account", "job_submissions", "job_reads", "artifact_reads", "asset_reads", "job_lists", "tileset_reads"):
            settings[f"rate_limits.{name}"] = "0"
        shared = Service(path / "data", settings=settings).start()
        if shared.get("/", headers={"Accept": "text/html"}).status != 200:
            shared.stop()
            pytest.skip("this binary was built without the console: scripts/test install build")
        yield shared
        shared.stop()
        assert shared.complaints() == []


def play(scene, service, key=None, acts=None, **wanted):
    """Runs a scene; `acts` are what it may ask to be done to the service."""
    if not (TOOLS / "node_modules" / "axe-core").exists() or not shutil.which("chromium"):
        pytest.skip("chromium and the modules of tests/tools are needed: scripts/test install")
    wanted |= {"url": f"http://127.0.0.1:{service.port}/", "key": key, "screenshots": SCREENSHOTS}
    line = [node(), str(TOOLS / "console.mjs"), scene]
    with subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as player:

        def say(value):
            player.stdin.write(json.dumps(value) + "\n")
            player.stdin.flush()

        told = None
        try:
            say(wanted)
            for text in player.stdout:
                told = json.loads(text)
                if "do" not in told:
                    break
                say(acts[told["do"]](**{name: value for name, value in told.items() if name != "do"}))
            _, errors = player.communicate(timeout=PATIENCE)
        finally:
            player.kill()
    assert player.returncode == 0 and told is not None, errors
    assert told["complaints"] == [], told["complaints"]
    return told


def test_signing_in_and_its_refusals(service):
    account = Account(service, "tester")
    told = play("signin", service, account.key)
    assert "Paste your API key" in told["empty"]
    assert "invalid api key" in told["refused"] and "request" in told["refused"]
    assert told["kept"] == "#/jobs?status=failed"
    assert told["storages"] == {"local": 0, "cookies": ""} and told["left"] is None


def test_the_first_visit_is_three_clicks(service):
    account = Account(service, "newcomer")
    told = play("first_visit", service, account.key)
    tileset = told["hash"].rsplit("/", 1)[1]
    found = service.get(f"/v1/tilesets/{tileset}", key=account.key).json()
    assert (found["width"], found["height"]) == (3000, 2000)


def test_an_upload_of_thirty_files_keeps_the_rate_limit(service):
    account = Account(service, "uploader")
    files = [base64.b64encode(png(40 + index, 30)).decode() for index in range(30)]
    told = play("upload", service, account.key, files=files, damaged=base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"nonsense").decode())
    assert told["several"] and "notes.txt is no picture" in told["named"]
    assert told["busy"] == 0 and told["rates"].count(201) == 30
    assert told["rates"].count(429) == 0, "the queue waits before it is told to"
    assert told["held"] or told["fewest"] >= 2, "and says that it does"
    assert "broken.png" in told["broken"]
    assert "30" in told["count"]
    assert len(service.get("/v1/assets?limit=100", key=account.key).json()["assets"]) == 30


def test_every_operation_is_submitted_from_its_form(service):
    account = Account(service, "worker", plan="pro")
    asset = account.upload(png(640, 480))
    told = play("jobs", service, account.key, asset=asset, damagedAsset=account.upload(truncated_png()))
    jobs = {name: account.ended(job) for name, job in told["jobs"].items()}
    assert {name: job["operation"] for name, job in jobs.items()} == {name: name for name in jobs}
    assert jobs["resize"]["artifacts"][0]["width"] == 120
    assert jobs["optimize"]["options"]["format"] == "webp" and told["draft"] == "webp"
    assert jobs["tile"]["options"]["preprocess"]["grayscale"] is True
    assert jobs["grid_render"]["options"]["blocks"][0]["color"] == "#008080"
    assert jobs["tile_patch"]["artifacts"][0]["metadata"]["version"] == 2
    assert "1 credit" in told["cost"] and "px" in told["cost"]
    assert asset in told["snippets"]["curl"] and "--json" in told["snippets"]["curl"]
    assert "tessera.submit(" in told["snippets"]["TypeScript"] and "tessera.submit(" in told["snippets"]["Python"]
    assert "3 fields" in told["missing"]
    focused = account.ended(told["focused"])
    assert told["looked"] == "blur" and (focused["options"]["blur"], focused["options"]["focus"]) == (2.5, {"x": 0.25, "y": 1})
    assert "overlay" not in focused["options"] and [one["width"] for one in focused["artifacts"]] == [30]
    assert "decode_failed" in told["failure"] and "Upload it again" in told["failure"]
    assert len(told["failed"]) == 1 and told["link"] == "#/jobs?status=failed&operation=tile"
    assert told["tiles"] == ["tile"] and "status=fialed" in told["told"]


def test_the_sketch_of_a_resize_shows_what_comes_of_it(service):
    account = Account(service, "sketcher", plan="pro")
    asset = account.upload(png_of(640, 480, lambda x, y: (x * 255 // 640, y * 255 // 480, 90)))
    mark = account.upload(png(60, 40, (0, 0, 255)))
    crop = {"x": 100, "y": 60, "width": 400, "height": 400}
    asked = {
        "inside": {"width": 300},
        "crop": {"width": 200, "crop": crop},
        "turned": {"width": 200, "crop": crop | {"height": 200}, "rotate": 90, "flip": "horizontal"},
        "focus": {"width": 120, "height": 300, "fit": "cover", "focus": {"x": 0.9, "y": 0.1}},
        "turned-focus": {"width": 120, "height": 300, "fit": "cover", "focus": {"x": 0.9, "y": 0.1}, "rotate": 270, "flip": "vertical"},
        "blur": {"width": 300, "blur": 3},
        "contain": {"width": 300, "height": 400, "fit": "contain", "position": "north", "background": "#ff00ff"},
        "overlay": {"width": 320, "overlay": {"asset_id": mark, "scale": 0.5, "position": "northwest", "margin": 20}},
        "outputs": {"rotate": 180, "outputs": [{"width": 300, "height": 200, "fit": "fill"}, {"width": 40}]},
    }
    jobs = {name: account.submit("resize", asset, format="png", **options) for name, options in asked.items()}
    shares = [(x / 10, y / 10) for x in (1, 3, 5, 7, 9) for y in (1, 3, 5, 7, 9)]
    told = play("sketch", service, account.key, jobs=jobs, shares=shares)["seen"]
    for name, job in jobs.items():
        made = service.get(f"/v1/artifacts/{account.ended(job)['artifacts'][0]['id']}", key=account.key).json()
        picture = Decoded(service.get(request_path(made["download_url"])).body)
        for (x, y), drawn in zip(shares, told[name]["colours"], strict=True):
            real = picture.at(int(x * picture.width), int(y * picture.height))
            assert max(abs(a - b) for a, b in zip(real, drawn, strict=True)) <= 8, (name, x, y, real, drawn)
    assert told["outputs"]["words"].endswith("300 × 200, 40 × 30")


def test_several_jobs_are_selected_and_acted_on(service):
    account = Account(service, "selector", plan="pro")
    ended = [account.submit() for _ in range(4)]
    for job in ended:
        account.ended(job)

    def slow():
        return [account.submit(width=8192, height=8192, block_width=16) for _ in range(12)]

    told = play("select", service, account.key, {"slow": slow})
    assert (told["one"], told["range"]) == ("1 job selected", "4 jobs selected")
    assert told["moved"] == 0 == told["movedOnPhone"], "rows stay where they are"
    assert told["cancelOfEnded"] is False
    assert told["copied"] == ended[::-1]
    assert (told["byKeys"], told["oneMore"], told["oneLess"]) == ("3 jobs selected", "4 jobs selected", "3 jobs selected")
    assert "3 credits" in told["question"]
    jobs = [account.ended(job) for job in told["slow"]]
    assert [job.get("error_code") for job in jobs[-3:]] == ["cancelled"] * 3
    assert all(job["status"] in ("succeeded", "failed") for job in jobs)
    assert told["some"] is True and told["all"] == "19 jobs selected" == told["allOnPhone"]
    assert told["afterAnotherFilter"] == 0, "what another list does not show is not selected"
    assert told["overflow"] == 0 and told["axe"] == [] == told["axeOnPhone"]


def test_the_list_is_live_over_a_restart_and_a_revoked_key(service):
    account = Account(service, "live")
    account.ended(account.submit())
    first = service.admin("key", "list", "--account", "live")

    def revoke():
        keys = first if isinstance(first, list) else first["keys"]
        service.admin("key", "revoke", keys[0]["id"])
        return "done"

    def submit(count):
        return [account.submit() for _ in range(count)]

    other = service.new_key("live", name="other")
    acts = {"submit": submit, "stop": lambda: service.stop(), "start": lambda: service.start() and "done", "revoke": revoke}
    told = play("live", service, account.key, acts, otherKey=other)
    assert (told["before"], told["still"], told["rowsWhileAway"]) == (1, 1, 4)
    assert told["hash"] == "#/jobs"
    assert told["toldAfterLeaving"] == 0


def test_what_the_first_page_reads_is_asked_for_before_its_code_is_there(make_service):
    service = make_service(settings={"rate_limits.enabled": "false"})
    account = Account(service, "early", plan="pro")
    asset = account.upload(png(900, 600), "harbour.png")
    job = account.submit("tile", asset, format="png")
    tileset = account.ended(job)["artifacts"][0]["metadata"]["tileset_id"]
    reads = {
        "assets": ("#/assets", ["v1/assets?limit=100"]),
        "asset": (f"#/assets/{asset}", [f"v1/assets/{asset}"]),
        "jobs": ("#/jobs", ["v1/jobs?limit=50"]),
        "job": (f"#/jobs/{job}", [f"v1/jobs/{job}"]),
        "tileset": (f"#/tilesets/{tileset}", [f"v1/tilesets/{tileset}", f"v1/jobs?tileset_id={tileset}&limit=100"]),
    }
    service.restart()  # so that no event of that job is still on its way: an account is read again when one comes
    told = play("first_reads", service, account.key, pages={name: hash for name, (hash, _) in reads.items()})
    for name, (_, first) in reads.items():
        assert told["left"][name] == [], f"{name}: asked for in vain"
        for path in ["v1/events", "v1/account", *first]:
            counted = path == "v1/assets?limit=100"  # asked again for the number beside the place
            assert told["asked"][name].count(path) in ((1, 2) if counted else (1,)), (name, path, told["asked"][name])


def test_a_tab_that_nobody_looked_at_shows_what_has_changed(make_service):
    idle = make_service(arguments=["--workers", "0"])
    account = Account(idle, "hidden")
    job = account.submit()
    acts = {"cancel": lambda: idle.post(f"/v1/jobs/{job}/cancel", key=account.key).status}
    play("hidden_tab", idle, account.key, acts, job=job)


def test_an_asset_tells_where_viewers_find_it(service):
    account = Account(service, "viewed", cdn=True)
    service.admin("entitlement", "set", "--account", "viewed", "--feature", "asset_pictures", "--enabled", "true")
    plain = Account(service, "unviewed")
    wanted = {"asset": account.upload(png(900, 600)), "plainKey": plain.key, "plainAsset": plain.upload(png(90, 60))}
    told = play("viewers", service, account.key, **wanted)
    assert service.get(request_path(told["address"])).json()["width"] == 900
    assert "signed" in told["words"] and told["axe"] == [] and told["ofPlain"] == 0


def test_every_page_is_for_everybody(service):
    account = Account(service, "looker", plan="pro", cdn=True)
    asset = account.upload(png(900, 600), "harbour.png")
    job = account.submit("resize", asset, width=300, format="webp")
    failed = account.submit("resize", account.upload(truncated_png(), "damaged.png"), width=50)
    for one in (job, failed):
        account.ended(one)
    told = play("looks", service, account.key, asset=asset, job=job, failedJob=failed)
    assert told["found"] == [], "\n".join(told["found"])
    assert told["looked"] >= 40


@pytest.mark.skipif("TESSERA_CONSOLE_PICTURES" not in os.environ, reason="only when pictures of the docs are to be made anew")
def test_pictures_of_the_docs(service):
    """TESSERA_CONSOLE_PICTURES=docs/images makes those that README.md and docs/console.md show."""
    service.admin("account", "create", "--slug", "north", "--name", "Studio North", "--plan", "starter")
    folder = os.path.abspath(os.environ["TESSERA_CONSOLE_PICTURES"])
    play("pictures", service, service.new_key("north"), folder=folder)
