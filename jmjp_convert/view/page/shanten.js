"use strict";
// Shanten, waits and acceptance of closed tiles, by arithmetic. Pure: nothing here touches the page.
// A hand is `counts`: how many tiles it has of each of 34 kinds (1m … 9m, 1p …, 1s …, four winds, haku, hatsu, chun).
// Melds are left out: three closed tiles fewer are one set less to make. `three` is whether there are three players,
// who have no 2m … 8m.

const KINDS = 34;
const COPIES = 4;
const SETS = 4;
const FAR = 99; // more than any hand lacks
const TERMINALS_AND_HONORS = [0, 8, 9, 17, 18, 26, 27, 28, 29, 30, 31, 32, 33];
const MAN = [0, 9];
const PIN = [9, 18];
const SOU = [18, 27];

/** The kind of a tile (a number or a face), 0 to 33; Infinity if it is unknown. */
function kindOf(tile) {
  return Math.floor(order(tile) / COPIES);
}

/** The number of tiles of each kind in `tiles`, or null if one is unknown. */
function countsOf(tiles) {
  const counts = Array(KINDS).fill(0);
  for (const tile of tiles) {
    const kind = kindOf(tile);
    if (kind === Infinity) return null;
    counts[kind] += 1;
  }
  return counts;
}

/** The kinds in play: with three players, only the ends of the first suit. */
function kindsInPlay(three) {
  return Array.from({ length: KINDS }, (_, kind) => kind).filter((kind) => !three || kind === 0 || kind >= 8);
}

// --- four sets and a pair ------------------------------------------------------------------------------------------------

/**
 * How many tiles a block of `held` tiles lacks to contain 0 to 4 sets (the first five numbers), or these and a pair (the
 * other five). No kind is used more than four times, so a hand never needs a fifth tile of a kind.
 *
 * It walks through the ranks with the runs begun one rank and two ranks before, at most two of each: three equal runs
 * are three triplets.
 */
function lacks(held, runs) {
  let now = new Uint8Array(90).fill(FAR);
  now[0] = 0;
  for (let rank = 0; rank < held.length; rank += 1) {
    const next = new Uint8Array(90).fill(FAR);
    const begins = runs && rank + 2 < held.length ? 2 : 0;
    for (let at = 0; at < 90; at += 1) {
      if (now[at] >= FAR) continue;
      const sets = at % 5, pair = Math.floor(at / 5) % 2, second = Math.floor(at / 10) % 3, third = Math.floor(at / 30);
      for (let first = 0; first <= begins; first += 1) for (let triplet = 0; triplet <= 1; triplet += 1) {
        for (let head = pair; head <= 1; head += 1) {
          const used = first + second + third + 3 * triplet + 2 * (head - pair), made = sets + first + triplet;
          if (used > COPIES || made > SETS) continue;
          const place = made + 5 * head + 10 * first + 30 * second;
          next[place] = Math.min(next[place], now[at] + Math.max(0, used - held[rank]));
        }
      }
    }
    now = next;
  }
  return now.slice(0, 10);
}

const MOST_KNOWN = 20000;
const KNOWN = new Map(); // the results of `lacks`: blocks recur, since a move changes one or two

function lacksOf(held, runs) {
  const key = held.reduce((number, count) => 5 * number + count, runs ? 1 : held.length);
  let found = KNOWN.get(key);
  if (!found) {
    if (KNOWN.size >= MOST_KNOWN) KNOWN.clear();
    found = lacks(held, runs);
    KNOWN.set(key, found);
  }
  return found;
}

/** How many tiles two blocks together lack. */
function joined(one, other) {
  const both = new Uint8Array(10).fill(FAR);
  for (let at = 0; at < 10; at += 1) for (let sets = 0; sets + (at % 5) <= SETS; sets += 1) {
    both[at + sets] = Math.min(both[at + sets], one[at] + other[sets]);
    if (at < 5) both[at + sets + 5] = Math.min(both[at + sets + 5], one[at] + other[sets + 5]);
  }
  return both;
}

function regular(counts, sets, three) {
  const suits = (three ? [PIN, SOU] : [MAN, PIN, SOU]).map(([from, to]) => lacksOf(counts.slice(from, to), true));
  const apart = three ? [counts[0], counts[8], ...counts.slice(27)] : counts.slice(27); // make no runs
  return [...suits, lacksOf(apart, false)].reduce(joined)[5 + sets] - 1;
}

// --- the other forms -------------------------------------------------------------------------------------------------------

/** Seven different pairs. */
function sevenPairs(counts) {
  const pairs = counts.filter((count) => count >= 2).length;
  const kinds = counts.filter((count) => count >= 1).length;
  return 6 - pairs + Math.max(0, 7 - kinds);
}

function thirteenOrphans(counts) {
  const held = TERMINALS_AND_HONORS.map((kind) => counts[kind]).filter(Boolean);
  return 13 - held.length - (held.some((count) => count >= 2) ? 1 : 0);
}

// --- a hand ------------------------------------------------------------------------------------------------------------------

/** How many tiles a hand is from tenpai: 0 is tenpai, -1 complete. */
function shantenOf(counts, three) {
  const tiles = counts.reduce((sum, count) => sum + count, 0);
  const best = regular(counts, Math.floor(tiles / 3), three);
  return tiles < 13 ? best : Math.min(best, sevenPairs(counts), thirteenOrphans(counts));
}

/** The kinds that lower the shanten if one is drawn; for a tenpai hand its waits. It never waits for a fifth tile. */
function accepts(counts, three) {
  const before = shantenOf(counts, three);
  return kindsInPlay(three).filter((kind) => counts[kind] < COPIES && shantenOf(changed(counts, kind, 1), three) < before);
}

/** The kinds in `counts` whose discard leaves the lowest shanten, without those in `barred`. */
function bestDiscards(counts, three, barred = []) {
  const after = counts.map((count, kind) => (count && !barred.includes(kind) ? shantenOf(changed(counts, kind, -1), three) : Infinity));
  const least = Math.min(...after);
  return after.flatMap((shanten, kind) => (shanten === least && least < Infinity ? [kind] : []));
}

function changed(counts, kind, by) {
  const other = [...counts];
  other[kind] += by;
  return other;
}
