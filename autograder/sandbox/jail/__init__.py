"""The walls around the child, raised by the child itself before it runs a line of a submission.

Each layer is a function that raises OSError where the system cannot have it; `LAYERS` is their order. `confine` says
which are on. Without the right system (Windows, say) a layer is off, and the report says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from autograder.sandbox.jail import landlock, seccomp
from autograder.sandbox.jail.bounds import Bounds
from autograder.sandbox.jail.credentials import (
    adopt_orphans,
    become_another_user,
    closed_libraries,
    die_with_parent,
    drop_capabilities,
    hide_memory,
    refuse_new_privileges,
)
from autograder.sandbox.jail.readable import readable
from autograder.sandbox.jail.resources import be_ended_first, limit_resources
from autograder.sandbox.jail.surroundings import close_files_but, lead_own_session, read_nothing, remove_tree, settle

__all__ = [
    "LAYERS",
    "ON",
    "PARENT_DEATH",
    "Bounds",
    "adopt_orphans",
    "be_ended_first",
    "close_files_but",
    "confine",
    "hide_memory",
    "lead_own_session",
    "look_up",
    "read_nothing",
    "remove_tree",
    "settle",
]

ON = "on"
PARENT_DEATH = "parent-death"

# Another user's credentials clear the parent-death signal, so they come first; a process without rights can lower
# limits and raise Landlock all the same. The system-call filter is last, since what the others need is not in it.
LAYERS: Mapping[str, Callable[[Bounds], None]] = {
    "user": become_another_user,
    "capabilities": drop_capabilities,
    "no-new-privileges": refuse_new_privileges,
    "rlimits": limit_resources,
    "landlock": landlock.restrict_files,
    PARENT_DEATH: die_with_parent,
    "hidden-memory": hide_memory,
}
_FILTER = "seccomp"


def look_up() -> None:
    """Find out beforehand what is the same for every child that this process will fork."""
    readable((), "cpu")
    closed_libraries()


def confine(bounds: Bounds) -> dict[str, str]:
    """Raise every wall; the result maps a layer to "on" or to "off: " and the reason."""
    layers = {name: _raise(name, layer, bounds) for name, layer in LAYERS.items()}
    layers[_FILTER] = _raise(_FILTER, lambda bounds: _filter(bounds, layers), bounds)
    return layers


def _filter(bounds: Bounds, layers: Mapping[str, str]) -> None:
    # Without Landlock nothing says which files are the child's own: then it writes none.
    seccomp.filter_calls(read_only=layers["landlock"] != ON, device=bounds.device)


def _raise(name: str, layer: Callable[[Bounds], None], bounds: Bounds) -> str:
    if name in bounds.without:
        return "off: left out on request"
    try:
        layer(bounds)
    except OSError as error:
        return f"off: {error.strerror or error}"
    return ON
