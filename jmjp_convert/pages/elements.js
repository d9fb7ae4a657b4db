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
