"""The compose file's parts, as far as they can run where no image can be pulled: its settings and its nginx with the real
servers of the tests in the places of PostgreSQL's and the store's containers."""

import contextlib
import http.client
import os
import re
import subprocess

import pytest
import yaml
from containers import ContainerService
from nginx_conf import temporary_paths
from one_of_each import use
from ports import free_port
from service import ROOT, Service, wait_until
from test_image import IMAGE

COMPOSE = ROOT / "packaging" / "compose"
NODES = yaml.safe_load((COMPOSE / "compose.yaml").read_text())["services"]


def environment_of(node, database_url, ceph):
    """The lines of the file with the addresses and secrets of the servers that run here."""
    lines = dict(NODES[node]["environment"])
    assert re.fullmatch(r"postgresql://tessera:\$\{POSTGRES_PASSWORD:\?[^}]*\}@postgres:5432/tessera", lines["TESSERA_METADATA__URL"])
    lines["TESSERA_METADATA__URL"] = database_url
    lines["TESSERA_BLOBS__URL"] = lines["TESSERA_BLOBS__URL"].replace("http://s3:9000", ceph.endpoint)
    lines |= {"AWS_ACCESS_KEY_ID": ceph.access_key, "AWS_SECRET_ACCESS_KEY": ceph.secret_key}
    lines["TESSERA_SERVER__TRUSTED_PROXIES"] = "127.0.0.1"
    assert lines.pop("TESSERA_SERVER__PUBLIC_URL").startswith("${PUBLIC_URL")
    return lines


class Behind(Service):
    """What clients see: the address of nginx, and the accounts of a node."""

    def __init__(self, port, node):
        super().__init__(node.data_dir, port=port)
        self.node = node

    def admin(self, *arguments, **more):
        return self.node.admin(*arguments, **more)


@contextlib.contextmanager
def nginx(folder, api_ports):
    port = free_port()
    text = (COMPOSE / "nginx.conf").read_text()
    for number, api in enumerate(api_ports, start=1):
        text = text.replace(f"api-{number}:8080", f"127.0.0.1:{api}")
    text = text.replace("listen 8080;", f"listen 127.0.0.1:{port};").replace("/tmp/nginx.pid", f"{folder}/nginx.pid")
    text = text.replace("/var/cache/nginx", f"{folder}/cache").replace("http {", "http {\n" + temporary_paths(folder), 1)
    text = re.sub(r"/dev/std(err|out)", rf"{folder}/nginx.\1", text)
    (folder / "cache").mkdir()
    file = folder / "nginx.conf"
    file.write_text(("user root;\n" if os.geteuid() == 0 else "") + "daemon off;\n" + text)
    line = ["/usr/sbin/nginx", "-p", str(folder), "-c", str(file), "-e", f"{folder}/start.log"]
    tested = subprocess.run([*line, "-t"], capture_output=True, text=True)
    assert tested.returncode == 0, tested.stderr
    process = subprocess.Popen(line, stderr=subprocess.DEVNULL)
    try:
        yield port
    finally:
        process.terminate()
        process.wait()


@pytest.fixture
def cluster(folder, database_url, ceph):
    os.chmod(folder, 0o755)
    nodes = {}
    for name in ("api-1", "api-2", "worker"):
        command, *arguments = NODES[name]["command"]
        nodes[name] = ContainerService(
            folder / name, IMAGE, environment_of(name, database_url, ceph), ["--cap-drop", "all"], command=command, arguments=arguments
        )
        nodes[name].start()
    yield nodes
    for node in nodes.values():
        node.stop()


def test_nginx_two_api_nodes_a_worker_postgresql_and_a_store(cluster, folder):
    with nginx(folder, [cluster["api-1"].port, cluster["api-2"].port]) as port:
        service = Behind(port, cluster["api-1"])

        def answers():
            with contextlib.suppress(OSError, http.client.HTTPException):
                return service.get("/v1/plans").status == 200

        wait_until(answers, "nginx to answer")
        assert service.get("/metrics").status == 404, "the nodes' own affairs stay inside"
        key = service.new_account("tester", cdn=True)
        path, tile = use(service, key)
        cluster["api-1"].stop()
        assert service.get(path, key=key).body == tile, "the other node answers, with nothing of the first one's volume"
    for name, node in cluster.items():
        check = NODES[name]["healthcheck"]["test"][1:]
        if name != "api-1":
            assert node.execute(*check, check=False).returncode == 0, check
        assert "landlock" in node.sandbox()[0]
