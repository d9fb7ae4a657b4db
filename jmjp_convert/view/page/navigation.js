"use strict";
// Moving through the game, and the address of the moment shown.

/** Step forward or back, past the end of a hand into the next one. */
function walk(by) {
  if (stepsInQuiz(by)) return;
  const step = view.step + by;
  if (step > view.frame.events.length) {
    if (view.index + 1 < game.frames.length) go({ index: view.index + 1, step: 0 });
  } else if (step < 0) {
    if (view.index > 0) go({ index: view.index - 1, step: game.frames[view.index - 1].events.length });
  } else {
    go({ step });
  }
}

/** Go to the next discard by `player`, or with -1 to the previous one. */
function toDiscard(player, by) {
  const isOne = (event) => event.type === "discard" && event.player === player;
  const { events } = view.frame;
  for (let step = view.step + by; step > 0 && step <= events.length; step += by) {
    if (isOne(events[step - 1])) return go({ step });
  }
  return go({ step: by > 0 ? events.length : 0 });
}

const MOVES = {
  first: () => go({ step: 0 }),
  last: () => go({ step: view.frame.events.length }),
  previous: () => walk(-1),
  next: () => walk(1),
  previousHand: () => go({ index: view.index - 1, step: 0 }),
  nextHand: () => (view.index + 1 < game.frames.length ? go({ index: view.index + 1, step: 0 }) : MOVES.last()),
  previousDiscard: () => toDiscard(view.seat, -1),
  nextDiscard: () => toDiscard(view.seat, 1),
  open: () => go({ open: !view.open }),
  wall: () => go({ wall: !view.wall }),
  shanten: () => toggleSetting("shanten"),
  waits: () => toggleSetting("waits"),
  discards: () => toggleSetting("discards"),
  safety: () => toggleSetting("safety"),
  conditions: () => toggleSetting("conditions"),
  dora: () => toggleSetting("dora"),
  quiz: toggleQuiz,
  playing: togglePlaying,
  faster: () => changeSpeed(1),
  slower: () => changeSpeed(-1),
  nextRiichi: () => toMilestone("riichi", 1),
  previousRiichi: () => toMilestone("riichi", -1),
  nextCall: () => toMilestone("call", 1),
  previousCall: () => toMilestone("call", -1),
  nextTenpai: () => toMilestone("tenpai", 1),
  previousTenpai: () => toMilestone("tenpai", -1),
  nextWin: () => toMilestone("win", 1),
  previousWin: () => toMilestone("win", -1),
  shareLink: () => share("link"),
  sharePosition: () => share("position"),
  shareTenhou: () => share("tenhou"),
  shareEmbed: () => share("embed"),
  sharePicture: () => savePicture("table"),
  pictureOutcome: () => savePicture("outcome"),
  pictureHand: () => savePicture("hand"),
  addNote,
  saveGame,
  outcome: () => isOver(view, replay(view.frame, view.step)) && go({ quiet: !view.quiet }),
  more: () => go({ more: !view.more }),
  scores: () => openTab("scores"),
  plays: () => openTab("plays"),
  share: () => openTab("share"),
  away: closeTop,
  language: () => go({ lang: otherLanguage(view.lang) }),
  theme: () => go({ theme: otherTheme(view.theme) }),
  help: () => byId("help").showModal(),
  close: () => byId("help").close(),
};

/** Close the switches, or else the outcome. */
function closeTop() {
  if (view.more) go({ more: false });
  else if (!byId("outcome").hidden) go({ quiet: true });
}

// --- the address -----------------------------------------------------------------------------------------------------------

function address() {
  const seat = view.seat === ownSeat() ? "" : `&seat=${view.seat}`;
  return `#frame=${view.frame.name}&step=${view.step}${seat}${view.open ? "" : "&closed"}${view.quiz ? "&quiz" : ""}`;
}

const PAUSE = 300; // milliseconds without a move; Safari allows 100 changes of the address in 30 seconds
let pausing = null;

/** Write the address once moves pause. An embedded page may not do so; it works without an address. */
function writeAddress() {
  clearTimeout(pausing);
  pausing = setTimeout(() => {
    try { history.replaceState(null, "", address()); } catch { /* embedded */ }
  }, PAUSE);
}

/** Go to the view given by `hash`, or to the start if it names no frame. */
function follow(hash) {
  const said = new URLSearchParams(hash.slice(1));
  const index = game.frames.findIndex((frame) => frame.name === said.get("frame"));
  const seat = said.has("seat") ? within(Number(said.get("seat")), game.players - 1) : ownSeat();
  const step = index < 0 ? 0 : Number(said.get("step"));
  const asked = said.has("quiz") ? questionFrom(Math.max(0, index), step || 0, seat) : { quiz: null };
  go({ index, step, seat, open: !said.has("closed"), ...asked });
}
