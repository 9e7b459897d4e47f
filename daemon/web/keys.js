// SPDX-License-Identifier: Apache-2.0
// The keyboard, and the search for a table, a region or a row key.
import { get, query } from "./api.js";
import { byId, h } from "./dom.js";
import { keyRange, link, short } from "./format.js";

export const KEYS = [
  ["/", "search a table, region or row key"], ["j  k", "next, previous item"], ["Enter", "open the chosen item"],
  ["1 … 6", "the views in their order"], ["c", "copy the first command of the chosen alert"], ["t", "dark, light, as the system"], ["?", "this help"], ["Esc", "close, leave a field"],
];

function step(by) {
  const items = [...document.querySelectorAll("[data-item]")];
  if (!items.length) return;
  const at = items.findIndex((n) => n === document.activeElement || n.contains(document.activeElement));
  const next = items[Math.max(0, Math.min(items.length - 1, at < 0 ? (by > 0 ? 0 : items.length - 1) : at + by))];
  next.focus();
  next.scrollIntoView({ block: "nearest" });
}

const chosen = () => document.activeElement?.closest("[data-item]");

export function listen({ go, views, theme, help }) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
    const typing = event.target.matches("input, select, textarea");
    if (event.key === "Escape" && typing) { event.target.blur(); byId("found").hidden = true; byId("view").focus(); return; }
    if (typing) return;
    const digit = Number(event.key);
    const act = {
      "/": () => byId("query").focus(), "j": () => step(1), "k": () => step(-1), "?": help, "t": theme,
      "c": () => chosen()?.querySelector(".copy")?.click(),
    }[event.key] || (digit >= 1 && digit <= views.length ? () => go(views[digit - 1], {}) : null);
    if (event.key === "Enter" && event.target === chosen()) {
      const open = event.target.querySelector("[data-open]") || event.target.querySelector("a");
      if (open) open.click();
      return;
    }
    if (!act) return;
    event.preventDefault();
    act();
  });
}

/* ---- search ---- */

// HBase's Bytes.toBytesBinary: \xHH with upper-case digits is a byte.
export function keyBytes(text) {
  const out = [], raw = new TextEncoder();
  for (let i = 0; i < text.length;) {
    const found = /^\\x([0-9A-F]{2})/.exec(text.slice(i, i + 4));
    if (found) { out.push(parseInt(found[1], 16)); i += 4; continue; }
    const c = String.fromCodePoint(text.codePointAt(i));
    out.push(...raw.encode(c));
    i += c.length;
  }
  return out;
}
const fromBase64 = (s) => [...atob(s)].map((c) => c.charCodeAt(0));
function compare(a, b) {
  for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i] - b[i];
  return a.length - b.length;
}
function holds(region, key) {
  if (region.startKey === null || region.endKey === null) return false;
  return compare(fromBase64(region.startKeyBase64), key) <= 0 && (region.endKeyOpen || compare(fromBase64(region.endKeyBase64), key) > 0);
}

const FOUND_MAX = 12;

async function find(text) {
  const { tables } = await get("tables");
  const found = tables.filter((t) => t.table.toLowerCase().includes(text.toLowerCase()))
    .map((t) => ({ href: link("heatmap", { table: t.table }), text: ["table ", h("b", null, t.table)] }));
  const listing = await get(`regions?${query({ sort: "rate", limit: 10000 })}`);
  if (/^[0-9a-f]{4,32}$/.test(text))
    for (const r of listing.regions) if (r.region.startsWith(text)) found.push({ href: link("region", { id: r.region }), text: ["region ", h("code", null, short(r.region)), ` of ${r.table}`] });
  const key = keyBytes(text);
  for (const r of listing.regions) if (holds(r, key)) found.push({ href: link("region", { id: r.region }), text: [`row in ${r.table}: `, keyRange(r.startKey, r.endKey)] });
  return { found: found.slice(0, FOUND_MAX), cut: listing.total > listing.regions.length };
}

export function search() {
  const input = byId("query"), box = byId("found");
  let asked = 0, timer;
  const show = async () => {
    const text = input.value.trim(), mine = ++asked;
    if (!text) { box.hidden = true; return; }
    let nodes;
    try {
      const { found, cut } = await find(text);
      nodes = found.map((f) => h("a", { href: f.href, onclick: close }, f.text));
      if (!found.length) nodes.push(h("p", null, "Nothing found."));
      if (cut) nodes.push(h("p", { class: "muted" }, "Of the regions the busiest 10,000 were searched."));
    } catch (error) { nodes = [h("p", null, error.message)]; }
    if (mine !== asked) return;
    box.replaceChildren(...nodes);
    box.hidden = false;
  };
  const close = () => { asked++; box.hidden = true; input.value = ""; };
  input.oninput = () => { clearTimeout(timer); timer = setTimeout(show, 150); };
  input.onfocus = () => { if (input.value.trim()) show(); };
  byId("search").onsubmit = async (event) => { event.preventDefault(); clearTimeout(timer); await show(); box.querySelector("a")?.click(); };
  byId("search").onkeydown = (event) => {
    const links = [...box.querySelectorAll("a")], at = links.indexOf(document.activeElement);
    if (event.key === "ArrowDown" && links.length) { links[Math.min(at + 1, links.length - 1)].focus(); event.preventDefault(); }
    if (event.key === "ArrowUp" && at >= 0) { (links[at - 1] || input).focus(); event.preventDefault(); }
    if (event.key === "Escape") { box.hidden = true; }
  };
  byId("search").onfocusout = (event) => { if (!byId("search").contains(event.relatedTarget)) setTimeout(() => { if (!byId("search").contains(document.activeElement)) box.hidden = true; }, 100); };
}
