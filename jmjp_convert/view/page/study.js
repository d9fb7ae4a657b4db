"use strict";
// What arithmetic says of a player's hand, with the tiles left as that player sees them. Pure: nothing here touches the
// page. It weighs neither yaku nor points nor danger.

/** The face of a kind, 0 to 33. */
function faceOfKind(kind) {
  return kind < 27 ? `${(kind % 9) + 1}${"mps"[Math.floor(kind / 9)]}` : HONORS[kind - 27];
}

/** The tiles that `player` sees: those in ponds and melds, the indicators, and those held. */
function seenBy(state, player) {
  const ronned = state.last?.type === "discard" && state.wins.some((win) => win.player === player && win.source !== undefined);
  const drawn = state.drawn[player];
  return [
    ...(state.hands[player] ?? []), ...(drawn === null || ronned ? [] : [drawn]),
    ...state.ponds.flat().filter((thrown) => thrown.taken === null).map((thrown) => thrown.tile),
    ...state.melds.flat().flatMap(meldTiles), ...state.indicators, ...state.ura,
  ];
}

/** How many tiles of each kind `player` does not see. */
function unseenBy(state, player) {
  const unseen = Array(KINDS).fill(COPIES);
  for (const tile of seenBy(state, player)) if (kindOf(tile) < KINDS) unseen[kindOf(tile)] = Math.max(0, unseen[kindOf(tile)] - 1);
  return unseen;
}

function withLeft(kinds, unseen) {
  return kinds.map((kind) => ({ kind, left: unseen[kind] }));
}

function total(accepted) {
  return accepted.reduce((sum, { left }) => sum + left, 0);
}

/**
 * The reading of a hand: {shanten, waits: [{kind, left}], furiten}; null if a tile is unknown. The shanten counts all tiles
 * held; the waits leave out the tile just drawn, and are empty between a call and its discard.
 */
function readingOf(frame, step, state, player) {
  const hand = state.hands[player] ?? [];
  const drawn = state.drawn[player];
  const counts = countsOf(drawn === null ? hand : [...hand, drawn]);
  if (!hand.length || !counts) return null;
  const three = frame.players === 3;
  const kinds = waitsOf(hand, three);
  return {
    shanten: shantenOf(counts, three),
    waits: withLeft(kinds, unseenBy(state, player)),
    furiten: isFuriten(frame.events.slice(0, step), state, player, kinds),
  };
}

/** The kinds that complete `hand`, if it is tenpai and no discard is due. */
function waitsOf(hand, three) {
  const counts = hand.length % 3 === 1 ? countsOf(hand) : null;
  return counts && shantenOf(counts, three) === 0 ? accepts(counts, three) : [];
}

// --- furiten -------------------------------------------------------------------------------------------------------------

/** Events that decide nothing yet: after a discard, somebody may still win on it. */
const UNDECIDED = new Set(["win", "dora", "disconnected", "returned"]);
const OFFERED = new Set(["discard", "kakan", "kita"]);

/** Whether a hand that waits for `kinds` may not ron after `events`: a wait is in the own pond, or was passed up. */
function isFuriten(events, state, player, kinds) {
  if (state.ponds[player].some((thrown) => kinds.includes(kindOf(thrown.tile)))) return true;
  return hasPassed(events, state.riichi[player] ? "riichi" : "discard", player, kinds);
}

/** Whether `player` could have won since the last own event of the type `since`, but did not. */
function hasPassed(events, since, player, kinds) {
  let decided = false;
  for (const event of [...events].reverse()) {
    if (event.player === player && event.type === since) return false;
    if (decided && event.player !== player && OFFERED.has(event.type) && kinds.includes(kindOf(event.tile))) return true;
    decided ||= !UNDECIDED.has(event.type);
  }
  return false;
}

// --- discards --------------------------------------------------------------------------------------------------------------

/** The hand after a discard of `kind`: {kind, shanten, accepted: [{kind, left}]}; tiles that are all in view are left out. */
function afterDiscard(counts, kind, unseen, three) {
  const rest = changed(counts, kind, -1);
  const accepted = withLeft(accepts(rest, three), unseen).filter(({ left }) => left > 0);
  return { kind, shanten: shantenOf(rest, three), accepted };
}

/** The kinds that `player` may not discard, having just called: the tile called, and the one at the other end of the run. */
function kuikae(state, player) {
  const meld = state.drawn[player] === null && state.melds[player].at(-1);
  if (meld?.type !== "chi" && meld?.type !== "pon") return [];
  const taken = kindOf(meld.taken);
  if (meld.type === "pon") return [taken];
  const [low, high] = meld.hand.map(kindOf).sort((one, other) => one - other);
  const other = taken > high ? low - 1 : high + 1;
  const run = high - low === 1 && Math.floor(other / 9) === Math.floor(taken / 9);
  return run ? [taken, other] : [taken];
}

/**
 * The discards that leave `player`, who has to discard, the lowest shanten, and those of the kinds `also`, as
 * afterDiscard() gives them: the lowest shanten first, then those that accept most. Null if nothing can be chosen.
 */
function choicesOf(frame, state, player, also = []) {
  const drawn = state.drawn[player];
  const tiles = [...(state.hands[player] ?? []), ...(drawn === null ? [] : [drawn])];
  const counts = countsOf(tiles);
  if (!counts || tiles.length % 3 !== 2 || state.riichi[player] || state.wins.length) return null;
  const three = frame.players === 3;
  const unseen = unseenBy(state, player);
  const kinds = [...new Set([...bestDiscards(counts, three, kuikae(state, player)), ...also])];
  const choices = kinds.map((kind) => afterDiscard(counts, kind, unseen, three));
  return choices.sort((one, other) => one.shanten - other.shanten || total(other.accepted) - total(one.accepted) || one.kind - other.kind);
}
