"use strict";
// The play of a frame: the state of the table after each event. Pure: nothing here touches the page.
// The events are those of jmjp_convert/formats/json/schema.json; the rules are those of jmjp_convert/play/table.py, without its checks.

const UNKNOWN = "uk";
const RED_FACES = ["0m", "0p", "0s"];
/** How many fives of each suit are red, if that is not recorded. */
const ONE_RED_EACH = [1, 1, 1];
const HONORS = ["ew", "sw", "ww", "nw", "wd", "gd", "rd"];
const LIVE_WALL = { 4: 70, 3: 55 };

/** A line of the page as in the schema: a draw is [player, tile] there; a discard has a third value, 1 for tsumogiri. */
function whole(line) {
  if (!Array.isArray(line)) return line;
  const [player, tile, tsumogiri] = line;
  return line.length === 2 ? { type: "draw", player, tile } : { type: "discard", player, tile, tsumogiri: [false, true][tsumogiri] };
}

/** The lines of a match, grouped: {match, players, frames: [{name, start, events, end, away}], end}. */
function gather(lines) {
  const match = lines[0];
  const game = { match, players: match.rules.players, frames: [], end: lines[lines.length - 1] };
  const away = new Set();
  let frame = null;
  for (const line of lines.slice(1, -1)) {
    if (line.type === "frame") {
      frame = { name: frameName(line, game.frames), start: line, events: [], end: null, away: [...away] };
      frame.players = game.players;
      frame.redFives = match.rules.red_fives ?? ONE_RED_EACH;
      game.frames.push(frame);
    } else if (line.type === "end_frame") {
      frame.end = line;
      frame = null;
    } else {
      if (line.type === "disconnected") away.add(line.player);
      if (line.type === "returned") away.delete(line.player);
      if (frame) frame.events.push(line);
    }
  }
  return game;
}

/** The name of a frame in links: S2-1 is South 2, one honba. If it is repeated, the second is S2-1.2, and so on. */
function frameName(start, before) {
  const name = `${"ESWN"[Math.floor(start.round / 4)]}${(start.round % 4) + 1}-${start.honba}`;
  const same = before.filter((frame) => frame.name.split(".")[0] === name).length;
  return same ? `${name}.${same + 1}` : name;
}

/** The face of a tile as in the lines: a number, or a face. */
function face(tile, redFives) {
  if (typeof tile === "string") return tile;
  const kind = tile >> 2;
  if (kind >= 27) return HONORS[kind - 27];
  const suit = Math.floor(kind / 9);
  const rank = (kind % 9) + 1;
  return rank === 5 && tile % 4 < redFives[suit] ? RED_FACES[suit] : `${rank}${"mps"[suit]}`;
}

/** The sort key of a tile in a hand: by kind, the red five before the other fives. */
function order(tile) {
  if (typeof tile === "number") return tile;
  if (tile === UNKNOWN) return Infinity;
  const honor = HONORS.indexOf(tile);
  if (honor >= 0) return 108 + 4 * honor;
  const rank = Number(tile[0]);
  return 36 * "mps".indexOf(tile[1]) + 4 * ((rank || 5) - 1) + (rank ? 1 : 0);
}

/**
 * The table of `frame` after its first `step` events.
 *
 * hands: each player's closed tiles, sorted, without `drawn`: each player's tile just drawn, or the winning tile.
 * ponds: for each player {tile, manner, riichi, taken}; manner is "drawn", "hand", "karagiri" (another copy of the face
 * drawn) or "unknown", taken the player who called it. Points are in points; null means "unknown".
 */
function replay(frame, step) {
  const state = deal(frame);
  for (const event of frame.events.slice(0, step)) {
    act(state, event);
    state.event = event;
  }
  for (const hand of state.hands) hand.sort((one, other) => order(one) - order(other));
  return state;
}

/** Change the table by `event`; of an unknown event, only its name is shown. */
function act(state, event) {
  if (Object.hasOwn(ACTS, event.type)) ACTS[event.type](state, event);
}

function deal(frame) {
  const { start, players } = frame;
  const each = (value) => Array.from({ length: players }, value);
  const fourteenth = start.fourteenth ?? null;
  return {
    redFives: frame.redFives,
    hands: (start.hands ?? []).map((hand) => [...hand]),
    drawn: each((_, player) => (player === start.dealer ? fourteenth : null)),
    ponds: each(() => []),
    melds: each(() => []),
    points: start.points ? [...start.points] : null,
    sticks: start.sticks ?? null,
    indicators: start.indicator === undefined ? [] : [start.indicator],
    ura: [],
    draws: fourteenth === null ? 0 : 1, // from the wall
    replacements: 0, // from the dead wall
    left: LIVE_WALL[players] - (fourteenth === null ? 0 : 1),
    riichi: each(() => false), // paid for
    declared: null, // the player who has declared riichi but not yet paid
    away: new Set(frame.away),
    turn: start.dealer,
    last: null, // what may be called or ronned: a discard, kan or kita
    kan: false, // whether the next draw is from the dead wall
    wins: [],
    draw: null,
    event: null,
  };
}

// --- tiles leaving a hand ----------------------------------------------------------------------------------------------

function take(state, player, tiles) {
  const hand = state.hands[player];
  for (const tile of tiles) {
    const place = hand.includes(tile) ? hand.indexOf(tile) : hand.indexOf(UNKNOWN);
    if (place >= 0) hand.splice(place, 1); // otherwise it is unknown which one goes
  }
}

function takeIn(state, player) {
  if (state.drawn[player] !== null) state.hands[player].push(state.drawn[player]);
  state.drawn[player] = null;
}

/** How a tile is discarded, as far as recorded. */
function manner(drawn, { tile, tsumogiri }, redFives) {
  if (drawn === null) return "hand";
  if (tsumogiri !== false) return tsumogiri ? "drawn" : "unknown";
  return face(tile, redFives) === face(drawn, redFives) && tile !== UNKNOWN ? "karagiri" : "hand";
}

/** Whether a discard leaves the hand: if that is not recorded, it is the tile drawn where it can be. */
function leavesHand(state, { player, tile, tsumogiri }) {
  const drawn = state.drawn[player];
  if (tsumogiri !== undefined || drawn === null) return !tsumogiri;
  return tile !== drawn && !state.riichi[player] && (drawn !== UNKNOWN || state.hands[player].includes(tile));
}

// --- what each event does ----------------------------------------------------------------------------------------------

function claim(state, meld) {
  const pond = state.ponds[meld.source];
  pond[pond.length - 1].taken = meld.player;
  take(state, meld.player, meld.hand);
  state.melds[meld.player].push(meld);
  Object.assign(state, { turn: meld.player, last: null, kan: meld.type === "daiminkan" });
}

function setAside(state, player, tiles, meld) {
  takeIn(state, player);
  take(state, player, tiles);
  const melds = state.melds[player];
  const pon = meld.pon ? melds.findIndex((one) => same(one, meld.pon)) : -1;
  if (pon >= 0) melds[pon] = meld;
  else melds.push(meld);
  Object.assign(state, { last: meld, kan: true });
}

function same(one, other) {
  return one.type === other.type && one.taken === other.taken && String(one.hand) === String(other.hand);
}

/** Undo a robbed kan or kita. */
function rob(state, kan, tile) {
  const melds = state.melds[kan.player];
  const place = melds.indexOf(kan);
  if (kan.type === "kakan") {
    melds[place] = kan.pon;
    return;
  }
  melds.splice(place, 1);
  const left = kan.tiles ? [...kan.tiles] : [kan.tile];
  left.splice(left.indexOf(tile), 1);
  state.hands[kan.player].push(...left);
}

function pay(state, changes) {
  state.points = changes && state.points ? state.points.map((have, player) => have + changes[player]) : null;
}

const ACTS = {
  draw(state, { player, tile }) {
    state.drawn[player] = tile;
    state.turn = player;
    state[state.kan ? "replacements" : "draws"] += 1;
    state.left -= 1;
    state.kan = false;
  },
  discard(state, event) {
    const { player, tile } = event;
    const how = manner(state.drawn[player], event, state.redFives);
    if (leavesHand(state, event)) {
      take(state, player, [tile]);
      takeIn(state, player);
    }
    state.drawn[player] = null;
    const thrown = { tile, manner: how, riichi: state.declared === player, taken: null };
    state.ponds[player].push(thrown);
    state.last = { type: "discard", player };
  },
  chi: claim,
  pon: claim,
  daiminkan: claim,
  kakan: (state, meld) => setAside(state, meld.player, [meld.tile], meld),
  ankan: (state, meld) => setAside(state, meld.player, meld.tiles, meld),
  kita: (state, meld) => setAside(state, meld.player, [meld.tile], meld),
  riichi(state, { player }) {
    state.declared = player;
  },
  riichi_accepted(state, { player }) {
    state.declared = null;
    state.riichi[player] = true;
    if (state.points) state.points[player] -= 1000;
    if (state.sticks !== null) state.sticks += 1;
  },
  dora(state, { indicator }) {
    state.indicators.push(indicator);
  },
  win(state, win) {
    const kan = state.last && state.last.type !== "discard" ? state.last : null;
    if (win.source !== undefined && kan && !state.wins.length) rob(state, kan, win.tile);
    state.drawn[win.player] = win.tile;
    state.ura = win.ura ?? state.ura;
    state.sticks = 0;
    pay(state, win.changes);
    state.wins.push(win);
  },
  ryuukyoku(state, draw) {
    const kan = state.last && state.last.type !== "discard" ? state.last : null;
    if (draw.kind === "triple_ron" && kan) rob(state, kan, kan.tiles ? kan.tiles[0] : kan.tile);
    pay(state, draw.changes);
    state.draw = draw;
  },
  disconnected(state, { player }) {
    state.away.add(player);
  },
  returned(state, { player }) {
    state.away.delete(player);
  },
};
