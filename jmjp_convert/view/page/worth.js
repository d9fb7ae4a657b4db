"use strict";
// What the waits of a tenpai hand are worth at a moment, by ron and by tsumo, as computed when the page was made.

const LIMITS = ["none", "mangan", "haneman", "baiman", "sanbaiman", "yakuman"];

/** A value of the page: {fu, limit, main, additional, yaku: [{number, han}, …]}; null if there is no yaku. */
function valueOf(score, number) {
  if (number === null) return null;
  const [fu, limit, main, additional, ...rest] = score.worth.values[number];
  const yaku = rest.flatMap((number, index) => (index % 2 ? [] : [{ number, han: rest[index + 1] ?? undefined }]));
  return { fu, limit: LIMITS[limit], main, additional, yaku };
}

/** The face of a tile in the page's numbers: a kind, or 34 to 36 for a red five. */
function faceOfWorth(number) {
  return number < KINDS ? faceOfKind(number) : RED_FACES[number - KINDS];
}

/** What the waits of `player` are worth at `step` of the frame `index`: [{code, ron, tsumo}]; empty if it is not known. */
function worthsAt(score, index, step, player) {
  const change = (score.worth?.frames[index] ?? []).findLast((one) => one[0] <= step && one[1] === player) ?? [];
  const found = [];
  for (let at = 2; at < change.length; at += 3) {
    found.push({ code: faceOfWorth(change[at]), ron: valueOf(score, change[at + 1]), tsumo: valueOf(score, change[at + 2]) });
  }
  return found;
}

/** The waits of `player`, a red five apart: [{code, left, ron, tsumo}], undefined where the worth is not known. */
function waitsWorth(view, state, player, waits) {
  const known = worthsAt(view.about.score, view.index, view.step, player);
  const seen = seenBy(state, player).map(view.codeOf);
  return waits.flatMap(({ kind, left }) => {
    const worths = known.filter(({ code }) => kindOf(code) === kind);
    if (!worths.length) return [{ code: faceOfKind(kind), left }];
    const reds = worths.length > 1 ? redsOf(state, worths[1].code) - seen.filter((code) => code === worths[1].code).length : 0;
    return worths.map((one, index) => ({ ...one, left: index ? reds : left - reds }));
  });
}

function redsOf(state, code) {
  return state.redFives[RED_FACES.indexOf(code)];
}

// --- in the panel --------------------------------------------------------------------------------------------------------

/** The waits with the number left, and what they are worth, as far as it is known. */
function waitsElement(view, player, rows) {
  const { words } = view;
  const left = words.tilesLeft(total(rows));
  if (rows.every(({ ron }) => ron === undefined)) {
    return el("p.waits", {}, `${words.waits}: `, ...rows.map((one) => leftElement(view, one)), ` ${left}`);
  }
  return el("table.worths", {},
    el("thead", {}, el("tr", {}, ...[`${words.waits}: ${left}`, words.ronCall, words.tsumo].map((head) => el("th", { scope: "col" }, head)))),
    el("tbody", {}, ...rows.map((row) => el(row.left > 0 ? "tr" : "tr.dead", {},
      el("th", { scope: "row" }, leftElement(view, row)),
      el("td", {}, ...worthCell(view, row.ron, player, false)), el("td", {}, ...worthCell(view, row.tsumo, player, true))))));
}

/** The points of a win; below, fu, han and yaku. */
function worthCell(view, value, player, tsumo) {
  const { words } = view;
  if (value === undefined) return ["–"];
  if (value === null) return [el("span.yakuless", {}, words.noYaku)];
  const han = value.yaku.reduce((sum, one) => sum + one.han, 0); // NaN for yakuman
  const single = singleYakuman(view, player, tsumo);
  const paid = tsumo ? value.main * (windOf(player, view.frame) ? 2 : 3) : value.main;
  const worth = [!Number.isNaN(han) && fuHan(view, value.fu, han, value.limit), limitName(view, value.limit, paid / single, value.yaku)].filter(Boolean);
  const yaku = value.yaku.map((one) => `${view.named(NAMES.yaku[one.number])}${one.han > 1 ? ` ${one.han}` : ""}`);
  return [
    el("strong", {}, priceText(view, value, tsumo)), " ",
    el("small", {}, worth.join(" ")), " ",
    el("small.of", {}, yaku.join(view.lang === "ja" ? "、" : ", ")),
  ];
}

/** What is paid for a hand: "2000/4000" or "4000 all" by tsumo. */
function priceText({ words }, { main, additional }, tsumo) {
  if (!tsumo) return String(main);
  return additional && additional !== main ? `${additional}/${main}` : words.all(main);
}
