"""Lists: names of games, list pages, lists of IDs, indexes, and filters."""

from __future__ import annotations

from pathlib import Path

import pytest
from tables import table

from jmjp_convert.errors import ConvertError, FileError
from jmjp_convert.fetch.lists import Game, Page, Standing, game_of, games_in, pages_in
from jmjp_convert.fetch.web import is_tenhou
from jmjp_convert.model import log_ids, tenhou

ID = "2019041809gm-0009-0000-0123abcd"
OTHER = "2012090306gm-0089-18940-0123abcd"
LISTS = Path(__file__).parents[2] / "shared" / "lists"
LINE = (
    '09:41 | 34 | 四鳳南喰赤－ | <a href="http://tenhou.net/0/?log={0}">牌譜</a> | '  # noqa: RUF001 - Tenhou's own
    "Kaede(+56.0) A &amp; B (C)(+16.0) 山茶花(-23) D(-49.0)<br>"
)


def games(text: str) -> tuple[list[Game], list[tuple[int, str]]]:
    """Return the games in a list, and its errors by line."""
    wrong: list[tuple[int, str]] = []
    games_ = list(games_in(text.encode(), is_tenhou, lambda line, error: wrong.append((line, str(error)))))
    return games_, wrong


@pytest.mark.parametrize("text", table("fetch_lists", "names"))
def test_names(text: str) -> None:
    """A game is named by its log ID or by any Tenhou link with one."""
    game = game_of(text, is_tenhou)
    assert game == Game(game.id)
    assert game.id == log_ids.find_id(ID)


def test_scrambled() -> None:
    """A scrambled ID names the same game as the descrambled one."""
    assert game_of("2012090306gm-0089-0000-x666f4d41e26b", is_tenhou).id.text == "2012090306gm-0089-0000-dc81a77a"


@pytest.mark.parametrize("text", table("fetch_lists", "names_nothing"))
def test_names_nothing(text: str) -> None:
    """Anything else is rejected, even if it contains a log ID somewhere."""
    with pytest.raises(ConvertError) as rejected:
        game_of(text, is_tenhou)
    assert str(rejected.value) == "not a log ID or a link to a log"


def test_number_of_no_character() -> None:
    """A character reference with an absurdly long number is rejected too."""
    with pytest.raises(ConvertError, match=r"^not a log ID or a link to a log$"):
        game_of(f"&#{'1' * 5000};", is_tenhou)


KEPT = [
    f"[SYSTEM]\r\nPATH=x\r\n[LOG]\r\nN=1\r\n0=file={ID}&un0=A&un1=B&un2=C&un3=D&oya=0&type=169\r\n",
    f"\ufeff[LOG]\nN=1\n0=file={ID}&un0=A",
    f'{{"lognext":"1","log0":"{{\\"log\\":\\"{ID}\\",\\"uname\\":[\\"A\\"]}}"}}',
    f'\n[\n  "https://tenhou.net/3/?log={ID}&tw=1"\n]',
]


@pytest.mark.parametrize("text", KEPT)
def test_kept_by_a_client(text: str) -> None:
    """The settings of the Windows client, and a browser's storage as JSON, are lists of the IDs in them."""
    listed, wrong = games(text)
    assert ([game.id.text for game in listed], wrong) == ([ID], [])


def test_settings_in_another_encoding() -> None:
    """The settings may contain text in any encoding."""
    listed: list[Game] = []
    content = f"[LOG]\nDIR=天鳳\n0=file={ID}&un0=A\n".encode("shift-jis")
    listed += games_in(content, is_tenhou, lambda _line, error: pytest.fail(str(error)))
    assert [game.id.text for game in listed] == [ID]


def test_line() -> None:
    """A line of a list page gives the log ID, start time, duration, rules and players."""
    rule = "四鳳南喰赤－"  # noqa: RUF001 - as above
    standings = (
        *(Standing("Kaede", "+56.0"), Standing("A & B (C)", "+16.0")),
        *(Standing("山茶花", "-23"), Standing("D", "-49.0")),
    )
    ((game,), wrong) = games(LINE.format(ID) + "\r\n\r\n")
    assert game == Game(game.id, "0941", 34, rule, standings)
    assert (game.id.text, wrong) == (ID, [])


@pytest.mark.parametrize(("players", "expected"), table("fetch_lists", "players", globals()))
def test_players(players: str, expected: tuple[Standing, ...]) -> None:
    """A result in brackets follows a name, which may contain brackets too; character references are resolved, except
    absurdly long ones."""
    ((game,), wrong) = games(f"{LINE.format(ID).rpartition('| ')[0]}| {players}")
    assert (game.players, wrong) == (expected, [])


def test_page() -> None:
    """A page gives its games in order; lines without a link, such as for lobbies without logs, are skipped."""
    unlinked = "09:42 | 12 | 四般東喰－－ | ＿ | A(+1.0)<br>"  # noqa: RUF001 - as above
    listed, wrong = games(f"{unlinked}\n{LINE.format(ID)}\n\n{LINE.format(OTHER).replace('http:', 'https:')}\n")
    assert ([game.id.text for game in listed], wrong) == ([ID, OTHER], [])


def test_wrong_link() -> None:
    """A link to anything but a log is rejected without stopping the rest."""
    listed, wrong = games(LINE.format("../../x") + "\n" + LINE.format(ID))
    assert [game.id.text for game in listed] == [ID]
    assert wrong == [(1, "invalid log ID '../../x'")]


@pytest.mark.parametrize(
    "text",
    [
        f'<html><a href="/0/?log={ID}&tw=1">x</a>\n<a href=/3/?log={OTHER}>y</a>',
        f"ykm=['2/1','A','kokushi','47','{ID}&tw=1&ts=2',\n'2/2','B','x','40','{OTHER}&tw=0'];",
    ],
    ids=["html", "a list of yakuman"],
)
def test_other_pages(text: str) -> None:
    """Any other page gives all log IDs in it."""
    listed, wrong = games(text)
    assert ([game.id.text for game in listed], wrong) == ([ID, OTHER], [])


def test_list() -> None:
    """A list may contain IDs and links, one per line, empty lines and comments."""
    text = f"\ufeff# mine\n\n{ID}  # good\r\n  https://tenhou.net/0/?log={OTHER}&tw=1\n#{ID}\nnothing\n"
    listed, wrong = games(text)
    assert [game.id.text for game in listed] == [ID, OTHER]
    assert wrong == [(6, "'nothing' is not a log ID or a link to a log")]


def test_list_in_utf16() -> None:
    """A list may be in UTF-16, which some shells write."""
    assert [game.id.text for game in games_in(f"{ID}\n".encode("utf-16"), is_tenhou, print)] == [ID]


@pytest.mark.parametrize("text", ["", "\n", "# nothing\n", "<html></html>"])
def test_empty(text: str) -> None:
    """A list may be empty."""
    assert games(text) == ([], [])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff\xfe\x00", "not a list of games"),
        (
            b"list([\r\n{file:'scc2026033000.html.gz',size:40758}]);",
            "this is an index of list pages, not a list of games; use jmjp lists --fetch to fetch the pages",
        ),
    ],
)
def test_no_list(content: bytes, message: str) -> None:
    """Content that is not a list of games is rejected."""
    with pytest.raises(FileError) as rejected:
        list(games_in(content, is_tenhou, lambda *_: None))
    assert str(rejected.value) == message


def test_index() -> None:
    """An index gives list pages and their sizes, however it is spaced; other files in it are ignored."""
    text = (
        "list([\r\n{file:'scc2026033000.html.gz',size:40758},\r\n{ file : '2025/sca20250101.log.gz' , size : 12 },\n"
        "{file:'../scc20250101.html.gz',size:1},{file:'scc20250101.exe',size:1},{file:'x/scc20250101.html',size:1}]);"
    )
    assert pages_in(text.encode()) == [
        Page("scc2026033000.html.gz", "scc2026033000.html", 40758),
        Page("2025/sca20250101.log.gz", "sca20250101.log", 12),
    ]


@pytest.mark.skipif(not LISTS.is_dir(), reason="there are no real list pages in ../shared/lists")
def test_real_pages() -> None:
    """Real pages give every game, with its time, its players and results that add up."""
    listed, wrong = games((LISTS / "scc2021070600.html").read_text(encoding="utf-8"))
    assert wrong == []
    assert len(listed) == (LISTS / "scc2021070600.html").read_bytes().count(b"log=") > 60
    for game in listed:
        assert game.time is not None
        assert game.time[:2] == game.id.text[8:10]
        assert len(game.players) == tenhou.players(game.id.rules)
        assert round(sum(float(standing.result) for standing in game.players), 1) == 0
    ((old,), wrong) = games((LISTS / "scc20120404.html").read_text(encoding="utf-8"))
    assert (old.id.text, old.time, old.players[2], wrong) == (
        *("2012040412gm-00e1-0000-d0129be5", "1220", Standing("Lask&Yu", "-19.0"), []),
    )


@pytest.mark.skipif(not LISTS.is_dir(), reason="there are no real list pages in ../shared/lists")
def test_real_indexes() -> None:
    """Real indexes give their pages."""
    names = [page.name for page in pages_in((LISTS / "list.cgi.js").read_bytes())]
    assert names == ["sca20180926.log", "sca20180927.log", "sca20180928.log"]
    assert pages_in((LISTS / "list.cgi-old.js").read_bytes())[-1] == Page(
        "2018/scf20180924.html.gz", "scf20180924.html", 1984
    )
