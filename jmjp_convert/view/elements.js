"use strict";
// Elements. Text is always inserted as text, never as markup. A step changes only what differs: see put, keep and renew.

const SVG = "http://www.w3.org/2000/svg";

const byId = (id) => document.getElementById(id);

/** An element: el("p.said", {title: "…"}, "text", child, …). A falsy child is left out. */
function el(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  const made = document.createElement(tag);
  if (classes.length) made.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
  put(made, attributes);
  made.append(...children.filter((child) => child || child === 0));
  return made;
}

function svg(tag, attributes, ...children) {
  const made = put(document.createElementNS(SVG, tag), attributes);
  made.append(...children);
  return made;
}

/** The nodes of a text in which NAME stands for a name: the name is isolated, so that its direction changes nothing else. */
const NAME = "\0";
function withName(text, ...names) {
  return text.split(NAME).flatMap((part, index) => (index ? [el("bdi", {}, names[index - 1]), part] : [part])).filter(Boolean);
}

// --- changing what is there ----------------------------------------------------------------------------------------------

/** Set the attributes, and the text if given, of `node` that differ. False, null and undefined remove an attribute. */
function put(node, attributes, text) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) continue;
    const wanted = value === true ? "" : value === false || value == null ? null : String(value);
    if (wanted === node.getAttribute(key)) continue;
    if (wanted === null) node.removeAttribute(key);
    else node.setAttribute(key, wanted);
  }
  if (text !== undefined && node.textContent !== String(text)) node.textContent = text;
  return node;
}

/**
 * Make the children of `parent` those `wanted`, in order; return them. Each is [key, make]: a child with that key stays as
 * it is, otherwise make() gives a new one. The key says all that the child shows, so equal keys may stand twice.
 */
function keep(parent, wanted) {
  const had = new Map([...parent.children].map((child) => [child.key, child]));
  const times = new Map();
  const children = wanted.map(([name, make]) => {
    const time = (times.get(name) ?? 0) + 1;
    times.set(name, time);
    const key = `${name} ${time}`;
    const child = had.get(key) ?? Object.assign(make(), { key });
    had.delete(key);
    return child;
  });
  for (const child of had.values()) child.remove();
  let at = parent.firstChild;
  for (const child of children) {
    if (child === at) at = at.nextSibling;
    else parent.insertBefore(child, at);
  }
  return children;
}

const drawnFor = new WeakMap();

/** Call draw(), which draws `node`, unless it was drawn for the same `inputs`: values that decide what it shows. */
function renew(node, inputs, draw) {
  const before = drawnFor.get(node);
  if (before && inputs.every((input, index) => input === before[index])) return;
  drawnFor.set(node, inputs);
  draw();
}

// --- tiles ---------------------------------------------------------------------------------------------------------------

/** A tile showing `code`, a face or "back". Each drawing is in the page once, and referenced. */
function tileElement(code, ...classes) {
  const made = el(["span", "tile", ...classes].join("."), { "data-face": code });
  made.append(svg("svg", { viewBox: "0 0 30 40" }, svg("use", { href: `#t-${code}` })));
  return made;
}

/** A tile as keep() wants it. */
function tileChild(code, ...classes) {
  return [[code, ...classes].join("."), () => tileElement(code, ...classes)];
}

/** A row of tiles, one image to a screen reader, which reads `label`. */
function tileRow(name, label, tiles) {
  return el(name, { role: "img", "aria-label": label }, ...tiles);
}

/** A meld as on the table: the called tile sideways, on the side of the player who discarded it. */
function meldElement(meld, codeOf, label) {
  return tileRow(`span.meld.${meld.type}`, label, MELD_TILES[meld.type](meld, codeOf));
}

const MELD_TILES = {
  chi: claimed,
  pon: claimed,
  daiminkan: claimed,
  kakan: ({ pon, tile }, codeOf) => claimed(pon, codeOf, tile),
  ankan({ tiles }, codeOf) {
    // The red five, which is first, is one of the two face-up tiles.
    const [first, second] = tiles.map(codeOf);
    return [tileElement("back"), tileElement(second), tileElement(first), tileElement("back")];
  },
  kita: ({ tile }, codeOf) => [tileElement(codeOf(tile))],
};

function claimed({ player, source, taken, hand }, codeOf, added) {
  const tiles = hand.map((tile) => tileElement(codeOf(tile)));
  const sideways = [tileElement(codeOf(taken), "side", "taken")];
  if (added !== undefined) sideways.unshift(tileElement(codeOf(added), "side", "added"));
  // Seats as at a table of four: shimocha 1, toimen 2, kamicha 3.
  const from = (source - player + 4) % 4;
  const place = { 3: 0, 2: 1, 1: tiles.length }[from];
  tiles.splice(place, 0, el("span.stack", {}, ...sideways));
  return tiles;
}

/** The tiles of a meld, the called one first. */
function meldTiles(meld) {
  if (meld.type === "kakan") return [...meldTiles(meld.pon), meld.tile];
  return meld.tiles ?? (meld.hand ? [meld.taken, ...meld.hand] : [meld.tile]);
}
