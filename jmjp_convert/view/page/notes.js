"use strict";
// Notes at moments of the play: those of the record, shown on the table and in the list of plays, and those added here,
// with which the game can be saved.

/** What a note counts: the events of PLAYS in jmjp_convert/model/match.py. */
const PLAYS = new Set(["draw", "discard", "chi", "pon", "daiminkan", "ankan", "kakan", "kita", "win"]);
const UNFIT = /[\0-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+/gu;

/** The notes added on this page, by frame: {after, text} as in the record. */
const added = new Map();
let unsaved = false; // whether there are notes that no file has

/** How many plays the first `step` events of `frame` have. */
function playsBefore(frame, step) {
  return frame.events.slice(0, step).filter(({ type }) => PLAYS.has(type)).length;
}

/** The notes of `frame`, recorded and added, in order. */
function recordedNotes(frame) {
  return [...(frame.end?.notes ?? []), ...(added.get(frame) ?? [])].sort((one, other) => one.after - other.after);
}

/** All notes of `frame` as {step, text}, and at its end what the recorder says of all of it. */
function notesOf(view, frame) {
  if (view.quiz) return [];
  const whole = view.about[view.lang].comments?.[view.game.frames.indexOf(frame)];
  if (!whole && !frame.end?.notes && !added.has(frame)) return [];
  const steps = [0, ...frame.events.flatMap(({ type }, index) => (PLAYS.has(type) ? [index + 1] : []))];
  return [...recordedNotes(frame).map(({ after, text }) => ({ step: steps[after], text })), ...(whole ? [{ step: frame.events.length, text: whole }] : [])];
}

function drawNotes(view) {
  const texts = notesOf(view, view.frame).filter(({ step }) => step === view.step).map(({ text }) => text);
  put(table.note, { hidden: !texts.length });
  keep(table.note, texts.map((text) => [text, () => el("p", { dir: "auto" }, text)]));
  put(byId("note-add"), { "aria-disabled": !view.frame.start.hands && "true" });
}

/** Add what is written in the field to the moment shown, a note a line. */
function addNote() {
  const field = byId("note-text");
  const texts = field.value.split("\n").map((text) => text.replace(UNFIT, " ").trim()).filter(Boolean);
  if (!texts.length || !view.frame.start.hands || view.quiz) return;
  const after = playsBefore(view.frame, view.step);
  added.set(view.frame, [...(added.get(view.frame) ?? []), ...texts.map((text) => ({ after, text }))]);
  field.value = "";
  unsaved = true;
  drawnFor.delete(byId("plays"));
  go({});
  put(byId("saved"), {}, view.words.noteAdded);
}

// --- saving ----------------------------------------------------------------------------------------------------------------

/** The file `text` in the form `kind`, with the notes of each frame at their places. */
function withNotes(text, kind) {
  const pending = game.frames.map(recordedNotes);
  return text.split("\n").flatMap(kind === "jmjp" ? jmjpLines(pending) : jsonLines(pending)).join("\n");
}

function jsonLines(pending) {
  return (line) => {
    if (!line.includes('"type":"end_frame"')) return [line];
    const notes = pending.shift();
    return [notes.length ? JSON.stringify({ ...JSON.parse(line), notes }) : line];
  };
}

/** In jmjp a note is a comment, on a line before an act, or within one after its draw. */
function jmjpLines(pending) {
  let notes = [];
  let plays = 0;
  const due = (upTo) => notes.splice(0, notes.findIndex(({ after }) => after > upTo) >>> 0).map(({ text }) => (/^tenhou(\s|$)/.test(text) ? `//${text}` : `// ${text}`));
  return (line) => {
    if (line.startsWith("frm[")) [notes, plays] = [[...pending.shift()], 0];
    const act = /^ {2}\(\w,([^,]+),([^,]*)\)$/.exec(line);
    if (!act) return [line];
    const before = due(plays);
    plays += act[1] === "oy" ? 0 : 1;
    const within = act[2] ? due(plays) : [];
    plays += act[2] ? 1 : 0;
    const cut = line.lastIndexOf(",");
    const parts = within.length ? [`${line.slice(0, cut)} ${within.join("\n  ")}`, `  ${line.slice(cut)}`] : [line];
    return [...before.map((text) => `  ${text}`), ...parts, ...due(plays).map((text) => `  ${text}`)];
  };
}

/** Save the game with its notes, as a download of the browser's. */
async function saveGame() {
  const { name, kind } = about.source;
  let text = null;
  try { text = withNotes(await unpacked(about.source.packed), kind); } catch { /* a browser without DecompressionStream */ }
  put(byId("saved"), {}, text === null ? view.words.notSaved : "");
  if (text === null) return;
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  el("a", { href: address, download: name }).click();
  unsaved = false;
  setTimeout(() => URL.revokeObjectURL(address), 60000);
}

// The browser asks whether to leave the page and lose notes.
addEventListener("beforeunload", (event) => { if (unsaved || byId("note-text").value.trim()) event.preventDefault(); });

byId("note-text").addEventListener("keydown", (event) => {
  event.stopPropagation();
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  addNote();
});
