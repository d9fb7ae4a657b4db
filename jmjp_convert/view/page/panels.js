"use strict";
// The panels next to the table: which of them is shown, the points curve, the wall.

/** Bring the table back into sight, where the panels are below it. */
function toTable() {
  scrollTo({ top: 0 });
}

const TABS = ["scores", "plays", "share"];

/** Show the panel `tab`, and scroll to it where it is below the table; from there, back to the table. */
function openTab(tab) {
  if (view.quiz) return undefined;
  const back = view.tab === tab && scrollY > 0;
  remember("tab", tab);
  go({ tab });
  if (back) return toTable();
  byId("tabs").scrollIntoView({ block: "start" });
  const panel = byId(`${tab}-panel`);
  return intoSight(panel, panel.querySelector("[aria-current]"));
}

/** The panel that is shown: in a quiz the one that says nothing of the game. */
function drawTabs(view) {
  const shown = view.quiz ? "share" : view.tab;
  renew(byId("tabs"), [shown, view.quiz], () => {
    put(byId("tabs"), { hidden: Boolean(view.quiz) });
    for (const tab of TABS) put(byId(`${tab}-panel`), { hidden: tab !== shown });
    for (const button of document.querySelectorAll("[data-tab]")) {
      put(button, { "aria-current": button.dataset.tab === shown && "true", "aria-disabled": view.quiz && "true" });
    }
  });
}

// --- the points over the hands -------------------------------------------------------------------------------------------

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
    svg("text", { class: "axis", x: left - 4, y: y(points) + 3, "text-anchor": "end" }, number(points)),
  ]);
  const lines = view.names.map((name, player) => svg("g", { class: `line p${player}` },
    svg("polyline", { points: known.map(([index, points]) => `${x(index)},${y(points[player])}`).join(" ") }),
    ...known.map(([index, points]) => svg("circle", { cx: x(index), cy: y(points[player]), r: 2.4 }))));
  const now = svg("line", { class: "now", x1: x(view.index), x2: x(view.index), y1: top, y2: height - bottom });
  const roundOf = (frame) => frame?.name.split("-")[0];
  const rounds = view.game.frames.flatMap((frame, index) => (roundOf(frame) === roundOf(view.game.frames[index - 1]) ? [] : [
    svg("text", { class: "axis", x: x(index), y: height - 5, "text-anchor": "middle" }, shortName(view, frame.name))]));
  const label = view.names.map((name, player) => `${name}: ${known.map(([, points]) => points[player]).join(", ")}`).join("; ");
  return [
    svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label }, ...marks.flat(), now, ...lines, ...rounds),
    el("ul.key", {}, ...view.names.map((name, player) => el(`li.p${player}`, {}, el("bdi", {}, name)))),
  ];
}

/** Column heads for screen readers only; sighted readers do not need them. */
function headElement(...heads) {
  return el("thead", {}, el("tr", {}, ...heads.filter(Boolean).map((head) => el("th", { scope: "col" }, el("span.spoken", {}, head)))));
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
