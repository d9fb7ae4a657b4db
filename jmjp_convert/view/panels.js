"use strict";
// The panels next to the table: frames, points curve, result, wall.

// --- the frames --------------------------------------------------------------------------------------------------------

function drawFrames(view) {
  const list = byId("frames");
  renew(list, [view.lang], () => list.replaceChildren(...view.game.frames.map((frame, index) => el("li", {}, el(
    "button", { type: "button", "data-key": `frame-${index}`, onclick: () => view.go({ index, step: 0 }) },
    el("strong", {}, roundName(view, frame, frame.start.honba)),
    howElement(view, frame),
  )))));
  for (const [index, item] of [...list.children].entries()) put(item.firstChild, { "aria-current": index === view.index && "true" });
  renew(list.lastChild, [view.lang, view.index], () => intoSight(list, list.children[view.index]));
}

/** Scroll `list`, and not the page, so that `item` is in sight. */
function intoSight(list, item) {
  list.scrollTop = item.offsetTop - (list.clientHeight - item.offsetHeight) / 2;
}

/** How a frame ended, in one line. */
function howElement(view, frame) {
  const parts = howEnded(view, frame);
  const line = parts.flatMap((part, index) => (index ? [" / ", part] : [part]));
  const made = el("span.how", {}, ...line);
  return put(made, { title: made.textContent });
}

/** How a frame ended, in short: a win or a draw each. */
function howEnded(view, frame) {
  const { words, names } = view;
  const ends = frame.events.filter((event) => event.type === "win" || event.type === "ryuukyoku");
  if (!ends.length) return [view.about[view.lang].ends[view.game.frames.indexOf(frame)] ?? words.unfinished];
  return ends.map((end) => {
    if (end.type === "ryuukyoku") return el("span", {}, end.kind ? view.named(NAMES.draws[end.kind]) : words.said.ryuukyoku());
    const won = end.source === undefined ? [words.tsumo] : withName(words.ron(NAME), names[end.source]);
    return el("span", {}, el("bdi", {}, names[end.player]), " ", ...won, end.score && el("em", {}, ` ${end.score.points}`));
  });
}

// --- the points over the frames ------------------------------------------------------------------------------------------

const CURVE = { width: 440, height: 130, left: 46, right: 8, top: 8, bottom: 20 };

/** The known points at the start of each frame and at the end of the last one. */
function pointsOver(game) {
  const known = game.frames.map((frame, index) => [index, frame.start.points]);
  const last = game.frames[game.frames.length - 1];
  if (last) known.push([game.frames.length, last.end.points]);
  return known.filter(([, points]) => points);
}

function drawCurve(view) {
  const curve = byId("curve");
  renew(curve, [view.lang, view.index], () => {
    const known = pointsOver(view.game);
    put(curve.parentElement, { hidden: known.length < 2 });
    curve.replaceChildren(...(known.length < 2 ? [] : curveParts(view, known)));
  });
}

function curveParts(view, known) {
  const { width, height, left, right, top, bottom } = CURVE;
  const all = known.flatMap(([, points]) => points);
  const [low, high] = [Math.min(0, ...all), Math.max(...all)];
  const x = (index) => left + ((width - left - right) * index) / view.game.frames.length;
  const y = (points) => top + ((height - top - bottom) * (high - points)) / (high - low || 1);
  const marks = [...new Set([low, known[0][1][0], high])].map((points) => [
    svg("line", { class: "grid", x1: left, x2: width - right, y1: y(points), y2: y(points) }),
    svg("text", { class: "axis", x: left - 4, y: y(points) + 3, "text-anchor": "end" }, String(points)),
  ]);
  const lines = view.names.map((name, player) => svg("g", { class: `line p${player}` },
    svg("polyline", { points: known.map(([index, points]) => `${x(index)},${y(points[player])}`).join(" ") }),
    ...known.map(([index, points]) => svg("circle", { cx: x(index), cy: y(points[player]), r: 2.4 }))));
  const now = svg("line", { class: "now", x1: x(view.index), x2: x(view.index), y1: top, y2: height - bottom });
  const roundOf = (frame) => frame?.name.split("-")[0];
  const rounds = view.game.frames.flatMap((frame, index) => (roundOf(frame) === roundOf(view.game.frames[index - 1]) ? [] : [
    svg("text", { class: "axis", x: x(index), y: height - 5, "text-anchor": "middle" }, shortName(view, roundOf(frame)))]));
  const label = view.names.map((name, player) => `${name}: ${known.map(([, points]) => points[player]).join(", ")}`).join("; ");
  return [
    svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label }, ...marks.flat(), now, ...lines, ...rounds),
    el("ul.key", {}, ...view.names.map((name, player) => el(`li.p${player}`, {}, el("bdi", {}, name)))),
  ];
}

/** The name of a round in the page's language, short: ``E1`` is 東1. */
function shortName(view, round) {
  return view.words.winds["ESWN".indexOf(round[0])][0] + round.slice(1);
}

/** Column heads for screen readers only; sighted readers do not need them. */
function headElement(...heads) {
  return el("thead", {}, el("tr", {}, ...heads.filter(Boolean).map((head) => el("th", { scope: "col" }, el("span.spoken", {}, head)))));
}

function signed(number, text = String(Math.abs(number))) {
  return number > 0 ? `+${text}` : number < 0 ? `−${text}` : "±0";
}

// --- the result ------------------------------------------------------------------------------------------------------------

function drawResult(view) {
  const result = byId("result");
  const { end } = view.game;
  const known = Boolean(end.final_points || end.results);
  put(result.parentElement, { hidden: !known });
  renew(result, [view.lang], () => known && result.replaceChildren(resultTable(view, end)));
}

function resultTable(view, end) {
  const { words } = view;
  const value = (player) => end.final_points?.[player] ?? end.results[player];
  const ranking = view.names.map((_, player) => player).sort((one, other) => value(other) - value(one) || one - other);
  const about = (player) => [!view.about.known[player] && words.nameless, rankOf(view, player)].filter(Boolean).join(", ");
  const heads = [words.placing, words.player, words.score, end.results && words.result, end.chips && words.chips];
  return el(
    "table", {},
    headElement(...heads),
    el("tbody", {}, ...ranking.map((player, place) => el(
      "tr", {},
      el("td.place", {}, words.place(place + 1)),
      el("th", { scope: "row" }, el("bdi", {}, view.names[player]), el("small", {}, ` ${about(player)}`)),
      el("td", {}, end.final_points ? String(end.final_points[player]) : ""),
      end.results && el(`td.${end.results[player] < 0 ? "loss" : "gain"}`, {}, signed(end.results[player], (Math.abs(end.results[player]) / 1000).toFixed(1))),
      end.chips && el("td", { title: words.chips }, String(end.chips[2 * player] ?? "")),
    ))),
  );
}

// --- the wall --------------------------------------------------------------------------------------------------------------

/** The remaining draws and the dead wall, if the wall is known. */
function drawWall(view, state) {
  const panel = byId("wall");
  const wall = view.wall && !view.quiz && view.about.walls?.[view.index];
  put(panel, { hidden: !wall });
  if (!wall) return;
  const { words, codeOf } = view;
  renew(panel, [view.lang], () => panel.replaceChildren(el("h2", {}, words.wall), ...Array.from({ length: 4 }, wallRow)));
  const rows = [
    [words.toCome, wall.draws.slice(state.draws, wall.draws.length - state.replacements)],
    [words.replacements, wall.replacements.slice(state.replacements)],
    [words.indicators, wall.indicators],
    [words.ura, wall.ura],
  ];
  for (const [index, [name, tiles]] of rows.entries()) {
    const [head, row] = panel.children[index + 1].children;
    put(head, {}, name);
    put(row, { "aria-label": `${name}: ${tiles.map((tile) => words.tile(codeOf(tile))).join(", ")}` });
    keep(row, tiles.map((tile) => [tile, () => tileElement(codeOf(tile))]));
  }
}

function wallRow() {
  return el("div.wall-row", {}, el("h3"), el("div.small", { role: "img" }));
}
