#!/usr/bin/env python3
"""Measure how the list of a site with very many games loads, and print it as a Markdown table.

The games are invented, and have no pages; list and statistics are written as for a real site. The list is opened from
disk in Chromium: 2,000 games in a window of a phone with a processor four times slower, 200,000 games in one of a
desk. Times are the shortest of nine, until rows can be seen; that of the processor, which does not depend on what
else the machine does, and memory are those of the process of the page, less those of an empty page, and memory of its
objects alone. Requires playwright, which the extra `dev` installs, a Chromium, and Linux.
"""

from __future__ import annotations

import os
import random
import re
import resource
import shutil
import sys
import tempfile
import time
from itertools import accumulate
from pathlib import Path
from typing import Any

import activate  # noqa: F401 - before what needs its packages
from commandline import Parser, at_least, run

from jmjp_convert.model import tenhou
from jmjp_convert.stats.counts import Counts, Part, Person
from jmjp_convert.view.list import ListedGame
from jmjp_convert.view.site import Game, Site

RUNS = ((2_000, (390, 844), 4), (200_000, (1280, 800), 1))
"""For each run, the games, the window, and how much slower the processor is made."""
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--enable-precise-memory-info",
)
TIMES = 9
YAKU = (*range(10), 18, 19, 20, 22, 25, 28, 34, 52, 53, 54)
YAKUMAN = (39, 40, 47)
POINTS = (1000, 1300, 2000, 2600, 3900, 5200, 7700, 8000, 12000, 16000)
RULES = (9, 41, 137, 169)
WINS = 9
KINDS, FREQUENT = 8_000, 5
"""Of how many wins (points and yaku) those of the games are, and how unequal they are: of 1,061 in games of Tenhou, 622
differed."""
FIRST_YEAR, YEARS, DAYS = 2010, 10, 28
SAY = """new PerformanceObserver((marks) => {
  if (marks.getEntriesByName("all games").length) console.log("all games");
}).observe({ type: "mark" })"""
"""Says when all games are there: to ask again and again would slow the page."""
MARKS = "() => Object.fromEntries(performance.getEntriesByType('mark').map((one) => [one.name, one.startTime]))"
FILTER = """() => {
  const start = performance.now();
  document.getElementById("player").value = "player 123";
  document.getElementById("yaku").value = "Pinfu";
  document.getElementById("filters").dispatchEvent(new Event("input"));
  return performance.now() - start;
}"""
SORT = """() => {
  const start = performance.now();
  document.querySelector("thead th:nth-child(3) button").click();
  return performance.now() - start;
}"""

HEAD = """\
| games | window, processor | list | first rows | all | of the processor | memory (objects) | filter | sort by player |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |"""


def filled(folder: Path, games: int) -> None:
    """Write the list and statistics of a site of so many *games*."""
    site = Site(folder)
    chance = random.Random(1)  # noqa: S311 - the same games each time
    players = [(f"player {number}", int(1e6 / (number + 20))) for number in range(max(40, games // 10))]
    kinds = [[chance.choice(POINTS), *_yaku(chance)] for _ in range(KINDS)]
    shares = [*accumulate(1 / (number + FREQUENT) for number in range(KINDS))]
    names = [name for name, _ in players]
    weights = [*accumulate(weight for _, weight in players)]
    for number in range(games):
        wins = [[chance.randrange(4), *kind] for kind in chance.choices(kinds, cum_weights=shares, k=WINS)]
        row, people = _row(chance, number, chance.choices(names, cum_weights=weights, k=4), wins)
        parts = [
            Part(Person(name, 4), Counts(games=1, placed=1, frames=row.hands, wins=2), number, 1000) for name in people
        ]
        month = f"{row.date // 10000}-{row.date // 100 % 100:02}"
        site.record(Game(month, row.name, 0, row, parts), str(number))
    site.finish()
    site.close()


def _row(chance: random.Random, number: int, names: list[str], wins: list[list[int]]) -> tuple[ListedGame, list[str]]:
    code = chance.choice(RULES)
    day = (FIRST_YEAR + number % YEARS) * 10000 + chance.randint(1, 12) * 100 + chance.randint(1, DAYS)
    name = f"{day}{chance.randrange(24):02}gm-{code:04x}-0000-{chance.getrandbits(32):08x}"
    points = sorted((100 * chance.randint(-50, 600) for _ in names), reverse=True)
    title, room = tenhou.title(code, 0), tenhou.room(code)
    assert room is not None
    table = ["tenhou", [room.native, room.roman], [title.native, title.roman]]
    people = [[one, one, ""] for one in names]
    return ListedGame(name, day, chance.randrange(24) * 100, table, people, points, points, WINS + 1, wins, []), names


def _yaku(chance: random.Random) -> list[int]:
    if chance.random() < 1 / 2000:
        return [2 * chance.choice(YAKUMAN) + 1]
    return sorted({2 * yaku for yaku in chance.choices(YAKU, k=3)})


def shown(browser: Any, page: Path, size: tuple[int, int], slower: int) -> dict[str, float]:
    """Return what is measured of the list *page*, in seconds and bytes."""
    context = browser.new_context(viewport={"width": size[0], "height": size[1]})
    tab = context.new_page()
    client = context.new_cdp_session(tab)
    client.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    empty = page.parent / "assets" / "empty.html"
    empty.write_text("<!DOCTYPE html><title></title>", encoding="utf-8")
    tab.goto(empty.as_uri())
    before, started = _renderers()
    tab.add_init_script(SAY)
    with tab.expect_console_message():
        tab.goto(page.as_uri(), wait_until="commit")
    marks = tab.evaluate(MARKS)
    peak, processor = _renderers()
    found = {name: value / 1000 for name, value in marks.items()} | {
        "peak": peak - before,
        "processor": processor - started,
    }
    client.send("HeapProfiler.collectGarbage")
    found |= {"memory": _renderers()[0] - before, "objects": client.send("Runtime.getHeapUsage")["usedSize"]}
    found["objects"] += client.send("Runtime.getHeapUsage").get("backingStorageSize", 0)
    found["filter"], found["sort"] = tab.evaluate(FILTER) / 1000, tab.evaluate(SORT) / 1000
    context.close()
    return found


def _renderers() -> tuple[float, float]:
    """Return how much memory the processes for pages, of our browser, have to themselves, in bytes, and how many
    seconds of the processor they have used."""
    total, seconds = 0, 0.0
    for process in Path("/proc").iterdir():
        try:
            if (
                process.name.isdigit()
                and b"--type=renderer" in (process / "cmdline").read_bytes()
                and _is_ours(process)
            ):
                private = re.findall(r"^Private_\w+: +(\d+) kB", (process / "smaps_rollup").read_text(), re.MULTILINE)
                total += 1024 * sum(map(int, private))
                ticks = (process / "stat").read_text().rpartition(")")[2].split()
                seconds += (int(ticks[11]) + int(ticks[12])) / os.sysconf("SC_CLK_TCK")
        except OSError:
            continue
    return total, seconds


def _is_ours(process: Path) -> bool:
    """Return whether *process* descends from this one."""
    while process.name not in ("0", "1"):
        if process.name == str(os.getpid()):
            return True
        process = process.with_name((process / "stat").read_text().rpartition(")")[2].split()[1])
    return False


def chromium() -> str:
    """Return the path of the system's Chromium."""
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        sys.exit("site_load.py: no chromium on this system")
    return found


def main() -> None:
    """Measure and print."""
    parser = Parser(__file__, __doc__)
    parser.add_argument("--games", type=at_least(1), help="measure only one list, of so many games, as on a desk")
    games = parser.parse_args().games
    from playwright.sync_api import sync_playwright

    print(HEAD)
    for number, size, slower in [(games, *RUNS[-1][1:])] if games else RUNS:
        with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
            site = Path(folder, "site")
            started = time.perf_counter()
            filled(site, number)
            seconds = time.perf_counter() - started
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
            print(f"{number:,} games written in {seconds:.0f} s with at most {peak:.0f} MB", file=sys.stderr)
            data = sum(path.stat().st_size for path in (site / "games").glob("*.js"))
            browser = playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
            all_found = [shown(browser, site / "index.html", size, slower) for _ in range(TIMES)]
            found = {name: min(one[name] for one in all_found) for name in all_found[0]}
            found["peak"] = max(one["peak"] for one in all_found)
            browser.close()
        window = f"{size[0]} × {size[1]}, {'as it is' if slower == 1 else f'{slower} times slower'}"
        times = [f"{found[name]:.2f} s" for name in ("first rows", "all games", "processor")]
        memory = f"{found['memory'] / 1e6:.0f} MB, at most {found['peak'] / 1e6:.0f} ({found['objects'] / 1e6:.0f})"
        rest = [f"{found[name] * 1000:.0f} ms" for name in ("filter", "sort")]
        print(" | ".join(["|" + f" {number:,}", window, f"{data / 1e6:.1f} MB", *times, memory, *rest]), "|")


if __name__ == "__main__":
    sys.exit(run(__file__, main))
