"""examples/nginx.conf, with nothing changed but addresses and folders, before two nodes."""

import http.client
import http.server
import json
import os
import re
import socket
import subprocess
import threading
import time

import pytest
from nginx_conf import temporary_paths
from pictures import png
from service import ROOT, Answer, free_port, multipart, request_path, wait_until
from upload_samples import png_of_size

API, TILES = "images.example.org", "tiles.example.org"


class Nginx:
    """The example's text with this test's addresses in the place of its own."""

    def __init__(self, folder, nodes):
        self.port, self.tls_port, self.folder = free_port(), free_port(), folder / "nginx"
        for name in ("log", "cache"):
            (self.folder / name).mkdir(parents=True)
        text = (ROOT / "examples" / "nginx.conf").read_text()
        servers = iter(f"127.0.0.1:{node.port}" for node in [*nodes, *nodes, *nodes])
        text = re.sub(r"10\.0\.0\.1[12]:8080", lambda _: next(servers), text)
        text = text.replace("listen 80;", f"listen 127.0.0.1:{self.port};").replace("/var/log/nginx", f"{self.folder}/log")
        text = text.replace("/run/nginx.pid", f"{self.folder}/pid").replace("/var/cache/nginx", f"{self.folder}/cache")
        # The lines for TLS are comments: whoever has certificates takes the marks away.
        text = re.sub(r"# (listen 443|ssl_certificate)", r"\1", text).replace("listen 443", f"listen 127.0.0.1:{self.tls_port}")
        text = re.sub(r"/etc/ssl/\S+\.(pem|key);", rf"{self.folder}/tls.\1;", text)
        make_certificate(self.folder)
        self.configuration = self.folder / "nginx.conf"
        self.configuration.write_text(text.replace("http {\n", "http {\n" + temporary_paths(self.folder), 1))

    def command(self, *more):
        user = " user root;" if os.geteuid() == 0 else ""
        line = ["/usr/sbin/nginx", "-p", str(self.folder), "-c", str(self.configuration), "-e", f"{self.folder}/log/error.log"]
        return [*line, "-g", "daemon off;" + user, *more]

    def start(self):
        self.process = subprocess.Popen(self.command(), stdin=subprocess.DEVNULL)
        wait_until(self.answers, "nginx to answer")
        return self

    def answers(self):
        assert self.process.poll() is None, "nginx ended"
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def stop(self):
        self.process.terminate()
        self.process.wait(30)

    def request(self, method, path, host=API, body=None, headers=None, key=None, source="127.0.0.1"):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60, source_address=(source, 0))
        headers = {"Host": host, **(headers or {}), **({"Authorization": f"Bearer {key}"} if key else {})}
        try:
            connection.request(method, path, body=body, headers=headers)
            response = connection.getresponse()
            return Answer(response, response.read())
        finally:
            connection.close()

    def get(self, path, **more):
        return self.request("GET", path, **more)

    def upload(self, key, content):
        body, kind = multipart(content)
        return self.request("POST", "/v1/assets", body=body, key=key, headers={"Content-Type": kind})

    def submit(self, key, body, **headers):
        text = json.dumps(body)
        return self.request("POST", "/v1/jobs", body=text, key=key, headers={"Content-Type": "application/json", **headers})

    def ended(self, key, job):
        def look():
            found = self.get(f"/v1/jobs/{job}", key=key)
            assert found.status == 200, found
            return found.json() if found.json()["status"] in ("succeeded", "failed") else None

        return wait_until(look, f"job {job} to end", pause=0.05)


def make_certificate(folder):
    line = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", f"/CN={API}"]
    line += ["-days", "2", "-addext", f"subjectAltName=DNS:{API},DNS:{TILES}", "-keyout", folder / "tls.key", "-out", folder / "tls.pem"]
    subprocess.run(line, check=True, capture_output=True)


def test_both_hosts_speak_tls_and_http_2(site):
    nginx = site().nginx
    for host, path, status in ((API, "/v1/plans", "200 2"), (TILES, "/cdn/tilesets/none", "404 2")):
        line = ["curl", "-sS", "--cacert", nginx.folder / "tls.pem", "--resolve", f"{host}:{nginx.tls_port}:127.0.0.1"]
        line += ["-o", "/dev/null", "-w", "%{http_code} %{http_version}", f"https://{host}:{nginx.tls_port}{path}"]
        done = subprocess.run(line, capture_output=True, text=True)
        assert done.stdout == status, done


@pytest.fixture
def site(make_service, database, folder):
    """Two nodes and nginx before them."""

    class Site:
        def __init__(self, **settings):
            common = {
                "rate_limits.enabled": "false",
                "metadata.url": database.url,
                "blobs.url": f"file:{folder}/blobs",
                "signing.secrets_file": f"{folder}/signing-secrets",
                "server.public_url": f"http://{API}",
                "server.cdn_url": f"http://{TILES}",
                "server.trusted_proxies": "127.0.0.1/32",
                **settings,
            }
            self.nodes = [make_service(name, settings=common) for name in ("one", "two")]
            self.nginx = Nginx(folder, self.nodes).start()

    made = []

    def make(**settings):
        made.append(Site(**settings))
        return made[-1]

    yield make
    for one in made:
        one.nginx.stop()


def tileset(site, key):
    asset = site.nginx.upload(key, png(300, 300)).json()["id"]
    answer = site.nginx.submit(key, {"asset_id": asset, "operation": "tile", "options": {"format": "png"}})
    job = site.nginx.ended(key, answer.json()["id"])
    assert job["status"] == "succeeded", job
    return job


def test_everything_works_through_it_and_signed_tiles_are_cached_by_their_signature(site):
    site = site()
    nginx, key = site.nginx, site.nodes[0].new_account("fronted", cdn=True)
    job = tileset(site, key)
    artifact = nginx.get(f"/v1/artifacts/{job['artifacts'][0]['id']}", key=key).json()
    assert artifact["download_url"].startswith(f"http://{API}/")
    assert len(nginx.get(request_path(artifact["download_url"])).body) == artifact["byte_size"]

    template = job["result"]["public_tile_url_template"]
    assert template.startswith(f"http://{TILES}/cdn/")
    path = request_path(template).replace("{z}", "1").replace("{x}", "0").replace("{y}", "1")
    answers = [nginx.get(path, host=TILES) for _ in range(3)]
    assert [answer.headers["X-Cache"] for answer in answers] == ["MISS", "HIT", "HIT"]
    assert {answer.body for answer in answers} == {answers[0].body}
    assert answers[1].headers["Access-Control-Allow-Origin"] == "*"
    assert re.fullmatch(r"public, max-age=\d+, immutable", answers[1].headers["Cache-Control"])
    assert nginx.request("HEAD", path, host=TILES).headers["X-Cache"] == "HIT"
    tag = answers[0].headers["ETag"]
    assert nginx.get(path, host=TILES, headers={"If-None-Match": tag}).status == 304
    # One tile, one entry, whatever else is in the query; and no signature, no tile, cached or not.
    assert nginx.get(path + "&more=1", host=TILES).headers["X-Cache"] == "HIT"
    forged = re.sub(r"sig=..", lambda m: "sig=00" if m.group() != "sig=00" else "sig=11", path)
    assert nginx.get(forged, host=TILES).status == 403
    assert nginx.get(path.split("?")[0], host=TILES).status in (400, 403)
    assert nginx.get(path).status == 404, "tiles are the other host's"
    assert nginx.get("/metrics").status == 404
    # A version that is gone stops resolving at the origin: what is not cached is not there.
    site.nodes[0].admin("tileset", "delete", job["result"]["tileset_id"])
    other = request_path(template).replace("{z}", "1").replace("{x}", "1").replace("{y}", "1")
    wait_until(lambda: nginx.get(other, host=TILES).status == 404, "the tileset to be gone", 10)


def test_uploads_stream_to_the_nodes_and_are_cut_off_at_the_plans_cap(site):
    site = site()
    nginx, key = site.nginx, site.nodes[0].new_account("small", plan="starter")
    refused = nginx.upload(key, png_of_size(21 << 20))
    assert (refused.status, refused.json()["code"]) == (400, "upload_too_large"), refused
    # The first half arrives at a node while the second has not been sent.
    body, kind = multipart(png_of_size(4 << 20))
    head = f"POST /v1/assets HTTP/1.1\r\nHost: {API}\r\nAuthorization: Bearer {key}\r\nContent-Type: {kind}\r\n"
    with socket.create_connection(("127.0.0.1", nginx.port), timeout=60) as client:
        client.sendall(f"{head}Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body[: len(body) // 2])

        def staged():
            files = [path for node in site.nodes for path in node.data_dir.glob("**/*")]
            files += list((site.nodes[0].data_dir.parent / "blobs").glob("staging/**/*"))
            return any(path.is_file() and path.stat().st_size > len(body) // 4 for path in files)

        wait_until(staged, "half of the upload to reach a node")
        client.sendall(body[len(body) // 2 :])
        received = b""
        while chunk := client.recv(65536):
            received += chunk
    assert received.startswith(b"HTTP/1.1 201"), received[:200]


def test_clients_are_told_apart_by_the_address_that_nginx_saw(site):
    site = site(**{"rate_limits.enabled": "true", "rate_limits.plans": "3"})
    claims = [{"X-Forwarded-For": f"192.0.2.{n}"} for n in range(8)]
    statuses = [site.nginx.get("/v1/plans", headers=claim, source="127.0.0.2").status for claim in claims]
    assert 429 in statuses, "a claimed address must not open a new window"
    assert site.nginx.get("/v1/plans", source="127.0.0.3").status == 200


class Node:
    """In the place of a node: gives one answer to everything, and counts."""

    def __init__(self, status, body):
        node, self.seen = self, []

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self):
                sent = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                node.seen.append((self.command, self.path, sent))
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST = answer

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def before(folder):
    """nginx before the given nodes."""
    made = []

    def start(*nodes):
        made.extend([Nginx(folder, nodes).start(), *nodes])
        return made[0]

    yield start
    for one in made:
        one.stop()


def test_after_a_500_another_node_is_asked_where_that_is_safe(before):
    broken, sound = Node(500, b'{"error":"failed to persist job"}'), Node(200, b"done")
    nginx = before(broken, sound)
    paths = ["/v1/plans", "/v1/artifacts/one", "/v1/artifacts/one/download?expires=1&sig=2"]
    answers = [nginx.get(path) for path in paths for _ in range(4)]
    assert [answer.status for answer in answers] == [200] * 12
    assert broken.seen, "it was asked first now and then"
    keyed = [nginx.submit("k", {"number": n}, **{"Idempotency-Key": f"keyed-{n}"}) for n in range(4)]
    assert [answer.status for answer in keyed] == [200] * 4
    arrived = [json.loads(body)["number"] for method, _, body in sound.seen if method == "POST"]
    assert sorted(arrived) == [0, 1, 2, 3], "each with its body"

    # Without a key nobody knows whether it was done: it is sent once, and the client reads what the node said.
    broken.seen, sound.seen = [], []
    plain = [nginx.submit("k", {"number": n}) for n in range(4)]
    assert sorted(json.loads(body)["number"] for _, _, body in broken.seen + sound.seen) == [0, 1, 2, 3]
    assert {(answer.status, answer.body) for answer in plain} == {(200, b"done"), (500, b'{"error":"failed to persist job"}')}
    # The broken node is still asked: one client's 500 does not take a node from all the others.
    assert broken.seen


def test_a_500_of_every_node_is_answered_as_they_said_it(before):
    nginx = before(*[Node(500, b'{"error":"artifact is unavailable"}') for _ in range(2)])
    for _ in range(6):
        answer = nginx.get("/v1/artifacts/one/download?expires=1&sig=2")
        assert (answer.status, answer.json()) == (500, {"error": "artifact is unavailable"})


RESTARTS = int(os.environ.get("TESSERA_ROLLING_RESTARTS", "1"))


class Visitors:
    """Clients that never try again: every answer counts."""

    def __init__(self, site, key, asset):
        self.site, self.key, self.asset = site, key, asset
        self.stopping = threading.Event()
        self.lock = threading.Lock()
        self.answered, self.failures, self.jobs = 0, [], []
        self.threads = [threading.Thread(target=self._run, args=(what,)) for what in (self._write, self._read, self._upload)]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.stopping.set()
        for thread in self.threads:
            thread.join()

    def _run(self, what):
        while not self.stopping.is_set():
            try:
                answer = what()
                failure = None if answer.status in (200, 201) else answer
            except (OSError, http.client.HTTPException) as trouble:
                failure = trouble
            with self.lock:
                self.answered += 1
                if failure is not None:
                    self.failures.append((what.__name__, failure))
            time.sleep(0.002)

    def _write(self):
        answer = self.site.nginx.submit(self.key, {"asset_id": self.asset, "operation": "resize", "options": {"width": 8}})
        if answer.status == 201:
            self.jobs.append(answer.json()["id"])
        return answer

    def _read(self):
        return self.site.nginx.get("/v1/account", key=self.key)

    def _upload(self):
        return self.site.nginx.upload(self.key, png(40, 40))


def test_nodes_are_replaced_one_after_the_other_and_no_request_fails(site):
    site = site()
    key = site.nodes[0].new_account("visited")
    asset = site.nginx.upload(key, png(32, 32)).json()["id"]

    def has_served(node, route):
        page = node.get("/metrics").body.decode().splitlines()
        counts = [line for line in page if line.startswith("tessera_http_requests_total") and f'"{route}"' in line]
        return sum(float(line.rsplit(" ", 1)[1]) for line in counts) >= 3

    with Visitors(site, key, asset) as visitors:
        for _ in range(RESTARTS):
            for node in site.nodes:
                goal = visitors.answered + 40
                wait_until(lambda: visitors.answered >= goal, "traffic")
                assert node.stop() == 0
                node.start()
                # The next one goes only when this one has work again.
                for route in ("/v1/account", "/v1/jobs"):
                    wait_until(lambda: has_served(node, route), "nginx to send requests to the new node")
    assert visitors.failures == [], visitors.failures[:5]
    print(visitors.answered, "requests,", len(visitors.jobs), "jobs")
    for job in visitors.jobs:
        assert site.nginx.ended(key, job)["status"] == "succeeded"
