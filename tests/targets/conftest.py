import pytest

from autograder.model import Cell
from autograder.sandbox.host import Host, Limits
from autograder.targets.inprocess import InProcess
from autograder.targets.sandboxed import Sandboxed


@pytest.fixture(scope="session")
def host():
    with Host() as host:
        host.start()
        yield host


@pytest.fixture(params=["in this process", "sandboxed"])
def make_target(request, host):
    """Make a target of source text, of either kind."""
    made = []

    def make(source, helpers="", watch=(), limits=None):
        if request.param == "sandboxed":
            cells = [Cell(label="answer.py", source=source)]
            target = Sandboxed(host, cells, helpers, limits=limits or Limits(), watch=watch)
        else:
            target = InProcess.from_source(source, helpers, filename="answer.py", watch=watch)
        made.append(target)
        target.begin({})
        return target

    yield make
    for target in made:
        target.close()
