"""Runs as pandas tables: Trajectory.to_pandas. Needs pandas, which is imported when a table is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ._stickslip import Trajectory

if TYPE_CHECKING:
    from pandas import DataFrame

_TABLES = ("states", "contacts", "steps", "energy")
_AXES = ("x", "y", "z")


def to_pandas(run: Trajectory, table: str = "states") -> DataFrame:
    """A DataFrame of "states" (q, v and controls by name), "energy", "contacts" or "steps".

    Rows of states and energies are indexed by time; contacts have the names of their bodies, and forces that are means since the sample
    before, with the largest of a step beside them.
    """
    if table not in _TABLES:
        raise ValueError(f"there is no table named {table!r}; there are {', '.join(map(repr, _TABLES))}")
    try:
        import pandas
    except ImportError as error:
        raise ImportError("for tables: pip install pandas, or 'stickslip[pandas]'", name="pandas") from error
    if table == "steps":
        return pandas.DataFrame(run.steps)
    if table == "contacts":
        return pandas.DataFrame(_contacts(run))
    columns = _states(run) if table == "states" else _energy(run)
    return pandas.DataFrame(columns, index=pandas.Index(run.t, name="t"))


def _states(run: Trajectory) -> dict[str, NDArray[np.float64]]:
    names = run.model.q_names + run.model.v_names + [f"ctrl.{name}" for name in run.model.actuator_names]
    values = np.hstack([run.q, run.v, run.ctrl])
    return dict(zip(names, values.T, strict=True))


def _energy(run: Trajectory) -> dict[str, NDArray[np.float64]]:
    energy = run.energy
    return {name: getattr(energy, name) for name in ("kinetic", "potential", "elastic", "total")}


def _contacts(run: Trajectory) -> dict[str, NDArray]:
    """Vectors become three columns, bodies their names."""
    contacts = run.contacts
    names = np.array(run.model.body_names)
    columns: dict[str, NDArray] = {"sample": contacts["sample"], "t": run.t[contacts["sample"]]}
    for body in ("body_a", "body_b"):
        columns[body] = names[contacts[body]]
    for field in ("point", "normal", "force", "slip"):
        columns |= {f"{field}_{axis}": contacts[field][:, i] for i, axis in enumerate(_AXES)}
    return columns | {name: contacts[name] for name in ("depth", "mode", "largest_force", "largest_pair_force")}
