# SPDX-License-Identifier: Apache-2.0
"""The dashboard in a real browser, on a simulated cluster."""

import contextlib
import json
import socket
import urllib.parse

from browser import Page, Proxy, skip_unless_possible
from harness import SLOWDOWN, run, wait_until

SCENARIO = """\
cluster lab
version 2.6.4
servers 4
masters 1
cache 200ms
table orders regions 10 read 40 write 20 size 2GiB
table sessions regions 6 read 60 write 30 size 500MiB
table bytes regions 20 read 5 write 5
table single regions 1 read 5 write 5 size 30GiB
"""

CONFIG = """\
cluster: lab
masters: [ "{master}" ]
poll: {{ interval: 1s, timeout: 1s }}
topology: {{ interval: 2s }}
detection: {{ window: 4s, for: 2s, clear_for: 60s, tables: [ {{ match: 'sessions', min_rate: 1e6 }} ] }}
runbook_url: https://runbooks.example.org/
http: {{ listen: [ "127.0.0.1:{port}" ] }}
"""
VIEWS = ("now", "heatmap?table=orders", "tables", "servers", "events", "health")
HOSTILE = "<img src=x onerror=alert(1)>"


def start(bench, port=0):
    sim = bench.sim(SCENARIO)
    daemon = bench.daemon(CONFIG.format(master=sim.master, port=port))
    daemon.ready()
    wait_until(lambda: sum(r["startKey"] is not None for r in daemon.regions()) >= 37, 20, "regions are known")
    return sim, daemon


@contextlib.contextmanager
def browsing(url):
    page = Page(url)
    try:
        page.shape(1440)
        yield page
    finally:
        page.close()


def firing(daemon):
    return [a for a in daemon.alerts() if a["state"] == "firing"]


def make_hot(sim, daemon):
    sim.command("rate orders#4 read 40 write 2000")
    return wait_until(lambda: firing(daemon), 20, "an alert fires")[0]


def make_bad(sim, daemon):
    """A hot region, a split of it, a dead server."""
    make_hot(sim, daemon)
    sim.command("split orders#4 at 45 lower 90%")
    sim.command("kill server 4")
    wait_until(lambda: {"split", "fired"} <= {m["kind"] for m in daemon.get("/api/v1/heatmap?table=orders")["marks"]},
               20, "split and alert are marked")
    wait_until(lambda: any(not s["up"] for s in daemon.get("/api/v1/servers")["servers"]), 20, "a server is down")
    return wait_until(lambda: measured_daughter(daemon), 20, "it still fires, for a daughter with a rate")


def measured_daughter(daemon):
    """The alert, once its region is one of the split's and has a share of the table's load."""
    for alert in firing(daemon):
        region = alert["evidence"]["region"]
        if (any(step["event"] == "split" and region in step["to"] for step in alert["evidence"]["lineage"])
                and daemon.get(f"/api/v1/regions/{region}")["share"]):
            return alert
    return None


def test_an_alert_appears_and_its_command_is_copied(bench):
    sim, daemon = start(bench)
    with browsing(daemon.url) as page:
        page.open("now")
        page.wait_text("No hotspot")
        page.wait_text("regions have fresh data")
        page.wait_text("4 of 4 servers answer")
        page.run("window.sameLoad = true")
        sim.command("rate single#0 read 40 write 2000")
        make_hot(sim, daemon)
        page.wait_text("takes", "article .sentence")
        assert page.run("return window.sameLoad") is True
        alert = wait_until(lambda: next((a for a in firing(daemon) if a["evidence"].get("commands")), None), 20,
                           "the alert has commands")
        hot = next(a for a in firing(daemon) if a["labels"]["table"] == "orders")
        for text in ("writes/s", "times the others", "hot since", "40", "50", hot["evidence"]["server"], "Why:",
                     hot["annotations"]["advice"], alert["evidence"]["commands"][0]["command"]):
            page.wait_text(text, seconds=10)
        assert page.run("return document.querySelector('article a[href^=https]').href") == \
            alert["annotations"]["runbook_url"]
        wait_until(lambda: page.has("article .copy"), 10, "a copy button")
        page.driver.execute_cdp_cmd("Browser.grantPermissions", {
            "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"], "origin": daemon.url})
        # Commands may change with the cluster between two evaluations.
        def copied():
            commands = [c["command"] for a in firing(daemon) for c in a["evidence"]["commands"]]
            page.run("document.querySelector('article .copy').click()")
            got = page.driver.execute_async_script(
                "const done = arguments[0]; setTimeout(() => navigator.clipboard.readText().then(done, (e) => done(String(e))), 100)")
            return got in commands
        wait_until(copied, 10, "the copied command is the API's")
        wait_until(lambda: page.run("return document.title").startswith("("), 20, "the title counts what fires")
        page.no_trouble()


def test_every_view_and_no_barrier(bench):
    sim, daemon = start(bench)
    region = make_bad(sim, daemon)["evidence"]["region"]
    with browsing(daemon.url) as page:
        expected = {"now": ["FIRING", "Lately"], "heatmap": ["Heat map of orders", "Hottest key ranges", "firing"],
                    "tables": ["orders", "sessions", "bytes"], "servers": ["dead", "Busy handlers"],
                    "events": ["fired", "HBaseRegionHot"], "health": ["What hotspotd asks", "RegionServer"],
                    "region": [region, "of the table's load", "Its alert"]}
        for view in (*VIEWS, f"region?id={region}"):
            name = view.split("?")[0]
            for width, dark in ((1440, False), (400, False), (1440, True)):
                page.shape(width, dark=dark)
                page.open(view)
                for text in expected[name]:
                    page.wait_text(text)
                for table in daemon.get("/api/v1/tables")["tables"] if name == "tables" else ():
                    for finding in table["findings"]:
                        page.wait_text(finding["kind"].replace("-", " "))
                if name == "heatmap":
                    assert page.has(".m-split") and page.has(".m-fired"), page.text(".map-marks")
                wide = page.run("return document.documentElement.scrollWidth")
                assert wide <= width, f"{view}: {wide} px wide at {width}"
                barriers = page.barriers()
                assert not barriers, (view, width, dark, barriers)
                page.shot(name + ("-dark" if dark else ""), width)
        page.no_trouble()


def test_keyboard_and_search(bench):
    sim, daemon = start(bench)
    make_hot(sim, daemon)
    where = lambda: page.run("return location.hash")
    focus = lambda: page.run("return document.activeElement.closest('[data-item]')?.dataset.key || document.activeElement.id")
    with browsing(daemon.url) as page:
        page.open("tables")
        page.press("j")
        assert focus() == "orders", focus()  # the busiest
        page.press("j")
        second = focus()
        assert second not in ("orders", ""), second
        page.press("k")
        assert focus() == "orders"
        page.press("\ue007")  # Enter
        wait_until(lambda: where() == "#/heatmap?table=orders", 5, "Enter opens the table")
        page.press("?")
        assert page.run("return document.getElementById('help').open")
        page.press("\ue00c")  # Escape
        assert not page.run("return document.getElementById('help').open")
        for number, view in enumerate(VIEWS, 1):
            page.press(str(number))
            page.ready(view)
        page.press("/", "s", "e", "s", "s")
        assert page.run("return document.activeElement.id") == "query"
        page.wait_text("table sessions", "#found")
        page.press("\ue00c")
        assert page.run("return document.getElementById('found').hidden")
        page.press("/")
        page.run("document.getElementById('query').value = ''")
        page.press(*"42abc")
        page.wait_text("row in orders: 40", "#found")
        exact = page.driver.execute_async_script("""const done = arguments[0];
            import(new URL("web/keys.js", location.href)).then((m) => done(m.keyBytes("a\\\\x00\\\\xFFé\\\\xfg")));""")
        assert exact == [97, 0, 255, 195, 169, 92, 120, 102, 103], exact
        page.press("\ue015", "\ue007")  # arrow down, Enter
        wait_until(lambda: where().startswith("#/region?id="), 5, "Enter opens what was found")
        page.ready("region")
        page.no_trouble()


def test_the_heat_map_is_exact_and_zooms(bench):
    sim, daemon = start(bench)
    make_hot(sim, daemon)
    with browsing(daemon.url) as page:
        page.open("heatmap?table=orders&access=write&scale=linear")
        page.wait_text("per region", ".map-legend")
        check = page.run("""
            const { map } = document.getElementById("map"), canvas = document.querySelector(".cells");
            const image = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
            let brightest = -1, at = null, wrong = 0, gaps = 0;
            map.values.forEach((row, y) => row.forEach((v, x) => {
                const i = (y * canvas.width + x) * 4;
                if ((v === null) !== (image[i + 3] === 0)) wrong++;
                if (v === null) { gaps++; return; }
                const light = image[i] + image[i + 1] + image[i + 2];
                if (light > brightest) { brightest = light; at = map.rows[y].startKey; }
            }));
            return { wrong, gaps, at, columns: canvas.width };""")
        assert check["wrong"] == 0 and check["at"] == "40", check
        assert check["gaps"] > 0, "the time before the first data is a gap"
        page.run("document.querySelector('.cells').focus()")
        page.press("\ue012", "\ue015")  # left, down
        assert "/s" in page.text(".tip") and "UTC" in page.text(".tip"), page.text(".tip")
        from selenium.webdriver.common.action_chains import ActionChains
        canvas = page.driver.find_element("css selector", ".cells")
        width, height = canvas.size["width"], canvas.size["height"]
        ActionChains(page.driver).move_to_element_with_offset(canvas, -width // 4, -height // 4).click_and_hold() \
            .move_by_offset(width // 2, height // 2).release().perform()
        wait_until(lambda: "from=" in page.run("return location.hash") and "k0=" in page.run("return location.hash"),
                   5, "the address names what is shown")
        page.ready("heatmap")
        rows = wait_until(lambda: page.run("return document.querySelector('.cells')?.height"), 10, "a map")
        wait_until(lambda: 0 < page.run("return document.querySelector('.cells').height") < 10, 10, f"fewer rows than {rows}")
        page.no_trouble()


# As HBase's Bytes.toStringBinary() prints a key of every byte.
EVERY_BYTE = "".join(chr(b) if 32 <= b < 127 and b != 92 else f"\\x{b:02X}" for b in range(256))


def with_keys(value):
    if isinstance(value, list):
        return [with_keys(v) for v in value]
    if not isinstance(value, dict):
        return value
    return {k: EVERY_BYTE if k in ("startKey", "endKey") and v is not None else with_keys(v) for k, v in value.items()}


def test_hostile_names_and_every_byte(bench):
    sim, daemon = start(bench)
    sim.command("rate bytes#6 read 5 write 3000")
    region = wait_until(lambda: firing(daemon), 20, "an alert fires")[0]["evidence"]["region"]

    def change(path, body):
        if "/api/" not in path or "openapi" in path:
            return body
        body = body.replace(b"bytes", json.dumps(HOSTILE)[1:-1].encode())
        return json.dumps(with_keys(json.loads(body))).encode()

    def restore(path):
        plain = urllib.parse.unquote_plus(path)
        return plain.replace(HOSTILE, "bytes").replace(" ", "+") if HOSTILE in plain else path

    proxy = Proxy(daemon.url, change, restore)
    try:
        with browsing(proxy.url) as page:
            table = urllib.parse.quote(HOSTILE, safe="")
            for view in ("now", f"heatmap?table={table}", "tables", "events", f"region?id={region}"):
                page.open(view)
                page.wait_text(HOSTILE)
                if view not in ("tables", "events"):
                    page.wait_text(EVERY_BYTE)
                assert not page.has("main img"), view
            page.press("/")
            page.press(*"<img")
            page.wait_text(HOSTILE, "#found")
            assert not page.has("#found img")
            page.no_trouble()
    finally:
        proxy.close()


def test_stale_then_back(bench):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    sim, daemon = start(bench, port)
    with browsing(daemon.url) as page:
        page.open("tables")
        page.run("window.sameLoad = true")
        daemon.stop()
        page.wait_text("cannot be reached", "#trouble")
        wait_until(lambda: page.run("return document.body.classList.contains('stale')"), 10, "the page looks stale")
        page.wait_text("Stale", "#freshness")
        assert "orders" in page.text(), "what was known stays"
        again = bench.daemon(CONFIG.format(master=sim.master, port=port))
        again.ready()
        wait_until(lambda: page.run("return document.getElementById('trouble').hidden"), 20, "the trouble is over")
        wait_until(lambda: not page.run("return document.body.classList.contains('stale')"), 20, "and the page fresh")
        assert page.run("return window.sameLoad") is True
        page.no_trouble(["Failed to load resource", "ERR_CONNECTION"])
        page.open("region?id=" + "f" * 32)
        page.wait_text("is not known")
        page.open("heatmap?table=none")
        page.wait_text("table 'none' is not known")
        page.press("1")
        page.ready("now")
        page.no_trouble(["404"])


def test_weight_and_speed(bench):
    sim, daemon = start(bench)
    make_hot(sim, daemon)
    rows, columns = 128, 240

    def change(path, body):
        if "/heatmap?" not in path:
            return body
        data = json.loads(body)
        row = data["data"]["rows"][0]
        data["data"].update(times=[f"2026-12-01T{i // 60:02d}:{i % 60:02d}:00.000Z" for i in range(columns)],
                            rows=[{**row, "startKey": f"k{i:04d}"} for i in range(rows)],
                            values=[[(i * k) % 5000 for k in range(columns)] for i in range(rows)], columnSeconds=60)
        return json.dumps(data).encode()

    with browsing(daemon.url) as page:
        firsts = []
        for _ in range(6):
            page.open("now")
            firsts.append(page.run("return performance.getEntriesByName('data')[0].startTime"))
        print("first paint with data:", [round(f) for f in firsts], "ms")
        assert min(firsts) < 500 * SLOWDOWN, firsts
        weight = page.run("""return performance.getEntriesByType("resource").filter((r) => r.name.includes("/web/"))
            .reduce((n, r) => n + r.encodedBodySize, performance.getEntriesByType("navigation")[0].encodedBodySize)""")
        print("weight:", weight, "bytes")
        assert 5000 < weight <= 120 * 1024, weight
        page.no_trouble()
    proxy = Proxy(daemon.url, change)
    try:
        with browsing(proxy.url) as page:
            page.open("heatmap?table=orders")
            drawn = float(wait_until(lambda: page.run("return document.getElementById('map').dataset.drawMs"), 10, "drawn"))
            print("largest heat map drawn:", drawn, "ms")
            assert drawn <= 200 * SLOWDOWN, drawn
            page.no_trouble()
    finally:
        proxy.close()


if __name__ == "__main__":
    skip_unless_possible()
    run([test_an_alert_appears_and_its_command_is_copied, test_every_view_and_no_barrier, test_keyboard_and_search,
         test_the_heat_map_is_exact_and_zooms, test_hostile_names_and_every_byte, test_stale_then_back,
         test_weight_and_speed])
