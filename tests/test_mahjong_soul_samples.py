"""Real records of Mahjong Soul, which are not in the repository: each sample is read, or refused as it must be."""

from __future__ import annotations

from pathlib import Path

import pytest

from jmjp_convert.checks.match import check_match
from jmjp_convert.errors import MahjongSoulError
from jmjp_convert.formats.reading import read
from jmjp_convert.model import House, Match
from jmjp_convert.play.points import final_points

SAMPLES = Path(__file__).parents[2] / "shared" / "mahjong-soul"
REFUSED = {
    "200610-test-table.json": "the game is of a test table with a made-up wall",
    "230921-0a39a19b.frame-data-url.bin": "the file has only the address of the record (URL), not the record",
}
SAME = "230921-0a39a19b."

needs_samples = pytest.mark.skipif(not SAMPLES.is_dir(), reason="there are no real records in ../shared/mahjong-soul")


def samples() -> list[Path]:
    """Return the files of the samples that must be read."""
    return [path for path in sorted(SAMPLES.glob("*")) if path.name not in REFUSED]


@needs_samples
@pytest.mark.parametrize("path", samples(), ids=lambda path: path.name.replace(SAME, "same.")[:16])
def test_read(path: Path) -> None:
    """A sample is read, with wins and payments as the play says, and the result that its head has."""
    (match,) = read(path)
    assert match.rules.house is House.MAHJONG_SOUL
    assert match.frames
    assert list(check_match(match)) == []
    assert all(frame.wall is not None and frame.end.points is not None for frame in match.frames)
    if match.results is not None:
        assert final_points(match.frames[-1]) == match.final_points


@needs_samples
def test_wrappings() -> None:
    """A game is the same in six binary wrappings and as JSON, except that details have no head."""
    matches: dict[str, Match] = {path.name: read(path)[0] for path in samples() if path.name.startswith(SAME)}
    assert len(matches) == 6
    whole = matches[f"{SAME}txt"]
    assert {name for name, match in matches.items() if match != whole} == {f"{SAME}details-wrapped.bin"}
    assert {match.frames for match in matches.values()} == {whole.frames}


@needs_samples
@pytest.mark.parametrize(("name", "reason"), REFUSED.items())
def test_refused(name: str, reason: str) -> None:
    """A made-up test table, and a record that is only an address, are refused."""
    with pytest.raises(MahjongSoulError) as refused:
        read(SAMPLES / name)
    assert refused.value.reason == reason
