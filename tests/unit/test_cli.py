"""The command line: exit codes, one JSON object, files, watching; against a judge that plays a given report."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
import threading
import time
import types
from pathlib import Path

import pytest

from grader.checks import CheckInfo
from grader.cli import main
from grader.commands import source
from grader.commands.options import parse
from grader.commands.usage import UsageError
from grader.exercise import discover
from grader.report import CheckResult, Failure, Report
from grader.sandbox.child import SandboxError
from grader.words import Say

ROOT = Path(__file__).resolve().parents[2]
CHECKS = [
    CheckInfo("slot-mapping", "Slot mapping", hint="slot"),
    CheckInfo("free-returns-everything", "Free returns everything", mission="prefill", hint="round-up"),
]


class FakeJudge:
    """Passes a file that holds "right", fails any other; what it was asked stands in `asked`."""

    asked: list[object] = []
    trouble: Exception | None = None

    def __init__(self, exercise, sandbox="auto", limits=None, again=True):
        self.exercise = exercise

    def checks(self):
        return CHECKS

    def grade(self, source, name, only=None, on_result=None, on_note=None):
        print("the judge prints")
        FakeJudge.asked.append((source, name, only))
        if self.trouble is not None:
            raise self.trouble
        verdict = "passed" if b"right" in source else "failed"
        failure = None if verdict == "passed" else Failure(called="slot('a', 0)", expected="0", actual="1")
        result = CheckResult("slot-mapping", "acceptance", "Slot mapping", verdict, 0.0, None, failure)
        on_result(result)
        return Report(self.exercise.id, verdict, "fake", "cpu", 0.1, None, [result])

    def close(self):
        FakeJudge.asked.append("closed")


@pytest.fixture(autouse=True)
def judge(monkeypatch, tmp_path):
    module = types.ModuleType("grader.judge")
    module.Judge = FakeJudge
    monkeypatch.setitem(sys.modules, "grader.judge", module)
    monkeypatch.setattr(FakeJudge, "asked", [])
    monkeypatch.setattr(FakeJudge, "trouble", None)
    monkeypatch.setattr(source, "ROOT", tmp_path)
    monkeypatch.setenv("KVH_DATA", str(tmp_path / "data"))
    return FakeJudge


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "mine" / "p06_block_manager.py"
    path.parent.mkdir()
    path.write_text("wrong", "utf-8")
    return path


def run(capfd, *arguments, lang="en"):
    code = main([*arguments, "--lang", lang], {})
    return code, *capfd.readouterr()


@pytest.mark.parametrize(("text", "code"), [("right", 0), ("wrong", 1)])
def test_the_exit_code_is_the_verdict(capfd, file, text, code):
    file.write_text(text, "utf-8")
    assert run(capfd, "p06")[0] == code
    assert FakeJudge.asked == [(text.encode(), "p06_block_manager.py", None), "closed"]


def test_json_to_standard_output_is_one_object_and_nothing_else(capfd, file):
    code, out, _ = run(capfd, "p06", "--json", "-")
    assert (code, json.loads(out)["verdict"]) == (1, "failed")


def test_json_without_a_path_goes_to_standard_output(capfd, file):
    assert json.loads(run(capfd, "p06", "--json")[1])["exercise"] == "p06"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["p06", "--json", "-", "--file", "gone.py"], 2),
        (["p06", "--json", "-", "--only", "nothing"], 2),
        (["p06", "--json", "-", "--bogus"], 2),
        (["p06", "--json", "-", "--watch"], 2),
        (["p06", "--json=-", "--sandbox", "none"], 2),
        (["p99", "--json", "-"], 2),
    ],
)
def test_json_holds_also_when_the_command_line_is_wrong(capfd, file, arguments, code):
    done, out, err = run(capfd, *arguments)
    payload = json.loads(out)
    assert (done, payload["verdict"], payload["checks"]) == (code, "error", [])
    assert payload["message"] in err


@pytest.mark.parametrize(
    "trouble", [RuntimeError("a fault of ours"), SandboxError(Say("{what} is missing", what="a fault of ours"))]
)
def test_the_graders_own_fault_is_exit_3_and_no_verdict_on_the_file(capfd, file, judge, trouble):
    judge.trouble = trouble
    code, out, _ = run(capfd, "p06", "--json", "-")
    payload = json.loads(out)
    assert (code, payload["verdict"]) == (3, "error")
    assert "a fault of ours" in payload["message"]


def test_a_missing_file_is_usage_and_says_how_to_lay_it(capfd):
    code, _, err = run(capfd, "p06")
    assert code == 2
    assert "./check.sh reset p06" in err


def _folder(path):
    path.mkdir()


def _pipe(path):
    os.mkfifo(path)


def _device(path):
    path.symlink_to("/dev/null")


@pytest.mark.parametrize("make", [_folder, _pipe, _device])
def test_what_is_no_file_is_usage_and_no_verdict(capfd, tmp_path, make):
    make(tmp_path / "odd.py")
    code, out, err = run(capfd, "p06", "--file", str(tmp_path / "odd.py"), "--json", "-")
    assert (code, json.loads(out)["verdict"], json.loads(out)["checks"]) == (2, "error", [])
    assert "odd.py" in err
    assert FakeJudge.asked in ([], ["closed"])


def test_a_file_that_may_not_be_read_is_usage(tmp_path, monkeypatch):
    def refuse(*_):
        raise PermissionError

    path = tmp_path / "mine.py"
    path.touch()
    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(UsageError, match="permissions"):
        source.read(path)


def test_of_a_huge_file_only_the_beginning_is_read(tmp_path):
    path = tmp_path / "huge.py"
    with path.open("wb") as sparse:
        sparse.truncate(1 << 40)
    assert len(source.read(path)) == source.READ_AT_MOST


@pytest.mark.parametrize("option", ["--only", "--hint"])
def test_an_unknown_check_is_answered_with_the_closest(capfd, file, option):
    code, _, err = run(capfd, "p06", option, "free-return-everything")
    assert code == 2
    assert "free-returns-everything" in err


@pytest.mark.parametrize(
    ("only", "ids"),
    [("slot-mapping", ["slot-mapping"]), ("slot-mapping,free-returns-everything", [c.id for c in CHECKS])],
)
def test_only_chooses_checks(capfd, file, only, ids):
    run(capfd, "p06", "--only", only)
    assert FakeJudge.asked[0][2] == ids


def test_only_takes_a_mission(capfd, file, tmp_path):
    (tmp_path / "mine" / "l22_paged_attention.py").write_text("right", "utf-8")
    run(capfd, "l22", "--only", "prefill")
    assert FakeJudge.asked[0][2] == ["free-returns-everything"]


def test_junit_and_json_files_are_written_beside_the_terminal(capfd, file, tmp_path):
    _, out, _ = run(capfd, "p06", "--json", str(tmp_path / "r.json"), "--junit", str(tmp_path / "r.xml"))
    assert "slot-mapping" in out
    assert json.loads((tmp_path / "r.json").read_text("utf-8"))["verdict"] == "failed"
    assert (tmp_path / "r.xml").read_bytes().startswith(b"<?xml")


@pytest.mark.parametrize("option", ["--json", "--junit"])
def test_a_place_that_takes_no_file_is_said_before_grading(capfd, file, option):
    code, _, err = run(capfd, "p06", option, "/nowhere/at/all.x")
    assert (code, FakeJudge.asked) == (2, [])
    assert "/nowhere/at/all.x" in err


@pytest.mark.parametrize(
    "arguments", [["--level", "4", "--hint", "x"], ["--level", "1"], ["--file"], ["extra"]]
)
def test_a_command_line_that_makes_no_sense_is_refused(arguments):
    with pytest.raises(UsageError):
        parse(arguments)


def test_an_unknown_language_is_refused(capfd, file):
    assert run(capfd, "p06", lang="fr")[0] == 2


def test_without_arguments_the_exercises_found_are_listed(capfd):
    code, out, _ = run(capfd)
    assert code == 0
    assert [name for name in discover() if f"./check.sh {name}" not in out] == []


def test_reset_keeps_every_old_file(capfd, file):
    for text in ("first", "second"):
        file.write_text(text, "utf-8")
        assert run(capfd, "reset", "p06")[0] == 0
    skeleton = discover()["p06"].skeleton.read_bytes()
    assert file.read_bytes() == skeleton
    kept = {path.name: path.read_text("utf-8") for path in file.parent.iterdir() if path != file}
    assert kept == {f"{file.name}.old-1": "first", f"{file.name}.old-2": "second"}


def test_reset_of_an_untouched_skeleton_keeps_nothing(capfd, file):
    run(capfd, "reset", "p06")
    run(capfd, "reset", "p06")
    assert sorted(path.name for path in file.parent.iterdir()) == [file.name, f"{file.name}.old-1"]


def test_watch_grades_again_on_save_and_ctrl_c_ends_it_cleanly(capfd, file, monkeypatch):
    sleep = time.sleep

    def save_then_stop(seconds):
        if FakeJudge.asked[-1][0] == b"wrong":
            file.unlink()  # as editors do
            threading.Timer(0.05, file.write_text, ["right", "utf-8"]).start()
            monkeypatch.setattr(time, "sleep", lambda s: sleep(0.02) if FakeJudge.asked[-1][0] != b"right" else stop())
        sleep(0.02)

    def stop():
        raise KeyboardInterrupt

    monkeypatch.setattr(time, "sleep", save_then_stop)
    code, out, _ = run(capfd, "p06", "--watch")
    assert code == 0
    assert re.search(r"─ \d\d:\d\d:\d\d ─", out)  # between the two runs
    assert [asked[0] for asked in FakeJudge.asked[:-1]] == [b"wrong", b"right"]


def test_chinese_speaks_chinese(capfd, file):
    _, out, err = run(capfd, "p06", "--bogus", lang="zh")
    assert out == ""
    assert any("\u4e00" <= char <= "\u9fff" for char in err)


def test_a_terminal_without_unicode_still_gets_the_verdict(capfd, file, monkeypatch):
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, "ascii"))
    monkeypatch.setattr(sys, "__stdout__", sys.stdout)
    assert main(["p06"], {}) == 1
    sys.stdout.flush()
    assert b"p06: failed" in raw.getvalue()


def test_a_reader_that_has_seen_enough_is_no_traceback():
    command = f"{sys.executable} -m grader p06 --help | true"
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stderr == ""


def test_an_unknown_command_is_answered_with_all_of_them(capfd):
    _, _, err = run(capfd, "tests")
    names = [*discover(), "test", "bench", "app", "setup", "words", "lessons", "reset", "doctor"]
    assert [name for name in names if name not in err.partition("There are:")[2]] == []


def test_an_unknown_option_is_answered_with_all_of_them(capfd, file):
    _, _, err = run(capfd, "p06", "--onli")
    assert "Close to it: --only" in err
    assert [name for name in ("--lang", "--watch", "--junit", "--hint") if name not in err] == []


def test_a_hint_as_json_is_one_object(capfd):
    code, out, _ = run(capfd, "p06", "--hint", "slot-mapping", "--level", "2", "--json", "-")
    payload = json.loads(out)
    assert (code, payload["exercise"], payload["level"]) == (0, "p06", 2)
    assert [row["check"] for row in payload["hints"]] == ["slot-mapping"]
    assert "pos // block_size" in payload["hints"][0]["hint"]


def test_a_missions_hints_name_its_checks(capfd):
    code, out, _ = run(capfd, "l22", "--hint", "prefill")
    assert code == 0
    assert "11 parcels" in out
    assert "./check.sh l22 --hint prefill --level 2" in out


def test_a_failing_run_offers_the_next_hint_of_the_first_failure(capfd, file):
    file.write_text("wrong", "utf-8")
    offers = []
    for _ in range(4):
        offers.append(run(capfd, "p06")[1].strip().splitlines()[-1])
        run(capfd, "p06", "--hint", "slot-mapping")
    assert [line[-1] for line in offers] == ["1", "2", "3", "1"]
    words = ["want", "1 of 3", "2 of 3", "again"]
    assert [word for word, line in zip(words, offers, strict=True) if word not in line] == []


def test_without_a_level_the_next_hint_is_given_and_what_was_opened_is_marked(capfd):
    asked = ("p06", "--hint", "slot-mapping")
    said = [run(capfd, *asked)[1] for _ in range(4)]
    assert [f"Hint {n} of 3" in text for n, text in zip((1, 2, 3, 3), said, strict=True)] == [True] * 4
    assert ["opened before" in text for text in said] == [False, False, False, True]
    assert [text.count("Still stuck?") for text in said] == [1, 1, 0, 0]
    assert "opened before" in run(capfd, *asked, "--level", "1")[1]
    assert "opened before" not in run(capfd, "p06", "--hint", "append-across-boundary")[1]


def test_a_mission_goes_on_where_its_least_opened_check_stands(capfd):
    assert "Hint 2 of 3" in run(capfd, "l22", "--hint", "prefill", "--level", "2")[1]
    assert "Hint 3 of 3" in run(capfd, "l22", "--hint", "prefill")[1]
    assert "Hint 1 of 3" in run(capfd, "l22", "--hint", "decode")[1]


def test_reset_offers_the_hints_anew(capfd):
    run(capfd, "p06", "--hint", "slot-mapping")
    run(capfd, "l22", "--hint", "prefill")
    run(capfd, "reset", "p06")
    assert "Hint 1 of 3" in run(capfd, "p06", "--hint", "slot-mapping")[1]
    assert "Hint 2 of 3" in run(capfd, "l22", "--hint", "prefill")[1]
