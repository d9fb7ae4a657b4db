"""The usual slips of people who write jmjp by hand, and the remedy for each.

A table belongs to what is expected: tiles, seats, points, … Its rows are tried in order; only the text of an error is
looked at, so a slip costs valid files nothing: they do not even load this module. A row never repeats what the message
says already.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import starmap

from jmjp_convert.formats.jmjp.grammar import form_of
from jmjp_convert.formats.jmjp.notation import (
    ANKAN,
    CHI,
    DAIMINKAN,
    KAKAN,
    KARAGIRI,
    OYA,
    PON,
    REPLACEMENT,
    RIICHI,
    TSUMO,
    TSUMOGIRI,
)
from jmjp_convert.lazy_regex import regex
from jmjp_convert.model.dates import WEEKDAYS
from jmjp_convert.model.tiles import FACES, HONOR_FACES, UNKNOWN_FACE
from jmjp_convert.play.position import DEALT

Remedy = str | Callable[[re.Match[str]], str | None]

Slip = tuple[re.Pattern[str], Remedy]
"""A row of a table: a pattern that matches the slip, at most a few characters, or nothing, if whatever is there is one;
and what to write instead. A function of the match returns ``None`` if it is not this slip."""

Table = tuple[Slip, ...]

_TABLES: dict[str, Table] = {}
"""The tables, by what is expected: a word or mark, or a name of several."""


def explain(text: str, position: int, names: Iterable[str]) -> tuple[str, str] | None:
    """Return the slip at *position* in *text* as it is written, and its remedy; ``None`` if it is not a known one.

    :param names: those of the tables to try; a word or mark may have none.
    """
    slips = [slip for name in names for slip in _TABLES.get(name, ())]
    for pattern, remedy in (*slips, *_ANYWHERE):
        match = pattern.match(text, position)
        if match is not None and (advice := remedy if isinstance(remedy, str) else remedy(match)):
            return match[0], advice
    return None


def slip(pattern: str, remedy: Remedy, flags: int = re.IGNORECASE | re.ASCII) -> Slip:
    """Return a row for *pattern*, by default in any case of ASCII letters: the long s is not another s."""
    return regex(pattern, flags), remedy


_exactly = partial(slip, flags=0)


def _names(meant: Mapping[str, str], after: str = "") -> Slip:
    """Return a row for words that stand for others: *meant* has them, separated by spaces, by what to write.

    :param after: a pattern that has to match after the word.
    """
    by_word = {word.lower(): target for target, words in meant.items() for word in words.split()}
    longest_first = "|".join(map(re.escape, sorted(by_word, key=len, reverse=True)))
    return slip(f"(?:{longest_first}){after}", lambda match: f"write {by_word[match[0].lower()]}")


def _written(template: str) -> Callable[[re.Match[str]], str]:
    r"""Return a remedy from the groups of the match: ``write \1m``."""
    return lambda match: match.expand(template)


def _keyword(word: str, others: str = "") -> Slip:
    """Return a row for *word*, which an opening bracket follows, in another case, with another bracket, or as one of
    the *others*."""
    name = word[:-1]
    either = "|".join(sorted((name, *others.split()), key=len, reverse=True))
    return slip(rf"(?:{either})(?:[\[({{]|(?![a-z]))", f"write {word}")


# --- everywhere ------------------------------------------------------------------------------------------------------

_MARKS = {"、": ",", "。": ".", "−": "-", "–": "-", "—": "-", "\u2010": "-", "ー": "-"}
_MARKS |= dict.fromkeys("“”„‟〝〞", '"') | dict.fromkeys("【\u3014「『", "[") | dict.fromkeys("】\u3015」』", "]")

_WIDE = r"\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff0d\uff0e"  # digits, letters, hyphen, full stop


def _in_ascii(match: re.Match[str]) -> str | None:
    plain = "".join(_MARKS.get(letter, unicodedata.normalize("NFKC", letter)) for letter in match[0])
    return f"write {plain} in plain ASCII" if plain.isascii() else None


_ANYWHERE = (
    _exactly(rf"[{_WIDE}][{_WIDE}0-9A-Za-z.-]{{0,15}}", _in_ascii),
    _exactly(rf"[\uff01-\uff5e{re.escape(''.join(_MARKS))}]", _in_ascii),
    _exactly(r"(?<=5[mps])r", lambda match: f"write 0{match.string[match.start() - 1]} for a red five"),
    _exactly(r"(?<=[0-9]\.[0-9])[0-9]", "points have one decimal"),
    _exactly("//", "jmjp[0] has no comments"),
    _exactly(r"/\*|#|--", "comments begin with // and go to the end of the line"),
)

# --- tiles -----------------------------------------------------------------------------------------------------------

_TILES_BY_OTHER_NAMES = {
    "ew": "1z east ton 東 🀀 we",
    "sw": "2z south nan 南 🀁 ws",
    "ww": "3z west shaa sha 西 🀂",
    "nw": "4z north pei pee 北 🀃 wn",
    "wd": "5z white haku shiro 白 🀆 dw wh",
    "gd": "6z green hatsu 發 発 🀅 dg gr",
    "rd": "7z red chun 中 🀄 dr",
    UNKNOWN_FACE: "unknown ?? ? xx ** * __ _ 裏",
}
_MJAI_HONORS = {"E": "ew", "S": "sw", "W": "ww", "N": "nw", "P": "wd", "F": "gd", "C": "rd"}
_SUITS = {"m": "萬万", "p": "筒", "s": "索"}
_KANJI_DIGITS = "一二三四五六七八九"
_PICTURES = {
    chr(first + rank): f"{rank + 1}{suit}"
    for first, suit in ((0x1F007, "m"), (0x1F010, "s"), (0x1F019, "p"))
    for rank in range(9)
}
_TILE = "(?:[0-9][mps]|[eswn]w|[wgr]d|uk)"
_HONORS_BY_DIGIT = dict(enumerate(HONOR_FACES, 1))


def _lower(match: re.Match[str]) -> str | None:
    face = match[0].lower()
    return f"write {face}" if face != match[0] and (face in FACES or face == UNKNOWN_FACE) else None


def _one_by_one(match: re.Match[str]) -> str | None:
    """Return the remedy for tiles that share a suit, such as ``123m``."""
    digits, suit = match[1], match[2].lower()
    if suit != "z":
        return f"write {''.join(f'{digit}{suit}' for digit in digits)}"
    honors = [_HONORS_BY_DIGIT.get(int(digit)) for digit in digits]
    return None if None in honors else f"write {''.join(filter(None, honors))}"


def _of_suit(match: re.Match[str]) -> str:
    digit = match[1] if match[1].isascii() else str(_KANJI_DIGITS.index(match[1]) + 1)
    return f"write {digit}{next(suit for suit, signs in _SUITS.items() if match[2] in signs)}"


_TABLES["tiles"] = (
    slip("[0-9a-z]{2}", _lower),
    slip("(?:aka|赤|r)5([mps])", _written(r"write 0\1 for a red five")),
    slip("5r([mps])", _written(r"write 0\1 for a red five")),
    _names(_TILES_BY_OTHER_NAMES),
    slip("([0-9]{2,14})([mpsz])", _one_by_one),
    _exactly("([mps])([0-9])", _written(r"write \2\1")),
    _exactly("[oO]([mps])", _written(r"write 0\1")),
    _exactly("[lI]([mps])", _written(r"write 1\1")),
    _exactly(f"([1-9{_KANJI_DIGITS}])([{''.join(_SUITS.values())}])", _of_suit),
    _exactly(f"[{''.join(_PICTURES)}]", lambda match: f"write {_PICTURES[match[0]]}"),
    _exactly("([ESWNPFC])(?![a-z])", lambda match: f"write {_MJAI_HONORS[match[1]]}"),
    _exactly("[089]z", "honors are ew sw ww nw wd gd rd"),
    _exactly("[0-9][a-z]", "the suits are m, p and s"),
)

_TABLES["ten_dora"] = (_exactly(r"[,\]]", "name ten tiles, with uk for those that were not seen"),)

# --- acts ------------------------------------------------------------------------------------------------------------

_HAND_WORD = _keyword("hnd[", "hand hd hn")
_FIRST_THE_DRAW = "write the tile drawn first: "
_DRAWN_FIRST = {
    f"(?:{TSUMO}|tsumo)": f"{_FIRST_THE_DRAW}(e,8s,{TSUMO})",
    TSUMOGIRI: f"{_FIRST_THE_DRAW}(e,9m,{TSUMOGIRI})",
    KARAGIRI: f"{_FIRST_THE_DRAW}(e,9m,{KARAGIRI})",
    "(?:rc|riichi|reach|ri)": f"{_FIRST_THE_DRAW}(e,5p,{RIICHI}[9m])",
    "(?:ankan|ank|ak)": f"{_FIRST_THE_DRAW}(e,wd,{ANKAN}[wdwdwdwd])",
    "(?:kakan|kkn|kk)": f"{_FIRST_THE_DRAW}(e,2p,{KAKAN}[0m])",
}
_LONGER = "(?=[^a-z]|$)"  # a word ends here

_TABLES["first_half"] = (  # of an act
    _names(
        {
            CHI: "chi chii chow",
            PON: "pon pong",
            DAIMINKAN: "daiminkan minkan dmk kan",
            REPLACEMENT: "rinshan rin rsn",
            OYA: "oya",
            "ro": "ron rn",
        },
        _LONGER,
    ),
    *(slip(pattern + _LONGER, remedy) for pattern, remedy in _DRAWN_FIRST.items()),
    _HAND_WORD,
    _exactly(",", f"write {UNKNOWN_FACE} for a tile that was not seen"),
    _exactly("(?:CH|PN|DK|RS|OY|RO|RN)", lambda match: f"write {match[0].lower()}"),
    *_TABLES["tiles"],
)

_TABLES["second_half"] = (  # of an act
    _names(
        {
            TSUMOGIRI: "tsumogiri tmg tsg",
            KARAGIRI: "karagiri krg",
            TSUMO: "tsumo tsm agari hora win",
            RIICHI: "riichi reach rii ri rch r",
            KAKAN: "kakan kkn",
            ANKAN: "ankan ank",
            "ak or kk": "kan",
        },
        _LONGER,
    ),
    slip(f"(?:ron|ro|rn){_LONGER}", "a ron is an act of the winner, such as (w,ro,)"),
    slip(f"(?:chii|chi|ch|pon|pn|dmk|dk){_LONGER}", "a call begins an act of the caller, such as (s,ch[4s6s],1p)"),
    _exactly("(?:TG|KG|TM|RC|KK|AK)", lambda match: f"write {match[0].lower()}"),
    *_TABLES["tiles"],
)

_IN_ALL_DIALECTS = {
    CHI: "ch[4s6s], with the two tiles from the hand",
    REPLACEMENT: "rs[1s]",
    RIICHI: "rc[9m]",
    KAKAN: "kk[0m], with the tile added",
}
_FORMS_OF_ACTS = {
    False: _IN_ALL_DIALECTS | {ANKAN: "ak[5m]"},
    True: _IN_ALL_DIALECTS
    | {
        PON: "pn[5m5m], with the two tiles from the hand",
        DAIMINKAN: "dk[5m5m5m], with the three tiles from the hand",
        ANKAN: "ak[5m5m5m5m], with all four tiles",
    },
}
_FORMS_OF_MELDS = {
    False: {
        "chi[": "chi[5s,4s6s]",
        "pon[": "pon[5m,k]",
        "dmk[": "dmk[5m,k]",
        "kkn[": "kkn[5m,k]",
        "ank[": "ank[5m]",
    },
    True: {
        "chi[": "chi[5s,4s6s]: the tile taken, those from the hand",
        "pon[": "pon[4m,4m4m,k]: the tile taken, those from the hand, from whom",
        "dmk[": "dmk[5p,0p5p5p,t]: the tile taken, those from the hand, from whom",
        "kkn[": "kkn[0m,5m,5m5m,k]: the tile added, the tile taken, those from the hand, from whom",
        "ank[": "ank[wdwdwdwd]",
    },
}


def _with_brackets(match: re.Match[str]) -> str:
    return f"write {match.string[match.start() - 2 : match.start()]}[{match[1]}]"


_WITHOUT_BRACKETS = _exactly(r"(?<=[a-z]{2})[({]?(" + _TILE + r"{1,4})[)}\]]?(?=[,)])", _with_brackets)


for _all_tiles in (False, True):
    for _word, _form in (_FORMS_OF_ACTS[_all_tiles] | _FORMS_OF_MELDS[_all_tiles]).items():
        _TABLES[form_of(_word, all_tiles=_all_tiles)] = (_WITHOUT_BRACKETS, _exactly(r"(?!\Z)", f"as in {_form}"))

_TABLES["unnamed"] = (_exactly(r"\[", "jmjp[0] does not name these tiles"),)

_SEATS = {"e": "east ton ew 東", "s": "south nan sw 南", "w": "west shaa sha ww 西", "n": "north pei pee nw 北"}
_TABLES["seats"] = (
    _names(_SEATS),
    _exactly("[ESWN]", lambda match: f"write {match[0].lower()}"),
    _exactly("[0-3]", "seats are winds of this frame; e is its dealer"),
)

# --- hands -----------------------------------------------------------------------------------------------------------

_TABLES["too_many"] = (
    _exactly("[0-9a-z]{2}", f"a hand has at most {DEALT} tiles before the comma; a fourteenth is after it"),
)

_TABLES["melds"] = (
    _names(
        {
            "chi[": "chii[ chow[ ch[",
            "pon[": "pong[ pn[",
            "dmk[": "daiminkan[ minkan[ kan[ dk[",
            "kkn[": "kakan[ kk[",
            "ank[": "ankan[ ak[",
        }
    ),
    _exactly(
        "[A-Z]{3}(?=\\[)",
        lambda match: f"write {match[0].lower()}[" if f"{match[0].lower()}[" in _FORMS_OF_MELDS[True] else None,
    ),
)
_TABLES["givers"] = (
    _names({"k": "kamicha left l 上", "t": "toimen across opposite a o 対", "s": "shimocha right r 下"}),
    _exactly("[KTS]", lambda match: f"write {match[0].lower()}"),
)

# --- numbers ---------------------------------------------------------------------------------------------------------

_IN_THOUSANDS = "points are in thousands, with one decimal: 25.0 is 25,000"
_TABLES["points"] = (
    _exactly(r"\+", "write no plus sign"),
    _exactly("[−–—▲△]", "write - for a minus sign"),
    _exactly(r"(-?[0-9]{1,3}),?([0-9])00(?![0-9.])", _written(r"write \1.\2")),
    _exactly(r"(-?[0-9]{1,2})(?![0-9.])", _written(r"write \1.0")),
    _exactly(r"-?[0-9]{1,9}(?![0-9.])", _IN_THOUSANDS),
)
_TABLES["dice"] = (_exactly(r"([1-6])[,+:/.x]([1-6])(?![0-9])", _written(r"write \1-\2")),)
_TABLES["second_die"] = (  # which some dialects take as the sum of both
    _exactly(
        r"(?<=,([1-6]))[+:/.x]?([1-6])(?=,)|(?<=,([1-6]),)([1-6])(?=,)",
        lambda match: f"write {match[1] or match[3]}-{match[2] or match[4]}",
    ),
)

_ROUND_WINDS = {"東": "E", "南": "S", "西": "W", "北": "N"}
_WIND_WORDS = {"east": "E", "south": "S", "west": "W", "north": "N"} | _ROUND_WINDS


def _frame_id(match: re.Match[str]) -> str | None:
    wind = _WIND_WORDS.get(match[1].lower(), match[1].upper())
    written = f"{wind}{unicodedata.normalize('NFKC', match[2])}-{match[3] or 0}"
    return None if written == match[0] else f"write {written}"


_TABLES["frame_id"] = (
    slip(f"({'|'.join(_WIND_WORDS)}|[eswn])([1-4\uff11-\uff14])局?[-.:_–—]?([0-9]{{1,9}})?(?:本場)?", _frame_id),
    _exactly("[ESWN][05-9](?:-[0-9]{1,9})?", "rounds are numbered 1 to 4"),
)
_TABLES["recorded"] = (
    _exactly(",(?=[ESWN][1-4])", "write the frames without commas: E1-0E1-1"),
    *_TABLES["frame_id"],
)

_TABLES["dates"] = (
    _exactly(
        r"([0-9]{4})[-/.年]([0-9]{1,2})[-/.月]([0-9]{1,2})日?",
        lambda match: f"write {match[1]}{int(match[2]):02}{int(match[3]):02}",
    ),
)
_DAYS_IN_KANJI = dict(zip("日月火水木金土", WEEKDAYS, strict=True))
_TABLES["days"] = (
    slip("|".join(WEEKDAYS), lambda match: f"write {match[0].lower()}"),
    _exactly(f"[{''.join(_DAYS_IN_KANJI)}]", lambda match: f"write {_DAYS_IN_KANJI[match[0]]}"),
)
_TABLES["times"] = (
    _exactly(r"([0-9]{1,2})[:.時]([0-9]{2})分?", lambda match: f"write {int(match[1]):02}{match[2]}"),
    _exactly("([0-9])([0-9]{2})(?![0-9])", _written(r"write 0\1\2")),
)
_TABLES["players"] = (_exactly("4", "players are numbered from 0"),)

# --- texts -----------------------------------------------------------------------------------------------------------

_OTHER_QUOTES = "“”„‟〝〞「『\u2018\u2019'"
_TABLES["strings"] = (
    _exactly(f"[{_OTHER_QUOTES}]", "write straight double quotes"),
    _exactly(r"([^\"\[\](),]{1,16})(?=\])", _written(r'write "\1"')),
)
_TABLES["texts"] = (
    _exactly('"', 'write snt["…"] or srm["…"] around it'),
    _exactly(r"[A-Za-z][A-Za-z0-9-]{0,15}(?=[,)\]])", lambda match: f'write srm["{match[0]}"]'),
    slip(r"(?:snt|srm)[^\[]", 'write snt["…"] or srm["…"]'),
)


def _named(opening: str, closing: str) -> Table:
    return (
        _exactly('"|s(?:nt|rm)', f'write {opening}snt["…"],{closing}'),
        _exactly(
            r"[\[(](?=[s,])",
            "jmjp[0] has square brackets around names"
            if opening == "["
            else "jmjp[1.0] has round brackets around names",
        ),
        _exactly(r"[^\"\[\](),]{1,16}(?=,)", f'write {opening}snt["…"],{closing}'),
    )


for _opening, _closing in ("()", "[]"):
    _TABLES[f"name{_opening}"] = _named(_opening, _closing)
    _keep = f"a name is {_opening}family name,given name{_closing}; keep the comma"
    _TABLES[f"before{_closing}"] = (_exactly(re.escape(_closing), _keep),)

# --- marks -----------------------------------------------------------------------------------------------------------

_TABLES["versions"] = (
    _exactly(r"1\.0-beta|1\.0\.0(?:-β)?|1(?=\])", "write 1.0"),
    _exactly(r"0\.0(?:\.0)?", "write 0"),
)


_KEYWORDS = {
    "mtp[": "match mtc mpt mt time",
    "ply[": "player play pl plr",
    "ptr[": "rule rules",
    "pfs[": "pts points pf fps",
    "pfe[": "pfs pts points pf fpe",
    "frm[": "frame fram fr fm",
    "jmjp[": "jmpj jmjb",
}
_TABLES |= {word: (_keyword(word, others),) for word, others in _KEYWORDS.items()}
_TABLES["hnd["] = (
    _HAND_WORD,
    _exactly(rf"{_TILE}|ch|pn|dk|rs|oy|ro|rn", "a frame has four hands before its acts and four after"),
)
_TABLES["last_frame"] = (  # what may follow it
    _exactly(r"(?:frm|pme)\[", "frames come first, then pme, then ptn"),
    *starmap(_keyword, {"frm[": "frame fram fr fm frn", "pme[": "pfm result results", "ptn[": "pnt"}.items()),
)

_TABLES[","] = (_exactly("[;:|/.]", "separate fields with commas"),)
