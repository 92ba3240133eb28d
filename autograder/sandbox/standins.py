"""What a notebook expects around it, made harmless: `display`, `get_ipython`, and plots that cost nothing."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import math
import sys
from collections.abc import Callable, Iterator, Mapping
from types import ModuleType
from typing import Any

import numpy as np

ABSORBED = ("matplotlib", "seaborn", "plotly", "IPython", "autograder.learn")


def install(namespace: dict[str, Any]) -> None:
    """Put the stand-ins into a submission's namespace, and in front of the real libraries."""
    sys.meta_path.insert(0, _Finder())
    namespace["display"] = namespace["get_ipython"] = Absorbing()


class Absorbing:
    """Takes any call, attribute, item or block, and gives more of itself."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):  # what Python itself asks about an object stays true
            raise AttributeError(name)
        return _MAKERS.get(name, Absorbing)()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Another one, whatever the arguments."""
        return Absorbing()

    def __getitem__(self, key: Any) -> Any:
        return Absorbing()

    def __setitem__(self, key: Any, value: Any) -> None:
        pass

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __len__(self) -> int:
        return 0

    def __bool__(self) -> bool:
        return True

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *error: object) -> None:
        pass


class _Subplots(Absorbing):
    """`plt.subplots` gives a figure and as many axes as asked for; a figure's own gives the axes alone."""

    def __call__(self, nrows: Any = 1, ncols: Any = 1, *args: Any, squeeze: bool = True, **kwargs: Any) -> Any:
        shape = (int(nrows), int(ncols))
        axes = np.array([Absorbing() for _ in range(math.prod(shape))] + [None], dtype=object)[:-1].reshape(shape)
        if not squeeze:
            return Absorbing(), axes
        return Absorbing(), axes.item() if axes.size == 1 else axes.squeeze()


class _Several(Absorbing):
    """A call whose result is unpacked into a fixed number of parts."""

    def __init__(self, count: int) -> None:
        self._count = count

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return tuple(Absorbing() for _ in range(self._count))


_MAKERS: Mapping[str, Callable[[], Absorbing]] = {
    "subplots": _Subplots,
    "plot": lambda: _Several(1),
    "hist": lambda: _Several(3),
    "lesson": lambda: _Several(2),  # the kit's own: `check` and `ask`
}


class _Module(ModuleType):
    def __getattr__(self, name: str) -> Any:
        return getattr(Absorbing(), name)


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, fullname: str, path: Any, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        if not any(fullname == name or fullname.startswith(f"{name}.") for name in ABSORBED):
            return None
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        return _Module(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        pass
