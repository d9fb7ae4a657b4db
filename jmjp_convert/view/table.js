"use strict";
// The table: four seats around the centre, seen from one of them.

const SIDES = ["bottom", "right", "top", "left"];
const ROW = 6;
const MARKS = { drawn: "drawn", hand: "hand", karagiri: "karagiri", unknown: "unknown" };

/** Where `player` sits as seen from `seat`: 0 is near, 1 right, 2 opposite, 3 left. */
function sideOf(player, seat) {
  return (player - seat + 4) % 4;
}

function windOf(player, frame) {
  return (player - frame.start.dealer + frame.players) % frame.players;
}

/** The number of rows of six in the longest pond of a frame; at least three, so that the table keeps its shape. */
function pondRows(frame) {
  const counts = Array(frame.players).fill(0);
  for (const event of frame.events) if (event.type === "discard") counts[event.player] += 1;
  return Math.max(3, Math.ceil(Math.max(...counts) / ROW));
}

/** Draw everything on the table, for `view` (see main.js) and the `state` of the play. */
function drawTable(view, state) {
  const { frame, words } = view;
  const board = document.getElementById("board");
  board.dataset.rows = pondRows(frame);
  const parts = [];
  for (let player = 0; player < frame.players; player += 1) {
    parts.push(seatElement(view, state, player), tagElement(view, state, player));
  }
  board.replaceChildren(centreElement(view, state), ...parts);
  document.getElementById("own").replaceChildren(...handParts(view, state, view.seat));
  document.getElementById("said").textContent = said(view, state);
  const call = callElement(view, state.event);
  if (call) board.append(call);
  board.setAttribute("aria-label", words.table);
}

function seatElement(view, state, player) {
  const side = sideOf(player, view.seat);
  const seat = el(`div.seat.${SIDES[side]}`, { "data-player": player }, pondElement(view, state, player));
  if (state.riichi[player]) seat.append(el("span.stick"));
  if (side !== 0) seat.append(el("div.strip", { "data-many": state.melds[player].length > 3 }, ...handParts(view, state, player)));
  return seat;
}

// --- ponds -------------------------------------------------------------------------------------------------------------

function pondElement(view, state, player) {
  const { words, codeOf } = view;
  const pond = state.ponds[player];
  const latest = state.event?.type === "discard" && state.event.player === player;
  const rows = [];
  for (let first = 0; first < pond.length; first += ROW) {
    const row = pond.slice(first, first + ROW).map((thrown, index) => {
      const classes = [MARKS[thrown.manner]];
      if (thrown.riichi) classes.push("side", "riichi");
      if (thrown.taken !== null) classes.push("gone");
      if (latest && first + index === pond.length - 1) classes.push("latest");
      return tileElement(codeOf(thrown.tile), ...classes);
    });
    rows.push(el("span.row", {}, ...row));
  }
  const spoken = pond.map((thrown) => spokenDiscard(thrown, words, codeOf)).join(", ");
  return tileRow("div.pond", `${view.names[player]}, ${words.pond}: ${spoken}`, rows);
}

function spokenDiscard(thrown, words, codeOf) {
  const remarks = [
    thrown.manner === "drawn" && words.tsumogiri,
    thrown.manner === "karagiri" && words.karagiri,
    thrown.riichi && words.riichiTile,
    thrown.taken !== null && words.legend[4][1],
  ].filter(Boolean);
  const name = words.tile(codeOf(thrown.tile));
  return remarks.length ? `${name} (${remarks.join(", ")})` : name;
}

// --- hands -------------------------------------------------------------------------------------------------------------

/** Whether the closed tiles of `player` are face up. */
function isShown(view, state, player) {
  const won = state.wins.some((win) => win.player === player);
  return view.open || player === view.seat || won || Boolean(state.draw?.shown?.[player]);
}

/** The hand of `player`, with the tile just drawn set apart, and the melds, the newest nearest to the hand. */
function handParts(view, state, player) {
  const { words, codeOf } = view;
  const name = view.names[player];
  const hand = state.hands[player] ?? [];
  const drawn = state.drawn[player];
  const shown = isShown(view, state, player);
  const one = (tile, ...classes) => tileElement(shown ? codeOf(tile) : "back", ...classes);
  const tiles = hand.map((tile) => one(tile));
  if (drawn !== null) tiles.push(one(drawn, "apart"));
  const spoken = [...hand, ...(drawn === null ? [] : [drawn])].map((tile) => words.tile(codeOf(tile))).join(", ");
  const label = `${name}, ${shown ? `${words.hand}: ${spoken}` : words.hidden}`;
  const melds = state.melds[player].map((meld) =>
    meldElement(meld, codeOf, `${words.call[meld.type]}: ${meldTiles(meld).map((tile) => words.tile(codeOf(tile))).join(", ")}`));
  return [
    tileRow("div.hand", label, tiles),
    melds.length > 0 && el("div.melds", { role: "group", "aria-label": `${name}, ${words.melds}` }, ...melds.reverse()),
  ].filter(Boolean);
}

// --- who sits where ------------------------------------------------------------------------------------------------------

function tagElement(view, state, player) {
  const { words, frame } = view;
  const away = state.away.has(player);
  const wind = words.winds[windOf(player, frame)];
  const points = state.points?.[player];
  const label = [wind, view.names[player], points, state.riichi[player] && words.riichi, away && words.away, words.look];
  return el(
    `button.tag.${SIDES[sideOf(player, view.seat)]}${away ? ".away" : ""}${state.turn === player ? ".turn" : ""}`,
    {
      type: "button",
      "data-key": `seat-${player}`,
      title: [view.names[player], view.ranks[player]].filter(Boolean).join(" "),
      "aria-label": label.filter((part) => part || part === 0).join(", "),
      "aria-pressed": String(player === view.seat),
      onclick: () => view.go({ seat: player }),
    },
    el("span.name", { dir: "auto" }, view.names[player]),
    view.ranks[player] && el("span.rank", {}, view.ranks[player]),
    away && el("span.absent", {}, words.away),
    state.riichi[player] && el("span.badge", {}, words.riichi),
  );
}

// --- the centre ----------------------------------------------------------------------------------------------------------

function centreElement(view, state) {
  const { frame, words, codeOf } = view;
  const plates = [];
  for (let player = 0; player < frame.players; player += 1) {
    const points = state.points ?? (state.wins.length || state.draw ? frame.end.points : null);
    plates.push(el(
      `span.plate.${SIDES[sideOf(player, view.seat)]}${windOf(player, frame) === 0 ? ".dealer" : ""}${state.turn === player ? ".turn" : ""}`,
      { "data-player": player },
      el("b", {}, words.winds[windOf(player, frame)][0]),
      " ",
      el("span.points", {}, points ? String(points[player]) : "–"),
    ));
  }
  const indicators = state.indicators.map(codeOf);
  const ura = state.ura.map(codeOf);
  const spoken = (tiles) => tiles.map(words.tile).join(", ");
  return el(
    "div.centre", {},
    ...plates,
    el("div.round", {},
      el("strong", {}, words.round(words.winds[Math.floor(frame.start.round / 4)], (frame.start.round % 4) + 1, 0)),
      el("span.counts", {},
        el("span", { role: "img", title: words.honba, "aria-label": `${words.honba}: ${frame.start.honba}` }, el("i.hundred"), `${frame.start.honba}`),
        el("span", { role: "img", title: words.sticks, "aria-label": `${words.sticks}: ${state.sticks ?? "–"}` }, el("i.thousand"), `${state.sticks ?? "–"}`),
        el("span", { role: "img", title: words.left, "aria-label": `${words.left}: ${state.left}` }, el("i.block"), `${state.left}`)),
      el("span.doras", { "data-many": indicators.length + ura.length > 3 },
        tileRow("span.dora", `${words.indicators}: ${spoken(indicators)}`, indicators.map((code) => tileElement(code))),
        ura.length > 0 && tileRow("span.dora.ura", `${words.ura}: ${spoken(ura)}`, ura.map((code) => tileElement(code))))),
  );
}

// --- what just happened --------------------------------------------------------------------------------------------------

/** The last event in words. A tile drawn into a hidden hand is not named. */
function said(view, state) {
  const { words, codeOf, names } = view;
  const { event } = state;
  if (!event) return view.frame.start.hands ? words.start : words.noPlay;
  const tile = event.tile ?? event.taken ?? event.indicator ?? event.tiles?.[0];
  const secret = event.type === "draw" && !isShown(view, state, event.player);
  const code = tile === undefined || secret ? null : codeOf(tile);
  const name = event.type === "ryuukyoku" && event.kind ? view.named(NAMES.draws[event.kind]) : null;
  return name ?? words.said[event.type](names[event.player], code && words.tile(code));
}

function callElement(view, event) {
  if (!event) return null;
  let word = view.words.call[event.type];
  if (event.type === "win") word = event.source === undefined ? view.words.tsumo : view.words.ron("").split(/ (?:←|off)/)[0];
  return word ? el(`span.call.${SIDES[sideOf(event.player, view.seat)]}`, { "aria-hidden": "true" }, word) : null;
}
