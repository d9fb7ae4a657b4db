"""A step of the page changes only what differs: its new elements are counted, and its CPU time is compared with that of
drawing everything."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median
from typing import Any

import pytest
from browsing import page
from playing import matches

from jmjp_convert.view.page import view_page

GAME = "--seed 1 --games 1 --rules 9"
FRAMES = """
  const walk = (count, before) => {
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
COUNT = f"""(count) => {{{FRAMES}
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
STEPS = f"([count, whole]) => {{{FRAMES} walk(count, whole ? forget : () => {{}}); }}"


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


def test_cost_of_a_step(opened: Any) -> None:
    """A step takes at most a quarter of the CPU time, style and layout included, of drawing the page from nothing."""
    session = opened.context.new_cdp_session(opened)
    session.send("Performance.enable")
    spent = {False: 0.0, True: 0.0}
    for _ in range(3):  # in turn, so that whatever else the machine does slows both
        for whole in spent:
            before = busy(session)
            opened.evaluate(STEPS, [30, whole])
            spent[whole] += busy(session) - before
    assert 0 < spent[False] <= spent[True] / 4


def busy(session: Any) -> float:
    """Return the seconds of CPU time that the page's main thread has taken."""
    found = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
    return float(found["TaskDuration"])
