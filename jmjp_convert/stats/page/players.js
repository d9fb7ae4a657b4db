"use strict";
// The players, and the numbers of theirs that are shown. COUNTS and RATES are those of the program.

const UNKNOWN = "–";
const THOUSAND = 1000;

const rates = RATES.map(([names, of, by, form, short]) => ({ names, of, by, form, short }));
/** The shares of the first to the fourth place. */
const placements = rates.filter(({ of }) => /^place\d$/.test(of));

const players = JSON.parse(byId("players").textContent).map(([name, seats, counts, yaku, curve, id = ""]) => ({
  id, // in the list of games of a site, for a player with an account
  name,
  seats,
  counts: Object.fromEntries(COUNTS.map((key, index) => [key, counts[index]])),
  yaku,
  curve,
}));

/** The rates that exist at a table of so many `seats`. */
function ratesOf(seats, among = rates) {
  return among.filter(({ of }) => seats === 4 || of !== "place4");
}

/** The value of a rate; null if there is nothing to divide by. */
function valueOf({ of, by }, { counts }) {
  return counts[by] ? counts[of] / counts[by] : null;
}

/** A rate as text, as in the terminal. */
function rateText({ of, by, form }, { counts }) {
  if (!counts[by]) return UNKNOWN;
  if (form === "share") return `${quotient(100 * counts[of], counts[by], 1)}%`;
  if (form === "result") return pointsText(counts[of], counts[by]);
  return quotient(counts[of], counts[by], form === "points" ? 0 : 2);
}

/** Points in thousands with their sign, over so many games. */
function pointsText(points, games = 1) {
  return `${points > 0 ? "+" : points < 0 ? "−" : "±"}${quotient(Math.abs(points), THOUSAND * games, 1)}`;
}

/** of / by, which are whole numbers and not negative, with so many decimals; a half goes to the even digit. */
function quotient(of, by, digits) {
  const scaled = of * 10 ** digits;
  const whole = Math.floor(scaled / by);
  const rest = 2 * (scaled - whole * by);
  const up = rest > by || (rest === by && whole % 2);
  return ((whole + (up ? 1 : 0)) / 10 ** digits).toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function integer(number) {
  return number.toLocaleString("en");
}

/** The placements of a player as a bar, one image to a screen reader. */
function placementBar(player, { words }) {
  const shares = ratesOf(player.seats, placements);
  const label = shares.map((rate, index) => `${words.place(index + 1)} ${rateText(rate, player)}`).join(", ");
  let left = 0;
  const parts = shares.map((rate, index) => {
    const width = 100 * (valueOf(rate, player) ?? 0);
    left += width;
    return svg("rect", { class: `place${index + 1}`, x: left - width, y: 0, width, height: 10 });
  });
  return svg("svg", { class: "bar", viewBox: "0 0 100 10", preserveAspectRatio: "none", role: "img", "aria-label": label }, svg("title", {}, label), ...parts);
}
