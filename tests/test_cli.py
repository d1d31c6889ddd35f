"""The command line: exit codes, JSON, reports and messages."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from command_line import PROGRAM, ROOT, run
from recording_scenes import finish, python

PENDULUM = str(ROOT / "examples" / "double_pendulum.yaml")


def test_run_prints_a_report() -> None:
    done = run("run", PENDULUM, "--until", "1", "--method", "lagged")
    assert done.returncode == 0
    assert "simulated time     1 s" in done.stdout and "1000 accepted" in done.stdout
    done = run("run", PENDULUM, "--until", "1", "--accuracy", "1e-4")
    assert done.returncode == 0
    assert "method             cenic" in done.stdout


def test_json_is_one_value_and_nothing_else() -> None:
    done = run("run", PENDULUM, "--until", "0.5", "--method", "rk4", "--time-step", "0.01", "--json")
    report = json.loads(done.stdout)
    assert report["status"] == "ok" and report["method"] == "rk4"
    assert report["steps"] == 50 and report["time"] == 0.5
    assert report["h_median"] == 0.01
    assert {"wall_seconds", "real_time_rate", "max_penetration", "energy", "seconds"} <= report.keys()


MJCF = '<mujoco><option timestep="0.004"/><worldbody><body pos="0 0 1"><freejoint/><geom size="0.1"/></body></worldbody></mujoco>'


def test_the_step_of_a_file_counts_on_request_only(tmp_path: Path) -> None:
    (tmp_path / "ball.xml").write_text(MJCF)
    (tmp_path / "stepless.xml").write_text(MJCF.replace('timestep="0.004"', ""))
    arguments = ("run", "ball.xml", "--until", "0.1", "--json")
    for more in ((), ("--method", "cenic"), ("--accuracy", "1e-3")):
        report = json.loads(run(*arguments, *more, cwd=tmp_path).stdout)
        assert (report["method"], report["accuracy"], report["time_step"], report["unused_file_time_step"]) == ("cenic", 1e-3, None, 0.004)
    report = json.loads(run(*arguments, "--time-step", "file", cwd=tmp_path).stdout)
    assert (report["method"], report["accuracy"], report["time_step"], report["unused_file_time_step"]) == ("anchored", None, 0.004, None)
    assert report["steps"] == 25
    said = run("run", "ball.xml", "--until", "0.1", cwd=tmp_path).stdout
    assert "cenic, accuracy 0.001" in said and "time step of 0.004 s is not used" in said and "--time-step file" in said
    refused = run("run", "stepless.xml", "--time-step", "file", cwd=tmp_path)
    assert refused.returncode == 2 and "names no time step" in refused.stderr and "stepless.xml" in refused.stderr
    assert run("run", "ball.xml", "--time-step", "fil", cwd=tmp_path).returncode == 2


def test_check_says_how_a_simulation_would_step(tmp_path: Path) -> None:
    (tmp_path / "ball.xml").write_text(MJCF)
    (tmp_path / "world.sdf").write_text("<sdf version='1.9'><world name='w'><physics type='ode'><max_step_size>0.004</max_step_size></physics></world></sdf>")
    for name in ("ball.xml", "world.sdf"):
        said = run("check", name, cwd=tmp_path).stdout
        assert "simulated with cenic, accuracy 0.001" in said and "time step of 0.004 s is not used" in said
        steps = json.loads(run("check", name, "--json", cwd=tmp_path).stdout)["simulation"]
        assert steps == {"method": "cenic", "accuracy": 1e-3, "time_step": None, "unused_file_time_step": 0.004}
    assert "simulated with cenic" in run("check", PENDULUM).stdout


def test_the_step_of_a_file_survives_conversion(tmp_path: Path) -> None:
    (tmp_path / "ball.xml").write_text(MJCF)
    for source, target in (("ball.xml", "ball.yaml"), ("ball.yaml", "back.xml")):
        assert run("convert", source, target, cwd=tmp_path).returncode == 0
        steps = json.loads(run("check", target, "--json", cwd=tmp_path).stdout)["simulation"]
        assert steps["accuracy"] == 1e-3 and steps["unused_file_time_step"] == 0.004
    assert "file_time_step: 0.004" in (tmp_path / "ball.yaml").read_text()
    assert 'timestep="0.004"' in (tmp_path / "back.xml").read_text()


def test_quiet_prints_nothing() -> None:
    done = run("run", PENDULUM, "--until", "0.1", "--quiet")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_scene_paths_are_relative_to_the_caller(tmp_path: Path) -> None:
    (tmp_path / "here.yaml").write_text("bodies: [{name: a, mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}}]\n")
    assert run("run", "here.yaml", "--until", "0.1", "--quiet", cwd=tmp_path).returncode == 0


def test_bad_input_exits_with_2_and_says_where(tmp_path: Path) -> None:
    scene = tmp_path / "bad.yaml"
    scene.write_text("bodies:\n  - {name: rod, mass: 1.0abc}\n")
    done = run("run", str(scene))
    assert done.returncode == 2 and done.stdout == ""
    assert f"{scene}:2:" in done.stderr and "1.0abc" in done.stderr and "fix:" in done.stderr
    assert run("run", "nowhere.yaml").returncode == 2
    assert run("run", PENDULUM, "--method", "nothing").returncode == 2
    assert run("run", PENDULUM, "--accuracy", "1e-3", "--method", "rk4").returncode == 2
    assert run("run", PENDULUM, "--accuracy", "0").returncode == 2
    assert run("run", PENDULUM, "--until", "inf").returncode == 2
    assert run("dance").returncode == 2
    assert run().returncode == 2


def test_a_run_that_cannot_go_on_exits_with_1(tmp_path: Path) -> None:
    scene = tmp_path / "ghost.yaml"
    scene.write_text(
        "bodies: [{name: ghost, mass: 0, inertia: {ixx: 0, iyy: 0, izz: 0}}]\n"
        "joints: [{name: hinge, type: revolute, child: ghost}]\n"
    )
    done = run("run", str(scene), "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["status"] == "singular-mass"


def test_ctrl_c_prints_the_report_and_exits_with_1() -> None:
    process = subprocess.Popen(
        [PROGRAM, "run", PENDULUM, "--until", "1e7", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    time.sleep(0.5)
    os.kill(process.pid, signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    assert process.returncode == 1
    report = json.loads(out)
    assert report["status"] == "interrupted" and 0 < report["time"] < 1e7


def test_an_interrupted_run_that_stands_still_says_what_holds_it(tmp_path: Path) -> None:
    scene = tmp_path / "spring.yaml"  # at 1e6 rad/s
    scene.write_text(
        "gravity: [0, 0, 0]\nbodies: [{name: bob, mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}}]\n"
        "joints: [{name: spring, type: prismatic, child: bob, axis: [1, 0, 0], stiffness: 1.0e+12, position: 0.05}]\n"
    )
    process = subprocess.Popen([PROGRAM, "run", scene, "--until", "10"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    # Some three seconds later it says so by itself, too.
    assert process.stderr is not None
    told = [process.stderr.readline() for _ in range(3)]
    os.kill(process.pid, signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    assert process.returncode == 1
    assert any("held to steps of" in line and "joint 'spring' of body 'bob'" in line for line in told), told
    assert out.startswith("status             interrupted: stopped on request; held to steps of")


def test_what_was_not_held_is_warned_of(tmp_path: Path) -> None:
    scene = tmp_path / "rope.yaml"
    scene.write_text(
        "bodies: [{name: weight, mass: 2, inertia: {ixx: 1, iyy: 1, izz: 1}, pose: {position: [0, 0, -0.2]}}]\n"
        "constraints: [{name: rope, type: distance, body_a: weight, length: 0.2, stiffness: 20}]\n"
    )
    out = run("run", str(scene), "--until", "1").stdout
    assert "scene.yaml" not in out and "rope.yaml:2:" in out and "constraint 'rope' was not held" in out and "[stretched-constraint]" in out
    warnings = json.loads(run("run", str(scene), "--until", "1", "--json").stdout)["warnings"]
    assert [w["code"] for w in warnings] == ["stretched-constraint"]


def test_check_shows_what_was_loaded() -> None:
    done = run("check", str(ROOT / "examples" / "arm.urdf"), "--json")
    model = json.loads(done.stdout)
    assert [j["name"] for j in model["joints"]] == ["shoulder", "elbow"]
    assert model["total_mass"] == 3
    text = run("check", str(ROOT / "examples" / "arm.urdf")).stdout
    assert "shoulder" in text and "revolute" in text


def test_help_is_worth_reading() -> None:
    done = run("run", "--help")
    assert done.returncode == 0
    for word in ("--until", "--method", "--time-step", "--json", "Exit code"):
        assert word in done.stdout


URDF = '<?xml version="1.0"?>\n<robot name="one"><link name="base"/></robot>\n'


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("folder.yaml", None, "is a folder"),
        ("missing.yaml", None, "there is no file"),
        ("empty.yaml", b"", "holds no scene"),
        ("picture.yaml", bytes(range(256)) * 20, "not a text file"),
        ("mesh.urdf", bytes(range(256)) * 20, "not a text file"),
        ("robot.yaml", URDF.encode(), "this is XML"),
        ("word.yaml", b"x" * 100_000, "must be a map"),
    ],
)
def test_what_is_no_scene_gets_a_sentence(name: str, content: bytes | None, words: str, tmp_path: Path) -> None:
    if name == "folder.yaml":
        (tmp_path / name).mkdir()
    if content is not None:
        (tmp_path / name).write_bytes(content)
    for command in ("run", "check"):
        result = run(command, str(tmp_path / name))
        assert result.returncode == 2 and result.stdout == ""
        assert words in result.stderr and name in result.stderr and len(result.stderr) < 1000


def test_commands_and_options_that_do_not_exist_get_a_suggestion() -> None:
    for words, suggestion in ((["runn", "x.yaml"], "'run'"), (["run", "x.yaml", "--methd", "rk4"], "'--method'"), (["x.yaml"], "stickslip run x.yaml")):
        result = run(*words)
        assert result.returncode == 2 and suggestion in result.stderr
    assert run().returncode == 2 and "run" in run().stderr


def test_completion_knows_commands_options_and_methods() -> None:
    script = run("completion", "bash").stdout
    ask = 'COMP_WORDS=(%s); COMP_CWORD=%d; _stickslip; echo "${COMPREPLY[@]}"'

    def completed(*words: str) -> list[str]:
        command = f"{script}\n{ask % (' '.join(('stickslip', *words)), len(words))}"
        return subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True).stdout.split()

    assert completed("re") == ["replay", "reproduce"]
    assert "--method" in completed("run", "--me")
    assert set(completed("run", "--method", "cenic")) == {"cenic", "cenic-paper", "cenic-trapezoid"}
    assert "bashcompinit" in run("completion", "zsh").stdout and "complete -c stickslip" in run("completion", "fish").stdout


def test_off_a_terminal_progress_is_plain_lines(tmp_path: Path) -> None:
    scene = tmp_path / "scene.yaml"
    balls = "\n".join(
        f"  - {{name: b{i}, density: 1000, pose: {{position: [{0.1 * (i % 10)}, {0.1 * (i // 10)}, 0.1]}}, geometry: [{{sphere: {{radius: 0.06}}}}]}}"
        for i in range(200)
    )
    scene.write_text(f"bodies:\n  - {{name: floor, fixed: true, geometry: [{{half_space: {{}}}}]}}\n{balls}\n")
    process = subprocess.Popen([PROGRAM, "run", scene, "--until", "1e6"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    line = process.stderr.readline()
    process.send_signal(signal.SIGTERM)
    out, _ = process.communicate(timeout=20)
    assert process.returncode == 1 and "interrupted" in out  # SIGTERM ends a run as Ctrl-C does: with the report
    assert "x real time" in line and "steps of" in line and "left" in line and "\r" not in line


# ---------------------------------------------------------------------------------------------------------------------------- threads
@pytest.mark.parametrize("threads", ["40000", "1025", "0", "-1", "2147483647"])
def test_numbers_of_threads_that_no_machine_has_are_refused(threads: str) -> None:
    done = run("run", PENDULUM, "--until", "0.01", "--threads", threads)
    assert done.returncode == 2 and done.stdout == "" and done.stderr == f"stickslip: threads is {threads}, expected 1 to 1024; more than the machine has cores only wait for each other\n"


def limited_in_addresses(*words: object) -> subprocess.CompletedProcess[str]:
    """2 GB of addresses: some hundred stacks of threads."""
    command = " ".join(f"'{word}'" for word in words)
    return subprocess.run(["bash", "-c", f"ulimit -c 0; ulimit -v 2000000; exec {command}"], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)


def test_threads_that_the_system_does_not_start_are_counted() -> None:
    done = limited_in_addresses(PROGRAM, "run", PENDULUM, "--until", "0.01", "--threads", "1000", "--quiet")
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
    assert "of 1000 threads the system starts only" in done.stderr and "terminate" not in done.stderr
    assert limited_in_addresses(PROGRAM, "run", PENDULUM, "--until", "0.01", "--threads", "4", "--quiet").returncode == 0


def test_python_is_told_of_threads_too() -> None:
    script = """
import resource, sys
import stickslip as ss
model = ss.load(sys.argv[1])
for threads, error, words in ((40_000, ValueError, "expected 1 to 1024"), (1000, RuntimeError, "the system starts only")):
    resource.setrlimit(resource.RLIMIT_AS, (3 << 30, -1))
    for make in (lambda: ss.Simulator(model, threads=threads), lambda: ss.simulate(model, until=0.01, threads=threads)):
        try:
            make()
        except error as told:
            assert words in str(told), told
        else:
            sys.exit("not told")
ss.Simulator(model, threads=3).advance_to(0.01)
"""
    assert finish(python(script, PENDULUM)) == (0, "", "")
