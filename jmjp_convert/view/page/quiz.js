"use strict";
// What would you discard? One seat as it saw the table, without the future, other hands and outcomes. It asks for a
// discard, then shows what the player did, and what arithmetic says of both.

/** The steps of `frame` at which `seat` chooses a discard: after a draw or a call, unless in riichi. */
function questionsOf(frame, seat) {
  const { events } = frame;
  const locked = events.findIndex((event) => event.type === "riichi_accepted" && event.player === seat);
  return events.flatMap((event, index) => {
    if (event.type !== "discard" || event.player !== seat || (locked >= 0 && index > locked)) return [];
    return [events[index - 1]?.type === "riichi" ? index - 1 : index];
  });
}

/** The last step that may be shown: the question while one is asked, otherwise the end of the frame. */
function lastStep(view) {
  return view.quiz ? view.quiz.step : view.frame.events.length;
}

/** The view of the first question for `seat` at or after a moment, or one without a quiz. */
function questionFrom(index, step, seat) {
  for (let at = index; game.frames[at]; at += 1) {
    const found = questionsOf(game.frames[at], seat).find((one) => at > index || one >= step);
    if (found !== undefined) return { quiz: { step: found, answer: null }, index: at, step: found };
  }
  return { quiz: null };
}

function toggleQuiz() {
  go(view.quiz ? { quiz: null } : questionFrom(view.index, view.step, view.seat));
}

/** The part of `change` that may be made during a quiz: moves back in the frame, and settings that show no more tiles. */
function allowed(change) {
  if (!view.quiz || "quiz" in change) return change;
  const { index, seat, open, wall, ...rest } = change;
  if (index !== undefined && index !== view.index) delete rest.step;
  return rest;
}

/** Whether a step by `by` is one of the quiz: forward from a question, to the next one if it is answered. */
function stepsInQuiz(by) {
  if (!view.quiz || by < 0 || view.step < view.quiz.step) return false;
  if (view.quiz.answer) go(questionFrom(view.index, view.quiz.step + 1, view.seat));
  return true;
}

function isAsking(view) {
  return Boolean(view.quiz) && !view.quiz.answer && view.step === view.quiz.step;
}

/** The discard that the player made at the question. */
function madeDiscard(view) {
  return view.frame.events.slice(view.quiz.step).find((event) => event.type === "discard");
}

/** Answer with a tile of the near hand. */
function answer(code) {
  if (isAsking(view)) go({ quiz: { ...view.quiz, answer: code } });
}

/** What the quiz says instead of the last event; null if nothing. */
function quizSaid(view) {
  const { words, quiz } = view;
  if (!quiz || view.step !== quiz.step) return null;
  if (!quiz.answer) return words.quizAsks(view.names[view.seat]);
  return words.quizTells(words.tile(quiz.answer), view.names[view.seat], words.tile(view.codeOf(madeDiscard(view).tile)));
}

/** Make the near hand's tiles buttons while a question is asked, and mark the answer and the discard made. */
function drawQuiz(view) {
  put(document.documentElement, { "data-quiz": Boolean(view.quiz) });
  put(byId("quiz-switch"), { "aria-pressed": String(Boolean(view.quiz)) });
  for (const [player, place] of table.places.entries()) drawAsked(view, place.hand.hand, player === view.seat);
}

/** Draw what the quiz asks of a hand and answers; the other hands are as they were before it. */
function drawAsked(view, hand, near) {
  const asking = near && isAsking(view);
  const answered = near && view.quiz?.answer && view.step === view.quiz.step;
  if (!(near && view.quiz) && hand.getAttribute("role") === "img" && !hand.querySelector(".made")) return;
  put(hand, { role: asking ? "group" : "img" });
  const made = answered ? view.codeOf(madeDiscard(view).tile) : null;
  for (const tile of hand.children) {
    const code = tile.dataset.face;
    put(tile, { role: asking && "button", tabindex: asking && 0, "aria-label": asking && view.words.tile(code) });
    tile.classList.toggle("made", code === made);
    tile.classList.toggle("answered", made !== null && code === view.quiz.answer);
  }
}

byId("own").addEventListener("click", (event) => {
  const tile = event.target.closest("[role=button]");
  if (tile) answer(tile.dataset.face);
});
byId("own").addEventListener("keydown", (event) => {
  const tile = event.target.closest("[role=button]");
  if (!tile || !["Enter", " "].includes(event.key)) return;
  event.preventDefault();
  event.stopPropagation();
  answer(tile.dataset.face);
  // The tile is no longer a button, so that it loses the focus; the next question is one key away.
  document.querySelector("#buttons [data-move=next]").focus({ preventScroll: true });
});
