// SPDX-License-Identifier: Apache-2.0
// The page: which view the address names, and asking for its data once an interval.
import { get, serverNow } from "./api.js";
import { byId, h, morph } from "./dom.js";
import { clock, link, span, utc } from "./format.js";
import * as events from "./events.js";
import * as health from "./health.js";
import * as heatmap from "./heatmap.js";
import * as keys from "./keys.js";
import { servers, tables } from "./lists.js";
import * as now from "./now.js";
import * as region from "./region.js";

const VIEWS = { now, heatmap, tables, servers, events, health, region };
const TITLES = { now: "Now", heatmap: "Heat map", tables: "Tables", servers: "Servers", events: "Events", health: "Health", region: "Region" };
const MENU = ["now", "heatmap", "tables", "servers", "events", "health"];

let status = null, timer = 0, asked = 0, shown = "", failedSince = 0;

function address() {
  const [path, search = ""] = location.hash.replace(/^#\/?/, "").split("?");
  return { view: Object.hasOwn(VIEWS, path) ? path : "now", params: Object.fromEntries(new URLSearchParams(search)) };
}

function go(view, params) {
  const to = link(view, params);
  if (to === location.hash) refresh();
  else location.hash = to.slice(1);
}

/* ---- around the view ---- */

const interval = () => Math.max(1, Math.min(60, status?.intervalSeconds || 5));

function drawFreshness() {
  const node = byId("freshness");
  if (!status) { node.textContent = failedSince ? "No answer" : "Loading…"; return; }
  const at = Date.parse(status.lastEvaluation), age = (serverNow() - at) / 1000;
  const stale = failedSince > 0 || age > 3 * interval() + 5;
  document.body.classList.toggle("stale", stale);
  const text = `${stale ? "Stale: data" : "Data"} ${span(Math.max(0, age))} old`;
  if (node.dataset.text === text) return;
  node.dataset.text = text;
  // Told to screen readers only when it changes between fresh and stale.
  node.setAttribute("aria-live", node.dataset.stale === String(stale) ? "off" : "polite");
  node.dataset.stale = stale;
  node.title = `Evaluated at ${clock(at)} local, ${utc(at)}`;
  node.textContent = text;
}

function drawTrouble(error) {
  const node = byId("trouble");
  node.hidden = !error;
  if (!error) { failedSince = 0; node.textContent = ""; return; }
  failedSince ||= Date.now();
  const text = `${error.message}.${status ? ` Shown is the state of ${clock(Date.parse(status.lastEvaluation))}.` : ""} Trying again every ${interval()} s.`;
  if (node.textContent !== text) node.textContent = text;
}

function drawFrame(view) {
  const firing = status?.alerts.firing || 0;
  document.title = `${firing ? `(${firing}) ` : ""}${TITLES[view]} · hotspotd${status?.cluster ? ` ${status.cluster}` : ""}`;
  byId("cluster").textContent = status?.cluster || "";
  byId("version").textContent = status ? `hotspotd ${status.version}` : "";
  morph(byId("nav"), MENU.map((name) => h("a", { href: `#/${name}`, "data-key": name, "aria-current": name === view ? "page" : null },
    TITLES[name], name === "now" && firing > 0 && h("span", { class: "bubble", "aria-label": `${firing} firing` }, firing))));
}

/* ---- one turn ---- */

async function refresh() {
  const mine = ++asked, { view, params } = address(), here = location.hash;
  clearTimeout(timer);
  try {
    const [fresh, answer] = await Promise.all([get("status"), VIEWS[view].load(params).then((data) => ({ data }), (error) => ({ error }))]);
    if (mine !== asked) return;
    status = fresh;
    if (answer.error && !answer.error.status) throw answer.error;
    drawTrouble(null);
    drawFrame(view);
    const context = { status, go };
    if (shown !== here) byId("view").replaceChildren();
    morph(byId("view"), answer.error ? [h("h1", null, TITLES[view]), h("p", { class: "wrong", role: "alert" }, answer.error.message), h("p", null, h("a", { href: "#/now" }, "Back to now"))]
      : VIEWS[view].render(answer.data, params, context));
    if (!answer.error) VIEWS[view].after?.(answer.data, params, context);
    shown = here;
    if (!document.body.dataset.ready) performance.mark("data");
    document.body.dataset.ready = view;
  } catch (error) {
    if (mine !== asked) return;
    drawTrouble(error);
    drawFrame(view);
  }
  drawFreshness();
  timer = setTimeout(refresh, interval() * 1000);
}

/* ---- theme and help ---- */

const THEMES = ["system", "dark", "light"];
function theme(next) {
  let name = "system";
  try { name = localStorage.getItem("theme") || name; } catch { /* not kept */ }
  if (next) name = THEMES[(THEMES.indexOf(name) + 1) % THEMES.length];
  try { localStorage.setItem("theme", name); } catch { /* not kept */ }
  if (name === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
  byId("theme").textContent = { system: "Theme: auto", dark: "Theme: dark", light: "Theme: light" }[name];
}

function help() {
  byId("help-text").replaceChildren(h("dl", { class: "keys" }, keys.KEYS.map(([key, what]) => [h("dt", null, h("kbd", null, key)), h("dd", null, what)])));
  byId("help").showModal();
}

theme(false);
byId("theme").onclick = () => theme(true);
byId("help-button").onclick = help;
keys.listen({ go, views: MENU, theme: () => theme(true), help });
keys.search();
addEventListener("hashchange", () => { byId("view").focus({ preventScroll: true }); scrollTo(0, 0); refresh(); });
addEventListener("resize", () => { clearTimeout(timer); timer = setTimeout(refresh, 200); });
document.addEventListener("visibilitychange", () => { if (!document.hidden) refresh(); });
setInterval(drawFreshness, 1000);
drawFrame(address().view);
refresh();
