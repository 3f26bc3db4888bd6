"""New, empty metadata stores for benchmarks, and the lines of their tables."""

import contextlib
import itertools
import os
import pathlib
import subprocess
import tempfile

CLUSTER = pathlib.Path(__file__).resolve().parents[2] / "tests" / "support" / "postgres_cluster.sh"


@contextlib.contextmanager
def new_sqlite():
    with tempfile.TemporaryDirectory(prefix="tessera-bench-") as folder:
        yield folder


@contextlib.contextmanager
def postgres():
    """A cluster of its own that syncs as a real one does; gives a way to make new databases in it."""
    with tempfile.TemporaryDirectory(prefix="tessera-bench-") as folder:
        place = f"{folder}/url"
        environment = {**os.environ, "TESSERA_TEST_POSTGRES_FSYNC": "on"}
        subprocess.run([CLUSTER, "start", place, str(os.getpid())], check=True, env=environment)
        url = pathlib.Path(place).read_text().strip()
        counter = itertools.count()

        @contextlib.contextmanager
        def new_database():
            name = f"bench{next(counter)}"
            subprocess.run(["psql", "-q", "-d", url, "-c", f"CREATE DATABASE {name}"], check=True)
            yield url.replace("/postgres?", f"/{name}?")

        try:
            yield new_database
        finally:
            subprocess.run([CLUSTER, "stop", place], check=True)


def row(what, figure, goal=""):
    print(f"{what:<66} {figure:>12}   {goal}".rstrip(), flush=True)
