"""The speed comparison of bench/contact runs; nothing is timed here."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bench" / "contact"))

import engines
import features
import limits
import robot_scenes
import run
import scene_texts
import scenes
import starts


def test_our_engine_runs_the_smallest_scene() -> None:
    result = engines.ours(scenes.make("pile_20"), steps=100)  # to 0.2 s: the lowest spheres have landed
    assert result.steps == 100 and result.seconds > 0
    assert result.contacts > 0 and 0 < result.penetration < 0.02
    assert result.iterations > 0 and result.residual is not None and result.residual < 1e-4


def test_both_engines_read_the_same_scene() -> None:
    mujoco = pytest.importorskip("mujoco")
    scene = scenes.make("C5")
    ours, theirs = engines.our_model(scene), mujoco.MjModel.from_xml_string(scene_texts.to_mjcf(scene, scenes.TIME_STEP))
    assert (ours.nq, ours.nv) == (theirs.nq, theirs.nv)
    a, b = (np.reshape(q, (-1, 7)) for q in (ours.q0, theirs.qpos0))
    assert np.allclose(a[:, :3], b[:, :3])
    assert np.allclose(np.abs(np.sum(a[:, 3:] * b[:, 3:], axis=1)), 1)  # q and -q are the same rotation
    assert ours.total_mass == pytest.approx(theirs.body_mass.sum())


def test_settled_states_are_shared() -> None:
    """Layouts of q and v are MuJoCo's: from the same fast spin in free fall both engines come to the same place."""
    pytest.importorskip("mujoco")
    import mujoco
    import stickslip as ss

    scene = scenes.make("I7")
    rng = np.random.default_rng(1)
    sim = ss.Simulator(engines.our_model(scene), method="lagged", time_step=scenes.TIME_STEP)
    sim.q.reshape(-1, 7)[:, 2] += 1 + np.arange(40)  # nothing touches
    sim.v[:] = rng.normal(size=sim.v.size)
    model = mujoco.MjModel.from_xml_string(scene_texts.to_mjcf(scene, scenes.TIME_STEP))
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:] = sim.q, sim.v
    for _ in range(10):
        sim.step()
        mujoco.mj_step(model, data)
    assert np.allclose(sim.q, data.qpos, atol=1e-6)
    assert np.allclose(sim.v, data.qvel, atol=1e-6)


@pytest.mark.parametrize("name", robot_scenes.ROBOTS)
def test_a_robot_has_the_same_coordinates_in_mujoco(name: str) -> None:
    """Places and kinetic energy at arbitrary q and v: what is read off MuJoCo's states is read off them by us. The MJCF has six digits."""
    mujoco = pytest.importorskip("mujoco")
    scene = scenes.make(name)
    ours, theirs = engines.our_model(scene), engines.mujoco_model(scene, "Newton")
    rng, data = np.random.default_rng(3), mujoco.MjData(theirs)
    q, v = ours.integrate(ours.q0, rng.uniform(-0.5, 0.5, ours.nv)), rng.normal(size=ours.nv)
    data.qpos[:], data.qvel[:] = q, v
    mujoco.mj_forward(theirs, data)
    mujoco.mj_energyVel(theirs, data)
    assert all(np.allclose(ours.pose(q, body)[:3, 3], data.body(body).xpos, atol=1e-9) for body in ours.body_names[1:])
    assert 0.5 * v @ ours.mass_matrix(q) @ v == pytest.approx(data.energy[1], rel=1e-6)


def test_tables_of_a_quick_case() -> None:
    case = run.Case("pile_20", (run.OURS,), settled=2)
    scene, steps, _ = run.prepare(run.Case("pile_20", (run.OURS,)), None)
    assert steps == 1000 and len(scene["objects"]) == 20 and case.name == "pile_20_settled"
    result = engines.ours(scene, 2)
    entry = dict(
        us_a_step=1e6 * result.a_step, us_low=1.0, us_high=2.0, ratio=1.0, ratio_low=1.0, ratio_high=1.0, repetitions=1, steps=2, contacts=0.0,
        penetration=0.0, iterations=1.0, residual=result.residual, extra=result.extra,
    )  # fmt: skip
    records = [dict(case="pile_20", objects=20, settling_us=0.0, engines={run.OURS: entry})]
    assert "| pile_20 | ours |" in run.times_table(records) and "pile_20" in run.stages_table(records)
    assert run.targets_table(records).count("\n") == 1  # no target for it: header only


def test_the_table_of_features_has_every_part_of_the_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(features, "SCENES", ("pile_20",))
    rows = features.measure(repetitions=1, most_steps=100)  # to 0.2 s: the lowest spheres have landed
    assert [row.variant for row in rows] == list(features.VARIANTS)
    assert all(row.us_a_step > 0 and row.iterations > 0 for row in rows)
    assert rows[0].ratio == 1
    assert len(features.table([asdict(row) for row in rows]).splitlines()) == 2 + len(rows)


def test_starts_beside_a_robots_own_differ_in_its_joints_alone() -> None:
    scene = scenes.make("panda")
    model = engines.our_model(scene)
    first, second, again = (engines.beside(scene, model, model.q0, index, starts.SHIFT, starts.TURN) - model.q0 for index in (1, 2, 2))
    assert np.all(first[:7] == 0) and np.all(second == again) and np.any(first != second)
    assert 0 < np.abs(first[7:]).min() and 0.5 * starts.TURN < np.abs(first).max() <= 1.001 * starts.TURN


def test_operations_of_an_instruction_are_lanes_times_what_it_does() -> None:
    assert limits.flops_of("vfmadd231pd", "%ymm1,%ymm2,%ymm3") == 8 and limits.flops_of("vfnmadd213sd", "(%rax),%xmm1,%xmm2") == 2
    assert limits.flops_of("vmulpd", "%xmm1,%xmm2,%xmm3") == 2 and limits.flops_of("vsqrtsd", "%xmm1,%xmm2,%xmm3") == 1
    assert limits.flops_of("vmovapd", "%ymm1,%ymm2") == 0 and limits.flops_of("vaddps", "%ymm1,%ymm2,%ymm3") == 0
