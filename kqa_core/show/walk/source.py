"""The lines of code that the walk shows, read from the source of what runs."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

from torch import nn

import kqa_core


def method_with(part: str, module: nn.Module, *names: str) -> Any:
    """The method, one of `names` or else `forward`, whose source holds `part`: the module's own, or that of a
    class that it inherits from.

    Raises LookupError if there is none.
    """
    for kind in type(module).__mro__:
        for name in ("forward", *names):
            if name in vars(kind) and part in _source(method := vars(kind)[name]):
                return method
    raise LookupError(f"{type(module).__name__} has no {' or '.join(('forward', *names))} with {part!r}")


def source_line(function: Any, part: str) -> dict[str, Any]:
    """The first line of `function`'s source that holds `part`: line, file, number, and function's name.

    Raises LookupError if there is none.
    """
    function = inspect.unwrap(function)
    lines, first = inspect.getsourcelines(function)
    for number, line in enumerate(lines, first):
        if part in line:
            file, own = Path(inspect.getsourcefile(function) or ""), Path(kqa_core.__file__).parent
            name = file.relative_to(own.parent).as_posix() if file.is_relative_to(own) else file.name
            return {"file": name, "line": number, "of": function.__qualname__, "text": line.strip()}
    raise LookupError(f"{function.__qualname__} has no line with {part!r}")


def _source(function: Any) -> str:
    """The source of a function, or nothing for one that was typed in where no source is kept."""
    try:
        return inspect.getsource(function)
    except (OSError, TypeError):
        return ""
