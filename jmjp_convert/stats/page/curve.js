"use strict";
// The results of a player over time, as a running sum: a curve, and the same as a table.

const DAY = 24;
const BEFORE_1970 = 719162; // days from the first of January of the year 1
const HEIGHT = 220;
const EDGE = { left: 52, right: 10, top: 12, bottom: 22 };
const APART = 14; // pixels between two labels
const FEW = 60; // points, with a dot each

/** The points of a curve: from when to when, in hours, the result of the games between, and the sum up to then. */
function pointsOf({ curve: [length, ...numbers] }) {
  const points = [];
  let [place, total] = [0, 0];
  for (let at = 0; at < numbers.length; at += 3) {
    place += numbers[at];
    total += numbers[at + 1];
    points.push({ from: place * length, to: (place + 1) * length, result: numbers[at + 1], games: numbers[at + 2], total });
  }
  return points;
}

function dayText(hours) {
  return new Date((Math.floor(hours / DAY) - BEFORE_1970) * 86400000).toISOString().slice(0, 10);
}

/** When a point is: an hour or several, a day or several. */
function timeText({ from, to }) {
  const hour = (hours) => `${String(hours % DAY).padStart(2, "0")}:00`;
  if (to - from < DAY) return `${dayText(from)} ${hour(from)}`;
  return to - from === DAY ? dayText(from) : `${dayText(from)} – ${dayText(to - 1)}`;
}

function pointText(point, { words }) {
  return words.curveTold(dayText(point.from), dayText(point.to - 1), integer(point.games), pointsText(point.result));
}

/** The section of the curve; nothing if no game of the player has a date and a result. */
function curveSection(player, state, width) {
  const { words } = state;
  const points = pointsOf(player);
  if (!points.length) return null;
  const last = points[points.length - 1];
  const games = points.reduce((sum, point) => sum + point.games, 0);
  const label = pointText({ from: points[0].from, to: last.to, games, result: last.total }, state);
  const left = player.counts.games - games;
  return el("section.wide", {},
    el("h3", {}, words.curve),
    svg("svg", { class: "curve", viewBox: `0 0 ${width} ${HEIGHT}`, role: "img", "aria-label": label }, ...curveParts(points, width, state)),
    el("p.told", {}, label),
    left > 0 && el("p.told", {}, words.undated(integer(left))),
    el("details", {}, el("summary", {}, words.asTable), curveTable(points, state)));
}

function curveParts(points, width, state) {
  const { left, right, top, bottom } = EDGE;
  const [first, last] = [points[0], points[points.length - 1]];
  const totals = points.map(({ total }) => total);
  const [low, high] = [Math.min(0, ...totals), Math.max(0, ...totals)];
  const x = (hours) => left + ((width - left - right) * (hours - first.from)) / (last.to - first.from);
  const y = (total) => top + ((HEIGHT - top - bottom) * (high - total)) / (high - low || 1);
  const marks = [...new Set([0, low, high, last.total])].filter((mark, index, all) => all.slice(0, index).every((other) => Math.abs(y(mark) - y(other)) >= APART));
  const line = [`${x(first.from)},${y(0)}`, ...points.map(({ to, total }) => `${x(to)},${y(total)}`)];
  const text = (at, anchor, hours) => svg("text", { class: "axis", x: at, y: HEIGHT - 5, "text-anchor": anchor }, dayText(hours));
  return [
    ...marks.flatMap((mark) => [
      svg("line", { class: mark ? "grid" : "grid zero", x1: left, x2: width - right, y1: y(mark), y2: y(mark) }),
      svg("text", { class: "axis", x: left - 5, y: y(mark) + 4, "text-anchor": "end" }, pointsText(mark)),
    ]),
    svg("polyline", { points: line.join(" ") }),
    ...(points.length > FEW ? [] : points).map((point) => svg("circle", { cx: x(point.to), cy: y(point.total), r: 3 }, svg("title", {}, pointText(point, state)))),
    text(left, "start", first.from),
    ...(dayText(last.to - 1) === dayText(first.from) ? [] : [text(width - right, "end", last.to - 1)]),
  ];
}

function curveTable(points, { words }) {
  const heads = [words.time, words.games, words.result, words.total];
  return el("table", {},
    el("thead", {}, el("tr", {}, ...heads.map((head) => el("th", { scope: "col" }, head)))),
    el("tbody", {}, ...points.map((point) => el("tr", {},
      el("th", { scope: "row" }, timeText(point)),
      ...[integer(point.games), pointsText(point.result), pointsText(point.total)].map((text) => el("td", {}, text))))));
}
