"use strict";
// The table: four seats around the centre, seen from one of them. Its elements are made once; a step changes those that
// differ.

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

/** The players from East. */
function byWind({ frame, names }) {
  return names.map((_, wind) => (frame.start.dealer + wind) % frame.players);
}

/** The number of rows of six in the longest pond that can be shown; at least three, so that the table keeps its shape. */
function pondRows(view) {
  const counts = Array(view.game.players).fill(0);
  for (const event of view.frame.events.slice(0, lastStep(view))) if (event.type === "discard") counts[event.player] += 1;
  return Math.max(3, Math.ceil(Math.max(...counts) / ROW));
}

/** The elements of each player's place at the table. The near hand is below it, in the element "own". */
const table = { places: [], calls: null, note: null };

function layTable(view) {
  const board = byId("board");
  const middle = layCentre(view);
  for (let player = 0; player < view.game.players; player += 1) {
    const place = {
      pond: el("div.pond", { role: "img" }),
      stick: el("span.stick"),
      hand: handPlace(),
      name: el("bdi.name"),
      badge: el("span.reading", { hidden: true }),
    };
    // The corner at the player's right hand, where no tile ever lies.
    const corner = el("div.corner", { "aria-hidden": "true" }, place.name, centre.plates[player].behind, place.badge);
    place.seat = el("div", { "data-player": player }, place.pond, place.stick, corner);
    table.places.push(place);
    board.append(place.seat);
  }
  table.calls = el("div.calls", { "aria-hidden": "true" });
  table.note = el("div.note", { role: "note", hidden: true });
  board.prepend(middle);
  board.append(table.calls, table.note);
}

/** Draw everything on the table, for `view` (see main.js) and the `state` of the play. */
function drawTable(view, state) {
  const { frame, words } = view;
  if (!table.calls) layTable(view);
  put(byId("board"), { "data-rows": pondRows(view), "aria-label": words.table });
  drawCentre(view, state);
  for (const [player, place] of table.places.entries()) {
    const side = sideOf(player, view.seat);
    put(place.seat, { class: `seat ${SIDES[side]}` });
    put(place.stick, { hidden: !state.riichi[player] });
    put(place.name, { title: view.names[player] }, view.names[player]);
    const home = side === 0 ? byId("own") : place.seat;
    if (place.hand.whole.parentNode !== home) home.append(place.hand.whole);
    put(place.hand.whole, { class: side === 0 ? "near" : "strip", "data-many": state.melds[player].length > 3 });
    drawPond(view, state, player, place.pond);
    drawHand(view, state, player, place.hand);
  }
  byId("room").style.setProperty("--near", nearWidth(state, view.seat));
  const asked = quizSaid(view);
  const moment = `${view.lang} ${view.index} ${view.step} ${view.seat} ${view.open}`;
  keep(byId("said"), [[asked ?? moment, () => el("span", {}, ...(asked ? [asked] : said(view, state)))]]);
  drawCalls(view, state);
}

// --- ponds -------------------------------------------------------------------------------------------------------------

function drawPond(view, state, player, place) {
  const { words, codeOf } = view;
  const pond = state.ponds[player];
  const isMarked = state.event?.type === "discard" || state.wins.some(({ source }) => source !== undefined);
  const latest = isMarked && state.last?.type === "discard" && state.last.player === player ? pond.length - 1 : -1;
  const starts = pond.map((_, index) => index).filter((index) => index % ROW === 0);
  const rows = keep(place, starts.map((first) => [first, () => el("span.row")]));
  for (const [row, first] of starts.entries()) {
    const thrown = pond.slice(first, first + ROW);
    const tiles = keep(rows[row], thrown.map((one) => tileChild(codeOf(one.tile), MARKS[mannerShown(view, state, player, one)], ...(one.riichi ? ["side", "riichi"] : []))));
    for (const [index, tile] of tiles.entries()) {
      tile.classList.toggle("gone", thrown[index].taken !== null);
      tile.classList.toggle("latest", first + index === latest);
    }
  }
  const spoken = pond.map((one) => spokenDiscard({ ...one, manner: mannerShown(view, state, player, one) }, words, codeOf)).join(", ");
  put(place, { "aria-label": `${view.names[player]}, ${words.pond}: ${spoken}` });
}

/** How a tile was discarded, as far as the view may show it: karagiri would name a tile drawn into a hidden hand. */
function mannerShown(view, state, player, { manner }) {
  return manner === "karagiri" && !isShown(view, state, player) ? "hand" : manner;
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
  return (view.open && !view.quiz) || player === view.seat || won || Boolean(state.draw?.shown?.[player]);
}

/** The elements of a hand and its melds, in the element `whole`. */
function handPlace() {
  const place = { hand: el("div.hand", { role: "img" }), melds: el("div.melds", { role: "group" }) };
  return { ...place, whole: el("div", {}, place.hand, place.melds) };
}

/** The hand of `player`, with the tile just drawn set apart, and the melds, the newest nearest to the hand. */
function drawHand(view, state, player, place) {
  const { words, codeOf } = view;
  const hand = state.hands[player] ?? [];
  const drawn = state.drawn[player];
  const melds = state.melds[player];
  const shown = isShown(view, state, player);
  const faceOf = (tile) => (shown ? codeOf(tile) : "back");
  keep(place.hand, [
    ...hand.map((tile) => tileChild(faceOf(tile))),
    ...(drawn === null ? [] : [tileChild(faceOf(drawn), "apart", ...(wonInHand(state, player) ? ["latest"] : []))]),
  ]);
  const spoken = [...hand, ...(drawn === null ? [] : [drawn])].map((tile) => words.tile(codeOf(tile))).join(", ");
  put(place.hand, { "aria-label": `${view.names[player]}, ${shown ? `${words.hand}: ${spoken}` : words.hidden}` });
  put(place.melds, { hidden: melds.length === 0, "aria-label": `${view.names[player]}, ${words.melds}` });
  keep(place.melds, melds.map((meld) => meldChild(meld, view)).reverse());
}

/** Whether `player` has won on a tile that lies in no pond: by tsumo, or by robbing a kan. */
function wonInHand(state, player) {
  const win = state.wins.find((one) => one.player === player);
  return win !== undefined && (win.source === undefined || state.last?.type !== "discard");
}

const MELD_WIDTHS = { chi: 10 / 3, pon: 10 / 3, kakan: 10 / 3, daiminkan: 13 / 3, ankan: 4, kita: 1 };

/** The width of the near hand with its melds, in tiles: that of an ordinary hand, or more in steps of one. */
function nearWidth(state, player) {
  const melds = state.melds[player];
  const closed = (state.hands[player] ?? []).length + (state.drawn[player] === null ? 0 : 1.3);
  const open = melds.reduce((sum, { type }) => sum + MELD_WIDTHS[type] + 0.18, 0.5);
  return melds.length ? Math.max(14.6, Math.ceil(closed + open)) : 14.6;
}

/** A meld as keep() wants it. */
function meldChild(meld, { words, codeOf }) {
  const label = `${words.call[meld.type]}: ${meldTiles(meld).map((tile) => words.tile(codeOf(tile))).join(", ")}`;
  return [`${label} ${meld.type} ${meld.source}`, () => meldElement(meld, codeOf, label)];
}

// --- what just happened --------------------------------------------------------------------------------------------------

/** The last event in words, as nodes. A tile drawn into a hidden hand is not named. */
function said(view, state) {
  const { words, codeOf } = view;
  const { event } = state;
  if (!event) return [view.frame.start.hands ? words.start : words.noPlay];
  if (!Object.hasOwn(words.said, event.type)) return [words.unknown(event.type)];
  if (event.type === "ryuukyoku" && event.kind) return [view.named(NAMES.draws[event.kind])];
  const tile = event.tile ?? event.taken ?? event.indicator ?? event.tiles?.[0];
  const secret = event.type === "draw" && !isShown(view, state, event.player);
  const code = tile === undefined || secret ? null : codeOf(tile);
  return withName(words.said[event.type](NAME, code && words.tile(code)), view.names[event.player] ?? "");
}

/** The bubble of a call, or of each ron on a tile; each call has its own, which appears. */
function drawCalls(view, { event, wins }) {
  const { words } = view;
  const calls = event?.type === "win" ? wins : [event].filter(Boolean);
  keep(table.calls, calls.flatMap(({ type, player, source }) => {
    const word = type === "win" ? (source === undefined ? words.tsumo : words.ronCall) : words.call[type];
    const side = SIDES[sideOf(player, view.seat)];
    return word ? [[`${word} ${side} ${view.index} ${type !== "win" && view.step}`, () => el(`span.call.${side}`, {}, word)]] : [];
  }));
}
