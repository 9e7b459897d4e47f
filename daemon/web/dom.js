// SPDX-License-Identifier: Apache-2.0
// Elements from values. Text goes in as text nodes and attributes through setAttribute();
// nothing here or elsewhere parses markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, props, children) {
  for (const [name, value] of Object.entries(props || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) { node[name] = value; (node.handlers ||= []).push(name); }
    else if (name === "value" || name === "checked") { node[name] = value; node.setAttribute(name, value); }
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity))
    if (child !== null && child !== undefined && child !== false)
      node.append(child instanceof Node ? child : String(child));
  return node;
}

export const h = (tag, props, ...children) => fill(document.createElement(tag), props, children);
export const svg = (tag, props, ...children) => fill(document.createElementNS(SVG, tag), props, children);
export const byId = (id) => document.getElementById(id);

function sameKind(a, b) {
  return a.nodeType === b.nodeType && a.nodeName === b.nodeName &&
    (a.nodeType !== 1 || (a.id === b.id && a.getAttribute("data-key") === b.getAttribute("data-key")));
}

function take(old, next) {
  if (old.nodeType === 3) {
    if (old.data !== next.data) old.data = next.data;
    return;
  }
  if (old.hasAttribute("data-own")) return; // draws itself
  for (const { name } of [...old.attributes])
    if (!next.hasAttribute(name) && !(old.nodeName === "DETAILS" && name === "open")) old.removeAttribute(name);
  for (const { name, value } of [...next.attributes])
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  for (const name of old.handlers || []) if (!(next.handlers || []).includes(name)) old[name] = null;
  for (const name of next.handlers || []) old[name] = next[name];
  old.handlers = next.handlers;
  if (old.nodeName === "SELECT") { morph(old, [...next.childNodes]); if (old !== document.activeElement) old.value = next.value; return; }
  morph(old, [...next.childNodes]);
}

// Makes parent's children like `wanted`, keeping the nodes that are there already, so that
// focus, selection and scroll positions outlive an update.
export function morph(parent, wanted) {
  wanted = [wanted].flat(Infinity).filter((n) => n !== null && n !== undefined && n !== false)
    .map((n) => (n instanceof Node ? n : document.createTextNode(String(n))));
  let at = parent.firstChild;
  for (const next of wanted) {
    let match = at;
    if (match && !sameKind(match, next)) {
      const key = next.nodeType === 1 && (next.getAttribute("data-key") || next.id);
      match = key ? [...parent.children].find((n) => sameKind(n, next)) : null;
      if (match && at !== match) parent.insertBefore(match, at);
    }
    if (match) { take(match, next); at = match.nextSibling; } else parent.insertBefore(next, at);
  }
  while (at) { const gone = at; at = at.nextSibling; gone.remove(); }
}

export function say(text) {
  byId("said").textContent = "";
  byId("said").textContent = text;
}

export function copyButton(text, what) {
  const copy = async (event) => {
    const button = event.currentTarget;
    try { await navigator.clipboard.writeText(text); } catch {
      const area = h("textarea", { class: "hidden" });
      area.value = text;
      (document.querySelector("dialog[open]") || document.body).append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
      button.focus();
    }
    button.dataset.done = "yes";
    say(`${what} copied`);
    setTimeout(() => { delete button.dataset.done; }, 1500);
  };
  return h("button", { type: "button", class: "copy", "aria-label": `Copy ${what}`, onclick: copy });
}
