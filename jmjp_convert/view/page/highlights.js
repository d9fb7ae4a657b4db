"use strict";
// Tiles marked wherever they lie: the dora, and those like the one under the pointer or focus. Each is one rule of a
// style sheet made here, so that no tile has to be touched.

const sheets = { dora: addSheet(), alike: addSheet() };

/** A separate style sheet; a browser that cannot have one, such as Safari before 16.4, shows no marks. */
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

const DORA_MARK = "display: block";

/** Mark the dora, among them each tile of a kita. */
function drawDora(view, state) {
  const faces = view.dora ? doraFaces(view, state).join() : "";
  renew(byId("board"), [faces], () => sheets.dora.replaceSync(faces && `${rule(faces.split(","), "", "::before", DORA_MARK)} .meld.kita .tile::before { ${DORA_MARK} }`));
}

// --- tiles alike -----------------------------------------------------------------------------------------------------------

let lit = null;
let selected = false; // by a tap: it stays until the next one

/** Light up all tiles of the kind of `tile`, and say next to it how many the near player sees. */
function lightAt(tile, tapped = false) {
  if (tile === lit && tapped === selected) return;
  lit = tile;
  selected = tapped && tile !== null;
  const code = tile?.dataset.face;
  const faces = code && code !== "back" && code !== UNKNOWN ? facesOfKind(kindOf(code)) : [];
  sheets.alike.replaceSync(rule(faces, "", " svg", "outline: max(2px, calc(var(--w) * .09)) solid var(--alike); outline-offset: -1px; border-radius: calc(var(--w) * .13)"));
  put(byId("tip"), { hidden: !faces.length, "data-face": faces.length ? code : null });
  if (!faces.length) return;
  tell(view, replay(view.frame, view.step));
  const tip = byId("tip");
  const box = tile.getBoundingClientRect();
  const width = tip.offsetWidth;
  tip.style.left = `${Math.max(4, Math.min(innerWidth - width - 4, box.left + box.width / 2 - width / 2))}px`;
  tip.style.top = `${box.top > 40 ? box.top - tip.offsetHeight - 4 : box.bottom + 4}px`;
}

function tell({ words, seat }, state) {
  const code = byId("tip").dataset.face;
  const left = unseenBy(state, seat)[kindOf(code)];
  put(byId("tip"), {}, words.tileSeen(words.tile(code), COPIES - left, left));
}

/** A tile that is gone is no longer pointed at; a selection goes on with the step. */
function drawLight(view, state) {
  if (selected) tell(view, state);
  else if (lit && !lit.isConnected) lightAt(null);
}

/** Light up what is pointed at, unless a tile is selected. */
function pointAt(node) {
  if (!selected) lightAt(node?.closest?.("[data-face]") ?? null);
}

document.addEventListener("pointerover", (event) => { if (event.pointerType !== "touch") pointAt(event.target); });
document.addEventListener("pointerleave", () => pointAt(null));
document.addEventListener("focusin", (event) => pointAt(event.target));
document.addEventListener("focusout", () => pointAt(null));
addEventListener("scroll", (event) => { if (!selected || event.target === document) lightAt(null); }, { passive: true, capture: true });
