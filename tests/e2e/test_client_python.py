"""The Python client against the real service: upload, run, wait, download, tiles, errors, limits."""

import hashlib
import io
import os
import shutil
import subprocess
import threading
import time

import pytest
from pictures import noise_png, png
from python_client import PACKAGE
from service import BINARY, ROOT
from tessera_client import ApiError, Cancel, Cancelled, ConnectionFailed, JobFailed, Tessera, TimedOut


@pytest.fixture(scope="module")
def tessera(service, key):
    with Tessera(f"http://127.0.0.1:{service.port}", key) as client:
        yield client


@pytest.fixture
def photo(folder):
    path = folder / "photo.png"
    path.write_bytes(png(300, 200))
    return path


def test_one_call_uploads_runs_waits_and_saves(tessera, photo, folder):
    seen = []
    result = tessera.resize(photo, width=100, format="webp", on_progress=lambda job: seen.append(job["status"]))
    saved = result.save(folder / "small.webp")
    content = saved.read_bytes()
    assert content[:4] == b"RIFF" and content[8:12] == b"WEBP"
    artifact = result.file.artifact
    assert (artifact["width"], artifact["height"]) == (100, 67)
    assert hashlib.sha256(content).hexdigest() == artifact["checksum_sha256"]
    assert result.read() == content == b"".join(result.file.stream())
    assert seen[-1] == "succeeded"
    assert result.job["options"]["width"] == 100 and result.tiles is None
    assert sorted(entry.name for entry in folder.iterdir()) == ["photo.png", "small.webp"]


def test_a_saved_file_has_the_mode_of_any_file(tessera, photo, folder):
    tessera.optimize(photo).save(folder / "one.png")
    (folder / "two").write_bytes(b"")
    assert (folder / "one.png").stat().st_mode == (folder / "two").stat().st_mode


def test_the_steps_are_public(tessera, photo):
    asset = tessera.upload(photo)
    assert (asset["original_filename"], asset["width"], asset["height"]) == ("photo.png", 300, 200)
    job = tessera.submit("resize", {"width": 50}, asset_id=asset["id"], idempotency_key="steps-0001")
    assert tessera.submit("resize", {"width": 50}, asset_id=asset["id"], idempotency_key="steps-0001")["id"] == job["id"]
    ended = tessera.wait(job["id"])
    assert ended["status"] == "succeeded" and tessera.job(job["id"])["id"] == job["id"]
    assert tessera.result(job["id"]).read() == tessera.result(job).read()
    with pytest.raises(ApiError) as caught:
        tessera.submit("resize", {"width": 51}, asset_id=asset["id"], idempotency_key="steps-0001")
    assert (caught.value.status, caught.value.code) == (409, "idempotency_conflict")


def test_sources_are_paths_bytes_files_pipes_and_assets(tessera, photo):
    content = photo.read_bytes()
    assert tessera.upload(content, filename='na"me.png')["width"] == 300
    with photo.open("rb") as file:
        assert tessera.upload(file)["original_filename"] == "photo.png"
    assert tessera.upload(io.BytesIO(content))["byte_size"] == len(content)
    reader, writer = os.pipe()
    feeder = threading.Thread(target=lambda: (os.write(writer, content), os.close(writer)))
    feeder.start()
    with os.fdopen(reader, "rb") as pipe:
        asset = tessera.upload(pipe)
    feeder.join()
    assert asset["checksum_sha256"] == hashlib.sha256(content).hexdigest()
    assert tessera.resize(asset, width=10).file.artifact["width"] == 10


def test_tiles_with_and_without_public_delivery(tessera, service, photo):
    tiles = tessera.tile(photo, format="jpeg").tiles
    assert tiles.is_public and tiles.version == 1 and "{z}/{x}/{y}.jpg?" in tiles.template
    assert tiles.tile(0, 0, 0)[:2] == b"\xff\xd8"
    assert "/0/0/0.jpg?" in tiles.url(0, 0, 0)
    with Tessera(tessera.base_url, service.new_account("keyed")) as keyed:
        result = keyed.tile(photo, format="jpeg")
        assert not result.tiles.is_public
        assert result.tiles.template == f"{tessera.base_url}/v1/tilesets/{result.tiles.tileset_id}/xyz/{{z}}/{{x}}/{{y}}.jpg"
        assert result.tiles.tile(0, 0, 0)[:2] == b"\xff\xd8"
        patched = keyed.tile_patch(
            tileset_id=result.tiles.tileset_id, patches=[{"x": 0, "y": 0, "width": 9, "height": 9, "color": "red"}]
        )
        assert patched.tiles.version == 2
        with pytest.raises(ApiError) as caught:
            result.tiles.tile(9, 0, 0)
        assert caught.value.code == "tile_not_found"


def test_a_grid_needs_no_source(tessera):
    assert tessera.grid_render(width=64, height=64, block_width=16).file.artifact["width"] == 64


def test_account_and_plans(tessera):
    assert tessera.account()["account"]["slug"] == "tester"
    assert {plan["code"] for plan in tessera.plans()} >= {"starter", "pro"}


def test_a_refusal_is_a_typed_error(tessera, photo):
    with pytest.raises(ApiError) as caught:
        tessera.run("resize", photo, {"widht": 100})
    error = caught.value
    assert (error.status, error.code) == (400, "invalid_option") and "widht" in error.message
    assert error.request_id and error.hint and error.limit is None and error.request_id in str(error)
    with pytest.raises(ApiError) as caught:
        tessera.job("01a1dd2e-c26e-7506-ab6a-956cc5fd96e6")
    assert (caught.value.status, caught.value.code) == (404, "job_not_found")
    with pytest.raises(ApiError, match="missing api key"):
        Tessera(tessera.base_url, "").account()


def test_limits_of_a_plan_are_told_in_numbers(tessera, service):
    with Tessera(tessera.base_url, service.new_account("small", plan="starter")) as small:
        with pytest.raises(ApiError) as caught:
            small.grid_render(width=100_000, height=100_000, block_width=1000)
        assert caught.value.status == 429 and caught.value.limit["allowed"] < caught.value.limit["asked"]


def test_a_long_upload_that_is_refused_early_tells_why(tessera, service):
    """The service answers and closes before it has read all of it."""
    with pytest.raises(ApiError) as caught:
        Tessera(tessera.base_url, "tsr_nobody").upload(bytes(40 << 20))
    assert caught.value.code == "invalid_api_key"
    with Tessera(tessera.base_url, service.new_account("starter", plan="starter")) as starter:
        with pytest.raises(ApiError) as caught:
            starter.upload(noise_png(100, 100) + bytes(30 << 20))
        assert caught.value.code == "upload_too_large"


def test_a_failed_job_is_its_own_class_and_carries_the_job(tessera):
    torn = noise_png(400, 400)[:60_000]  # its header is whole
    with pytest.raises(JobFailed) as caught:
        tessera.resize(torn, width=10)
    assert caught.value.code == "decode_failed" == caught.value.job["error_code"]
    assert not isinstance(caught.value, ApiError) and caught.value.job["id"] in str(caught.value)
    assert tessera.wait(caught.value.job["id"])["status"] == "failed"


def test_a_timeout_is_its_own_class_and_the_job_can_be_had_later(make_service, photo):
    service = make_service(settings={"rate_limits.enabled": "false"}, arguments=["--workers", "0"])
    with Tessera(f"http://127.0.0.1:{service.port}", service.new_account("late")) as client:
        with pytest.raises(TimedOut) as caught:
            client.resize(photo, width=20, timeout=1.0, idempotency_key="late-job-1")
        assert caught.value.idempotency_key == "late-job-1"
        assert client.job(caught.value.job_id)["status"] == "queued"


def test_cancelling_ends_a_wait_at_once(make_service, photo):
    service = make_service(settings={"rate_limits.enabled": "false"}, arguments=["--workers", "0"])
    cancel = Cancel()
    looks = []

    def look(job):
        looks.append(job)
        if len(looks) == 2:
            threading.Timer(0.05, cancel.cancel).start()

    with Tessera(f"http://127.0.0.1:{service.port}", service.new_account("off")) as client, pytest.raises(Cancelled):
        client.resize(photo, width=20, cancel=cancel, on_progress=look, timeout=60)
    assert len(looks) >= 2
    with pytest.raises(Cancelled):
        client.account(cancel=cancel)


def test_cancelling_breaks_off_a_request_that_nobody_answers():
    import socket

    with socket.create_server(("127.0.0.1", 0)) as silent:
        cancel = Cancel()
        client = Tessera(f"http://127.0.0.1:{silent.getsockname()[1]}", "key")
        threading.Timer(0.05, cancel.cancel).start()
        begin = time.monotonic()
        with pytest.raises(Cancelled):
            client.account(cancel=cancel)
        with pytest.raises(TimedOut):
            client.account(timeout=0.1)
        assert time.monotonic() - begin < 30  # and not the minute of socket_timeout


def test_a_progress_callback_that_fails_loses_nothing(tessera, photo):
    def broken(_):
        raise RuntimeError("no")

    assert tessera.resize(photo, width=10, on_progress=broken).file.artifact["width"] == 10


def test_rate_limits_are_waited_for(make_service, photo):
    """More uploads than a window of the limit takes: the client does as Retry-After says, and all of them are there."""
    service = make_service(settings={"rate_limits.uploads": "3", "rate_limits.window": "1s"})
    with Tessera(f"http://127.0.0.1:{service.port}", service.new_account("many")) as client:
        assert len({client.upload(photo)["id"] for _ in range(5)}) == 5


def test_uploads_and_downloads_are_not_held_in_memory(tessera, folder):
    """In a process of its own, since memory that was used once may never be given back."""
    big = folder / "big.png"
    big.write_bytes(noise_png(4000, 4000))
    program = f"""
import resource, sys
sys.path.insert(0, {str(PACKAGE)!r})
from tessera_client import Tessera
client = Tessera({tessera.base_url!r}, {tessera._key!r})
client.account()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
client.resize({str(big)!r}, width=3000).save({str(folder / "out.png")!r})
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    grown_kb = int(subprocess.run(["/usr/bin/python3", "-c", program], check=True, capture_output=True, text=True).stdout)
    assert (folder / "out.png").stat().st_size > 20 << 20
    assert grown_kb < 10 << 10


def test_nothing_is_left_where_a_download_fails(tessera, photo, folder, service):
    result = tessera.optimize(photo)
    result.file.artifact["checksum_sha256"] = "0" * 64
    with pytest.raises(Exception, match="not those that were made"):
        result.save(folder / "never.png")
    assert [entry.name for entry in folder.iterdir()] == ["photo.png"]


def test_a_service_that_is_not_there(folder):
    from ports import free_port
    from tessera_client import RetryPolicy

    client = Tessera(f"http://127.0.0.1:{free_port()}", "key", retry_policy=RetryPolicy(faults=1, first_pause=0.01))
    with pytest.raises(ConnectionFailed) as caught:
        client.account()
    assert not caught.value.was_sent


def test_the_generated_types_are_what_the_document_says(folder):
    document = folder / "openapi.json"
    document.write_bytes(subprocess.check_output([BINARY, "openapi"]))
    line = ["/usr/bin/python3", ROOT / "clients" / "generate", "--check", "--document", document]
    done = subprocess.run(line, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_a_document_that_has_changed_is_told(folder):
    document = folder / "openapi.json"
    text = subprocess.check_output([BINARY, "openapi"], text=True)
    document.write_text(text.replace('"keep_metadata"', '"drop_metadata"'))
    line = ["/usr/bin/python3", ROOT / "clients" / "generate", "--check", "--document", document]
    done = subprocess.run(line, capture_output=True, text=True)
    assert done.returncode == 1 and "clients/python/src/tessera_client/types.py" in done.stdout


def test_mypy_finds_nothing_in_strict_mode(folder):
    """In the package, and in a program that uses it; and it does find a wrong option."""

    def check(program):
        file = folder / f"program_{abs(hash(program))}.py"  # mypy knows a file by its name, size and time
        file.write_text(program)
        line = ["mypy", "--strict", "--cache-dir", folder / "cache", file]
        done = subprocess.run(line, capture_output=True, text=True, env={"PATH": "/usr/bin", "MYPYPATH": str(PACKAGE)})
        return done.stdout

    line = ["mypy", "--config-file", "pyproject.toml", "--cache-dir", folder / "cache"]
    done = subprocess.run(line, capture_output=True, text=True, cwd=ROOT / "clients" / "python")
    assert done.returncode == 0, done.stdout
    right = """from tessera_client import Tessera
width: int = Tessera("http://x", "k").resize("a.jpg", width=3, fit="cover").job["attempt_count"]
"""
    assert check(right).startswith("Success"), check(right)
    assert "arg-type" in check(right.replace('"cover"', '"covre"'))
    assert "typeddict-item" in check(right.replace("attempt_count", "attempts"))


def test_it_installs_as_users_install_it_and_is_typed(folder):
    installed = folder / "installed"
    copy = folder / "package"
    shutil.copytree(ROOT / "clients" / "python", copy)  # setuptools leaves files beside the sources
    line = ["/usr/bin/python3", "-m", "pip", "install", "--quiet", "--no-index", "--no-build-isolation", "--no-deps"]
    done = subprocess.run([*line, "--target", installed, copy], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (installed / "tessera_client" / "py.typed").exists()
    said = subprocess.check_output(
        ["/usr/bin/python3", "-c", "import tessera_client; print(tessera_client.__file__)"], env={"PYTHONPATH": str(installed)}, text=True
    )
    assert said.startswith(str(installed))
