"""What a page's commands are run against: a folder, a running service with an account, and a shell whose words are the page's.

Every page gets the same: photo.jpg in the folder it starts in, $URL, $KEY, and of photo.jpg an $ASSET and a `tile` $JOB that has
made $TILESET. Commands are run as they are written. Only these words stand for others:

  http://127.0.0.1:8080, 127.0.0.1:8080   the address of the service
  /var/lib/tessera                        its data folder
  /var/lib/tessera-restored, /etc/tessera, /backup   folders of the test
  tsr_…                                   the key of its account `demo`, which has every feature; it is also in $KEY
  examples/…, build/release/tessera       of this checkout
"""

import os
import subprocess

from doc_likeness import difference
from doc_shell import PageShell, commands_and_output
from service import BINARY, ROOT, Service, free_port, upload
from tilesets import run_job, tileset_of


class PageStage:
    def __init__(self, page, folder, fixtures):
        self.page, self.folder, self.fixtures = page, folder, fixtures
        self.work = folder / "work"
        self.environment = {"PATH": f"{BINARY.parent}:/usr/local/bin:/usr/bin:/bin", "HOME": str(folder), "LANG": "C.UTF-8"}
        for name in ("work", "scripts", "etc", "backup"):
            (folder / name).mkdir()
        (self.work / "examples").symlink_to(ROOT / "examples")
        (self.work / "build" / "release").mkdir(parents=True)
        (self.work / "build" / "release" / "tessera").symlink_to(BINARY)
        # Rate limits are on: what a page tells readers to do must stay within them.
        self.service = Service(folder / "data", settings=SETTINGS.get(page, {}))
        self.stands_for = {
            "http://127.0.0.1:8080": f"http://127.0.0.1:{self.service.port}",
            "127.0.0.1:8080": f"127.0.0.1:{self.service.port}",
            "127.0.0.1:8088": f"127.0.0.1:{free_port()}",
            "/var/lib/tessera-restored": str(folder / "restored"),
            "/var/lib/tessera": str(self.service.data_dir),
            "/etc/tessera": str(folder / "etc"),
            "/backup": str(folder / "backup"),
        }
        self.shell = None

    def start(self):
        self.service.start()
        self.key = self.service.new_account("demo", cdn=True)
        self.service.admin("entitlement", "set", "--account", "demo", "--feature", "asset_pictures", "--enabled", "true")
        self.stands_for["tsr_…"] = self.key
        self.environment |= {"KEY": self.key, "URL": f"http://127.0.0.1:{self.service.port}"}
        make_photo(self.work / "photo.jpg")
        asset = upload(self.service, self.key, (self.work / "photo.jpg").read_bytes(), "photo.jpg").json()["id"]
        job = run_job(self.service, self.key, "tile", {}, asset)
        self.environment |= {"ASSET": asset, "JOB": job["id"], "TILESET": tileset_of(job)}
        PREPARED.get(self.page, lambda stage: None)(self)
        self.shell = PageShell(self.work, self.folder / "scripts", self.environment)

    def stop(self):
        if self.shell:
            self.shell.close()
        self.service.stop()

    def literal(self, text):
        for word, real in self.stands_for.items():
            text = text.replace(word, real)
        return text

    def as_written(self, text):
        for word, real in self.stands_for.items():
            text = text.replace(real, word)
        return text

    def run(self, block):
        if block.said.get("before") == "stop_the_service":
            self.service.stop()
        elif "before" in block.said:
            self.shell.run(self.literal(block.said["before"]))
        if "serves" in block.said:
            self.shell.run_server(self.literal(block.text))
        elif block.language == "sh":
            self.shell.run(self.literal(block.text))
        else:
            self.run_and_compare(block)

    def run_and_compare(self, block):
        for command, shown in commands_and_output(block.text):
            out, err = self.shell.run(self.literal(command), must_succeed=not shown)
            if shown:
                trouble = difference(shown, self.as_written(out + err))
                assert trouble is None, f"{block}: $ {command}{trouble}"


def make_photo(path):
    """A JPEG of 2400×1600 pixels."""
    line = ["vips", "sines", f"{path}.v", "2400", "1600", "--hfreq", "7", "--vfreq", "5", "--uchar"]
    subprocess.run(line, check=True, capture_output=True)
    subprocess.run(["vips", "falsecolour", f"{path}.v", path], check=True, capture_output=True)
    os.remove(f"{path}.v")


def with_files_of_tiles(stage):
    """What docs/tilesets.md calls blocks.json and patches.json."""
    (stage.work / "blocks.json").write_text('[{"column": 1, "row": 2, "color": "#ff0000"}]')
    (stage.work / "patches.json").write_text('[{"x": 100, "y": 100, "width": 50, "height": 40, "color": "#00ff00"}]')


def with_a_cluster(stage):
    """A database and a bucket called tessera, reached as PostgreSQL's and rclone's own tools are told to."""
    database, ceph = stage.fixtures.getfixturevalue("postgres"), stage.fixtures.getfixturevalue("ceph")
    database.run("DROP DATABASE IF EXISTS tessera")
    database.run("CREATE DATABASE tessera")
    remote = {"TYPE": "s3", "PROVIDER": "Ceph", "ENDPOINT": ceph.endpoint, "ACCESS_KEY_ID": ceph.access_key,
              "SECRET_ACCESS_KEY": ceph.secret_key}
    stage.environment |= {f"RCLONE_CONFIG_S3_{name}": value for name, value in remote.items()}
    stage.environment |= {"PGHOST": database.socket_folder, "PGUSER": "postgres"}
    url = f"postgresql:///tessera?host={database.socket_folder}&user=postgres"
    (stage.work / "cluster.toml").write_text(
        f'[data]\ndir = "{stage.folder}/node"\n[metadata]\nurl = "{url}"\n'
        f'[blobs]\nurl = "s3://tessera/{stage.folder.name}?endpoint={ceph.endpoint}"\n'
        f'access_key_id = "{ceph.access_key}"\nsecret_access_key = "{ceph.secret_key}"\n'
    )
    tables = [BINARY, "admin", "--config", stage.work / "cluster.toml", "init"]
    blob = ["rclone", "copyto", "photo.jpg", f"s3:tessera/other-{stage.folder.name}/photo"]
    for line in (tables, blob):
        subprocess.run(line, check=True, capture_output=True, cwd=stage.work, env=stage.environment)


# What a page tells its readers to set.
SETTINGS = {"docs/webhooks.md": {"webhooks.allow_private_addresses": "true"}}

# What a page needs beside what every page gets.
PREPARED = {
    "docs/cluster.md": with_a_cluster,
    "docs/storage.md": with_a_cluster,
    "docs/tilesets.md": with_files_of_tiles,
}
