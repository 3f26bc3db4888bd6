"""A throw-away PostgreSQL server for tests, with a database for each test. See postgres_cluster.sh."""

import pathlib
import re
import subprocess
import tempfile

SCRIPT = pathlib.Path(__file__).with_name("postgres_cluster.sh")


class PostgresServer:
    def __init__(self):
        self.named = pathlib.Path(tempfile.mkdtemp(prefix="tessera-pg-url-")) / "url"
        self.made = 0

    def start(self):
        self._script("start")
        self.url = self.named.read_text().strip()
        self.socket_folder = re.search(r"host=([^&]*)", self.url).group(1)
        return self

    def stop(self):
        self._script("stop")
        self.named.parent.rmdir()

    def down(self):
        """As a crash: nobody is told, what was committed is on disk."""
        self._script("down")

    def up(self):
        self._script("up")

    def new_database(self):
        self.made += 1
        name = f"test_{self.made}"
        self.run(f"CREATE DATABASE {name}")
        return Database(self, name)

    def run(self, sql, database="postgres"):
        """The rows of a query, each a list of texts."""
        line = ["psql", "-h", self.socket_folder, "-U", "postgres", "-d", database, "-XAtq", "-v", "ON_ERROR_STOP=1", "-F", "\t", "-c", sql]
        done = subprocess.run(line, capture_output=True, text=True, timeout=60)
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
        return [row.split("\t") for row in done.stdout.splitlines()]

    def _script(self, what):
        subprocess.run([SCRIPT, what, self.named], check=True)


class Database:
    def __init__(self, server, name):
        self.server, self.name = server, name
        self.url = f"postgresql:///{name}?host={server.socket_folder}&user=postgres"

    def url_through(self, port):
        """The same database behind a proxy that listens on this port."""
        return f"postgresql://postgres@127.0.0.1:{port}/{self.name}"

    def run(self, sql):
        return self.server.run(sql, self.name)

    def number(self, sql):
        return int(self.run(sql)[0][0] or 0)

    def terminate_connections(self):
        self.run(
            "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity "
            f"WHERE datname = '{self.name}' AND pid <> pg_backend_pid()"
        )
