"""A step of the page changes only what differs: its new elements and its changes of the document are counted."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median
from typing import Any

import pytest
from browsing import page
from playing import matches

from jmjp_convert.view.page import view_page

GAME = "--seed 1 --games 1 --rules 9"
WALK = """
  const walk = (count, before = () => {}) => {
    for (let at = 0; at < count; at += 1) {
      before();
      jmjp.view.go({index: 1, step: at});
      document.body.offsetHeight;
    }
  };
  const forget = () => {
    for (const id of ["board", "own", "frames", "curve", "result", "keys", "legend"]) {
      byId(id).replaceChildren();
      drawnFor.delete(byId(id));
    }
    drawnFor.delete(document.documentElement);
    [table.places, table.calls, centre.plates] = [[], null, []];
  };"""
COUNT = f"""(count) => {{{WALK}
  const counts = [];
  let made = 0;
  for (const name of ["createElement", "createElementNS"]) {{
    const make = document[name].bind(document);
    document[name] = (...given) => {{ made += 1; return make(...given); }};
  }}
  walk(count, () => {{ counts.push(made); made = 0; }});
  forget();
  made = 0;
  jmjp.view.go({{}});
  return [counts.slice(2), made];
}}"""
CHANGES = f"""(count) => {{{WALK}
  walk(1);
  const observer = new MutationObserver(() => {{}});
  observer.observe(document, {{subtree: true, childList: true, attributes: true, characterData: true}});
  walk(count);
  return observer.takeRecords().length;
}}"""


@pytest.fixture(scope="module")
def opened(running: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The page of an ordinary game."""
    file = tmp_path_factory.mktemp("page") / "game.html"
    (match,) = matches(GAME)
    file.write_text(view_page(match), encoding="utf-8")
    with page(running, tab_of="kept") as one:
        one.goto(file.as_uri())
        yield one


def test_elements_of_a_step(opened: Any) -> None:
    """A step makes a tile or two; drawing the page from nothing makes hundreds of elements."""
    counts, whole = opened.evaluate(COUNT, 60)
    assert len(counts) == 58
    assert median(counts) <= 8
    assert max(counts) <= 30
    assert whole > 400


def test_changes_of_a_step(opened: Any) -> None:
    """A step changes about ten nodes and attributes: browsers style and lay out again what changes."""
    assert 60 <= opened.evaluate(CHANGES, 60) <= 60 * 15
