// SPDX-License-Identifier: Apache-2.0
// What is hot now: a card an alert.
import { get, serverNow } from "./api.js";
import { spark } from "./chart.js";
import { copyButton, h } from "./dom.js";
import { bytes, count, keyRange, link, number, percent, ratio, rate, regionLink, short, span, state, time, unit } from "./format.js";

const CLASSES = {
  "unknown": "cause not known", "meta": "hbase:meta", "unsplit-table": "table of one region", "scan": "scans",
  "sequential": "sequential keys", "popular-key": "one popular key", "big-region": "large region",
  "popular-range": "popular key range", "server-wide": "whole server",
};
const SERIES_MAX = 12;

export async function load() {
  const [alerts, history] = await Promise.all([get("alerts?limit=50"), get("alerts/history?limit=5")]);
  const series = new Map();
  await Promise.all(alerts.alerts.slice(0, SERIES_MAX).map(async (a) => {
    const region = a.evidence?.region;
    if (!region) return;
    try { series.set(region, (await get(`regions/${region}/series?step=20s`)).points); } catch { /* gone: no curve */ }
  }));
  return { ...alerts, events: history.events, series };
}

const fact = (name, ...value) => h("div", { class: name.startsWith("server ") ? "fact two" : "fact" }, h("dt", null, name), h("dd", null, ...value));

function subject(alert) {
  const { table, region, server } = alert.labels;
  if (region) return ["Region ", regionLink(alert.evidence.region || region), " of ", h("a", { href: link("heatmap", { table }) }, table)];
  if (table) return ["Table ", h("a", { href: link("heatmap", { table }) }, table)];
  return ["Server ", h("a", { href: link("servers", { server }) }, server || "?")];
}

function signals(s) {
  if (!s) return null;
  const parts = [];
  if (s.activeHandlers !== null && s.activeHandlers !== undefined)
    parts.push(`${count(s.activeHandlers)}${s.handlers ? ` of ${count(s.handlers)}` : ""} handlers busy`);
  if (s.queuedCalls) parts.push(`${count(s.queuedCalls)} calls queued`);
  if (typeof s.cacheHitRatio === "number") parts.push(`block cache hits ${percent(s.cacheHitRatio)}`);
  if (s.compactionQueue) parts.push(`${count(s.compactionQueue)} compactions queued`);
  if (s.memstoreBytes) parts.push(`memstore ${bytes(s.memstoreBytes)}${s.memstoreLimitBytes ? ` of ${bytes(s.memstoreLimitBytes)}` : ""}`);
  return parts.join(", ") || null;
}

export function commands(list) {
  if (!list?.length) return null;
  return h("div", { class: "commands" }, h("h3", null, "Type in the HBase shell"),
    h("ol", null, list.map((c) => h("li", null,
      h("div", { class: "command" }, h("code", null, c.command), copyButton(c.command, `command ${c.command}`)),
      h("p", null, c.why)))));
}

function shares(title, list, name) {
  if (!list?.length) return null;
  return h("div", null, h("h3", null, title), h("ul", { class: "shares" }, list.map((r) =>
    h("li", null, h("code", { class: "key" }, r[name] ?? "?"), " ", percent(r.share)))));
}

function story(e) {
  if (!e.lineage?.length) return null;
  return h("div", null, h("h3", null, "What happened to it"), h("ol", { class: "lineage" }, e.lineage.map((l) =>
    h("li", null, time(l.time), ` ${l.event} `, h("code", null, short(l.from)), " → ", h("code", null, short(l.to))))));
}

function topRegions(e) {
  if (!e.topRegions?.length) return null;
  return h("div", null, h("h3", null, "Hottest regions"), h("ul", { class: "shares" }, e.topRegions.map((r) =>
    h("li", null, regionLink(r.region), r.table ? ` ${r.table}` : "", r.server ? ` on ${r.server}` : "", " ", rate(r.rate), " ", percent(r.share)))));
}

function why(alert) {
  const e = alert.evidence, name = e.class;
  const known = name && name !== "unknown";
  if (!name && !alert.annotations.advice) return null;
  return h("div", { class: "why" },
    h("p", null, h("strong", null, "Why: "), known ? CLASSES[name] || name : "cause not known", e.classEvidence ? ` – ${e.classEvidence}` : ""),
    alert.annotations.advice && h("p", null, h("strong", null, "Do: "), alert.annotations.advice));
}

export function card(alert, series) {
  const e = alert.evidence, l = alert.labels, since = e.hotSince || alert.activeAt;
  const key = `${l.alertname} ${l.table || ""} ${l.region || l.server || ""}`;
  const where = e.server || l.server;
  return h("article", { class: `card s-${alert.state}`, "data-key": key, "data-item": true, tabindex: "0", "aria-label": alert.annotations.summary },
    h("div", { class: "card-head" },
      h("span", { class: `badge b-${alert.state}` }, alert.state),
      h("h2", null, subject(alert)),
      h("span", { class: "muted" }, `${l.alertname}, ${l.severity}`),
      e.stale && h("span", { class: "badge b-stale", title: "No fresh data: the alert is held." }, "no fresh data")),
    h("p", { class: "sentence" }, alert.annotations.summary),
    h("div", { class: "card-main" },
      h("dl", { class: "facts" },
        fact(unit(e.access), h("b", { class: "big" }, number(e.rate))),
        fact(e.baselineKind === "median" ? "times the median" : "times the others", h("b", { class: "big" }, ratio(e.ratio, e.rate))),
        fact("hot since", h("b", { class: "big" }, span((serverNow() - Date.parse(since)) / 1000)), " ", time(since)),
        e.share !== undefined && fact(l.server ? "of the cluster's load" : "of the table's load", percent(e.share)),
        e.serverShare !== undefined && fact("of its server's load", percent(e.serverShare)),
        where && fact("on server", h("a", { href: link("servers", { server: where }) }, where)),
        e.startKey !== undefined && fact("row keys", keyRange(e.startKey, e.endKey)),
        signals(e.serverSignals) && fact("server now", signals(e.serverSignals)),
        e.serverSignals?.diagnosisText && fact("server suffers", h("span", { class: "warm" }, e.serverSignals.diagnosisText))),
      series && spark(series, e.access)),
    why(alert),
    commands(e.commands),
    h("div", { class: "more" },
      shares("Rows asked for most", e.sampledRows, "row"), shares("Clients that ask most", e.topClients, "address"),
      topRegions(e), story(e)),
    h("details", null, h("summary", null, "How it was judged"), h("p", null, alert.annotations.description)),
    h("p", { class: "links" },
      e.region && h("a", { href: link("region", { id: e.region }), "data-open": true }, "Region"),
      l.table && h("a", { href: link("heatmap", { table: l.table, access: e.access }) }, "Heat map"),
      alert.annotations.runbook_url && /^https?:/.test(alert.annotations.runbook_url) &&
        h("a", { href: alert.annotations.runbook_url, rel: "noreferrer" }, "Runbook")));
}

function quiet(status) {
  const r = status.regions, s = status.servers;
  const whole = status.coverage >= 0.995 && s.up === s.total && s.total > 0;
  return h("section", { class: whole ? "quiet" : "quiet partly", "data-key": "quiet" },
    h("h2", null, !status.ready ? "Not ready: nothing is known yet" : whole ? "No hotspot" : "No hotspot in what is seen"),
    h("p", null, `${count(r.fresh)} of ${count(r.total)} regions have fresh data (${percent(status.coverage)}), ` +
      `${count(s.up)} of ${count(s.total)} servers answer, ${count(status.tables)} tables.`));
}

function overview(status) {
  const one = (name, value, bad) => h("div", { class: bad ? "tile bad" : "tile" }, h("b", null, value), h("span", null, name));
  const { alerts, servers, regions } = status;
  return h("div", { class: "tiles", "data-key": "tiles" },
    one("firing", count(alerts.firing), alerts.firing > 0), one("pending", count(alerts.pending)),
    one("servers answer", `${count(servers.up)} of ${count(servers.total)}`, servers.up < servers.total),
    one("regions seen", percent(status.coverage), status.coverage < 0.995), one("active regions", count(regions.active)));
}

export function events(list, none) {
  if (!list.length) return h("p", { class: "muted" }, none);
  return h("ol", { class: "events" }, list.map((e) => h("li", { "data-item": true, tabindex: "0", "data-key": `${e.time}${e.kind}${JSON.stringify(e.labels)}` },
    time(e.time), " ", state(e.kind), e.reason ? ` (${e.reason.replaceAll("_", " ")})` : "", " ", h("b", null, e.labels.alertname), " ",
    e.labels.table && h("a", { href: link("heatmap", { table: e.labels.table }) }, e.labels.table), " ",
    e.labels.region && regionLink(e.labels.region), " ",
    e.labels.server && h("a", { href: link("servers", { server: e.labels.server }) }, e.labels.server), " ",
    h("span", { class: "muted" }, rate(Number(e.value))))));
}

export function render(data, params, { status }) {
  return [
    h("h1", { class: "hidden" }, "Now"),
    overview(status),
    status.problems.length > 0 && h("details", { class: "problems", "data-key": "problems" },
      h("summary", null, `${status.problems.length} ${status.problems.length === 1 ? "thing keeps" : "things keep"} hotspotd from judging well`),
      h("ul", null, status.problems.map((p) => h("li", null, p)))),
    data.alerts.length ? data.alerts.map((a) => card(a, data.series.get(a.evidence?.region))) : quiet(status),
    data.total > data.alerts.length && h("p", null, `${count(data.total - data.alerts.length)} more.`),
    h("section", { "data-key": "recent" }, h("h2", null, "Lately"), events(data.events, "Nothing has fired since hotspotd started."),
      h("p", null, h("a", { href: "#/events" }, "All events"))),
  ];
}
