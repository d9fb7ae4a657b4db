"use strict";
// Moving without a click for each step: autoplay, and buttons that repeat while held.

const SPEEDS = [1, 2, 4, 8]; // steps a second
const OUTCOME_BEATS = 4; // an outcome stays as long as so many steps

const autoplay = { timer: null, speed: Number(remembered("speed")) || SPEEDS[1], moving: false, at: null };

function isPlaying() {
  return autoplay.timer !== null;
}

function startPlaying() {
  const beats = view.step === lastStep(view) ? OUTCOME_BEATS : 1;
  autoplay.timer = setTimeout(() => {
    const before = autoplay.at;
    autoplay.moving = true;
    walk(1);
    autoplay.moving = false;
    if (before === autoplay.at) stopPlaying();
    else startPlaying();
  }, (1000 * beats) / autoplay.speed);
  drawPlaying(view);
}

function stopPlaying() {
  clearTimeout(autoplay.timer);
  autoplay.timer = null;
  drawPlaying(view);
}

/** Start, from the beginning at the end of the game; or stop. */
function togglePlaying() {
  if (isPlaying()) return stopPlaying();
  const end = view.index === game.frames.length - 1 && view.step === lastStep(view) && !view.quiz;
  if (end) go({ index: 0, step: 0 });
  return startPlaying();
}

/** Play faster, or with -1 slower. */
function changeSpeed(by) {
  const place = within(SPEEDS.indexOf(autoplay.speed) + by, SPEEDS.length - 1);
  setSpeed(SPEEDS[place]);
}

function setSpeed(speed) {
  autoplay.speed = speed;
  remember("speed", speed);
  drawPlaying(view);
}

/** Draw button and speed. Any other move stops the autoplay. */
function drawPlaying(view) {
  const at = `${view.index} ${view.step}`;
  const moved = autoplay.at !== at;
  autoplay.at = at;
  if (moved && !autoplay.moving && isPlaying()) stopPlaying();
  put(byId("playing-switch"), { "aria-pressed": String(isPlaying()) });
  const speed = byId("speed");
  renew(speed, [view.lang], () => speed.replaceChildren(...SPEEDS.map((one) => el("option", { value: one }, view.words.speedOf(one)))));
  speed.value = autoplay.speed;
}

// --- input -----------------------------------------------------------------------------------------------------------------

byId("speed").addEventListener("change", (event) => setSpeed(Number(event.target.value)));

const REPEATING = new Set(["previous", "next", "previousDiscard", "nextDiscard"]);
const WAIT = 400; // milliseconds until a held button repeats
const AGAIN = 110; // milliseconds between its moves
const holding = { timer: null, repeated: false };

function letGo() {
  clearTimeout(holding.timer);
  holding.timer = null;
}

document.addEventListener("pointerdown", (event) => {
  const button = event.target.closest?.("[data-move]");
  letGo();
  holding.repeated = false;
  if (!button || event.button !== 0 || !REPEATING.has(button.dataset.move)) return;
  const again = () => {
    holding.repeated = true;
    MOVES[button.dataset.move]();
    holding.timer = setTimeout(again, AGAIN);
  };
  holding.timer = setTimeout(again, WAIT);
});
for (const type of ["pointerup", "pointercancel", "blur"]) addEventListener(type, letGo);
document.addEventListener("contextmenu", (event) => { if (holding.timer) event.preventDefault(); });
// The click at the end of a held button is not another move.
document.addEventListener("click", (event) => {
  if (holding.repeated && event.target.closest?.("[data-move]")) event.stopPropagation();
  holding.repeated = false;
}, { capture: true });
