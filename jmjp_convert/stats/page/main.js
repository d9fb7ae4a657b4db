"use strict";
// The page: the list of players, or the one in the address. It runs last, and draws the page for the first time.

const about = JSON.parse(byId("about").textContent);

const state = {
  lang: about.lang ?? languageWanted(),
  theme: themeWanted(),
  get words() { return TEXTS[state.lang]; },
  named: (both) => both[LANGUAGES.indexOf(state.lang)],
};

/** The link to a player. */
function addressOf({ name, seats }) {
  return `#${new URLSearchParams(seats === 4 ? { name } : { name, seats })}`;
}

/** The player in the address, or the only one there is. */
function chosen() {
  if (players.length === 1) return players[0];
  const said = new URLSearchParams(location.hash.slice(1));
  if (said.has("id")) return players.find(({ id, seats }) => id === said.get("id") && seats === Number(said.get("seats") ?? 4));
  return players.find((player) => addressOf(player) === `#${said}`);
}

/** The link to the games of a player, on a page that belongs to a list of games. */
function gamesOf({ id, name }) {
  return `${about.games}#${new URLSearchParams(id ? { id, player: name } : { player: `"${name}"` })}`;
}

function draw() {
  const root = document.documentElement;
  const { words } = state;
  put(root, { lang: state.lang, "data-theme": state.theme });
  for (const node of document.querySelectorAll("[data-text]")) put(node, {}, words[node.dataset.text]);
  for (const node of document.querySelectorAll("[data-label]")) put(node, { "aria-label": words[node.dataset.label], title: words[node.dataset.label] });
  const player = chosen();
  document.title = player ? `${player.name || words.nameless} – ${words.title}` : words.title;
  put(byId("list"), { hidden: Boolean(player) });
  put(byId("card"), { hidden: !player });
  if (player) drawCard(player, state);
  else drawList(state);
}

let before = { player: null, top: 0 };

/** Go to what the address says. Back in the list, it is where it was left. */
function follow() {
  const player = chosen();
  if (!player) byId("name").value = new URLSearchParams(location.hash.slice(1)).get("name") ?? byId("name").value;
  draw();
  if (player) {
    byId("whose").focus({ preventScroll: true });
    scrollTo(0, 0);
  } else {
    scrollTo(0, before.top);
    document.querySelector(`#tables a[href="${CSS.escape(before.player ? addressOf(before.player) : "")}"]`)?.focus({ preventScroll: true });
  }
  before = { player, top: before.top };
}

byId("tables").addEventListener("click", () => { before.top = scrollY; });
byId("filters").addEventListener("input", () => drawList(state));
byId("filters").addEventListener("submit", (event) => event.preventDefault());
byId("language").addEventListener("click", () => {
  state.lang = otherLanguage(state.lang);
  draw();
});
byId("theme").addEventListener("click", () => {
  state.theme = otherTheme(state.theme);
  draw();
});
addEventListener("hashchange", follow);
addEventListener("resize", () => { if (chosen()) draw(); });
put(byId("games"), { hidden: !about.games, href: about.games || null });
if (!chosen()) byId("name").value = new URLSearchParams(location.hash.slice(1)).get("name") ?? "";
draw();
