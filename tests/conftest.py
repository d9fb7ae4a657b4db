"""Files as cases: a test that takes one of these arguments runs once for each file.

- ``valid_input``: an input in ``fixtures/valid``
- ``expectation``: what one of them gives, ``.jmjp``
- ``invalid_input``: an input in ``fixtures/invalid``

And a log whose wall is known, made by the test; and signals that are heard.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from jmjp_convert.check.shuffle import walls
from jmjp_convert.model import Shuffle, ShuffleForm, Start

FIXTURES = Path(__file__).parent.parent / "fixtures"


def cases(argument: str) -> list[Path]:
    """Return the files that *argument* stands for."""
    folder, outputs = (FIXTURES / "invalid", ".err") if argument == "invalid_input" else (FIXTURES / "valid", ".jmjp")
    found = sorted(path for path in folder.iterdir() if (path.suffix == outputs) == (argument == "expectation"))
    assert found, f"no {argument} in {folder}"
    return found


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make a test of each file."""
    for argument in {"valid_input", "expectation", "invalid_input"}.intersection(metafunc.fixturenames):
        metafunc.parametrize(argument, cases(argument), ids=lambda path: path.name)


@pytest.fixture
def heard_signals() -> Iterator[None]:
    """Let processes hear the signals that end a program: whoever runs the tests may have had them ignored (as a shell
    does with what runs in the background), and that is handed on."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    for number in before:
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def seeded_log() -> str:
    """An invented log of one unfinished frame, dealt from the wall of an invented seed."""
    seed = ",".join(["mt19937ar-sha512-n288", *(f"{0x9E3779B9 * number % (1 << 32):08X}" for number in range(1, 9))])
    start = Start(0, 0, 0, 0, None, None, ())
    (wall,) = walls(Shuffle(ShuffleForm.HEX, seed), [start], 4)
    dice = ",".join(str(die - 1) for die in wall.dice)
    hands = " ".join(f'hai{player}="{",".join(map(str, hand))}"' for player, hand in enumerate(wall.hands))
    turns = "".join(
        f"<{draw}{tile}/><{discard}{tile}/>" for draw, discard, tile in zip("TUVW", "DEFG", wall.draws, strict=False)
    )
    return (
        f'<mjloggm ver="2.3"><SHUFFLE seed="{seed}" ref=""/><GO type="9" lobby="0"/>'
        '<UN n0="A" n1="B" n2="C" n3="D"/><TAIKYOKU oya="0"/>'
        f'<INIT seed="0,0,0,{dice},{wall.indicators[0]}" ten="250,250,250,250" oya="0" {hands}/>{turns}</mjloggm>'
    )
