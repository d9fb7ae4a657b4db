"use strict";
// Tiles marked wherever they lie: the dora, and those like the one under the pointer or focus. Each is one rule of a
// style sheet made here, so that no tile has to be touched.

const sheets = { dora: addSheet(), alike: addSheet() };

/** A style sheet of its own; a browser that cannot have one, such as Safari before 16.4, shows no marks. */
function addSheet() {
  try {
    const sheet = new CSSStyleSheet();
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    return sheet;
  } catch {
    return { replaceSync() {} };
  }
}

/** The faces of a kind: a five may be red. */
function facesOfKind(kind) {
  const code = faceOfKind(kind);
  return code[0] === "5" ? [code, `0${code[1]}`] : [code];
}

/** The kind of dora that an indicator of `kind` shows. With three players, 1m shows 9m. */
function doraOf(kind, three) {
  if (three && kind === 0) return 8;
  if (kind < 27) return kind % 9 === 8 ? kind - 8 : kind + 1;
  if (kind < 31) return kind === 30 ? 27 : kind + 1;
  return kind === 33 ? 31 : kind + 1;
}

function doraFaces(view, state) {
  const three = view.game.players === 3;
  const kinds = [...state.indicators, ...state.ura].map(kindOf).filter((kind) => kind < KINDS);
  return [...new Set([...kinds.flatMap((kind) => facesOfKind(doraOf(kind, three))), ...RED_FACES])];
}

function rule(faces, before, after, style) {
  return faces.length ? `:is(${faces.map((code) => `${before}.tile[data-face="${code}"]`).join()})${after} { ${style} }` : "";
}

function drawDora(view, state) {
  const faces = view.dora ? doraFaces(view, state).join() : "";
  renew(byId("board"), [faces], () => sheets.dora.replaceSync(rule(faces ? faces.split(",") : [], "", "::before", "display: block")));
}

// --- tiles alike -----------------------------------------------------------------------------------------------------------

/** Light up all tiles of the kind of `code`, and say next to `node` how many the near player does not see. */
function light(node, code) {
  const faces = code && code !== "back" && code !== UNKNOWN ? facesOfKind(kindOf(code)) : [];
  sheets.alike.replaceSync(rule(faces, "", " svg", "outline: max(2px, calc(var(--w) * .09)) solid var(--alike); outline-offset: -1px; border-radius: calc(var(--w) * .13)"));
  const tip = byId("tip");
  put(tip, { hidden: !faces.length });
  if (!faces.length) return;
  const state = replay(view.frame, view.step);
  put(tip, {}, view.words.tileLeft(view.words.tile(code), unseenBy(state, view.seat)[kindOf(code)]));
  const box = node.getBoundingClientRect();
  const width = tip.offsetWidth;
  tip.style.left = `${Math.max(4, Math.min(innerWidth - width - 4, box.left + box.width / 2 - width / 2))}px`;
  tip.style.top = `${box.top > 40 ? box.top - tip.offsetHeight - 4 : box.bottom + 4}px`;
}

let lit = null;

function lightAt(node) {
  const tile = node?.closest?.("[data-face]") ?? null;
  if (tile === lit) return;
  lit = tile;
  light(tile, tile?.dataset.face);
}

/** A tile that is gone is no longer pointed at. */
function drawLight() {
  if (lit && !lit.isConnected) lightAt(null);
}

document.addEventListener("pointerover", (event) => lightAt(event.target));
document.addEventListener("pointerleave", () => lightAt(null));
document.addEventListener("focusin", (event) => lightAt(event.target));
document.addEventListener("focusout", () => lightAt(null));
addEventListener("scroll", () => lightAt(null), { passive: true, capture: true });
