"use strict";
// The page: the current view, and how it is drawn.

const read = (id) => JSON.parse(byId(id).textContent);
const about = read("about");
const game = gather(read("game").map(whole));

/** The text that is packed in `packed`. A browser without DecompressionStream throws. */
async function unpacked(packed) {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
}

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
  more: false, // whether the switches behind a button are open
  tab: TABS.includes(remembered("tab")) ? remembered("tab") : TABS[0],
  quiz: null, // {step, answer}: the step of the question, and the face chosen
  ...studySettings(),
  lang: languageWanted(),
  theme: themeWanted(),
  codeOf: (tile) => face(tile, game.match.rules.red_fives ?? ONE_RED_EACH),
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

// --- changes -------------------------------------------------------------------------------------------------------------

/** Change the view by the properties in `change`. */
function go(change) {
  const before = [view.index, view.step];
  Object.assign(view, allowed(change));
  view.index = within(view.index, game.frames.length - 1);
  view.step = within(view.step, lastStep(view));
  if (before[0] !== view.index || before[1] !== view.step) view.quiet = false;
  draw();
  writeAddress();
}

function within(number, most) {
  return Math.max(0, Math.min(Number.isInteger(number) ? number : 0, most));
}

// --- drawing ---------------------------------------------------------------------------------------------------------------

/** What is drawn after each change, in order: each is called with the view and the state of the play. */
const PARTS = [
  drawHead, drawTable, drawQuiz, drawControls, drawTicks, drawPlaying, drawOutcome, drawReadings, drawConditions, drawDora, drawLight,
  drawTabs, drawScores, drawResult, drawCurve, drawNotes, drawPlays, drawWall, drawShare,
];

function draw() {
  const state = replay(view.frame, view.step);
  const focused = document.activeElement?.dataset.key;
  for (const part of PARTS) part(view, state);
  // Redrawn elements keep the focus, for keyboard users.
  if (focused && focused !== document.activeElement.dataset.key) document.querySelector(`[data-key="${focused}"]`)?.focus({ preventScroll: true });
}

// The table takes the room it has. The sizes are set only when they change: the whole table depends on them.
new ResizeObserver(([{ contentRect: { width, height } }]) => {
  byId("room").style.setProperty("--room-w", `${width}px`);
  byId("room").style.setProperty("--room-h", `${height}px`);
}).observe(byId("room"));

function drawHead() {
  const root = document.documentElement;
  put(root, { lang: view.lang, "data-theme": view.theme });
  renew(root, [view.lang], () => {
    const { words } = view;
    const { date, when } = about[view.lang];
    const who = view.names.join(" – ");
    document.title = [who, date].filter(Boolean).join(", ");
    put(byId("title"), { title: document.title });
    byId("title").replaceChildren(who, ...(date ? [el("span.spoken", {}, `, ${date}`)] : []));
    put(byId("when"), { title: [date, when].filter(Boolean).join(", ") });
    byId("when").replaceChildren(...(date ? [el("span", { "aria-hidden": "true" }, when ? `${date}, ` : date)] : []), when);
    for (const node of document.querySelectorAll("[data-text]")) put(node, {}, words[node.dataset.text]);
    for (const node of document.querySelectorAll("[data-label]")) {
      put(node, { "aria-label": words[node.dataset.label], title: words[node.dataset.label] });
    }
    byId("keys").replaceChildren(...words.keys.flatMap(([keys, does]) => [el("dt", {}, el("kbd", {}, keys)), el("dd", {}, does)]));
    byId("legend").replaceChildren(...words.legend.map(([mark, means]) => el("li", {}, legendTile(mark), means)));
  });
}

function legendTile(mark) {
  return tileElement("5p", ...({ riichi: ["hand", "side", "riichi"], taken: ["hand", "gone"] }[mark] ?? [mark]));
}

function drawControls() {
  for (const key of ["open", "wall"]) put(byId(`${key}-switch`), { "aria-pressed": String(view[key] && !view.quiz), "aria-disabled": view.quiz && "true" });
  put(byId("wall-switch"), { hidden: !about.walls });
  put(byId("more-switch"), { "aria-expanded": String(view.more) });
  put(byId("switches"), { "data-open": view.more });
  const slider = byId("slider");
  put(slider, { max: lastStep(view), "aria-valuetext": `${view.step}: ${byId("said").textContent}` });
  slider.value = view.step;
  put(byId("count"), {}, view.quiz ? view.step : `${view.step} / ${lastStep(view)}`);
}
