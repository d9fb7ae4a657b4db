"use strict";
// The panels next to the table: frames, outcome, points curve, result, wall.

// --- the frames --------------------------------------------------------------------------------------------------------

function drawFrames(view) {
  const list = document.getElementById("frames");
  const items = view.game.frames.map((frame, index) => {
    const current = index === view.index;
    return el("li", {}, el(
      "button.frame", { type: "button", "data-key": `frame-${index}`, "aria-current": current ? "true" : null, onclick: () => view.go({ index, step: 0 }) },
      el("strong", {}, view.words.round(view.words.winds[Math.floor(frame.start.round / 4)], (frame.start.round % 4) + 1, frame.start.honba)),
      el("span.how", { dir: "auto" }, ...howEnded(view, frame)),
    ));
  });
  list.replaceChildren(...items);
}

/** How a frame ended, in short. */
function howEnded(view, frame) {
  const { words, names } = view;
  const ends = frame.events.filter((event) => event.type === "win" || event.type === "ryuukyoku");
  if (!ends.length) return [view.about[view.lang].ends[view.game.frames.indexOf(frame)] ?? words.unfinished];
  return ends.map((end) => {
    if (end.type === "ryuukyoku") return el("span", {}, end.kind ? view.named(NAMES.draws[end.kind]) : words.said.ryuukyoku());
    const won = end.source === undefined ? words.tsumo : words.ron(names[end.source]);
    return el("span", {}, `${names[end.player]} ${won}`, end.score && el("em", {}, ` ${end.score.points}`));
  });
}

// --- how a frame ended ---------------------------------------------------------------------------------------------------

/** Whether there is an outcome to show. */
function isOver(view, state) {
  return state.wins.length > 0 || state.draw !== null || (view.step === view.frame.events.length && view.step > 0);
}

function drawOutcome(view, state) {
  const panel = document.getElementById("outcome");
  const button = document.getElementById("outcome-switch");
  const ends = [...state.wins, ...(state.draw ? [state.draw] : [])];
  const over = isOver(view, state);
  // Not "disabled": it would lose the focus, and the page its keyboard control.
  button.setAttribute("aria-disabled", String(!over));
  panel.hidden = !over || view.quiet;
  if (panel.hidden) {
    if (panel.contains(document.activeElement)) button.focus({ preventScroll: true });
    panel.replaceChildren();
    return;
  }
  const parts = state.wins.map((win) => winElement(view, state, win));
  if (state.draw) parts.push(drawElement(view, state));
  if (!ends.length) parts.push(el("h3", {}, view.about[view.lang].ends[view.index] ?? view.words.unfinished));
  parts.push(paymentsElement(view, state, ends));
  const close = el("button.close", { type: "button", "data-key": "close", "aria-label": view.words.close, onclick: () => view.go({ quiet: true }) }, "×");
  panel.replaceChildren(close, ...parts);
}

function winElement(view, state, win) {
  const { words, codeOf, names } = view;
  const hand = state.hands[win.player] ?? [];
  const tiles = hand.map((tile) => tileElement(codeOf(tile)));
  tiles.push(tileElement(codeOf(win.tile), "apart", "winning"));
  const spoken = [...hand, win.tile].map((tile) => words.tile(codeOf(tile))).join(", ");
  const melds = state.melds[win.player].map((meld) => meldElement(meld, codeOf, words.call[meld.type]));
  const shownDora = [[words.indicators, state.indicators], [words.ura, win.ura ?? []]].filter(([, some]) => some.length);
  return el(
    "section.win", {},
    el("h3", { dir: "auto" }, `${names[win.player]} `, el("span", {}, win.source === undefined ? words.tsumo : words.ron(names[win.source]))),
    tileRow("div.shown", `${words.hand}: ${spoken}`, [...tiles, ...(melds.length ? [el("span.gap"), ...melds] : [])]),
    el("div.under", {}, ...shownDora.map(([name, some]) => el("span", {}, `${name} `, tileRow("span.small", `${some.map((tile) => words.tile(codeOf(tile))).join(", ")}`, some.map((tile) => tileElement(codeOf(tile))))))),
    win.score ? scoreElement(view, win) : el("p", { dir: "auto" }, wordsFor(view, state.wins.indexOf(win), state.wins.length)),
    win.pao !== undefined && el("p", {}, `${words.pao}: ${names[win.pao]}`),
  );
}

/** The words of the record on one of several wins. */
function wordsFor(view, index, count) {
  const said = view.about[view.lang].ends[view.index] ?? "";
  const each = said.split(" / ");
  return each.length === count ? each[index] : said;
}

function scoreElement(view, win) {
  const { words } = view;
  const { score } = win;
  const counted = (score.yaku ?? []).filter(({ han }) => han !== 0);
  const yaku = counted.map(({ number, han }) => [NAMES.yaku[number], han === undefined ? "" : words.han(han)]);
  const han = counted.reduce((sum, one) => sum + one.han, 0); // NaN for yakuman, which have no han
  const limit = NAMES.limits[score.limit];
  const worth = [!Number.isNaN(han) && words.fuHan(score.fu, han), limit && view.named(limit), words.worth(score.points)];
  return el(
    "div.score", {},
    el("ul.yaku", {}, ...yaku.map(([name, value]) => el("li", {}, el("span", {}, view.named(name)), el("span", {}, value)))),
    el("p.worth", {}, worth.filter(Boolean).join(view.lang === "ja" ? " " : ", ")),
  );
}

function drawElement(view, state) {
  const { words, names } = view;
  const kind = state.draw.kind;
  const tenpai = (state.draw.shown ?? []).flatMap((hand, player) => (hand ? [names[player]] : []));
  const pays = kind === undefined || kind === "exhaustive" || kind === "nagashi";
  return el(
    "section.drawn-frame", {},
    el("h3", {}, kind ? view.named(NAMES.draws[kind]) : words.said.ryuukyoku()),
    pays && tenpai.length > 0 && el("p", { dir: "auto" }, `${words.tenpai}: ${tenpai.join(", ")}`),
  );
}

/** Who paid whom: each player's gain or loss for each win or draw, and the points after the frame. */
function paymentsElement(view, state, ends) {
  const paid = ends.filter((end) => end.changes);
  const after = state.points ?? (view.step === view.frame.events.length ? view.frame.end.points : null);
  const { words } = view;
  return el(
    "table.payments", {},
    headElement(words.player, ...paid.map(() => words.change), words.score),
    el("tbody", {}, ...view.names.map((name, player) => el(
      "tr", {},
      el("th", { scope: "row", dir: "auto" }, el("span.wind", {}, words.winds[windOf(player, view.frame)][0]), name),
      ...paid.map((end) => changeCell(end.changes[player])),
      el("td.after", {}, after ? String(after[player]) : "–"),
    ))),
  );
}

/** Column heads for screen readers only; sighted readers do not need them. */
function headElement(...heads) {
  return el("thead", {}, el("tr", {}, ...heads.map((head) => el("th", { scope: "col" }, el("span.spoken", {}, head)))));
}

function changeCell(change) {
  return el(`td.${change > 0 ? "gain" : change < 0 ? "loss" : "even"}`, {}, signed(change));
}

function signed(number, text = String(Math.abs(number))) {
  return number > 0 ? `+${text}` : number < 0 ? `−${text}` : "±0";
}

// --- the points over the frames ------------------------------------------------------------------------------------------

const CURVE = { width: 320, height: 150, left: 40, right: 8, top: 8, bottom: 18 };

/** The known points at the start of each frame and at the end of the last one. */
function pointsOver(game) {
  const known = game.frames.map((frame, index) => [index, frame.start.points]);
  const last = game.frames[game.frames.length - 1];
  if (last) known.push([game.frames.length, last.end.points]);
  return known.filter(([, points]) => points);
}

function drawCurve(view) {
  const known = pointsOver(view.game);
  const section = document.getElementById("curve").parentElement;
  section.hidden = known.length < 2;
  if (section.hidden) return;
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
    svg("text", { class: "axis", x: x(index), y: height - 5, "text-anchor": "middle" }, roundOf(frame))]));
  const label = view.names.map((name, player) => `${name}: ${known.map(([, points]) => points[player]).join(", ")}`).join("; ");
  document.getElementById("curve").replaceChildren(
    svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label }, ...marks.flat(), now, ...lines, ...rounds),
    el("ul.key", {}, ...view.names.map((name, player) => el(`li.p${player}`, { dir: "auto" }, name))),
  );
}

// --- the result ------------------------------------------------------------------------------------------------------------

function drawResult(view) {
  const { end } = view.game;
  const { words } = view;
  const section = document.getElementById("result").parentElement;
  section.hidden = !end.final_points && !end.results;
  if (section.hidden) return;
  const value = (player) => end.final_points?.[player] ?? end.results[player];
  const ranking = view.names.map((_, player) => player).sort((one, other) => value(other) - value(one) || one - other);
  const heads = [words.place, words.player, words.score, end.results && words.result, end.chips && words.chips];
  document.getElementById("result").replaceChildren(el(
    "table", {},
    headElement(...heads.filter(Boolean)),
    el("tbody", {}, ...ranking.map((player, place) => el(
      "tr", {},
      el("td.place", {}, String(place + 1)),
      el("th", { scope: "row", dir: "auto" }, view.names[player], view.ranks[player] && el("small", {}, ` ${view.ranks[player]}`)),
      el("td", {}, end.final_points ? String(end.final_points[player]) : ""),
      end.results && el(`td.${end.results[player] < 0 ? "loss" : "gain"}`, {}, signed(end.results[player], (Math.abs(end.results[player]) / 1000).toFixed(1))),
      end.chips && el("td", { title: words.chips }, String(end.chips[2 * player] ?? "")),
    ))),
  ));
}

// --- the wall --------------------------------------------------------------------------------------------------------------

/** The remaining draws and the dead wall, if the wall is known. */
function drawWall(view, state) {
  const panel = document.getElementById("wall");
  const wall = view.about.walls?.[view.index];
  panel.hidden = !wall || !view.wall;
  if (panel.hidden) {
    panel.replaceChildren();
    return;
  }
  const { words, codeOf } = view;
  const rows = [
    [words.toCome, wall.draws.slice(state.draws, wall.draws.length - state.replacements)],
    [words.replacements, wall.replacements.slice(state.replacements)],
    [words.indicators, wall.indicators],
    [words.ura, wall.ura],
  ];
  panel.replaceChildren(el("h2", {}, words.wall), ...rows.map(([name, tiles]) => el("div.wall-row", {},
    el("h3", {}, name),
    tileRow("div.small", `${name}: ${tiles.map((tile) => words.tile(codeOf(tile))).join(", ")}`, tiles.map((tile) => tileElement(codeOf(tile)))))));
}
