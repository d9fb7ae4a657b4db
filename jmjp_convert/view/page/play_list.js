"use strict";
// The list of plays of a hand, with the notes on it: each discard, call, kan and win in the column of its player, from East, so that a row is
// a turn around the table.

/** What a play is called in the list; a discard is its tile alone. */
const LISTED = new Set(["discard", "chi", "pon", "daiminkan", "kakan", "ankan", "kita", "win", "ryuukyoku"]);

const plays = { buttons: [] };

/** The plays of `frame`, in order: {step, event, thrown}; the step is that after the event, `thrown` a discard in its pond. */
function playsOf(frame) {
  const state = deal(frame);
  return frame.events.flatMap((event, index) => {
    act(state, event);
    if (!LISTED.has(event.type)) return [];
    return [{ step: index + 1, event, thrown: event.type === "discard" ? state.ponds[event.player].at(-1) : null }];
  });
}

function drawPlays(view, state) {
  const list = byId("plays");
  if (view.tab !== "plays" || view.quiz) return;
  renew(list, [view.frame, view.lang, view.open, view.seat], () => {
    const made = playsOf(view.frame).map((play) => playElement(view, state, play));
    list.replaceChildren(...headsOfPlays(view), ...made);
    for (const note of notesOf(view, view.frame)) {
      const next = made.find((item) => Number(item.firstChild.dataset.step) > note.step) ?? null;
      list.insertBefore(el("li.wide.noted", { dir: "auto" }, el("button", { type: "button", "data-step": note.step }, note.text)), next);
    }
    plays.buttons = made.map((item) => item.firstChild);
  });
  const current = plays.buttons.findLast((button) => Number(button.dataset.step) <= view.step);
  for (const button of list.querySelectorAll("[aria-current]")) if (button !== current) put(button, { "aria-current": false });
  if (current) put(current, { "aria-current": "step" });
  renew(byId("plays-panel"), [current, view.tab], () => intoSight(byId("plays-panel"), current));
}

function headsOfPlays(view) {
  return byWind(view).map((player, wind) => el(`li.head.w${wind}`, { title: view.names[player] },
    el("span.wind", {}, view.words.winds[wind][0]), el("bdi", {}, view.names[player])));
}

function playElement(view, state, { step, event, thrown }) {
  const { words, codeOf, names } = view;
  if (event.type === "ryuukyoku") {
    const name = event.kind ? view.named(NAMES.draws[event.kind]) : words.said.ryuukyoku();
    return el("li.wide", {}, el("button", { type: "button", "data-step": step, "data-key": `play-${step}` }, name));
  }
  const tile = event.tile ?? event.taken ?? event.tiles?.[0];
  const code = codeOf(tile);
  const mark = thrown && MARKS[mannerShown(view, state, event.player, thrown)];
  const riichi = thrown?.riichi;
  const word = event.type === "win" ? (event.source === undefined ? words.tsumo : words.ronCall) : words.call[riichi ? "riichi" : event.type];
  const label = [words.said[event.type](names[event.player], words.tile(code)), riichi && words.riichiTile, mark === "drawn" && words.tsumogiri, mark === "karagiri" && words.karagiri];
  const classes = [mark, thrown && thrown.taken !== null && "gone"].filter(Boolean);
  return el(`li.w${windOf(event.player, view.frame)}`, {},
    el("button", { type: "button", "data-step": step, "data-key": `play-${step}`, "aria-label": label.filter(Boolean).join(", ") },
      word && el("span", {}, word), tileElement(code, ...classes)));
}

byId("plays").addEventListener("click", (event) => {
  const button = event.target.closest("[data-step]");
  if (!button) return;
  go({ step: Number(button.dataset.step) });
  toTable();
});
