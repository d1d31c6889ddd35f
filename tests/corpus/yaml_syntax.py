"""Scene files: YAML that is none, or that a scene may not hold."""

from __future__ import annotations

from corpus.case import MARK, Case


def small(name: str, text: str, code: str, others: dict[str, bytes] | None = None, file: str = "") -> Case:
    """The line is where the mark is; without one, the first."""
    before, _, after = text.partition(MARK) if MARK in text else ("", "", text)
    return Case(f"{name}.yaml", (before + after).encode(), code, 1 + before.count("\n"), file, others or {})


LAUGHS = "a0: &a0 [ha, ha, ha, ha, ha, ha, ha, ha, ha, ha]\n" + "".join(
    f"{'¦' if i == 6 else ''}a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 12)
)
CASES = [
    small("empty", "", "empty-file"),
    small("only-comments", "# nothing here\n# nor here\n", "empty-file"),
    small("only-a-document-mark", "---\n", "empty-file"),
    small("null", "null\n", "empty-file"),
    small("a-word", "scene\n", "bad-type"),
    small("a-list", "- a\n- b\n", "bad-type"),
    small("two-documents", "bodies: []\n---\n¦bodies: []\n", "two-documents"),
    small("bracket-unclosed", "bodies: [\n  {name: a, mass: 1}\n¦", "bad-yaml"),
    small("brace-unclosed", "bodies:\n  - {name: a, mass: 1\n  ¦- {name: b}\n", "bad-yaml"),
    small("quote-unclosed", 'name: "never closed\n', "bad-yaml"),
    small("quote-unclosed-escaped", 'gravity: [0, 0, 1]\nname: ¦"never \\" closed\n', "bad-yaml"),
    small("single-quote-unclosed", "gravity: [0, 0, 1]\nname: ¦'never closed\n", "bad-yaml"),
    small("tab-indent", "bodies:\n¦\t- {name: a}\n", "bad-yaml"),
    small("indent-wrong", "bodies:\n  - name: a\n ¦mass: 1\n", "bad-yaml"),
    small("colon-twice", "gravity: 1: 2\n", "bad-yaml"),
    small("bracket-wrong", "gravity: [0, 0, 1}\n", "bad-yaml"),
    small("key-twice", "name: a\n¦name: b\n", "duplicate-key"),
    small("key-twice-in-a-map", "materials:\n  m: {stiffness: 1,\n¦stiffness: 2}\n", "duplicate-key"),
    small("key-a-list", "¦? [a, b]\n: 1\n", "bad-key"),
    small("key-a-map", "¦? {a: b}\n: 1\n", "bad-key"),
    small("merge-key", "materials:\n  a: &a {stiffness: 1}\n  b: {¦<<: *a}\n", "unsupported-merge"),
    small("tag-python", "name: ¦!!python/object/apply:os.system [ls]\n", "unsupported-tag"),
    small("tag-own", "gravity: ¦!vector [0, 0, 1]\n", "unsupported-tag"),
    small("alias-of-nothing", "name: ¦*nobody\n", "bad-yaml"),
    small("alias-in-itself", "bodies: &b\n  - ¦*b\n", "bad-alias"),
    small("nested-100-deep", "a: " + "[" * 100 + "]" * 100 + "\n", "too-deep"),
    small("nested-100000-deep", "a: " + "[" * 100_000 + "\n", "too-deep"),
    small("brackets-without-end", "gravity: [0, 0, 1]\nbodies: ¦" + "[" * 3_000_000 + "\n", "too-deep"),
    small("braces-without-end", "gravity: [0, 0, 1]\nbodies: ¦" + "{a: [" * 600_000 + "\n", "too-deep"),
    small("brackets-without-end-at-the-beginning", "[" * 3_000_000, "too-deep"),
    small("list-too-long", "bodies: [" + "1," * 2_100_000 + "]\n", "too-large"),
    small("list-too-long-for-one-line", "¦- [" + "1," * 2_500_000 + "]\n", "too-large"),
    small("list-too-long-within", "bodies:\n  - ¦{a: [" + "1,\n" * 1_500_000 + "]}\n", "too-large"),
    small("nested-maps-deep", "".join(" " * i + f"k{i}:\n" for i in range(64)) + " " * 64 + "¦k: 1\n", "too-deep"),
    small("billion-laughs", LAUGHS, "too-large"),
    small("billion-bodies", "materials: {}\n" + LAUGHS.replace("¦", "", 1).replace("a6:", "¦a6:", 1) + "bodies: *a9\n", "too-large"),
    small("key-unknown", "gravty: [0, 0, -9.81]\n", "unknown-key"),
    small("key-by-case", "Gravity: [0, 0, -9.81]\n", "unknown-key"),
    small("xml-inside", '<robot name="r"/>\n', "unknown-format"),
    small("xml-inside-after-blanks", '\n\n  <mujoco/>\n', "unknown-format"),
    Case("binary.yaml", bytes(range(256)) * 16, "not-text"),
    Case("utf-16.yaml", "name: a\n".encode("utf-16"), "not-text"),
    Case("hdf5.yaml", b"\x89HDF\r\n\x1a\n" + bytes(100), "not-text"),
    Case("nul-at-the-end.yaml", b"name: a\nbodies: []\n" + b"# blank\n" * 1000 + b"\0\0\0", "bad-yaml", 1003),
]
