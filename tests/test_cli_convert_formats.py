"""`jmjp convert` between formats."""

from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path

import pytest
from converting import (
    FIXTURES,
    ID,
    PLAIN,
    SANMA,
    assert_did,
    convert,
    expected,
    files,
    work,  # noqa: F401 - pytest finds it by its name
)

from jmjp_convert.formats import FORMATS
from jmjp_convert.formats.jmjp.notation import DIALECTS
from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.formats.jmjp.writer import write_jmjp

# --- jmjp as input ----------------------------------------------------------------------------------------------------


GAME = FIXTURES / "valid" / "plain.jmjp"
OTHER_GAME = FIXTURES / "valid" / "chi-low.jmjp"


def rewritten(*paths: str, spec: str = "1.0", compact: bool = False) -> bytes:
    """Return the output for the jmjp files *paths*."""
    return write_jmjp([match for path in paths for match in read_jmjp(path)], spec=spec, compact=compact).encode()


def two_games(*ids: str) -> bytes:
    """Return a file of two matches, with *ids* if given."""
    lines = [path.read_text(encoding="utf-8").removeprefix("jmjp[1.0]\n") for path in (GAME, OTHER_GAME)]
    for number, log_id in enumerate(ids):
        lines[number] = lines[number].replace("// tenhou source=", f"// tenhou id={log_id} source=", 1)
    return f"jmjp[1.0]\n{''.join(lines)}".encode()


@pytest.mark.parametrize("spec", DIALECTS)
@pytest.mark.parametrize("compact", [False, True])
@pytest.mark.parametrize("name", ["plain.jmjp", "plain.compact.jmjp", "plain.0.jmjp", "plain.1.0-beta.jmjp"])
def test_between_dialects(name: str, spec: str, *, compact: bool) -> None:
    """A jmjp file of any dialect, pretty or compact, can be written in any other."""
    shutil.copy(FIXTURES / "valid" / name, "game.jmjp")
    options = ["--spec", spec, *(["--compact"] if compact else []), "-q"]
    assert_did(convert("game.jmjp", "-o", "out.jmjp", *options), 0)
    assert Path("out.jmjp").read_bytes() == rewritten("game.jmjp", spec=spec, compact=compact)


def test_jmjp_unchanged() -> None:
    """A jmjp file written by jmjp is unchanged when written in its own dialect again."""
    assert_did(convert(str(GAME), "-o", "-"), 0, stdout=GAME.read_bytes())
    assert_did(convert("-", given=GAME.read_bytes()), 0, stdout=GAME.read_bytes())
    assert_did(convert("-", given=gzip.compress(GAME.read_bytes())), 0, stdout=GAME.read_bytes())


def test_format_by_content() -> None:
    """The format of a file is detected from its first bytes, not its name."""
    shutil.copy(GAME, "a.xml")
    Path("b.jmjp").write_bytes(b"\xef\xbb\xbf \n" + PLAIN.read_bytes())
    assert_did(convert("a.xml", "-q"), 0)
    assert Path("a.jmjp").read_bytes() == GAME.read_bytes()
    assert_did(convert("b.jmjp", "-o", "c.jmjp", "-q"), 0)
    assert Path("c.jmjp").read_bytes() == GAME.read_bytes().replace(b"source=plain.xml", b"source=b.jmjp")


@pytest.mark.parametrize("options", [[], ["-o", "game.jmjp"], ["-o", "."]])
def test_jmjp_never_overwrites_itself(options: list[str]) -> None:
    """The default output of a jmjp file would be the file itself; it is not overwritten, even with `--force`."""
    shutil.copy(GAME, "game.jmjp")
    for force in ([], ["--force"]):
        line = "game.jmjp: game.jmjp is an input; inputs are never overwritten"
        assert_did(convert("game.jmjp", *options, *force), 1, line)
    assert files() == {"game.jmjp": GAME.read_bytes()}


def test_several_matches_to_one_file() -> None:
    """All matches of a file go into one file, to stdout, or next to it with another extension."""
    Path("two.txt").write_bytes(two_games())
    assert_did(convert("two.txt", "-o", "out.jmjp"), 0, "two.txt -> out.jmjp")
    assert_did(convert("two.txt", "-o", "-"), 0, stdout=two_games())
    assert_did(convert("two.txt"), 0, "two.txt -> two.txt.jmjp")
    assert Path("out.jmjp").read_bytes() == Path("two.txt.jmjp").read_bytes() == two_games()


def test_several_matches_to_a_directory() -> None:
    """In a directory each match of a file gets its own numbered file."""
    Path("two.jmjp").write_bytes(two_games())
    lines = [f"two.jmjp -> {Path('out', f'two-{number}.jmjp')}" for number in (1, 2)]
    assert_did(convert("two.jmjp", "-o", "out/"), 0, *lines)
    assert Path("out/two-1.jmjp").read_bytes() == GAME.read_bytes()
    assert Path("out/two-2.jmjp").read_bytes() == OTHER_GAME.read_bytes()


def test_several_matches_by_their_ids() -> None:
    """If a match of several has an ID, its file is named after it."""
    Path("two.jmjp").write_bytes(two_games(ID))
    assert convert("two.jmjp", "-o", "out/").exit_code == 0
    assert sorted(path.name for path in Path("out").iterdir()) == [f"{ID}.jmjp", "two-2.jmjp"]


def test_several_matches_with_one_id() -> None:
    """Matches with the same ID are numbered to keep their names apart."""
    Path("two.jmjp").write_bytes(two_games(ID, ID))
    paths = [Path("out", f"two-{number}.jmjp") for number in (1, 2)]
    assert_did(convert("two.jmjp", "-o", "out/"), 0, *(f"two.jmjp -> {path}" for path in paths))


def test_mixed() -> None:
    """Logs and jmjp files may be mixed, joined into one file or not."""
    Path("two.jmjp").write_bytes(two_games())
    result = convert("log.xml", "two.jmjp", "log.xml", "-o", "all.jmjp")
    assert_did(result, 0, "3 logs -> all.jmjp")
    found = [match.source for match in read_jmjp("all.jmjp")]
    assert found == ["log.xml", "plain.xml", "chi-low.xml", "log.xml"]
    assert_did(convert("log.xml", "two.jmjp", "-o", "out/", "-q"), 0)
    assert sorted(path.name for path in Path("out").iterdir()) == ["log.jmjp", "two-1.jmjp", "two-2.jmjp"]


@pytest.mark.parametrize("options", [["--id", ID], ["--time", "12:00"]])
def test_no_id_for_jmjp(options: list[str]) -> None:
    """A jmjp file has an ID and a time of its own; `--id` and `--time` are rejected."""
    shutil.copy(GAME, "game.jmjp")
    line = "game.jmjp: --id and --time work only with mjlog; this is jmjp"
    assert_did(convert("game.jmjp", "-o", "x.jmjp", *options), 1, line)
    assert files().keys() == {"game.jmjp"}


def test_broken_jmjp() -> None:
    """A problem in a jmjp file is reported in the form common to compilers, and nothing is written."""
    Path("x.txt").write_bytes(GAME.read_bytes().replace(b"(e,nw,tg)", b"(e,nw,1s)", 1))
    assert_did(convert("x.txt"), 1, "x.txt:21:3: in frame E1-0: East (Kaede) does not hold tile 1s")
    line = "<stdin>:21:3: in frame E1-0: East (Kaede) does not hold tile 1s"
    assert_did(convert("-", given=Path("x.txt").read_bytes()), 1, line)
    assert files().keys() == {"x.txt"}


def test_strict_for_jmjp() -> None:
    """A malformed `// tenhou` comment is reported for every file; with `--strict` it is rejected."""
    Path("x.txt").write_bytes(b"jmjp[1.0]\n// tenhou x\n" + GAME.read_bytes().removeprefix(b"jmjp[1.0]\n"))
    line = "x.txt: unknown // tenhou comment before line 8 ignored"
    shutil.copy("x.txt", "y.txt")
    assert_did(convert("x.txt", "y.txt", "-q"), 0, line, line.replace("x", "y", 1))
    assert_did(convert("x.txt", "-q", "--force", "--strict"), 1, line)


@pytest.mark.parametrize("name", [r'(snt["a\"b"],snt["c"])', r'(snt["a\"b"]srm["c"],)'])
def test_quotes_in_names_of_two_parts(name: str) -> None:
    """A name of several parts keeps all of them in every dialect that changes its quotes."""
    Path("x.txt").write_text(f"jmjp[1.0](mtp[,,,]ply[0,{name},,,]ply[1,,,,]ply[2,,,,]ply[3,,,,])", encoding="utf-8")
    assert convert("x.txt").exit_code == 0
    assert "c" in Path("x.txt.jmjp").read_text(encoding="utf-8")


# --- the wall ---------------------------------------------------------------------------------------------------------


def test_wall(seeded_log: str) -> None:
    """`--wall` fills in all ten dora if the wall verifies."""
    Path("seeded.xml").write_text(seeded_log, encoding="utf-8")
    assert_did(convert("seeded.xml"), 0, "seeded.xml -> seeded.jmjp")
    shown = Path("seeded.jmjp").read_text(encoding="utf-8")
    assert_did(convert("seeded.xml", "--wall", "--force"), 0, "seeded.xml -> seeded.jmjp")
    proven = Path("seeded.jmjp").read_text(encoding="utf-8")
    before, after = (next(line for line in text.splitlines() if line.startswith("frm[")) for text in (shown, proven))
    known = before.removesuffix(9 * "uk" + ",")
    assert known != before
    assert after.startswith(known)
    assert len(after) == len(before)
    assert "uk" not in after
    assert shown.replace(before, after) == proven


def test_wall_that_is_not_used(seeded_log: str) -> None:
    """Without a seed, or with another match's wall, the file is as without `--wall`, and one line says why."""
    no = "dora not filled in from the wall"
    assert_did(convert("log.xml", "--wall"), 0, f"log.xml: {no}: no shuffle seed is recorded", "log.xml -> log.jmjp")
    Path("seeded.xml").write_text(seeded_log.replace("n288,9E", "n288,8E"), encoding="utf-8")
    result = convert("seeded.xml", "--wall", "-o", "a.jmjp")
    assert result.exit_code == 0
    assert result.stderr.startswith(f"jmjp: seeded.xml: {no}: the wall does not belong to this match: frame E1-0: ")
    assert convert("seeded.xml", "-o", "b.jmjp").exit_code == 0
    assert Path("a.jmjp").read_bytes() == Path("b.jmjp").read_bytes()


# --- other formats ----------------------------------------------------------------------------------------------------


OTHERS = [
    (["--to", "json"], "log.jsonl"),
    (["--to", "tenhou6"], "log.tenhou6.json"),
    (["--to", "tenhou6", "--per-frame"], "log.tenhou6.jsonl"),
    (["--to", "tenhou6", "--url"], "log.tenhou6.txt"),
    (["--to", "mjai"], "log.mjson"),
    (["--to", "majiang"], "log.majiang.json"),
    (["--to", "riichi-advanced", "--frame", "E2-0"], "log.E2-0.json"),
    (["--to", "riichi-advanced", "--frame", "E2-0", "--config"], "log.E2-0.config.json"),
]
"""The other formats: the options of each, and its file name."""


@pytest.mark.parametrize(("args", "name"), OTHERS, ids=lambda value: " ".join(value) if isinstance(value, list) else "")
def test_to(args: list[str], name: str) -> None:
    """An mjlog or jmjp file is converted to another format with its own file name; stdout gets the same bytes."""
    assert convert("log.xml", *args, "-q").exit_code == 0
    (written,) = files().values()
    assert files().keys() == {name}
    assert convert("log.xml", *args, "-o", "-", "-q").stdout_bytes == written
    Path(name).unlink()
    convert("log.xml", "-o", "game.jmjp")
    result = convert("game.jmjp", *args, "-q")
    assert result.exit_code == 0
    assert files().keys() == {"game.jmjp", name.replace("log", "game")}


@pytest.mark.parametrize("args", [args for args, _ in OTHERS if FORMATS[args[1]].read is None], ids=" ".join)
def test_from_write_only_format(args: list[str]) -> None:
    """An input in a write-only format is rejected by the format's name."""
    convert("log.xml", *args, "-o", "game", "-q")
    assert_did(convert("game"), 1, f"game: jmjp can write {args[1]} but cannot read it")


def test_to_reports_losses() -> None:
    """What a format leaves out is reported once, however many logs there are."""
    shutil.copy("log.xml", "other.xml")
    result = convert("log.xml", "other.xml", "--to", "tenhou6")
    assert result.stderr.count("jmjp: tenhou6 leaves out: log file name, target and uma, ") == 1
    assert result.stderr.count("jmjp: tenhou6: fu of limit hands left out\n") == 1
    assert result.stderr.count("jmjp: tenhou6") == 2
    assert convert("log.xml", "other.xml", "--to", "tenhou6", "-q", "--force").stderr == ""


def test_to_several() -> None:
    """Several games go into one file if the format has a line for each or a list, or each into its own."""
    shutil.copy("log.xml", "other.xml")
    assert convert("log.xml", "other.xml", "--to", "tenhou6", "--url", "-o", "both.txt", "-q").exit_code == 0
    assert len(Path("both.txt").read_bytes().splitlines()) == 8
    assert convert("log.xml", "other.xml", "--to", "majiang", "-o", "both.json", "-q").exit_code == 0
    assert len(json.loads(Path("both.json").read_text(encoding="utf-8"))) == 2
    result = convert("log.xml", "other.xml", "--to", "tenhou6", "-o", "both.json", "-q", "--force")
    assert result.stderr == (
        "jmjp: 2 matches cannot go into one tenhou6 file; use a directory to write one file each\n"
    )
    assert result.exit_code == 1
    convert("log.xml", "other.xml", "-o", "both.jmjp", "-q")
    assert convert("both.jmjp", "--to", "tenhou6", "-o", "each/", "-q").exit_code == 0
    assert {"each/both-1.tenhou6.json", "each/both-2.tenhou6.json"} <= files().keys()


def test_to_three_players() -> None:
    """A three-player game is written only in the formats that allow it."""
    for name in ("tenhou6", "mjai"):
        assert convert(str(SANMA), "--to", name, "-o", f"{name}.json", "-q").exit_code == 0
    result = convert(str(SANMA), "--to", "majiang", "-o", "-")
    assert result.stderr == f"jmjp: {SANMA}: majiang cannot hold three-player games\n"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--to", "tenhou6", "--compact"], "--compact works only with --to jmjp"),
        (["--to", "tenhou6", "--spec", "0"], "--spec works only with --to jmjp"),
        (["--to", "tenhou6", "--wall"], "--wall works only with --to jmjp or json"),
        (["--url"], "--url works only with --to tenhou6"),
        (["--to", "mjai", "--frame", "E1-0"], "--frame works only with --to riichi-advanced"),
        (["--to", "mjai", "--config"], "--config works only with --to riichi-advanced"),
        (["--to", "tenhou6", "--url", "--per-frame"], "use --per-frame or --url, not both"),
        (
            ["--to", "riichi-advanced"],
            "--to riichi-advanced writes one frame; name it with --frame, such as --frame E3-1",
        ),
        (
            ["--to", "riichi-advanced", "--frame", "E5-0"],
            "invalid frame 'E5-0'; expected a name such as E3-1 (East 3, 1 honba)",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_to_usage_error(args: list[str], message: str) -> None:
    """An option of another format is rejected in one line."""
    result = convert("log.xml", *args)
    assert result.exit_code == 2
    assert message in result.stderr
    assert files() == {}


def test_missing_frame() -> None:
    """A frame that is not in the game is rejected with a list of those that are."""
    result = convert("log.xml", "--to", "riichi-advanced", "--frame", "W1-0")
    assert result.stderr == "jmjp: log.xml: there is no frame W1-0; frames: E1-0, E2-0, E3-0, E3-1\n"
    assert files() == {}


def test_from_json() -> None:
    """JSON is read like mjlog and jmjp, from files and stdin, and nothing of the game is lost."""
    shutil.copy(SANMA, "three.xml")
    assert convert("log.xml", "three.xml", "--to", "json", "-o", "both.jsonl").stderr == "jmjp: 2 logs -> both.jsonl\n"
    convert("log.xml", "--to", "json", "-q")
    assert convert("-", given=Path("log.jsonl").read_bytes()).stdout_bytes == expected("log.xml")
    convert("log.jsonl", "-o", "again.jmjp", "-q")
    assert Path("again.jmjp").read_bytes() == expected("log.xml")
    again = convert("both.jsonl", "--to", "json", "-o", "-")
    assert again.stdout_bytes == Path("both.jsonl").read_bytes()
    assert "both.jsonl is an input" in convert("both.jsonl", "--to", "json", "--force").stderr


def test_broken_json() -> None:
    """Broken JSON is reported with its line and the problem."""
    convert("log.xml", "--to", "json", "-q")
    lines = Path("log.jsonl").read_text(encoding="utf-8").splitlines()
    lines[3] = lines[3].replace("123", "122")
    Path("log.jsonl").write_text("\n".join(lines), encoding="utf-8")
    result = convert("log.jsonl", "-o", "x.jmjp")
    assert result.stderr == "jmjp: log.jsonl:4: in frame E1-0: tsumogiri of 122 (nw); 123 (nw) expected from the draw\n"
    assert result.exit_code == 1
    assert convert("log.jsonl", "--id", ID).stderr.endswith("work only with mjlog; this is riichi-events JSON\n")
