import pytest

from autograder.sandbox.host import Host


@pytest.fixture(scope="session")
def host():
    with Host() as host:
        host.start()
        yield host
