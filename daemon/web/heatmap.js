// SPDX-License-Identifier: Apache-2.0
// The heat map of a table: what is asked for stands in the address.
import { get, query, serverNow } from "./api.js";
import { byId, h } from "./dom.js";
import { clock, count, keyRange, link, ratio, rate, regionLink, state, time } from "./format.js";
import { drawMap } from "./map.js";
import { commands } from "./now.js";

const SPANS = { "15m": 900, "1h": 3600, "6h": 21600, "24h": 86400, "7d": 604800 };
const ACCESS = { total: "All", read: "Reads", write: "Writes" };
const SCALES = { log: "Logarithmic", linear: "Linear" };

const firstTable = (tables) => {
  const weight = { firing: 2, pending: 1 };
  return [...tables].filter((t) => !t.ignored).sort((a, b) => (weight[b.state] || 0) - (weight[a.state] || 0) || (b.rate ?? 0) - (a.rate ?? 0))[0]?.table;
};

export async function load(params) {
  const { tables } = await get("tables");
  const table = params.table || firstTable(tables);
  if (!table) return { tables };
  const to = params.to ? Number(params.to) : undefined;
  const from = params.from ? Number(params.from) : serverNow() - SPANS[params.last in SPANS ? params.last : "1h"] * 1000;
  const columns = Math.max(30, Math.min(240, Math.floor((byId("view").clientWidth - 130) / 5)));
  const map = await get(`heatmap?${query({ table, access: params.access, from: (from / 1000).toFixed(0), to: to && (to / 1000).toFixed(3), columns, rows: 96 })}`, { hold: false });
  return { tables, table, map };
}

// The rows of the key range in the address, or all.
function shownRows(map, params) {
  const all = map.rows.map((_, i) => i);
  const first = params.k0 === undefined ? 0 : map.rows.findLastIndex((r) => r.startKey !== null && (r.startKey === params.k0 || r.startKey < params.k0));
  const last = params.k1 === undefined ? -1 : map.rows.findIndex((r) => r.endKey !== null && r.endKey !== "" && r.endKey >= params.k1);
  const rows = all.slice(Math.max(0, first), last < 0 ? undefined : last + 1);
  return rows.length ? rows : all;
}

const choice = (name, options, chosen, change) => h("fieldset", { class: "choice", "data-key": name }, h("legend", { class: "hidden" }, name),
  Object.entries(options).map(([value, text]) => h("button", { type: "button", "aria-pressed": String(value === chosen), "data-key": value, onclick: () => change(value) }, text)));

function hottest(map, rows) {
  const list = rows.map((i) => {
    const known = map.values[i].filter((v) => v !== null);
    const peak = known.length ? Math.max(...known) / map.rows[i].regions : null;
    return { row: map.rows[i], peak, last: known.length ? known.at(-1) / map.rows[i].regions : null };
  }).sort((a, b) => (b.peak ?? -1) - (a.peak ?? -1)).slice(0, 10);
  return h("section", null, h("h2", null, "Hottest key ranges in this picture"), h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Hottest key ranges" },
    h("table", null, h("thead", null, h("tr", null, ["Row keys", "Regions", "Highest, per region", "Last, per region", "Times the others now", "Hottest region", "Server", "State"].map((t) => h("th", { scope: "col" }, t)))),
      h("tbody", null, list.map(({ row, peak, last }) => h("tr", { "data-item": true, tabindex: "0", "data-key": row.startKey },
        h("td", null, keyRange(row.startKey, row.endKey)), h("td", { class: "n" }, count(row.regions)), h("td", { class: "n" }, rate(peak)), h("td", { class: "n" }, rate(last)),
        h("td", { class: "n" }, ratio(row.ratio, 1)), h("td", null, regionLink(row.region)), h("td", null, row.server || "–"), h("td", null, state(row.state || "gone"))))))));
}

function findings(table) {
  if (!table?.findings?.length) return null;
  return h("section", { "data-key": "findings" }, h("h2", null, "What is odd about this table"),
    table.findings.map((f) => h("article", { class: "card", "data-item": true, tabindex: "0", "data-key": f.kind }, h("p", null, f.text), commands(f.commands))));
}

export function render(data, params, { go }) {
  const set = (changes) => go("heatmap", { ...params, table: data.table, ...changes });
  if (!data.table) return [h("h1", null, "Heat map"), h("p", null, "No table is known yet.")];
  const { map } = data, zoomed = params.from || params.to || params.k0 !== undefined || params.k1 !== undefined;
  const select = h("select", { id: "map-table", onchange: (e) => go("heatmap", { ...params, table: e.target.value, from: undefined, to: undefined, k0: undefined, k1: undefined }) },
    data.tables.map((t) => h("option", { value: t.table, selected: t.table === data.table }, t.table)));
  select.value = data.table;
  const begin = map.times[0], end = map.times.length ? new Date(Date.parse(map.times.at(-1)) + map.columnSeconds * 1000).toISOString() : null;
  return [
    h("h1", null, "Heat map of ", h("span", { class: "name" }, data.table)),
    h("div", { class: "controls", "data-key": "controls" },
      h("label", { for: "map-table" }, "Table "), select,
      choice("Requests", ACCESS, params.access || "total", (access) => set({ access })),
      choice("Span", { "15m": "15 min", "1h": "1 h", "6h": "6 h", "24h": "24 h", "7d": "7 d" }, params.from ? "" : params.last || "1h", (last) => set({ last, from: undefined, to: undefined })),
      choice("Colours", SCALES, params.scale || "log", (scale) => set({ scale })),
      h("button", { type: "button", disabled: !zoomed, onclick: () => set({ from: undefined, to: undefined, k0: undefined, k1: undefined }) }, "Whole table")),
    h("p", { class: "muted", id: "map-help" }, map.times.length ? ["From ", time(begin), " to ", time(end), `, ${map.columnSeconds >= 60 ? `${Math.round(map.columnSeconds / 6) / 10} min` : `${map.columnSeconds} s`} a column; keys run down. Drag to zoom; arrow keys move over cells, Enter opens the region.`]
      : "History begins with the next evaluation."),
    h("div", { id: "map", class: "map", "data-own": true, "data-key": "map" }),
    map.times.length > 0 && hottest(map, shownRows(map, params)),
    findings(data.tables.find((t) => t.table === data.table)),
  ];
}

export function after(data, params, { go }) {
  const box = byId("map");
  if (!box || !data.map?.times.length || !data.map.rows.length) { box?.replaceChildren(); return; }
  if (box.querySelector(".brush:not([hidden])")) return; // a drag is under way
  const active = box.contains(document.activeElement);
  const key = JSON.stringify([data.table, params]);
  const again = box.map === data.map && box.key === key && box.width === box.clientWidth;
  if (again) return;
  Object.assign(box, { map: data.map, key, width: box.clientWidth });
  const { map } = data, begun = performance.now();
  drawMap(box, map, shownRows(map, params), (params.scale || "log") === "log", ({ from, to, first, last }) => {
    const change = {};
    if (from !== undefined) Object.assign(change, { from: Math.round(from), to: Math.round(to) });
    if (first !== undefined) Object.assign(change, { k0: map.rows[first].startKey ?? undefined, k1: map.rows[last].endKey || undefined });
    go("heatmap", { ...params, table: data.table, ...change });
  });
  box.dataset.drawMs = (performance.now() - begun).toFixed(1);
  if (active) box.querySelector("canvas").focus();
}
