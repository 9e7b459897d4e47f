// SPDX-License-Identifier: Apache-2.0
// Tables and servers: lists that sort by any column.
import { get, query, serverNow } from "./api.js";
import { h } from "./dom.js";
import { ago, bytes, count, keyRange, link, number, percent, ratio, rate, regionLink, short, state, times } from "./format.js";

// columns: {name, title, value(row), show(row), text}
const SHOWN_MAX = 300;

export function sheet(view, columns, rows, params, go, mark) {
  const by = columns.find((c) => c.name === params.sort) || columns.find((c) => c.usual), up = params.order === "up" || (!params.order && by.text);
  const order = (a, b) => {
    const x = by.value(a), y = by.value(b);
    if (x === null || x === undefined || y === null || y === undefined) return (x === null || x === undefined) - (y === null || y === undefined);
    return (typeof x === "string" ? x.localeCompare(y) : x - y) * (up ? 1 : -1);
  };
  const sorted = [...rows].sort(order).slice(0, SHOWN_MAX);
  const head = (c) => h("th", { scope: "col", class: c.text ? null : "n", "aria-sort": c === by ? (up ? "ascending" : "descending") : null },
    h("button", { type: "button", title: c.help, onclick: () => go(view, { ...params, sort: c.name, order: c === by ? (up ? "down" : "up") : undefined }) }, c.title, h("span", { class: "arrow", "aria-hidden": "true" }, c === by ? (up ? " ↑" : " ↓") : "")));
  return [rows.length > SHOWN_MAX && h("p", { class: "muted" }, `The first ${SHOWN_MAX} of ${count(rows.length)} in this order.`),
    h("div", { class: "scroll", "data-key": view, tabindex: "0", role: "region", "aria-label": `List of ${view}` }, h("table", null,
    h("thead", null, h("tr", null, columns.map(head))),
    h("tbody", null, sorted.map((row) => h("tr", { "data-item": true, tabindex: "0", "data-key": columns[0].value(row), class: mark?.(row) ? "marked" : null },
      columns.map((c) => h("td", { class: c.text ? null : "n" }, c.show(row))))))))];
}

const rank = { firing: 3, pending: 2, normal: 1 };

export const tables = {
  load: () => get("tables"),
  render(data, params, { go }) {
    const columns = [
      { name: "table", title: "Table", text: true, value: (t) => t.table, show: (t) => h("a", { href: link("heatmap", { table: t.table }), "data-open": true }, t.table) },
      { name: "state", title: "State", text: true, value: (t) => -(rank[t.state] || 0), show: (t) => state(t.ignored ? "ignored" : t.state) },
      { name: "rate", title: "Requests/s", usual: true, value: (t) => t.rate, show: (t) => number(t.rate) },
      { name: "read", title: "Rows read/s", value: (t) => t.readRate, show: (t) => number(t.readRate) },
      { name: "write", title: "Writes/s", value: (t) => t.writeRate, show: (t) => number(t.writeRate) },
      { name: "regions", title: "Regions", value: (t) => t.regions, show: (t) => count(t.regions) },
      { name: "effective", title: "Effective regions", help: "Over how many regions the load is spread", value: (t) => t.effectiveRegions, show: (t) => number(t.effectiveRegions) },
      { name: "skew", title: "Hottest / others", value: (t) => t.skew, show: (t) => times(t.skew) },
      { name: "hottest", title: "Hottest region", text: true, value: (t) => t.hottest, show: (t) => [regionLink(t.hottest), t.hottestRegion ? ` ${rate(t.hottestRegion.rate)}` : ""] },
      { name: "findings", title: "Findings", help: "What is odd about the table beside its heat; its page says what to do", value: (t) => t.findings?.length || null,
        show: (t) => (t.findings?.length ? h("a", { href: link("heatmap", { table: t.table }), title: t.findings.map((f) => f.text).join("\n") }, t.findings.map((f) => f.kind.replaceAll("-", " ")).join(", ")) : "") },
      { name: "fresh", title: "Seen", help: "Regions with fresh data", value: (t) => t.fresh / (t.regions || 1), show: (t) => percent(t.fresh / (t.regions || 1)) },
    ];
    return [h("h1", null, "Tables"), data.tables.length ? sheet("tables", columns, data.tables, params, go) : h("p", null, "No table is known yet.")];
  },
};

const serverState = (s) => (s.dead ? "dead" : s.up ? s.state : "down");
const sign = (s, name) => s.signals?.[name] ?? null;

export const servers = {
  async load(params) {
    const [list, regions] = await Promise.all([get("servers"), params.server ? get(`regions?${query({ server: params.server, limit: 20 })}`) : null]);
    return { ...list, busiest: regions };
  },
  render(data, params, { go }) {
    const shown = (name, show = count) => ({ value: (s) => sign(s, name), show: (s) => show(sign(s, name)) });
    const columns = [
      { name: "server", title: "Server", text: true, value: (s) => s.server, show: (s) => h("a", { href: link("servers", { ...params, server: s.server }), "data-open": true }, s.server) },
      { name: "state", title: "State", text: true, value: (s) => ({ dead: -5, down: -4 }[serverState(s)] ?? -(rank[s.state] || 0)), show: (s) => state(serverState(s)) },
      { name: "rate", title: "Requests/s", usual: true, value: (s) => s.rate, show: (s) => number(s.rate) },
      { name: "skew", title: "Times the others", value: (s) => s.skew, show: (s) => times(s.skew) },
      { name: "handlers", title: "Busy handlers", ...shown("activeHandlers"), show: (s) => [count(sign(s, "activeHandlers")), s.signals?.handlers ? ` of ${count(s.signals.handlers)}` : ""] },
      { name: "queue", title: "Queued calls", ...shown("queuedCalls") },
      { name: "cache", title: "Cache hits", help: "Share of block reads from the block cache", ...shown("cacheHitRatio", percent) },
      { name: "memstore", title: "Memstore", ...shown("memstoreBytes", bytes) },
      { name: "compaction", title: "Compactions queued", ...shown("compactionQueue") },
      { name: "suffers", title: "Suffers from", text: true, value: (s) => (s.signals?.diagnosis || []).join(", ") || null, show: (s) => h("span", { class: "warm", title: s.signals?.diagnosisText }, (s.signals?.diagnosis || []).join(", ").replaceAll("-", " ")) },
      { name: "regions", title: "Regions", value: (s) => s.regions, show: (s) => count(s.regions) },
      { name: "locality", title: "Locality", ...shown("locality", percent) },
      { name: "seen", title: "Last data", value: (s) => (s.lastSuccess ? Date.parse(s.lastSuccess) : null), show: (s) => ago(s.lastSuccess, serverNow()) },
    ];
    return [h("h1", null, "Servers"),
      data.servers.length ? sheet("servers", columns, data.servers, params, go, (s) => s.server === params.server) : h("p", null, "No server is known yet."),
      data.busiest && h("section", null, h("h2", null, `Busiest regions on ${params.server}`), regionTable(data.busiest.regions))];
  },
};

export function regionTable(regions) {
  if (!regions.length) return h("p", { class: "muted" }, "No region is known there.");
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Regions" }, h("table", null,
    h("thead", null, h("tr", null, ["Region", "Table", "Row keys", "Rows read/s", "Writes/s", "Times the others", "Size", "State"].map((t, i) => h("th", { scope: "col", class: i > 2 && i < 7 ? "n" : null }, t)))),
    h("tbody", null, regions.map((r) => h("tr", { "data-item": true, tabindex: "0", "data-key": r.region },
      h("td", null, h("a", { href: link("region", { id: r.region }), "data-open": true, title: r.region }, h("code", null, short(r.region)))), h("td", null, r.table), h("td", null, keyRange(r.startKey, r.endKey)),
      h("td", { class: "n" }, number(r.readRate)), h("td", { class: "n" }, number(r.writeRate)), h("td", { class: "n" }, ratio(r.ratio, r.rate)),
      h("td", { class: "n" }, bytes(r.sizeBytes)), h("td", null, state(r.stale ? "stale" : r.state)))))));
}
