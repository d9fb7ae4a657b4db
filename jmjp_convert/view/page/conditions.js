"use strict";
// What each player needs in the last hand for a better place, as computed when the page was made.

/** The stage of the conditions at a moment, or null: [step, conditions of each player …]. */
function stageAt(view, state) {
  if (state.wins.length || state.draw) return null;
  return (view.about.score.conditions[view.index] ?? []).findLast(([step]) => step <= view.step) ?? null;
}

function drawConditions(view, state) {
  const panel = byId("conditions");
  const stage = stageAt(view, state);
  put(byId("conditions-switch"), { hidden: !stage, "aria-pressed": String(view.conditions) });
  put(panel, { hidden: !stage || !view.conditions });
  if (!stage || !view.conditions) return;
  renew(panel, [stage, view.lang], () => panel.replaceChildren(
    el("h2", {}, view.words.conditions), conditionsTable(view, state, stage.slice(1)), el("p.soft", {}, view.words.conditionsAssume)));
}

function conditionsTable(view, state, players) {
  const { words } = view;
  const order = [...players.keys()].sort((one, other) => placeOf(one, state.points) - placeOf(other, state.points));
  const rows = order.flatMap((player) => players[player].map(([place, tsumo, ...ron], index) => {
    const direct = order[place - 1];
    const others = order.filter((one) => one !== player && one !== direct);
    const alike = others.every((one) => String(ron[one]) === String(ron[others[0]]));
    const off = (one) => el("span", {}, el("bdi", {}, `${words.winds[windOf(one, view.frame)][0]} `), ...needNodes(view, ron[one], false));
    return el("tr", {},
      el("th", { scope: "row" }, ...(index ? [] : nameNodes(view, player)), el("small", {}, ` ${words.goal(words.place(place))}`)),
      el("td", {}, ...needNodes(view, tsumo, true)),
      el("td", {}, ...needNodes(view, ron[direct], false)),
      el("td", {}, ...(alike ? needNodes(view, ron[others[0]], false) : others.map(off))));
  }));
  const heads = [words.player, words.tsumo, words.direct, words.otherRon];
  return el("table.needs", {},
    el("thead", {}, el("tr", {}, ...heads.map((head) => el("th", { scope: "col" }, head)))), el("tbody", {}, ...rows));
}

/** A condition: the points of the cheapest hand, with its fu and han or its limit. */
function needNodes(view, need, tsumo) {
  const { words } = view;
  if (!need) return [el("span.soft", {}, need === 0 ? words.anyWin : words.outOfReach)];
  const [main, additional, limit, fu, han] = need;
  return [priceText(view, { main, additional }, tsumo), " ", el("small", {}, limit ? view.named(NAMES.limits[LIMITS[limit]]) : words.fuHan(fu, han))];
}
