"""What is wrong with the arguments of a call, in one sentence. For the compiled core, when it refuses them."""

from __future__ import annotations

import difflib
import functools
import inspect
import re
from collections.abc import Callable, Sequence
from typing import Any, ParamSpec, TypeVar

import numpy as np

P = ParamSpec("P")
R = TypeVar("R")

_KINDS = {"U": "text", "S": "bytes", "M": "dates", "m": "times", "c": "complex numbers", "V": "records"}
_MODULE = re.compile(r"\b(?:stickslip\._stickslip|collections\.abc|numpy\.typing)\.")
_DEFAULT = re.compile(r" = [^\]]*$")  # "float = 1"; not the "dtype=float64" of an array's type
_LONGEST = 8  # names that are listed where none is close


def helpful(function: Callable[P, R], class_name: str = "") -> Callable[P, R]:
    """The function, which suggests the name that a misspelt argument may have meant."""
    known = list(inspect.signature(function).parameters)[bool(class_name) :]
    name = f"{class_name}.{function.__name__}" if class_name else function.__name__

    @functools.wraps(function)
    def call(*args: P.args, **words: P.kwargs) -> R:
        for word in words:
            if word not in known:
                raise TypeError(_unknown(name, word, known))
        return function(*args, **words)

    return call


def not_numbers(given: object) -> str:
    """Why `given` is no vector of real numbers; empty if it is one."""
    try:
        array = np.asarray(given)
    except (TypeError, ValueError) as error:
        return f"must be numbers, given {type(given).__name__}: {error}"
    kind = array.dtype.kind
    if kind == "O":
        strange = [type(x).__name__ for x in array.flat if isinstance(x, (str, bytes)) or not hasattr(x, "__float__")]
        if strange:
            return f"must be numbers, given {type(given).__name__}" + ("" if array.ndim == 0 else f" with {strange[0]}")
    elif kind not in "biuf":
        return f"must be real numbers, given {_KINDS.get(kind, array.dtype.name)}"
    return "" if array.ndim < 2 else f"must be one row of numbers, given an array of shape {array.shape}"


def complaint(name: str, signature: str, is_method: bool, given: Sequence[object], words: Sequence[str]) -> str:
    """One sentence about a call that fits no argument list: `words` name the last of the values `given`."""
    parameters = _parameters(signature)
    if name.endswith(" ="):  # of an attribute
        return f"{name[:-2]} must be {parameters[-1][1]}, given {type(given[-1]).__name__}"
    if is_method:
        given, parameters = given[1:], parameters[1:]
    known = [word for word, _, _ in parameters if word]
    for word in words:
        if word not in known:
            return _unknown(name, word, known)
    by_place = given[: len(given) - len(words)]
    places = [parameter for parameter in parameters if not parameter[2]]
    if len(by_place) > len(places):
        named = ", ".join(word for word, _, by_name in parameters if by_name)
        rest = f"; by name: {_shortened(named)}" if named else ""
        return f"{name}() takes {len(places)} arguments by place, given {len(by_place)}{rest}"
    found = {word: value for (word, _, _), value in zip(places, by_place, strict=False)}
    for word, value in zip(words, given[len(by_place) :], strict=True):
        if word in found:
            return f"{name}() is given '{word}' twice"
        found[word] = value
    missing = [word for word, kind, _ in parameters if "=" not in kind and word not in found]
    if missing:
        return f"{name}() needs {', '.join(map(repr, missing))}"
    expected = {word: _DEFAULT.sub("", kind).strip() for word, kind, _ in parameters}
    strange = [word for word, value in found.items() if not _may_be(value, expected[word])] or list(found)
    return f"{name}(): " + ", ".join(f"{word or 'it'} must be {expected[word]}, given {type(found[word]).__name__}" for word in strange)


def _parameters(signature: str) -> list[tuple[str, str, bool]]:
    """Name, type with default, and whether it goes by name only, of "def f(self, a: int, *, b: float = 1) -> None"."""
    inside = signature[signature.index("(") + 1 : signature.rindex(")")]
    out: list[tuple[str, str, bool]] = []
    by_name, depth, part = False, 0, ""
    for letter in inside + ",":
        depth += (letter in "([{") - (letter in ")]}")
        if letter != "," or depth:
            part += letter
            continue
        word, _, kind = part.strip().partition(":")
        part = ""
        if word == "*":
            by_name = True
        elif word and word != "/":
            out.append((word.strip(), _MODULE.sub("", kind.strip()).replace("ArrayLike", "numbers"), by_name))
    return out


def _may_be(value: object, kind: str) -> bool:
    """Whether the value could be of the type that a signature names; unsure ones may."""
    names = set(re.findall(r"\w+", kind))
    if value is None:
        return "None" in names
    mine = {base.__name__ for base in type(value).__mro__[:-1]}
    if hasattr(value, "__float__"):
        mine |= {"float"}
    if hasattr(value, "__fspath__"):
        mine |= {"PathLike"}
    if mine & {"list", "tuple"}:
        mine |= {"Sequence"}
    return bool(mine & names) or "object" in names or "numbers" in names


def _unknown(name: str, word: str, known: Sequence[str]) -> str:
    closest = difflib.get_close_matches(word, known, n=1)
    if closest:
        return f"{name}() has no argument '{word}'; did you mean '{closest[0]}'?"
    return f"{name}() has no argument '{word}'; it takes {_shortened(', '.join(known)) or 'none'}"


def _shortened(names: str) -> str:
    words = names.split(", ")
    return names if len(words) <= _LONGEST else ", ".join(words[:_LONGEST]) + ", ..."
