"""`jmjp convert`: which format is written, by `--to` or by the extension of `--output`."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete
from converting import (
    assert_did,
    convert,
    files,
    work,  # noqa: F401 - pytest finds it by its name
)

from jmjp_convert.cli import main
from jmjp_convert.formats import FORMATS, detect, writable

WRITABLE = ", ".join(one.name for one in writable())


def usage(line: str) -> str:
    """Return what stderr has after a usage error."""
    return f"jmjp: {line}. Try 'jmjp convert -h' for help.\n"


@pytest.mark.parametrize(
    ("name", "to"),
    [
        ("game.jmjp", "jmjp"),
        ("game.JMJP", "jmjp"),
        ("game.jsonl", "json"),
        ("game.tenhou6.json", "tenhou6"),
        ("game.tenhou6.jsonl", "tenhou6"),
        ("game.Tenhou6.TXT", "tenhou6"),
        ("game.mjson", "mjai"),
        ("game.MJSON", "mjai"),
        ("game.majiang.json", "majiang"),
        ("game", "jmjp"),
    ],
)
def test_extension(name: str, to: str) -> None:
    """The extension of `--output`, in any case, sets the format."""
    assert_did(convert("log.xml", "-o", name, "-q"), 0)
    found = detect(Path(name).read_bytes())
    assert (found and found.name) == to


@pytest.mark.parametrize(
    ("options", "to"),
    [
        (["-o", "game.x", "--to", "mjai"], "mjai"),
        (["-o", "game.MJSON", "--to", "mjai"], "mjai"),
        (["-o", "game.json", "--to", "mjai"], "mjai"),
        (["-o", "game.json", "--to", "json"], "json"),
        (["-o", "game.jsonl", "--to", "mjai"], "mjai"),
        (["-o", "game.jsonl", "--to", "tenhou6", "--per-frame"], "tenhou6"),
        (["-o", "game.tenhou6.jsonl", "--to", "tenhou6", "--per-frame"], "tenhou6"),
        (["-o", "game.jmjp/", "--to", "mjai"], "mjai"),
    ],
    ids=" ".join,
)
def test_extension_that_fits(options: list[str], to: str) -> None:
    """`--to` goes with any extension that its format uses or that no other format claims, and with any directory."""
    assert_did(convert("log.xml", *options, "-q"), 0)
    (written,) = files().values()
    found = detect(written)
    assert (found and found.name) == to


@pytest.mark.parametrize(
    ("name", "to", "own"),
    [
        ("game.jmjp", "mjai", "jmjp"),
        ("GAME.JMJP", "mjai", "jmjp"),
        ("game.mjson", "jmjp", "mjai"),
        ("game.jsonl", "majiang", "json"),
        ("game.tenhou6.json", "json", "tenhou6"),
        ("game.tenhou6.json", "majiang", "tenhou6"),
        ("game.majiang.json", "tenhou6", "majiang"),
    ],
)
def test_contradiction(name: str, to: str, own: str) -> None:
    """A `--to` that contradicts the extension is a usage error that names both, and nothing is written."""
    result = convert("log.xml", "-o", name, "--to", to)
    why = f"{name} has the extension of {own}, not of {to}; leave out --to, or change the extension"
    assert result.stderr == usage(why)
    assert (result.exit_code, files()) == (2, {})


def test_unknown_extension() -> None:
    """With an unknown extension the output is jmjp, and a line says so."""
    line = "game.json: unknown extension; writing jmjp (--to sets the format)"
    assert_did(convert("log.xml", "-o", "game.json"), 0, line, "log.xml -> game.json")
    assert Path("game.json").read_text(encoding="utf-8").startswith("jmjp[1.0]\n")
    assert_did(convert("log.xml", "-o", "game.txt", "-q"), 0)
    assert_did(convert("log.xml", "-o", "game.x", "--to", "mjai", "-q"), 0)


def test_extension_of_read_only_format() -> None:
    """The extension of a format that cannot be written is a usage error, unless --to names another format."""
    result = convert("log.xml", "-o", "game.xml")
    assert (result.exit_code, files()) == (2, {})
    assert result.stderr == usage("jmjp cannot write mjlog (game.xml); use another extension or --to FORMAT")
    assert_did(convert("log.xml", "-o", "game.xml", "--to", "jmjp"), 0, "log.xml -> game.xml")


@pytest.mark.parametrize(
    ("given", "to"),
    [
        *((one.name.upper(), one.name) for one in writable() if one.name != "riichi-advanced"),
        ("ten", "tenhou6"),
        ("Maj", "majiang"),
        ("mja", "mjai"),
        ("js", "json"),
        ("jm", "jmjp"),
    ],
)
def test_short_name(given: str, to: str) -> None:
    """`--to` accepts a format in any case, and the first letters of a single one."""
    result = convert("log.xml", "--to", given, "-o", "-", "-q")
    found = detect(result.stdout_bytes)
    assert (result.stderr, found and found.name) == ("", to)


def test_short_name_with_options() -> None:
    """The options of a format work with its short name."""
    assert_did(convert("log.xml", "--to", "r", "--frame", "E2-0", "-q"), 0)
    assert files().keys() == {"log.E2-0.json"}


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("m", "'m' is ambiguous; it may be mjlog, mjai or majiang"),
        ("MJ", "'MJ' is ambiguous; it may be mjlog or mjai"),
        ("j", "'j' is ambiguous; it may be jmjp or json"),
        ("mjlog", f"jmjp cannot write mjlog; choose from {WRITABLE}"),
        ("mjl", f"jmjp cannot write mjlog; choose from {WRITABLE}"),
        ("jmjp2", f"'jmjp2' is not an output format; choose from {WRITABLE}"),
        ("", f"'' is not an output format; choose from {WRITABLE}"),
    ],
)
def test_other_name(given: str, why: str) -> None:
    """An ambiguous `--to` lists what it may be, any other lists the formats."""
    result = convert("log.xml", "--to", given)
    assert (result.exit_code, files()) == (2, {})
    assert result.stderr == usage(f"Invalid value for '--to': {why}")


@pytest.mark.parametrize("command", ["convert", "batch", "fetch"])
def test_completion(command: str) -> None:
    """The shell completes `--to` with the formats that begin so, in every command that has it."""
    complete = ShellComplete(main, {}, "jmjp", "_JMJP_COMPLETE")

    def completions(incomplete: str) -> list[str]:
        return [item.value for item in complete.get_completions([command, "--to"], incomplete)]

    assert completions("MA") == ["majiang"]
    assert completions("j") == ["jmjp", "json"]
    assert completions("") == [one.name for one in writable()]


@pytest.mark.parametrize("command", ["convert", "batch", "fetch"])
def test_help(command: str) -> None:
    """The help lists the formats that can be written."""
    group = click.Context(main, **main.context_settings)
    found = main.get_command(group, command)
    assert found is not None
    shown = "|".join(name for name, one in FORMATS.items() if one.write)
    assert f"--to [{shown}]" in found.get_help(click.Context(found, parent=group))


@pytest.mark.parametrize(("given", "meant"), [("1", "1.0"), ("1.0-BETA", "1.0-beta"), ("0", "0"), ("1.0", "1.0")])
def test_dialects_in_any_case(given: str, meant: str) -> None:
    """A dialect may be named in any case, and 1.0 by its first digit."""
    assert (
        convert("log.xml", "--spec", given, "-o", "-").stdout == convert("log.xml", "--spec", meant, "-o", "-").stdout
    )
