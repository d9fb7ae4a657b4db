"""How the scripts read their arguments, and report that they cannot go on: in one line, as `jmjp` does."""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

FAILED = 1
USAGE_ERROR = 2
_INTERRUPTED = 130


class Parser(argparse.ArgumentParser):
    """A parser for *script* whose help is *doc* and *epilog* as they are, and that reports an error in one line."""

    def __init__(self, script: str, doc: str | None, epilog: str | None = None) -> None:
        raw = argparse.RawDescriptionHelpFormatter
        super().__init__(prog=Path(script).name, description=doc, epilog=epilog, formatter_class=raw)

    def error(self, message: str) -> NoReturn:
        """Exit because of an invalid argument."""
        sys.exit(say(self.prog, message, USAGE_ERROR))


def at_least(least: int) -> Callable[[str], int]:
    """Return a parser of integers of at least *least*."""

    def read(text: str) -> int:
        number = int(text) if text.isdecimal() else least - 1
        if number < least:
            raise argparse.ArgumentTypeError(f"{text} is not an integer of at least {least}")
        return number

    return read


def say(script: str, text: str, code: int) -> int:
    """Report *text* on stderr; return *code*, the exit code."""
    print(f"{Path(script).name}: {text}", file=sys.stderr)
    return code


def run(script: str, main: Callable[[], int | None]) -> int:
    """Return the exit code of *main*; an interruption or an error of the system is reported in one line."""
    try:
        return main() or 0
    except KeyboardInterrupt:
        return say(script, "interrupted", _INTERRUPTED)
    except BrokenPipeError:  # nothing reads the output any more, so there is no one to report to
        sys.stdout = None  # or else Python flushes it in the end, and complains
        return FAILED
    except (OSError, subprocess.CalledProcessError) as error:
        return say(script, str(error), FAILED)
