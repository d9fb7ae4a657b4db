"use strict";
// Study: the readings of the hands that are shown, next to the table and as badges at it.

const READINGS = ["shanten", "waits", "discards", "safety"];

/** The settings that are remembered, as the view has them at first. */
function studySettings() {
  const off = [...READINGS, "conditions"].map((key) => [key, remembered(key) === "true"]);
  return { ...Object.fromEntries(off), dora: remembered("dora") !== "false" };
}

/** Turn a remembered setting on or off. */
function toggleSetting(key) {
  remember(key, !view[key]);
  go({ [key]: !view[key] });
}

/** Whether the quiz has an answer to compare with the discard made. */
function isAnswered(view) {
  return Boolean(view.quiz?.answer) && view.step === view.quiz.step;
}

function drawReadings(view, state) {
  for (const key of [...READINGS, "dora"]) put(byId(`${key}-switch`), { "aria-pressed": String(view[key]) });
  const some = READINGS.some((key) => view[key]) || isAnswered(view);
  const panel = byId("study");
  const parts = [];
  for (const [player, place] of table.places.entries()) {
    const shown = some && !isAsking(view) && isShown(view, state, player);
    const reading = shown ? readingOf(view.frame, view.step, state, player) : null;
    drawBadge(view, place, reading);
    if (reading) parts[sideOf(player, view.seat)] = readingChild(view, state, player, reading);
  }
  const shown = Object.values(parts).filter(Boolean);
  if (some && !isAsking(view)) shown.push(...safetyChildren(view, state));
  const why = view.waits && view.about.score.why;
  if (shown.length && why) shown.push([view.words.whyNoWorth[why], () => el("p.soft", {}, view.words.whyNoWorth[why])]);
  if (shown.length) shown.unshift([view.words.study, () => el("h2", {}, view.words.study)]);
  put(panel, { hidden: !shown.length });
  keep(panel, shown);
}

/** The badge of a player, below the name at the table: the shanten, or the waits with the number left, and furiten. */
function drawBadge(view, place, reading) {
  const { words } = view;
  const ready = reading !== null && reading.waits.length > 0;
  const waits = ready && view.waits ? reading.waits : [];
  const text = ready || !reading || !view.shanten ? "" : words.shantenOf(reading.shanten);
  put(place.badge, { hidden: !text && !(ready && (view.waits || view.shanten)), class: `reading${ready ? " ready" : ""}` });
  keep(place.badge, [
    ...(text || (ready && !waits.length) ? [[text || words.tenpai, () => el("span", {}, text || words.tenpai)]] : []),
    ...waits.map((one) => [`${one.kind} ${one.left}`, () => leftElement(view, one, null)]),
    ...(ready && reading.furiten ? [[words.furiten, () => el("span.furiten", {}, words.furiten)]] : []),
  ]);
}

/** What is said of a hand, as keep() wants it; null if nothing is. */
function readingChild(view, state, player, reading) {
  const wants = view.discards || isAnswered(view);
  const choices = wants && player === view.seat ? choicesOf(view.frame, state, player, alsoChosen(view)) : null;
  const waits = view.waits && reading.waits.length > 0 ? waitsWorth(view, state, player, reading.waits) : null;
  if (!choices && !waits && !view.shanten) return null;
  const said = shantenWords(view, reading);
  const key = JSON.stringify([view.lang, player, windOf(player, view.frame), said, reading.furiten, waits, choices, choices && alsoChosen(view)]);
  return [key, () => readingElement(view, player, { ...reading, waits, choices, said })];
}

function readingElement(view, player, { waits, choices, said, furiten }) {
  const { words } = view;
  return el(
    "section.reading-of", {},
    el("h3", {}, ...nameNodes(view, player), el("span.shanten", {}, said), furiten && waits && el("span.furiten", {}, words.furiten)),
    waits && waitsElement(view, player, waits),
    choices && choicesElement(view, choices),
  );
}

/** A player by wind and name: names are cut at the table, and two players may have the same. */
function nameNodes(view, player) {
  return [el("span.wind", {}, view.words.winds[windOf(player, view.frame)][0]), " ", el("bdi", {}, view.names[player])];
}

function shantenWords(view, reading) {
  return view.shanten || isAnswered(view) ? view.words.shantenOf(reading.shanten) : "";
}

/** A tile with the number left. */
function leftElement({ words }, { kind, left, code = faceOfKind(kind) }, tabindex = 0) {
  return el(left > 0 ? "span.counted" : "span.counted.dead", { role: "img", tabindex, "data-face": code, "aria-label": words.tileLeft(words.tile(code), left) }, tileElement(code), el("sub", {}, left));
}

/** The kinds of the answer in the quiz and of the discard made, which may not keep the shanten. */
function alsoChosen(view) {
  return isAnswered(view) ? [view.quiz.answer, madeDiscard(view).tile].map(kindOf) : [];
}

function choicesElement(view, choices) {
  const { words } = view;
  const chosen = isAnswered(view) ? alsoChosen(view) : [];
  const marks = [words.yours, words.made];
  return el("table.choices", {},
    headElement(words.discard, words.shanten, words.acceptance, words.total),
    el("tbody", {}, ...choices.map(({ kind, shanten, accepted }) => el("tr", {},
      el("th", { scope: "row" }, tileElement(faceOfKind(kind)), el("span.spoken", {}, words.tile(faceOfKind(kind))),
        ...marks.flatMap((mark, index) => (chosen[index] === kind ? [el("small", {}, mark)] : []))),
      el("td.shanten", {}, words.shantenOf(shanten)),
      el("td.accepted", {}, ...accepted.map((one) => leftElement(view, one))),
      el("td.total", {}, words.tilesLeft(total(accepted)))))));
}
