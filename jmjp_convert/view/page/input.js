"use strict";
// What the user does: buttons, keys, wheel, swipes, slider, links. It runs last, and draws the page for the first time.

document.addEventListener("click", (event) => {
  const move = event.target.closest?.("[data-move]")?.dataset.move;
  if (move) MOVES[move]();
});

const KEYS = {
  ArrowLeft: "previous", ArrowRight: "next", ArrowUp: "previousHand", ArrowDown: "nextHand", Home: "first", End: "last",
  d: "nextDiscard", D: "previousDiscard", o: "open", w: "wall", r: "outcome", l: "language", t: "theme", "?": "help",
  " ": "playing", "+": "faster", "-": "slower", i: "nextRiichi", I: "previousRiichi", c: "nextCall", C: "previousCall",
  n: "nextTenpai", N: "previousTenpai", v: "nextWin", V: "previousWin", q: "quiz",
  s: "scores", p: "plays", Escape: "away", h: "shanten", m: "waits", e: "discards", f: "safety", a: "dora", k: "conditions",
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || byId("help").open) return;
  if (event.target.closest("select") || (event.key === " " && event.target.closest("button"))) return;
  const seat = /^Digit([1-4])$/.exec(event.code);
  const move = KEYS[keyOf(event)];
  if (seat && Number(seat[1]) <= game.players) {
    const player = Number(seat[1]) - 1;
    if (event.shiftKey) toDiscard(player, 1);
    else go({ seat: player });
  } else if (move) {
    MOVES[move]();
  } else {
    return;
  }
  event.preventDefault();
});

/** The key regardless of Caps Lock: only Shift makes a letter upper case. */
function keyOf({ key, shiftKey }) {
  if (key.length > 1) return key;
  return shiftKey ? key.toUpperCase() : key.toLowerCase();
}

const play = byId("play");
const NOTCH = 40; // wheel movement per step, in pixels; smaller movements add up
let turned = 0;
byId("board").addEventListener("wheel", (event) => {
  if (event.ctrlKey || !event.deltaY) return;
  event.preventDefault();
  turned += event.deltaY * (event.deltaMode ? NOTCH : 1);
  if (Math.abs(turned) < NOTCH) return;
  walk(Math.sign(turned));
  turned = 0;
}, { passive: false });

const SWIPE = 30; // pixels across
let touched = null;
play.addEventListener("touchstart", (event) => {
  touched = event.touches.length === 1 ? [event.touches[0].clientX, event.touches[0].clientY] : null;
}, { passive: true });
play.addEventListener("touchend", (event) => {
  if (!touched) return;
  const [x, y] = [event.changedTouches[0].clientX - touched[0], event.changedTouches[0].clientY - touched[1]];
  if (Math.abs(x) > SWIPE && Math.abs(x) > 2 * Math.abs(y)) walk(x < 0 ? 1 : -1);
}, { passive: true });

// --- the slider ----------------------------------------------------------------------------------------------------------

const START = 6; // pixels after which a touch is a swipe, along the track or across it
const THUMB = 16; // width of the slider's thumb in pixels
const track = byId("track");
let held = null;

function seek({ clientX }) {
  const { left, width } = byId("slider").getBoundingClientRect();
  const step = Math.round(((clientX - left - THUMB / 2) / (width - THUMB)) * lastStep(view));
  if (within(step, lastStep(view)) !== view.step) go({ step });
}

// A mouse seeks at once, a finger once it moves along the track, or taps; if it moves across it, the page scrolls.
track.addEventListener("pointerdown", (event) => {
  if (event.button) return;
  held = { x: event.clientX, y: event.clientY, seeks: event.pointerType !== "touch" };
  track.setPointerCapture(event.pointerId);
  if (held.seeks) seek(event);
});
track.addEventListener("pointermove", (event) => {
  if (!held) return;
  const [x, y] = [Math.abs(event.clientX - held.x), Math.abs(event.clientY - held.y)];
  held.seeks ||= x > START && x > y;
  if (held.seeks) seek(event);
});
track.addEventListener("pointerup", (event) => {
  if (held && Math.abs(event.clientY - held.y) <= START) seek(event);
  held = null;
});
track.addEventListener("pointercancel", () => { held = null; });

// --- the outcome, a sheet on a phone -------------------------------------------------------------------------------------

const AWAY = 60; // pixels by which the sheet is dragged down to close it; a tap closes it too
const sheet = byId("outcome");
let grasped = null;
sheet.addEventListener("pointerdown", (event) => {
  if (!event.target.closest(".sheet")) return;
  grasped = event.clientY;
  sheet.setPointerCapture(event.pointerId);
});
sheet.addEventListener("pointermove", (event) => {
  if (grasped !== null) sheet.style.translate = `0 ${Math.max(0, event.clientY - grasped)}px`;
});
for (const end of ["pointerup", "pointercancel"]) sheet.addEventListener(end, (event) => {
  if (grasped === null) return;
  const moved = event.clientY - grasped;
  grasped = null;
  sheet.style.translate = "";
  if (end === "pointerup" && (moved > AWAY || Math.abs(moved) <= START)) go({ quiet: true });
});

// --- links ---------------------------------------------------------------------------------------------------------------

byId("slider").addEventListener("input", (event) => go({ step: Number(event.target.value) }));
// Not location.hash, which may have been overwritten since.
addEventListener("hashchange", (event) => follow(new URL(event.newURL).hash));

/** For scripts: the game, the view, its address, and the state of a frame (by name or index) after a step. */
window.jmjp = {
  game,
  view,
  address,
  state: (frame, step) => replay(typeof frame === "number" ? game.frames[frame] : game.frames.find(({ name }) => name === frame), step),
};

follow(location.hash);
