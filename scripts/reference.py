#!/usr/bin/env python3
"""Write the API reference of Python: HTML pages made by pdoc from the docstrings of the public names."""

from __future__ import annotations

import sys
from pathlib import Path

import activate  # noqa: F401 - before what needs its packages
from commandline import Parser, run

import jmjp_convert

USUAL = Path(__file__).parent.parent / "build" / "reference"


def build(directory: Path) -> None:
    """Write the pages to *directory*: one for the package, with all public names, one for its module of tiles."""
    import pdoc.docstrings
    import pdoc.render

    for name in dir(jmjp_convert):  # pdoc does not ask for names that are imported on demand
        setattr(jmjp_convert, name, getattr(jmjp_convert, name))
    convert = pdoc.docstrings.rst
    pdoc.docstrings.rst = lambda contents, source_file: convert(contents.replace(":ivar ", ":param "), source_file)
    pdoc.render.configure(docformat="restructuredtext", show_source=False)
    pdoc.pdoc("jmjp_convert", r"!jmjp_convert\..+", "jmjp_convert.model.tiles", output_directory=directory)


def _main() -> None:
    parser = Parser(__file__, __doc__)
    parser.add_argument("directory", nargs="?", type=Path, default=USUAL, help="where to (default: build/reference)")
    build(parser.parse_args().directory)


if __name__ == "__main__":
    sys.exit(run(__file__, _main))
