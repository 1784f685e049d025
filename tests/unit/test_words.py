"""Messages: kept unsaid, said in either language, every one of them translated."""

from __future__ import annotations

import ast
import builtins
import keyword
import os
import re
import string
import subprocess
import sys
from pathlib import Path

import pytest

from grader import words
from grader.commands import catalogue
from grader.words import Say, pick_language, translator

ROOT = Path(__file__).resolve().parents[2]
ZH = [message for message in catalogue.load("zh") if message.id]
FIELD_TERMS = set(
    """
    BlockManager CPU Ctrl-C Debian Docker JSON JUnit MiB OOM OutOfBlocks PagedAttention Python Ubuntu XML
    allocate append attention block bubblewrap bug cache cached chain decode dtype evict evictable free gather
    hash hit kernel key list logits manager map miss namespace paged parent pool prefill prefix prompt ref
    sandbox sha slot table tables tensor token tokens torch worker system user stack bench doctor mine reset
    test setup words app base solutions CHECK EXERCISE NAME PATH capability cgroup judge pid rlimit seccomp tmpfs
    PostgreSQL vLLM
    uid KiB UTF root lessons TOML cookie Tab Esc
    """.split()  # noqa: SIM905
)
NAMES_IN_HINTS = set(
    """
    OrderedDict array cat data hashes deque digest extend hashlib hits init__ joined needed new pieces pop popleft
    pos raise remove req revived self sys exit value
    """.split()  # noqa: SIM905
)
CODE_IN_WORDS = r"\{[^}]*\}|`[^`]*`|chmod [-\w+ ]+|--[\w-]+|[\w./-]+\.(?:sh|py|md|log|toml)|\w+\([^)]*\)"
CODE = set(keyword.kwlist) | set(dir(builtins)) | NAMES_IN_HINTS


def test_a_say_survives_its_json_form():
    say = Say("{call} returned {value}", call="free('a')", value=Say("{n} block", plural="{n} blocks", n=2))
    assert Say.from_json(say.to_json()) == say


def test_arguments_that_are_messages_are_said_too():
    assert translator("en").text(Say("{a} and {b}", a=Say("<{x}>", x=1), b=2)) == "<1> and 2"


@pytest.mark.parametrize(("n", "text"), [(0, "0 blocks"), (1, "1 block"), (2, "2 blocks")])
def test_the_number_chooses_the_form(n, text):
    assert translator("en").text(Say("{n} block", plural="{n} blocks", n=n)) == text


def test_braces_in_arguments_and_in_plain_texts_mean_nothing():
    assert translator("en").text(Say("{a}", a="{b}")) == "{b}"
    assert translator("zh").text("{not a field}") == "{not a field}"


@pytest.mark.parametrize("lang", words.LANGUAGES)
def test_the_empty_text_stays_empty(lang):
    assert translator(lang).text("") == ""


@pytest.mark.parametrize(
    ("arg", "env", "lang"),
    [
        ("en", {"LANG": "zh_CN.UTF-8"}, "en"),
        (None, {"LANG": "zh_CN.UTF-8"}, "zh"),
        (None, {"LANG": "zh_CN.UTF-8", "LC_ALL": "C"}, "en"),
        (None, {"LANGUAGE": "fr:zh:en", "LANG": "en_US"}, "zh"),
        (None, {}, "en"),
    ],
)
def test_the_language_is_the_one_asked_for_or_the_environments(arg, env, lang):
    assert pick_language(arg, env) == lang


def test_an_unknown_language_is_an_error():
    with pytest.raises(ValueError, match="fr"):
        translator("fr")


def test_a_changed_catalogue_is_compiled_again(tmp_path, monkeypatch):
    folder = tmp_path / "zh" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    monkeypatch.setattr(words, "LOCALE", tmp_path)
    header = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\n'
    for text, time in (("一", 2_000_000_000), ("二", 1_000_000_000)):  # the newer text may carry the older date
        po = folder / "kvhotel.po"
        po.write_text(f'{header}msgid "one"\nmsgstr "{text}"\n', "utf-8")
        os.utime(po, (time, time))
        assert words._catalogue("zh").gettext("one") == text
        assert words._catalogue("zh").gettext("one") == text
    assert [path.name for path in folder.iterdir() if path.suffix != ".po"] == ["kvhotel.mo"]


def test_no_catalogue_tool_is_imported_while_the_compiled_one_is_fresh():
    code = "import sys; from grader.words import translator; translator('zh').text('x'); print('babel' in sys.modules)"
    for _ in range(2):  # the first may compile
        done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_every_message_is_translated_and_nothing_else_is_in_the_catalogue():
    wanted = {message.id for message in catalogue.template() if message.id}
    assert {message.id for message in ZH} == wanted, "run ./check.sh words"
    assert [message.id for message in ZH if message.fuzzy or not catalogue.translated(message.string)] == []
    assert not catalogue.load("zh").obsolete


def _fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def _forms(text: str | tuple[str, ...] | list[str]) -> list[str]:
    return [text] if isinstance(text, str) else list(text)


def test_a_translation_has_the_same_placeholders():
    wrong = []
    for message in ZH:
        try:
            wanted = set().union(*(_fields(form) for form in _forms(message.id)))
        except ValueError:  # a plain text with a brace in it is never formatted
            continue
        wrong += [form for form in _forms(message.string) if _fields(form) != wanted]
    assert wrong == []


def test_a_translation_leaves_no_english_but_field_terms():
    wrong = []
    for form in (form for message in ZH for form in _forms(message.string)):
        bare = re.sub(CODE_IN_WORDS, " ", form)
        words = [word.rstrip("-") for word in re.findall(r"[A-Za-z][A-Za-z_-]{2,}", bare) if "_" not in word.strip("_")]
        if foreign := [word for word in words if word not in FIELD_TERMS | CODE]:
            wrong.append((foreign, form))
    assert wrong == []


@pytest.mark.parametrize("path", sorted((ROOT / "grader").rglob("*.py")), ids=lambda p: p.name)
def test_every_placeholder_of_a_say_is_given(path):
    for msgid, plural, call in catalogue.messages(path.read_text("utf-8")):
        if isinstance(call.func, ast.Name) and call.func.id == "Say":
            given = {keyword.arg for keyword in call.keywords}
            if None not in given:  # **names cannot be read from the source
                assert _fields(msgid) | _fields(plural or "") <= given, f"line {call.lineno}: {msgid}"
