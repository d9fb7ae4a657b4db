"use strict";
// What the user does: buttons, keys, wheel, swipes, slider, links. It runs last, and draws the page for the first time.

document.addEventListener("click", (event) => {
  const move = event.target.closest?.("[data-move]")?.dataset.move;
  if (move) MOVES[move]();
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || byId("help").open) return;
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
  const slider = event.target.id === "slider";
  touched = event.touches.length === 1 && !slider ? [event.touches[0].clientX, event.touches[0].clientY] : null;
}, { passive: true });
play.addEventListener("touchend", (event) => {
  if (!touched) return;
  const [x, y] = [event.changedTouches[0].clientX - touched[0], event.changedTouches[0].clientY - touched[1]];
  if (Math.abs(x) > SWIPE && Math.abs(x) > 2 * Math.abs(y)) walk(x < 0 ? 1 : -1);
}, { passive: true });

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
