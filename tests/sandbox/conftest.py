import pytest

from autograder.sandbox.host import Host

WALLS = ("user", "landlock", "seccomp")


@pytest.fixture(scope="session")
def host():
    with Host() as host:
        host.child().close()  # importing torch is no part of what tests measure
        yield host


@pytest.fixture(scope="session")
def weak_host():
    """As on a system that cannot keep a submission from files, processes and the network."""
    with Host(without=WALLS) as host:
        host.child().close()  # importing torch is no part of what tests measure
        yield host
