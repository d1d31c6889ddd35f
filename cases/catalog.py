"""Which cases there are: folders beside this file, named <ID>_<name>, each with a README.

A case with a check.py can be run. One without waits for something that does not exist yet; its README says what each claim waits for.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CASES = Path(__file__).resolve().parent
ROOT = CASES.parent
Record = dict[str, Any]  # id, claim, measured, expected, holds, reason, seconds (of the whole case)


@dataclass(frozen=True)
class Case:
    id: str  # T1
    folder: str  # T1_harmonic_force

    @property
    def path(self) -> Path:
        return CASES / self.folder

    @property
    def waits(self) -> bool:
        return not (self.path / "check.py").exists()

    @property
    def readme(self) -> str:
        return (self.path / "README.md").read_text()

    @property
    def title(self) -> str:
        return self.readme.partition("\n")[0].partition(": ")[2]

    @property
    def summary(self) -> str:
        """The first paragraph of its README, without its links."""
        paragraph = " ".join(self.readme.split("\n\n")[1].split())
        return re.sub(r"\[([^]]+)\]\([^)]+\)", r"\1", paragraph)


def cases() -> dict[str, Case]:
    """By ID, in order: I2 before I10."""
    folders = [p.parent.name for p in CASES.glob("*_*/README.md")]
    folders.sort(key=lambda f: [int(s) if s.isdigit() else s for s in re.split(r"(\d+)", f)])
    return {f.split("_")[0]: Case(f.split("_")[0], f) for f in folders}


def select(wanted: list[str]) -> list[Case]:
    """The cases of these IDs or folders, in order; all if none is named. Raises KeyError with a message if there is no such case."""
    known = cases()
    by_name = {id.lower(): id for id in known} | {case.folder.lower(): id for id, case in known.items()}
    chosen = []
    for name in wanted:
        if name.lower() not in by_name:
            near = difflib.get_close_matches(name.lower(), by_name, n=1, cutoff=0.4)
            hint = f"did you mean {by_name[near[0]]}?" if near else f"there are {', '.join(known)}"
            raise KeyError(f"there is no case '{name}'; {hint}")
        chosen.append(by_name[name.lower()])
    return [case for id, case in known.items() if not wanted or id in chosen]


def waiting_records(case: Case) -> list[Record]:
    """The claims of a case that waits, from the table `| claim | waits for |` of its README."""
    rows = re.findall(r"^\| (.+?) \| (.+?) \|$", case.readme.partition("| claim | waits for |")[2], re.MULTILINE)
    if not rows:
        raise ValueError(f"{case.path}/README.md needs a table of claims and what they wait for")
    return [
        {"id": case.id, "claim": claim, "measured": "", "expected": "", "holds": None, "reason": f"waits for {what}", "seconds": 0.0}
        for claim, what in rows
    ]
