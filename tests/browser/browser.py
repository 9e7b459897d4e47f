# SPDX-License-Identifier: Apache-2.0
"""Debian's chromium for a test, and a proxy that answers as a hostile or large cluster would.

What the browser's console says at level SEVERE, which includes every violation of the
Content-Security-Policy, fails the test that asks for it."""

import http.client
import http.server
import os
import pathlib
import shutil
import sys
import threading
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "system"))
from harness import BUILD, wait_until  # noqa: E402

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
except ImportError:
    webdriver = None

SHOTS = BUILD / "screenshots"
AXE = BUILD / "browser" / "node_modules" / "axe-core" / "axe.min.js"


def skip_unless_possible():
    """Status 77 (meson: skipped) with the reason in the last line. Under CI=true tests/summary
    counts it as failed."""
    lacking = [what for what, there in (
        ("python3-selenium", webdriver), ("chromium", shutil.which("chromium")),
        ("chromium-driver", shutil.which("chromedriver")), ("axe-core (npm)", AXE.exists())) if not there]
    if lacking:
        print("not there: " + ", ".join(lacking) + " (./dev test installs them)")
        sys.exit(77)


class Page:
    def __init__(self, url):
        options = Options()
        options.binary_location = shutil.which("chromium")
        flags = ["--headless=new", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage",
                 "--force-color-profile=srgb", "--window-size=1440,900"]
        if os.geteuid() == 0:
            flags.append("--no-sandbox")
        for flag in flags:
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.url = url
        self.driver = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
        self.driver.set_script_timeout(60)

    def close(self):
        self.driver.quit()

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def shape(self, width, height=900, dark=False):
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})

    def open(self, address):
        """A fresh load of a view, until its data is there."""
        self.driver.get("about:blank")
        self.driver.get(f"{self.url}/#/{address}")
        self.ready(address)

    def ready(self, address, seconds=20):
        view = address.split("?")[0]
        wait_until(lambda: self.run("return document.body.dataset.ready") == view, seconds, f"view {view} is shown")

    def text(self, selector="main"):
        return self.run("return document.querySelector(arguments[0])?.innerText || ''", selector)

    def has(self, selector):
        return self.run("return document.querySelector(arguments[0]) !== null", selector)

    def wait_text(self, text, selector="main", seconds=20):
        wait_until(lambda: text in self.text(selector), seconds, f"{text!r} in {selector}")

    def press(self, *keys):
        from selenium.webdriver.common.action_chains import ActionChains
        for key in keys:
            ActionChains(self.driver).send_keys(key).perform()

    def shot(self, name, width):
        """A picture of the whole page."""
        SHOTS.mkdir(exist_ok=True)
        height = self.run("return document.documentElement.scrollHeight")
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": max(700, height), "deviceScaleFactor": 1, "mobile": width < 600})
        self.driver.save_screenshot(str(SHOTS / f"{name}-{width}.png"))

    def no_trouble(self, allowed=()):
        severe = [entry["message"] for entry in self.driver.get_log("browser")
                  if entry["level"] == "SEVERE" and not any(a in entry["message"] for a in allowed)]
        assert not severe, severe

    def barriers(self):
        """What axe-core finds that is serious or critical. The page's policy allows no foreign
        script, so axe comes in through the driver."""
        self.driver.execute_cdp_cmd("Runtime.evaluate", {"expression": AXE.read_text()})
        found = self.driver.execute_async_script(
            "const done = arguments[0]; axe.run(document).then((r) => done(r.violations.map("
            "(v) => [v.impact, v.id, v.nodes.map((n) => n.html.slice(0, 200))])));")
        return [v for v in found if v[0] in ("serious", "critical")]


class Proxy:
    """Passes requests on to the daemon; change(path, body) makes the answer another one, and
    restore(path) undoes names in what the page asks for."""

    def __init__(self, target, change, restore=lambda path: path):
        where = urllib.parse.urlsplit(target)

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                connection = http.client.HTTPConnection(where.hostname, where.port, timeout=20)
                connection.request("GET", restore(self.path))
                answer = connection.getresponse()
                body = change(self.path, answer.read())
                self.send_response(answer.status)
                for name in ("Content-Type", "Content-Security-Policy", "Cache-Control"):
                    if answer.headers[name]:
                        self.send_header(name, answer.headers[name])
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
                connection.close()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()
