"""Trajectory.plot: panels, labels, units, selection, files and errors."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import stickslip as ss

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.axes import Axes  # noqa: E402

EVERY_JOINT = """
name: joints
gravity: [0, 0, 0]
bodies:
  - {name: a, mass: 1, inertia: &i {ixx: 1, iyy: 1, izz: 1}}
  - {name: b, mass: 1, inertia: *i}
  - {name: c, mass: 1, inertia: *i}
  - {name: d, mass: 1, inertia: *i}
  - {name: e, mass: 1, inertia: *i}
  - {name: f, mass: 1, inertia: *i}
  - {name: g, mass: 1, inertia: *i, velocity: {linear: [1, 2, 3]}}
  - {name: h, mass: 1, inertia: *i}
joints:
  - {name: hinge, type: revolute, child: a, velocity: 1}
  - {name: slide, type: prismatic, child: b}
  - {name: thread, type: screw, child: c, pitch: 0.1}
  - {name: socket, type: ball, child: d}
  - {name: table, type: planar, child: e, velocity: [0.1, 0.2, 0.3]}
  - {name: cross, type: universal, child: f, axis: [1, 0, 0], axis2: [0, 1, 0]}
  - {name: driven, type: revolute, child: h, motion: {velocity: 1}}
"""
BALL = """
bodies:
  - {name: ball, density: 1000, pose: {position: [0, 0, 0.1]}, velocity: {linear: [1, 0, 0]}, geometry: [{sphere: {radius: 0.05}}]}
  - {name: floor, fixed: true, geometry: [{half_space: {}}]}
"""


@pytest.fixture(autouse=True)
def _close_figures() -> Iterator[None]:
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def joints() -> ss.Trajectory:
    return ss.simulate(ss.from_string(EVERY_JOINT), until=0.1, method="rk4", time_step=0.01)


@pytest.fixture(scope="module")
def ball() -> ss.Trajectory:
    return ss.simulate(ss.from_string(BALL), until=1.0)


def labels(axes: Axes) -> list[str]:
    return [str(line.get_label()) for line in axes.get_lines()]


def test_every_number_of_every_joint_has_a_name_and_a_unit(joints: ss.Trajectory) -> None:
    figure = joints.plot(["q", "v"], joints=joints.model.joint_names)
    assert {axes.get_ylabel(): labels(axes) for axes in figure.axes} == {
        "angle [rad]": ["hinge", "thread", "table angle", "cross 1", "cross 2"],
        "position [m]": ["slide", "table x", "table y", "g x", "g y", "g z"],
        "quaternion [1]": ["socket qw", "socket qx", "socket qy", "socket qz", "g qw", "g qx", "g qy", "g qz"],
        "angular velocity [rad/s]": ["hinge", "thread", "socket wx", "socket wy", "socket wz", "table w", "cross 1", "cross 2", "g wx", "g wy", "g wz"],
        "velocity [m/s]": ["slide", "table vx", "table vy", "g vx", "g vy", "g vz"],
    }
    lines = [line for axes in figure.axes for line in axes.get_lines()]
    assert len(lines) == joints.model.nq + joints.model.nv
    assert figure.axes[-1].get_xlabel() == "time [s]"
    assert figure.get_suptitle() == "joints, rk4"


def test_lines_are_the_columns_of_q_and_v(joints: ss.Trajectory) -> None:
    position, velocity = joints.plot(["q", "v"], joints=["slide"]).axes
    slide = joints.model.joint("slide")
    assert np.array_equal(position.get_lines()[0].get_xdata(), joints.t)
    assert np.array_equal(position.get_lines()[0].get_ydata(), joints.q[:, slide.q_start])
    assert np.array_equal(velocity.get_lines()[0].get_ydata(), joints.v[:, slide.v_start])
    moving = joints.plot("v", joints=["g"]).axes[0]
    assert [np.asarray(line.get_ydata())[-1] for line in moving.get_lines()] == pytest.approx([1, 2, 3])


def test_many_lines_are_cut_and_the_figure_says_so(joints: ss.Trajectory) -> None:
    positions, velocities = joints.plot("q").axes[0], joints.plot("v").axes[0]
    assert len(labels(positions)) == 5 and positions.get_title(loc="left") == ""
    assert len(labels(velocities)) == 10 and velocities.get_title(loc="left").startswith("10 of 11 lines")


def test_steps_that_vary_are_on_a_log_scale_with_their_errors(ball: ss.Trajectory) -> None:
    steps, errors = ball.plot(["steps"]).axes
    assert (steps.get_ylabel(), steps.get_yscale()) == ("step size [s]", "log")
    assert (errors.get_ylabel(), errors.get_yscale()) == ("estimated error [1]", "log")
    sizes, edges, _ = steps.patches[0].get_data()  # type: ignore[attr-defined]
    assert np.array_equal(sizes, ball.steps["h"])
    assert np.array_equal(edges[:-1], ball.steps["time"]) and np.isclose(edges[-1], ball.t[-1], rtol=1e-15)


def test_equal_steps_have_a_linear_scale_and_no_errors(joints: ss.Trajectory) -> None:
    (steps,) = joints.plot("steps").axes
    assert steps.get_yscale() == "linear" and steps.get_ylim()[0] == 0


def test_by_default_all_panels_are_drawn(ball: ss.Trajectory) -> None:
    assert [axes.get_ylabel() for axes in ball.plot().axes] == [
        "position [m]",
        "quaternion [1]",
        "velocity [m/s]",
        "angular velocity [rad/s]",
        "energy [J]",
        "contact force [N]",
        "contacts",
        "step size [s]",
        "estimated error [1]",
    ]


def test_energies_are_those_of_the_run(ball: ss.Trajectory) -> None:
    (axes,) = ball.plot("energy").axes
    lines = {line.get_label(): line.get_ydata() for line in axes.lines}
    assert np.array_equal(lines["total"], ball.energy.total) and np.array_equal(lines["elastic"], ball.energy.elastic)


def test_contact_forces_are_sums_over_a_pair(ball: ss.Trajectory) -> None:
    (axes,) = ball.plot("forces").axes
    assert [patch.get_label() for patch in axes.patches] == ["ball – floor"]
    force, edges, _ = axes.patches[0].get_data()  # type: ignore[attr-defined]
    assert np.array_equal(edges, ball.t)
    for i in range(1, len(ball.t)):  # a force holds over the step that led to its sample
        expected = np.linalg.norm(ball.contacts_at(i)["force"].astype(float).sum(axis=0))
        assert force[i - 1] == pytest.approx(expected, rel=1e-6)


def test_the_timeline_has_a_row_a_pair_and_its_modes(ball: ss.Trajectory) -> None:
    (axes,) = ball.plot("contacts").axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["ball – floor"]
    modes = axes.collections[0].get_array()
    assert modes is not None
    expected = [ball.contacts_at(i)["mode"].max(initial=0) for i in range(1, len(ball.t))]
    assert np.array_equal(np.ravel(modes), expected)


def test_a_run_without_contacts_has_no_panels_of_them(joints: ss.Trajectory) -> None:
    assert not {"contact force [N]", "contacts"} & {axes.get_ylabel() for axes in joints.plot().axes}
    with pytest.raises(ValueError, match="no contacts"):
        joints.plot("forces")


@pytest.mark.parametrize("suffix", ["png", "pdf", "svg"])
def test_a_path_saves_the_figure_and_closes_it(ball: ss.Trajectory, tmp_path: Path, suffix: str) -> None:
    figure = ball.plot("q", path=tmp_path / f"run.{suffix}")
    assert (tmp_path / f"run.{suffix}").stat().st_size > 1000
    assert figure.axes and not plt.get_fignums()


def test_errors_name_what_there_is(ball: ss.Trajectory) -> None:
    with pytest.raises(ss.UnknownName, match="did you mean 'ball'"):
        ball.plot(joints=["bal"])
    with pytest.raises(ValueError, match="no panel named 'qv'; there are 'q', 'v', 'energy', 'forces', 'contacts', 'steps'"):
        ball.plot("qv")
    with pytest.raises(ValueError, match="nothing to plot"):
        ball.plot("q", joints=[])
    assert not plt.get_fignums()


def test_matplotlib_is_imported_only_to_plot() -> None:
    script = f"""
import sys
sys.modules["matplotlib"] = None
import stickslip as ss
run = ss.simulate(ss.from_string({BALL!r}), until=0.1)
try:
    run.plot()
except ImportError as error:
    print(error.name, error)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("matplotlib to plot: pip install matplotlib")
    assert not done.stderr  # nothing leaks


def test_the_stub_has_the_signature_of_the_function() -> None:
    stub = ast.parse(Path(ss.__file__).with_name("_stickslip.pyi").read_text())
    (declared,) = [node.args for node in ast.walk(stub) if isinstance(node, ast.FunctionDef) and node.name == "plot"]
    kinds = {name: p.kind for name, p in inspect.signature(ss.Trajectory.plot).parameters.items()}
    assert [a.arg for a in declared.args[1:]] == [n for n, kind in kinds.items() if kind == inspect.Parameter.POSITIONAL_OR_KEYWORD][1:]
    assert [a.arg for a in declared.kwonlyargs] == [n for n, kind in kinds.items() if kind == inspect.Parameter.KEYWORD_ONLY]
