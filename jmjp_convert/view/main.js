"use strict";
// The page: the current view, what changes it, and its address.

const read = (id) => JSON.parse(document.getElementById(id).textContent);
const about = read("about");
const game = gather(read("game"));

/** The current view: frame, step, seat, and display settings. */
const view = {
  game,
  about,
  index: 0,
  step: 0,
  seat: ownSeat(),
  open: true,
  wall: false,
  quiet: false, // whether the outcome is closed
  lang: languageWanted(),
  theme: remembered("theme") ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"),
  codeOf: (tile) => face(tile, game.match.rules.red_fives !== false),
  named: (both) => both[LANGUAGES.indexOf(view.lang)],
  go,
  get frame() { return game.frames[view.index]; },
  get words() { return TEXTS[view.lang]; },
  get names() { return about[view.lang].names; },
  get ranks() { return about[view.lang].ranks; },
};

/** The seat of the view unless a link gives another. */
function ownSeat() {
  return Math.min(about.seat, game.players - 1);
}

function languageWanted() {
  const wanted = [remembered("lang"), ...(navigator.languages ?? [])].filter(Boolean).map((tag) => tag.slice(0, 2));
  return wanted.find((lang) => LANGUAGES.includes(lang)) ?? "en";
}

// A page opened from disk may have no storage; nothing is remembered then.
function remembered(key) {
  try { return localStorage.getItem(`jmjp-${key}`); } catch { return null; }
}

function remember(key, value) {
  try { localStorage.setItem(`jmjp-${key}`, value); } catch { /* no storage */ }
}

// --- moving --------------------------------------------------------------------------------------------------------------

/** Change the view by the properties in `change`. */
function go(change) {
  const before = [view.index, view.step];
  Object.assign(view, change);
  view.index = within(view.index, game.frames.length - 1);
  view.step = within(view.step, view.frame.events.length);
  if (before[0] !== view.index || before[1] !== view.step) view.quiet = false;
  draw();
  writeAddress();
}

function within(number, most) {
  return Math.max(0, Math.min(Number.isInteger(number) ? number : 0, most));
}

/** Step forward or back, past the end of a frame into the next one. */
function walk(by) {
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
  previousFrame: () => go({ index: view.index - 1, step: 0 }),
  nextFrame: () => (view.index + 1 < game.frames.length ? go({ index: view.index + 1, step: 0 }) : MOVES.last()),
  previousDiscard: () => toDiscard(view.seat, -1),
  nextDiscard: () => toDiscard(view.seat, 1),
  open: () => go({ open: !view.open }),
  wall: () => go({ wall: !view.wall }),
  outcome: () => isOver(view, replay(view.frame, view.step)) && go({ quiet: !view.quiet }),
  language() {
    const lang = LANGUAGES.find((other) => other !== view.lang);
    remember("lang", lang);
    go({ lang });
  },
  theme() {
    const theme = view.theme === "dark" ? "light" : "dark";
    remember("theme", theme);
    go({ theme });
  },
  help: () => document.getElementById("help").showModal(),
  close: () => document.getElementById("help").close(),
};

const KEYS = {
  ArrowLeft: "previous", ArrowRight: "next", ArrowUp: "previousFrame", ArrowDown: "nextFrame", Home: "first", End: "last",
  d: "nextDiscard", D: "previousDiscard", o: "open", w: "wall", r: "outcome", l: "language", t: "theme", "?": "help",
};

// --- the address -----------------------------------------------------------------------------------------------------------

function address() {
  const seat = view.seat === ownSeat() ? "" : `&seat=${view.seat}`;
  return `#frame=${view.frame.name}&step=${view.step}${seat}`;
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
  go({ index, step: index < 0 ? 0 : Number(said.get("step")), seat });
}

// --- drawing ---------------------------------------------------------------------------------------------------------------

function draw() {
  const root = document.documentElement;
  root.lang = view.lang;
  root.dataset.theme = view.theme;
  const state = replay(view.frame, view.step);
  const focused = document.activeElement?.dataset.key;
  drawHead();
  drawTable(view, state);
  drawOutcome(view, state);
  drawFrames(view);
  drawCurve(view);
  drawResult(view);
  drawWall(view, state);
  // Redrawn elements keep the focus, for keyboard users.
  if (focused) document.querySelector(`[data-key="${focused}"]`)?.focus({ preventScroll: true });
}

function drawHead() {
  const { words } = view;
  const head = about[view.lang];
  document.title = head.title;
  document.getElementById("title").textContent = head.title;
  document.getElementById("when").textContent = head.when;
  for (const node of document.querySelectorAll("[data-text]")) node.textContent = words[node.dataset.text];
  for (const node of document.querySelectorAll("[data-label]")) {
    node.setAttribute("aria-label", words[node.dataset.label]);
    node.title = words[node.dataset.label];
  }
  for (const key of ["open", "wall"]) document.getElementById(`${key}-switch`).setAttribute("aria-pressed", String(view[key]));
  document.getElementById("wall-switch").hidden = !about.walls;
  const slider = document.getElementById("slider");
  slider.max = view.frame.events.length;
  slider.value = view.step;
  document.getElementById("count").textContent = `${view.step} / ${view.frame.events.length}`;
  document.getElementById("keys").replaceChildren(...words.keys.flatMap(([keys, does]) => [el("dt", {}, el("kbd", {}, keys)), el("dd", {}, does)]));
  document.getElementById("legend").replaceChildren(...words.legend.map(([mark, means]) => el("li", {}, legendTile(mark), means)));
}

function legendTile(mark) {
  return tileElement("5p", ...({ riichi: ["hand", "side", "riichi"], taken: ["hand", "gone"] }[mark] ?? [mark]));
}

// --- input -------------------------------------------------------------------------------------------------------------------

document.addEventListener("click", (event) => {
  const move = event.target.closest?.("[data-move]")?.dataset.move;
  if (move) MOVES[move]();
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || document.getElementById("help").open) return;
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

const play = document.getElementById("play");
const NOTCH = 40; // wheel movement per step, in pixels; smaller movements add up
let turned = 0;
document.getElementById("board").addEventListener("wheel", (event) => {
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

document.getElementById("slider").addEventListener("input", (event) => go({ step: Number(event.target.value) }));
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
