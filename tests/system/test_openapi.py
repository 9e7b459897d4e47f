# SPDX-License-Identifier: Apache-2.0
"""Real answers are as /api/v1/openapi.json says: every path, while the cluster is quiet, with a
hot region, a split and a dead server, and the errors."""

import json
import sys
import urllib.parse

from harness import request, get_json, run, wait_until

try:
    import jsonschema
except ImportError:
    print("python3-jsonschema is not there (./dev setup)")
    sys.exit(77)

SCENARIO = """\
cluster lab
version 2.6.4
servers 3
masters 1
cache 200ms
table orders regions 10 read 40 write 20 size 2GiB
table iot:events keys \\x00\\xFF,a,m read 5 write 5
table single regions 1 write 5
"""

CONFIG = """\
cluster: lab
masters: [ "{master}" ]
poll: {{ interval: 1s, timeout: 1s }}
topology: {{ interval: 2s }}
detection: {{ window: 4s, for: 2s, clear_for: 30s, row_sampling: true }}
http: {{ listen: [ "127.0.0.1:0" ] }}
"""


def as_json_schema(value):
    """OpenAPI 3.0 has `nullable` where JSON Schema has the type null."""
    if isinstance(value, list):
        return [as_json_schema(v) for v in value]
    if not isinstance(value, dict):
        return value
    plain = {k: as_json_schema(v) for k, v in value.items() if k != "nullable"}
    return {"anyOf": [plain, {"type": "null"}]} if value.get("nullable") is True else plain


class Contract:
    def __init__(self, daemon):
        self.daemon = daemon
        self.document = get_json(daemon.url, "/api/v1/openapi.json")
        self.schemas = as_json_schema(self.document["components"]["schemas"])
        self.seen = set()

    def check(self, pattern, path=None, status=200):
        path = path or pattern
        got, headers, body = request(self.daemon.url, path)
        assert got == status, f"{path}: {got}: {body[:200]}"
        answers = self.document["paths"][pattern]["get"]["responses"]
        assert str(got) in answers, f"{path}: {got} is not in the document"
        answer = answers[str(got)]
        if "$ref" in answer:
            answer = self.document["components"]["responses"][answer["$ref"].rsplit("/", 1)[1]]
        kind = headers["Content-Type"].split(";")[0]
        assert kind in answer["content"] or "*/*" in answer["content"], f"{path}: {kind}"
        self.seen.add(pattern)
        if kind == "application/json":
            schema = as_json_schema(answer["content"][kind]["schema"])
            schema["components"] = {"schemas": self.schemas}
            jsonschema.Draft7Validator(schema).validate(json.loads(body))
        return body

    def check_all(self, region):
        api = "/api/v1/"
        for path in ("status", "alerts", "alerts/history", "regions", "tables", "servers", "targets", "openapi.json"):
            self.check(api + path)
        self.check(api + "regions/{region}", f"{api}regions/{region}")
        self.check(api + "regions/{region}/series", f"{api}regions/{region}/series")
        for table in self.daemon.get("/api/v1/tables")["tables"]:
            name = urllib.parse.quote(table["table"], safe="")
            self.check(api + "heatmap", f"{api}heatmap?table={name}")
        for path in ("/", "/metrics", "/-/healthy", "/-/ready", "/sd"):
            self.check(path)
        self.check("/web/{file}", "/web/app.js")


def firing(daemon):
    return [a for a in daemon.alerts() if a["state"] == "firing"]


def test_answers_are_as_the_document_says(bench):
    sim = bench.sim(SCENARIO)
    daemon = bench.daemon(CONFIG.format(master=sim.master))
    contract = Contract(daemon)
    contract.check("/api/v1/status")
    daemon.ready()
    wait_until(lambda: len(daemon.regions()) >= 15, 10, "regions are known")
    contract.check_all(daemon.regions(table="orders")[0]["region"])
    sim.command("rate orders#4 read 40 write 2000")
    sim.command("rate single#0 read 4000 write 2000")
    wait_until(lambda: daemon.alerts(), 15, "an alert is pending or firing")
    contract.check("/api/v1/alerts")
    wait_until(lambda: any(a["labels"].get("table") == "orders" for a in firing(daemon)), 20, "an alert fires")
    hot = next(a for a in firing(daemon) if a["labels"].get("table") == "orders")["evidence"]["region"]
    contract.check_all(hot)
    sim.command("split orders#4 at 45 lower 90%")
    sim.command("kill server 3")
    wait_until(lambda: any(not s["up"] for s in daemon.get("/api/v1/servers")["servers"]), 20, "a server is down")
    wait_until(lambda: any(m["kind"] == "split" for m in
                           daemon.get("/api/v1/heatmap?table=orders")["marks"]), 20, "the split is marked")
    contract.check_all(daemon.regions(table="orders")[0]["region"])
    assert contract.seen == set(contract.document["paths"]) - {"/-/reload"}, contract.seen


def test_errors_are_as_the_document_says(bench):
    daemon = bench.daemon(CONFIG.format(master=bench.sim(SCENARIO).master))
    contract = Contract(daemon)
    daemon.ready()
    api = "/api/v1/"
    unknown = "f" * 32
    for pattern, path, status, word in (
            ("regions", "regions?limit=0", 400, b"limit"), ("regions", "regions?table=none", 404, b"none"),
            ("regions/{region}", "regions/x", 400, b"region"), ("regions/{region}", f"regions/{unknown}", 404, b"not known"),
            ("regions/{region}/series", f"regions/{unknown}/series", 404, b"not known"),
            ("heatmap", "heatmap", 400, b"table"), ("heatmap", "heatmap?table=none", 404, b"none"),
            ("heatmap", "heatmap?table=orders&columns=241", 400, b"columns"),
            ("heatmap", "heatmap?table=orders&rows=1", 400, b"rows"), ("alerts", "alerts?state=x", 400, b"state"),
            ("alerts/history", "alerts/history?since=x", 400, b"since"), ("status", "status?x=1", 400, b"x")):
        assert word in contract.check(api + pattern, api + path, status), path


if __name__ == "__main__":
    run([test_answers_are_as_the_document_says, test_errors_are_as_the_document_says])
