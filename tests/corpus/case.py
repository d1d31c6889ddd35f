"""A file with one defect, and what must be said about it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

MARK = "¦"  # in the new text of an edit: the place that the error must name, where it is not the beginning of the edit


@dataclass(frozen=True)
class Case:
    name: str  # of the file to load, with its suffix
    content: bytes | None  # None: a folder
    code: str  # of the error; of a recording, which has none, words of the message
    line: int = 0  # 0: the error names the file alone
    file: str = ""  # that the error names, if another
    others: dict[str, bytes] = field(default_factory=dict)  # files beside it

    def write(self, folder: Path) -> Path:
        """Into a folder of its own."""
        folder.mkdir(parents=True)
        for name, content in self.others.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
        path = folder / self.name
        if self.content is None:
            path.mkdir()
        else:
            path.write_bytes(self.content)
        return path


@dataclass(frozen=True)
class Edit:
    """Replaces the first occurrence of `old`; the error must name the line where that is, or where the mark is."""

    name: str
    old: str
    new: str
    code: str


def edited(base: str, edit: Edit) -> tuple[str, int]:
    """The text, and the line of the defect."""
    at = base.index(edit.old)
    before, _, after = edit.new.partition(MARK) if MARK in edit.new else ("", "", edit.new)
    line = 1 + base[:at].count("\n") + before.count("\n")
    return base[:at] + before + after + base[at + len(edit.old) :], line


def family(base: str, suffix: str, edits: list[tuple[str, str, str, str]], others: dict[str, bytes] | None = None) -> list[Case]:
    """A case an edit, given as name, old text, new text, code."""
    cases = []
    for words in edits:
        edit = Edit(*words)
        text, line = edited(base, edit)
        cases.append(Case(edit.name + suffix, text.encode(), edit.code, line, others=others or {}))
    return cases


def as_mesh(case: Case) -> Case:
    """A mesh file alone is no scene: one that shows it, beside it. The error names the mesh."""
    scene = f"bodies:\n  - {{name: part, density: 1000, geometry: [{{mesh: {{file: {case.name}}}}}]}}\n"
    assert case.content is not None
    beside = {case.name: case.content, **case.others}
    return Case(f"{Path(case.name).stem}.yaml", scene.encode(), case.code, case.line, case.name, beside)
