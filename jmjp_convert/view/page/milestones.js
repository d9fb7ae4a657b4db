"use strict";
// The milestones of a frame: riichi, calls, hands that become tenpai, wins. One can jump to them, and the slider has a
// tick for each.

const TICK_TOPS = { riichi: 0, call: 2.4, tenpai: 1.2, win: 0 }; // of a height of 4
const MILESTONE_OF = { riichi: "riichi", win: "win", chi: "call", pon: "call", daiminkan: "call", kakan: "call", ankan: "call" };

const milestonesKnown = new WeakMap();

/** All milestones of `frame`, in order: {step, what, player}; the step is that after the event. */
function milestonesOf(frame) {
  if (!milestonesKnown.has(frame)) milestonesKnown.set(frame, findMilestones(frame));
  return milestonesKnown.get(frame);
}

function findMilestones(frame) {
  const state = deal(frame);
  const tenpai = Array(frame.players).fill(false);
  return frame.events.flatMap((event, index) => {
    act(state, event);
    const what = Object.hasOwn(MILESTONE_OF, event.type) && MILESTONE_OF[event.type];
    const found = what ? [{ step: index + 1, what, player: event.player }] : [];
    if (event.type !== "discard") return found;
    const before = tenpai[event.player];
    tenpai[event.player] = waitsOf(state.hands[event.player] ?? [], frame.players === 3).length > 0;
    return tenpai[event.player] && !before ? [{ step: index + 1, what: "tenpai", player: event.player }] : found;
  });
}

/** The milestones of `frame` that the view may show: with closed hands, nobody else's tenpai; in a quiz none. */
function milestonesShown(view, frame) {
  if (view.quiz) return [];
  return milestonesOf(frame).filter(({ what, player }) => what !== "tenpai" || view.open || player === view.seat);
}

/** Go to the next milestone `what`, or with -1 to the one before, in another frame too; without one, stay. */
function toMilestone(what, by) {
  for (let index = view.index; game.frames[index]; index += by) {
    const steps = milestonesShown(view, game.frames[index]).filter((one) => one.what === what).map(({ step }) => step);
    const ahead = index !== view.index ? steps : steps.filter((step) => (step - view.step) * by > 0);
    if (ahead.length) return go({ index, step: ahead.at(by > 0 ? 0 : -1) });
  }
  return undefined;
}

/** Draw a tick on the slider for each milestone, and the buttons that go to them, which do nothing in a quiz. */
function drawTicks(view) {
  const ticks = byId("ticks");
  renew(ticks, [view.frame, view.open, view.seat, view.quiz], () => {
    for (const button of document.querySelectorAll("#switches [data-move^=next]")) put(button, { "aria-disabled": view.quiz && "true" });
    put(ticks, { viewBox: `0 0 ${lastStep(view) || 1} 4` });
    ticks.replaceChildren(...milestonesShown(view, view.frame).map(({ step, what }) =>
      svg("line", { class: `tick tick-${what}`, x1: step, x2: step, y1: TICK_TOPS[what], y2: 4 })));
  });
}
