"""The shorthand tokens: written where possible, and read as their texts."""

from __future__ import annotations

import pytest

from jmjp_convert.errors import JmjpError
from jmjp_convert.formats.jmjp.notation import AFFILIATIONS, PLACES, STAGES, TEAMS, TOURNAMENTS, Tokens
from jmjp_convert.formats.jmjp.reader import read_jmjp
from jmjp_convert.formats.jmjp.writer import write_jmjp
from jmjp_convert.model import Match, Player, Rules, Text, Tournament

FIELDS = {"tournament": TOURNAMENTS, "stage": STAGES, "place": PLACES, "team": TEAMS, "affiliation": AFFILIATIONS}
NAMES = {
    "tournament": "mlg",
    "stage": "1rd 2rd qtf smf fin mlg-reg mlg-sfs mlg-fns",
    "place": "mlg-std",
    "team": "mlg-drn mlg-exf mlg-skn mlg-mfc mlg-abm mlg-phx mlg-rdn mlg-prt",
    "affiliation": "none saikouisen prokyoukai prorenmei rmu rengoumu 101 kishikai zennihon",
}
EACH = [(field, token) for field, tokens in FIELDS.items() for token in tokens]

each_token = pytest.mark.parametrize(("field", "token"), EACH)
each_spec = pytest.mark.parametrize("spec", ["0", "1.0", "1.0-beta"])


def text(**fields: str) -> str:
    """Return a match with *fields*."""
    tournament = f"tnm[{fields.get('tournament', '')},,{fields.get('stage', '')},,]"
    player = f"ply[0,,{fields.get('team', '')},{fields.get('affiliation', '')},]"
    return f"({tournament}mtp[,,,{fields.get('place', '')}]{player}ply[1,,,,]ply[2,,,,]ply[3,,,,])"


def game(field: str, value: Text) -> Match:
    """Return a match with *value* in a *field*."""
    tournament, place, player = Tournament(), None, Player()
    if field == "tournament":
        tournament = Tournament(name=value)
    elif field == "stage":
        tournament = Tournament(stage=value)
    elif field == "place":
        place = value
    elif field == "team":
        player = Player(team=value)
    else:
        player = Player(affiliation=value)
    return Match(Rules(red_fives=None), (player, Player(), Player(), Player()), (), tournament=tournament, place=place)


def test_tokens() -> None:
    """The tokens are those of the standard's table, and no two of a field have the same text."""
    assert {field: " ".join(tokens) for field, tokens in FIELDS.items()} == NAMES
    for tokens in FIELDS.values():
        assert len(set(tokens.values())) == len(tokens)
        assert all(one.native and one.roman for one in tokens.values())


@each_spec
@each_token
def test_both_ways(field: str, token: str, spec: str) -> None:
    """Every dialect reads a token as its text and writes the text as the token."""
    match = game(field, FIELDS[field][token])
    version = spec.removesuffix("-beta")
    assert read_jmjp(f"jmjp[{version}]{text(**{field: token})}".encode()) == [match]
    assert text(**{field: token}) in write_jmjp(match, spec=spec, compact=True)


@each_token
def test_half_a_text(field: str, token: str) -> None:
    """A text that matches a token in only one script is written out."""
    whole = FIELDS[field][token]
    for one in (Text(whole.native), Text(None, whole.roman), Text(whole.native, f"{whole.roman}!")):
        match = game(field, one)
        written = write_jmjp(match)
        assert f"[{token}," not in written
        assert f",{token}," not in written
        assert read_jmjp(written.encode()) == [match]


@pytest.mark.parametrize(("field", "tokens"), FIELDS.items(), ids=FIELDS)
def test_tokens_of_another_field(field: str, tokens: Tokens) -> None:
    """A token of another field, or one cut short or extended, is rejected."""
    others = {token for _, token in EACH} - set(tokens)
    for wrong in (*others, *(token[:-1] for token in tokens), *(f"{token}x" for token in tokens), "MLG", "mlg-"):
        with pytest.raises(JmjpError, match=r"expected a text \(snt or srm\), a shorthand or '[],]', found '"):
            read_jmjp(f"jmjp[1.0]{text(**{field: wrong})}".encode())


def test_no_tokens_for_names() -> None:
    """Names have no shorthands."""
    with pytest.raises(JmjpError, match=r"expected a text \(snt or srm\) or ',', found 'mlg'"):
        read_jmjp(b"jmjp[1.0](mtp[,,,]ply[0,(mlg,),,,]ply[1,,,,]ply[2,,,,]ply[3,,,,])")
