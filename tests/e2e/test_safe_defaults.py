"""Out of the box nothing is shown to people whom it does not concern."""

import os
import re
import stat
import subprocess

import pictures
import pytest
from ports import free_port
from service import BINARY, PATIENCE, Service, upload, wait_for_job


@pytest.fixture
def wide_umask():
    """Whoever starts the service lets everybody read and write what they make."""
    before = os.umask(0)
    yield
    os.umask(before)


def open_to_others(root):
    """Files and folders under a path, with it, that others than their owner may use."""
    found = []
    for folder, folders, files in os.walk(root):
        for path in [folder, *(os.path.join(folder, name) for name in [*folders, *files])]:
            mode = os.lstat(path).st_mode
            if stat.S_ISLNK(mode):
                continue
            if mode & 0o077:
                found.append(f"{os.path.relpath(path, root)} {stat.filemode(mode)}")
    return found


def test_what_is_stored_is_for_its_owner_alone(wide_umask, make_service):
    service = make_service(arguments=["--set", "log.max_waiting_bytes=1MiB"])
    key = service.new_account("tester")
    asset = upload(service, key, pictures.png(300, 200)).json()["id"]
    for operation in ("optimize", "tile"):
        body = {"asset_id": asset, "operation": operation, "options": {}}
        job = wait_for_job(service, key, service.post("/v1/jobs", body=body, key=key).json()["id"])
        assert job["status"] == "succeeded", job
    assert open_to_others(service.data_dir) == []
    backups = service.data_dir.parent / "backups"
    service.admin("backup", backups)
    assert open_to_others(backups) == []
    exported = service.data_dir.parent / "exported.pmtiles"
    service.admin("tileset", "export", job["artifacts"][0]["metadata"]["tileset_id"], exported)
    assert stat.S_IMODE(exported.stat().st_mode) == 0o666, "what somebody asked for is made as they make their files"


def test_a_data_folder_of_an_earlier_version_is_closed(make_service):
    service = make_service()
    service.stop()
    service.data_dir.chmod(0o755)
    service.start()
    assert stat.S_IMODE(service.data_dir.stat().st_mode) == 0o700


def test_a_folder_that_is_not_ours_yet_keeps_its_mode(folder, make_service):
    (folder / "data").mkdir(mode=0o755)
    (folder / "data").chmod(0o755)
    service = make_service()
    assert stat.S_IMODE(service.data_dir.stat().st_mode) == 0o755
    assert [entry for entry in open_to_others(service.data_dir) if not entry.startswith(". ")] == []


def test_no_cache_may_keep_what_a_key_is_told(service, key):
    asset = upload(service, key, pictures.png(40, 30))
    body = {"asset_id": asset.json()["id"], "operation": "tile", "options": {}}
    created = service.post("/v1/jobs", body=body, key=key)
    job = wait_for_job(service, key, created.json()["id"])
    tileset = job["artifacts"][0]["metadata"]["tileset_id"]
    for answer in (
        asset,
        created,
        service.get("/v1/account", key=key),
        service.get(f"/v1/jobs/{job['id']}", key=key),
        service.get(f"/v1/artifacts/{job['artifacts'][0]['id']}", key=key),
        service.get("/v1/jobs/nonsense", key=key),
        service.get("/v1/account", key="nonsense"),
        service.get(f"/v1/tilesets/{tileset}/xyz/9/0/0.jpg", key=key),
    ):
        assert answer.headers.get_all("Cache-Control") == ["private, no-store"], answer
    assert service.get(f"/v1/artifacts/{tileset}/download?expires=1&sig=0").headers.get_all("Cache-Control") == ["no-store"]
    tile = service.get(f"/v1/tilesets/{tileset}/xyz/0/0/0.jpg", key=key)
    assert tile.headers.get_all("Cache-Control") == ["private, no-cache"], "a browser may keep it, and ask"


def test_metrics_are_not_for_the_public(make_service):
    service = make_service(settings={"rate_limits.enabled": "false", "server.metrics_token": "a-secret-of-ours"})
    assert service.get("/metrics").status == 200, "a client on this machine"
    forwarded = {"X-Forwarded-For": "203.0.113.9"}
    for trace in (forwarded, {"Forwarded": "for=203.0.113.9"}, {"Via": "1.1 proxy"}, {"X-Real-IP": "127.0.0.1"}):
        refused = service.get("/metrics", headers=trace)
        assert (refused.status, refused.json()["code"]) == (403, "permission_denied"), trace
        assert service.get("/healthz", headers=trace).status == 200
    assert service.get("/metrics", headers=forwarded, key="a-secret-of-ours").status == 200
    assert service.get("/metrics", headers=forwarded, key="a-secret-of-ourz").status == 403
    assert "a-secret-of-ours" not in service.log()


def test_metrics_on_the_second_address_need_nothing(make_service):
    port = free_port()
    service = make_service(settings={"server.admin_listen": f"127.0.0.1:{port}"}, start=False)
    service.start(wait=False)
    inside = Service(service.data_dir, port=port)
    inside.process = service.process
    inside.wait_ready()
    assert inside.get("/metrics", headers={"X-Forwarded-For": "203.0.113.9"}).status == 200
    assert service.get("/metrics").status == 404


def test_a_demo_account_is_for_this_machine(folder, make_service):
    line = [str(BINARY), "serve", "--data-dir", str(folder / "refused"), "--listen", "0.0.0.0:0", "--demo"]
    refused = subprocess.run(line, capture_output=True, text=True, timeout=PATIENCE)
    assert refused.returncode == 2
    assert "--public-demo" in refused.stderr
    assert not (folder / "refused").exists(), "nothing was made"
    service = make_service(arguments=["--listen", f"0.0.0.0:{free_port()}", "--demo", "--public-demo"], start=False)
    service.port = int(service.arguments[1].split(":")[1])
    service.command_line = lambda: [str(BINARY), "serve", "--data-dir", str(service.data_dir), *service.arguments]
    service.start()
    assert "demo key" in service.output()


def test_signed_addresses_name_no_host_that_a_client_made_up(make_service):
    service = make_service()
    key = service.new_account("tester", cdn=True)
    asset = upload(service, key, pictures.png(40, 30)).json()["id"]
    body = {"asset_id": asset, "operation": "tile", "options": {}}
    job = wait_for_job(service, key, service.post("/v1/jobs", body=body, key=key).json()["id"])
    evil = {"Host": "evil.example", "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https"}
    ours = f"http://127.0.0.1:{service.port}/"
    artifact = service.get(f"/v1/artifacts/{job['artifacts'][0]['id']}", key=key, headers=evil).json()
    assert artifact["download_url"].startswith(ours)
    told = service.get(f"/v1/jobs/{job['id']}", key=key, headers=evil).json()
    assert told["result"]["public_tile_url_template"].startswith(ours)

    service.stop()
    service.settings["server.trusted_proxies"] = "127.0.0.0/8"
    service.start()
    proxied = {"Host": "images.example.org", "X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https"}
    artifact = service.get(f"/v1/artifacts/{job['artifacts'][0]['id']}", key=key, headers=proxied).json()
    assert artifact["download_url"].startswith("https://images.example.org/"), "a trusted proxy knows"


def test_a_service_without_a_public_address_says_so_at_start(make_service):
    def warned(service):
        return [event for event in service.log_events() if event.get("event") == "public_url_not_set"]

    def listening_everywhere(name, **settings):
        service = make_service(name, settings={"rate_limits.enabled": "false", **settings}, start=False)
        line = [re.sub(r"^127\.0\.0\.1:", "0.0.0.0:", part) for part in service.command_line()]
        service.command_line = lambda: line
        return service.start()

    assert warned(listening_everywhere("a"))
    assert not warned(listening_everywhere("b", **{"server.public_url": "https://images.example.org"}))
    assert not warned(make_service("c"))
