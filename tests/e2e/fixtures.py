"""The fixtures of the end-to-end and the fault tests."""

import pytest
from service import Service, temporary_folder


@pytest.fixture
def folder():
    with temporary_folder() as path:
        yield path


@pytest.fixture
def make_service(folder):
    """Makes services that end with the test; every one of them must leave a clean log unless it says otherwise."""
    made = []

    def make(name="data", start=True, clean_log=True, **options):
        service = Service(folder / name, **options)
        made.append((service, clean_log))
        return service.start() if start else service

    yield make
    for service, _ in made:
        service.stop()
    for service, clean_log in made:
        if clean_log:
            assert service.complaints() == []


@pytest.fixture(scope="module")
def service():
    """One running service shared by the tests of a file."""
    with temporary_folder() as path:
        shared = Service(path / "data").start()
        yield shared
        shared.stop()
        assert shared.complaints() == []


@pytest.fixture(scope="module")
def key(service):
    """The API key of an account without plan limits on the shared service."""
    return service.new_account("tester", cdn=True)
