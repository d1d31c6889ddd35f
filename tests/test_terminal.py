"""Words of files on a terminal: whatever a name holds, no command sends the terminal anything to obey, and JSON is what it was."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest

from command_line import run

# Colours, a title, the same begun by one character, a carriage return, a bell, the direction of writing, a line that looks like another's.
NASTY = {
    "escape": "\x1b[31mred\x1b]0;title\x07",
    "one character": "\u009b31mred\u0085",
    "bidi": "\u202egpj.\u2066exe\u200f",
    "return": "first\rsecond\x08\x7f",
    "lines": "arm\nstatus ok\u2028x",
}
ODD = "Kügel 球 é \U0001f916"  # nothing that a terminal obeys


def scene(name: str) -> str:
    quoted = json.dumps(name, ensure_ascii=name != ODD)
    return f"""
name: {quoted}
materials: {{{quoted}: {{stiffness: 1.0e5}}}}
bodies:
  - {{name: {quoted}, mass: 1, inertia: {{ixx: 1, iyy: 1, izz: 1}}, geometry: [{{box: {{size: [1, 1, 1]}}, material: {quoted}}}]}}
  - {{name: {quoted[:-1]}2", mass: 1, inertia: {{ixx: 1, iyy: 1, izz: 1}}, geometry: [{{box: {{size: [1, 1, 1]}}, material: {quoted}}}], pose: {{position: [0, 0, 0.5]}}}}
joints: [{{name: {quoted}, type: revolute, child: {quoted}, axis: [0, 1, 0]}}]
actuators: [{{name: {quoted}, joint: {quoted}, type: motor}}]
"""


def obeyed(text: str) -> list[str]:
    """What a terminal would not show but obey."""
    return [c for c in text if (unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp") and c not in "\n\t")]


def clean(*words: object, cwd: Path) -> tuple[int, str, str]:
    done = run(*words, cwd=cwd)
    assert not obeyed(done.stdout) and not obeyed(done.stderr), (words, done)
    return done.returncode, done.stdout, done.stderr


@pytest.fixture(params=NASTY)
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, str]:
    name = NASTY[request.param]
    (tmp_path / "scene.yaml").write_text(scene(name))
    return tmp_path, name


def test_no_command_sends_a_name_to_the_terminal(folder: tuple[Path, str]) -> None:
    where, _ = folder
    code, out, _ = clean("check", "scene.yaml", cwd=where)
    assert code == 0 and "\\u" in out
    assert "\nstatus ok" not in out
    assert clean("run", "scene.yaml", "--until", "0.01", "--record", "run.h5", cwd=where)[0] == 0
    for words in (
        ["replay", "run.h5"],
        ["replay", "--verify", "run.h5"],
        ["convert", "scene.yaml", "out.xml"],
        ["convert", "run.h5", "out.csv"],
        ["convert", "run.h5", "out.yaml"],
        ["check", "--repair", "scene.yaml"],
    ):
        assert clean(*words, cwd=where)[0] == 0, words
    clean("check", "out.xml", cwd=where)  # which XML may have no words for


def test_json_has_the_name_as_it_is(folder: tuple[Path, str]) -> None:
    where, name = folder
    _, out, _ = clean("check", "scene.yaml", "--json", cwd=where)
    assert name in json.dumps(json.loads(out), ensure_ascii=False) or json.dumps(name)[1:-1] in json.dumps(json.loads(out))
    assert clean("run", "scene.yaml", "--until", "0.01", "--record", "run.h5", "--json", cwd=where)[0] == 0
    _, out, _ = clean("replay", "run.h5", "--json", cwd=where)
    assert json.loads(out)["scene"] == name
    _, out, _ = clean("convert", "scene.yaml", "out.xml", "--json", cwd=where)
    json.loads(out)


@pytest.mark.parametrize("kind", [kind for kind in NASTY if kind != "lines"])
@pytest.mark.parametrize("words", [["check"], ["run"], ["check", "--json"], ["replay"], ["view", "--no-browser"]], ids=" ".join)
def test_errors_of_files_and_their_names_are_shown(words: list[str], kind: str, tmp_path: Path) -> None:
    file = f"{NASTY[kind].replace('/', '')}.yaml"
    (tmp_path / file).write_text(scene(NASTY[kind]).replace("mass: 1", "mass: -1"))
    code, out, err = clean(words[0], file, *words[1:], cwd=tmp_path)
    assert code == 2 and "\\u" in out + err
    code, out, err = clean(words[0], "no" + file, *words[1:], cwd=tmp_path)
    assert code == 2 and "\\u" in out + err


def test_letters_of_all_languages_stay_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "scene.yaml").write_text(scene(ODD))
    _, out, _ = clean("check", "scene.yaml", cwd=tmp_path)
    assert ODD in out and "\\u" not in out
    _, out, _ = clean("check", "scene.yaml", "--json", cwd=tmp_path)
    assert ODD in out
