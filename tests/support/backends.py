"""Fixtures: a real PostgreSQL and a real S3 store for as long as the run lasts, and a database for each test. Where they
can't be started the tests fail; nothing is skipped."""

import pytest
from ceph_s3 import CephS3
from postgres_server import PostgresServer


@pytest.fixture(scope="session")
def postgres():
    server = PostgresServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def ceph():
    store = CephS3()
    try:
        store.start()
        store.create_bucket("tessera")
        yield store
    finally:
        store.stop()


@pytest.fixture
def database(postgres):
    return postgres.new_database()
