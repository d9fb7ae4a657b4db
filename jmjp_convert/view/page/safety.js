"use strict";
// Safety as facts: what ponds and visible tiles say of each tile of a hand against each riichi and each open hand. No
// chances are estimated. Pure, but for the panel at the end.

const SUIT_SIZE = 9;
/** What may be said of a tile against a hand; of an honor only the first three. */
const SAFETY = ["genbutsu", "passed", "honor", "suji", "noChance", "sujiNoChance", "oneChance", "halfSuji", "noFact"];
const OPEN_MELDS = new Set(["chi", "pon", "daiminkan", "kakan"]);

/** Whether `player` is to be feared: in riichi, or with an open meld. */
function isThreat(state, player) {
  return state.riichi[player] || state.melds[player].some(({ type }) => OPEN_MELDS.has(type));
}

/**
 * The kinds on which `player` cannot ron after `events`: `genbutsu`, those in the own pond, and, in riichi, all that passed
 * since; `passed`, those that passed since the last own turn, which are safe until the next.
 */
function safeAgainst(events, state, player) {
  const genbutsu = new Set(state.ponds[player].map(({ tile }) => kindOf(tile)));
  const passed = new Set();
  let decided = false;
  for (const event of [...events].reverse()) {
    const own = event.player === player;
    if (own && event.type === "riichi") break;
    if (own && !state.riichi[player] && (event.type === "draw" || event.type === "discard")) break;
    if (decided && !own && OFFERED.has(event.type)) (state.riichi[player] ? genbutsu : passed).add(kindOf(event.tile));
    decided ||= !UNDECIDED.has(event.type);
  }
  return { genbutsu, passed };
}

/** The two-sided waits for `kind`: {held: the two kinds in the hand, other: the other wait}. */
function twoSided(kind, three) {
  if (kind >= 27 || (three && kind < SUIT_SIZE)) return [];
  const rank = kind % SUIT_SIZE;
  const up = rank <= 5 ? [{ held: [kind + 1, kind + 2], other: kind + 3 }] : [];
  const down = rank >= 3 ? [{ held: [kind - 2, kind - 1], other: kind - 3 }] : [];
  return [...down, ...up];
}

/** What is known of a discard of `kind`, of SAFETY. A two-sided wait is out if it would be furiten, or a tile for it is gone. */
function factsOf(kind, { genbutsu, passed }, unseen, three) {
  if (genbutsu.has(kind)) return ["genbutsu"];
  if (passed.has(kind)) return ["passed"];
  if (kind >= 27) return ["honor"];
  const waits = twoSided(kind, three);
  const bySuji = waits.filter(({ other }) => genbutsu.has(other));
  const atMost = (left) => waits.filter(({ held }) => held.some((one) => unseen[one] <= left));
  const byWall = atMost(0);
  const suji = waits.length > 0 && bySuji.length === waits.length;
  const noChance = byWall.length === waits.length;
  const facts = [
    suji && "suji",
    noChance && "noChance",
    !suji && !noChance && waits.every((one) => bySuji.includes(one) || byWall.includes(one)) && "sujiNoChance",
    !noChance && atMost(1).length === waits.length && "oneChance",
    !suji && bySuji.length > 0 && "halfSuji",
  ].filter(Boolean);
  return facts.length ? facts : ["noFact"];
}

/** What `seat` knows of its tiles against each threat: [{player, facts: [[kind, [fact, …]], …]}]. */
function safetyOf(frame, step, state, seat) {
  const drawn = state.drawn[seat];
  const tiles = [...(state.hands[seat] ?? []), ...(drawn === null ? [] : [drawn])];
  const kinds = [...new Set(tiles.map(kindOf))].filter((kind) => kind < KINDS).sort((one, other) => one - other);
  const unseen = unseenBy(state, seat);
  const others = [...Array(frame.players).keys()].filter((player) => player !== seat && isThreat(state, player));
  return others.map((player) => {
    const safe = safeAgainst(frame.events.slice(0, step), state, player);
    return { player, facts: kinds.map((kind) => [kind, factsOf(kind, safe, unseen, frame.players === 3)]) };
  });
}

// --- in the panel --------------------------------------------------------------------------------------------------------

/** The tiles of the near hand by what is known of them, against each threat, as keep() wants them. */
function safetyChildren(view, state) {
  const { words } = view;
  if (!view.safety || state.wins.length || state.draw) return [];
  const unseen = unseenBy(state, view.seat);
  const threats = safetyOf(view.frame, view.step, state, view.seat);
  if (!threats.length) return [[words.noThreat, () => el("p.soft", {}, words.noThreat)]];
  return threats.map(({ player, facts }) => {
    const known = facts.map(([kind, some]) => ({ kind, left: unseen[kind], some }));
    const how = state.riichi[player] ? words.riichi : words.openHand;
    return [JSON.stringify([words.safety, player, windOf(player, view.frame), how, known]), () => safetyElement(view, player, how, known)];
  });
}

function safetyElement(view, player, how, known) {
  const { words } = view;
  const rows = SAFETY.flatMap((fact) => {
    const tiles = known.filter(({ some }) => some.includes(fact));
    return tiles.length ? [el("tr", {},
      el("th", { scope: "row", title: words.safetyMeans[fact] }, words.safetyOf[fact]),
      el("td.accepted", {}, ...tiles.map((one) => leftElement(view, one))))] : [];
  });
  return el("section.reading-of", {},
    el("h3", {}, `${words.safety}: `, ...nameNodes(view, player), el("span.shanten", {}, how)),
    el("table.choices", {}, el("tbody", {}, ...rows)));
}
