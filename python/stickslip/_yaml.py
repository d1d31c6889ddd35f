"""Python values as the YAML of scene files: numbers, words, lists and maps, in the form in which a person would write them."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, SupportsFloat, TypeAlias

import numpy as np

Plain: TypeAlias = "None | bool | int | float | str | list[Plain] | dict[str, Plain]"

_WIDTH = 140  # columns; what is longer goes to several lines
_FILE_KEYS = frozenset({"file", "heights", "table"})  # a text behind them is the name of a file
_PLAIN_WORD = re.compile(r"(\.{0,2}/)*[A-Za-z_][\w./-]*", re.ASCII)
_NOT_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})  # in YAML 1.1 or 1.2
_ESCAPED = re.compile(r'["\\\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]')


class FileName(str):
    """The name of a file, which depends on the folder of the scene."""


def named(key: str, value: object) -> Plain:
    """The value behind a key."""
    out = plain(value)
    return FileName(out) if key in _FILE_KEYS and isinstance(out, str) else out


def plain(value: object) -> Plain:
    """A copy made of Python's own types. What a scene cannot hold is a ValueError that says what it is."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, (int, float)):
        return _number(value)
    if isinstance(value, Mapping):
        return {_key(key): named(key, item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if hasattr(value, "__array__"):  # numpy's arrays and scalars, and whatever becomes one
        return _of_array(np.asarray(value))
    if isinstance(value, os.PathLike):
        return plain(os.fspath(value))
    if isinstance(value, SupportsFloat):  # fractions, decimals
        return _number(float(value))
    if isinstance(value, (set, frozenset)):
        raise ValueError("a set, which has no order; make it a list")
    if isinstance(value, Iterable) and not isinstance(value, (bytes, bytearray, memoryview)):
        return [plain(item) for item in value]
    raise ValueError(f"a value of type {type(value).__name__}; scenes hold numbers, text, true and false, lists and maps")


def _number(value: float) -> Plain:
    if value != value:
        raise ValueError("NaN, which is not a number")
    return float(value) if isinstance(value, float) else int(value)  # without the types derived from them


def _of_array(array: np.ndarray) -> Plain:
    if array.dtype.kind not in "biufU" and array.dtype != object:
        raise ValueError(f"an array of {array.dtype}; scenes hold real numbers")
    items: Any = array.tolist()
    return plain(items if not isinstance(items, np.generic) else float(items))  # long doubles stay numpy's


def _key(key: object) -> str:
    if not isinstance(key, str):
        raise ValueError(f"the key {key!r}, which is not a text")
    return str(key)


def _seen_from(file: str, folder: str) -> str:
    """Relative where a scene in that folder may climb to it (at most four folders up, and not to those of all), else the whole path."""
    file, folder = os.path.abspath(file), os.path.abspath(folder)
    relative, common = os.path.relpath(file, folder), os.path.commonpath([file, folder])
    climbs = relative.split(os.sep).count(os.pardir)
    return relative if climbs == 0 or (climbs <= 4 and len(common.strip(os.sep).split(os.sep)) >= 2) else file


def moved(value: Plain, source: str, target: str) -> Plain:
    """The same value for a scene in the folder `target`: the files that it names are looked up in `source`."""
    if isinstance(value, FileName) and not os.path.isabs(value):
        return FileName(_seen_from(os.path.join(source, value), target))
    if isinstance(value, dict):
        return {key: moved(item, source, target) for key, item in value.items()}
    if isinstance(value, list):
        return [moved(item, source, target) for item in value]
    return value


def flow(value: Plain) -> str:
    """The value on one line."""
    if isinstance(value, str):
        return _word(value)
    if isinstance(value, dict):
        return "{" + ", ".join([f"{_word(key)}: {flow(item)}" for key, item in value.items()]) + "}"
    if isinstance(value, list):
        return "[" + ", ".join([flow(item) for item in value]) + "]"
    if isinstance(value, float):
        return _decimal(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return "null" if value is None else str(value)


def _word(text: str) -> str:
    if _PLAIN_WORD.fullmatch(text) and text.lower() not in _NOT_WORDS:
        return str(text)
    return '"' + _ESCAPED.sub(_escape, text) + '"'


def _escape(character: re.Match[str]) -> str:
    text = character.group()
    return "\\" + text if text in '"\\' else f"\\u{ord(text):04x}"


def _decimal(value: float) -> str:
    """The shortest digits that give the same number back."""
    if math.isinf(value):
        return ".inf" if value > 0 else "-.inf"
    digits = repr(value)
    if digits.endswith(".0") and value != 0:
        return digits[:-2]
    if "e" in digits and "." not in digits:  # 1e-05 is a word in YAML 1.1
        return digits.replace("e", ".0e")
    return "0" if digits == "0.0" else digits


def lines(head: str, value: Plain, indent: int) -> Iterator[str]:
    """`head`, which is "- " or "key: ", and the value: on one line if it fits."""
    pad = " " * indent
    if not (_has_parts(value) and _is_surely_long(value)):
        line = f"{pad}{head}{flow(value)}"
        if len(line) <= _WIDTH or not _has_parts(value):
            yield line
            return
    if head != "- ":
        yield (pad + head).rstrip()
    for i, below in enumerate(_inner_lines(value, indent + 2)):
        yield f"{pad}- {below[indent + 2 :]}" if head == "- " and i == 0 else below


def _is_surely_long(value: Plain) -> bool:
    """A quick look, so that a large table is not written at each level only to see that it does not fit."""
    if isinstance(value, dict):
        return any(map(_is_surely_long, value.values()))
    return isinstance(value, list) and (3 * len(value) > _WIDTH or any(map(_is_surely_long, value)))  # "1, "


def _has_parts(value: Plain) -> bool:
    """A list of numbers has none: it is easier to read on one line, even on a long one."""
    return bool(value) and (isinstance(value, dict) or (isinstance(value, list) and isinstance(value[0], (dict, list))))


def _inner_lines(value: Plain, indent: int) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from lines(f"{_word(key)}: ", item, indent)
    elif isinstance(value, list):
        for item in value:
            yield from lines("- ", item, indent)
