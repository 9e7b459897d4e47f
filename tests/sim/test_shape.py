# SPDX-License-Identifier: Apache-2.0
"""hbase-sim's answers against those of real clusters in tests/data/captures."""

import contextlib
import gzip
import json
import pathlib
import re
import urllib.parse

from simulator import Simulator, ask, request, run, wait_until

CAPTURES = pathlib.Path(__file__).resolve().parents[1] / "data" / "captures"
LIVE_SERVERS = "/api/v1/admin/cluster_metrics/live_servers"
VERSIONS = ["2.6.4", "2.4.18", "1.7.2"]
REGION_NAME = re.compile(r"^(tag\.)?Namespace_.*_table_.*_region_([0-9a-f]{32}|[0-9]{1,10})_(.*)$")
RANGES = re.compile(r"_(Time|Size)RangeCount_")  # only there when they are not 0
SERVER_BEAN = "Hadoop:service=HBase,name=RegionServer,sub="
METRICS = "(readRequestCount|writeRequestCount|lastMajorCompactionAge)$"

SCENARIO = """
version {version}
servers 3
table orders regions 10 read 40 write 20
table iot:sensor_table_data keys kA,\\x00\\xFF read 3
table a.b-c_region_x regions 2 replicas 2 write 5
table wide regions 40
"""


def capture(version, name):
    path = CAPTURES / f"hbase-{version}" / name
    return path.read_bytes() if path.exists() else None


def captured_beans(version, name):
    """Beans as lists of pairs, so that order and doubles are seen."""
    return dict(json.loads(capture(version, name), object_pairs_hook=lambda pairs: pairs))["beans"]


def jmx_path(**parameters):
    return "/jmx?" + "&".join(f"{k}={urllib.parse.quote(v, safe=':=,*_()$')}"
                              for k, v in parameters.items())


def beans(url, **parameters):
    body = ask(url, jmx_path(**parameters))
    return dict(json.loads(body, object_pairs_hook=lambda pairs: pairs))["beans"]


@contextlib.contextmanager
def cluster(version, extra=""):
    """A cluster in which every region has been read, seen through a fresh cache."""
    with Simulator(SCENARIO.format(version=version) + extra) as sim:
        sim.command("counters orders#* read 7 write 3")
        sim.command("counters hbase:meta#* read 5 write 1")
        sim.command("counters hbase:namespace#* read 5 write 1")
        yield sim


def region_suffix(name):
    """What follows the encoded name, any store alike; None for other attributes."""
    found = REGION_NAME.match(name)
    return re.sub(r"^store_.*_metric_", "store_*_metric_", found.group(3)) if found else None


def kind(value):
    return type(value).__name__


def plain_shape(bean):
    """Attribute names and JSON types in order."""
    return [(k, kind(v)) for k, v in bean if not RANGES.search(k)]


def test_regions_bean_has_the_attributes_of_each_version():
    for version in VERSIONS:
        with cluster(version) as sim:
            want = {}
            for path in sorted((CAPTURES / f"hbase-{version}").glob("rs*-regions-*.json")):
                for name, value in captured_beans(version, path.name)[0]:
                    want[region_suffix(name) or name] = kind(value)
            have = {}
            encoded = {}
            for url in sim.servers:
                [bean] = beans(url, qry=SERVER_BEAN + "Regions")
                for name, value in bean:
                    have[region_suffix(name) or name] = kind(value)
                    if region_suffix(name):
                        encoded.setdefault(REGION_NAME.match(name).group(2), set()).add(name)
            assert have == want, (version, set(have.items()) ^ set(want.items()))
            state = sim.state()
            assert set(encoded) == {r["region"] for r in state["regions"]}, version
            for region in state["regions"]:
                namespace, _, qualifier = region["table"].rpartition(":")
                prefix = (f"Namespace_{namespace or 'default'}_table_{qualifier}"
                          f"_region_{region['region']}_")
                assert all(name.startswith(prefix) for name in encoded[region["region"]]), prefix


def test_the_regions_bean_keeps_the_order_of_hbase():
    """All gauges of a region stand together; the put, get ... counts of all come last."""
    for version in VERSIONS:
        with cluster(version) as sim:
            want = captured_beans(version, "rs1-regions-a.json")[0]
            [have] = beans(sim.servers[0], qry=SERVER_BEAN + "Regions")

            def first_region(bean):
                first = next(REGION_NAME.match(k).group(2) for k, _ in bean if region_suffix(k))
                return [region_suffix(k) for k, _ in bean if f"_{first}_" in k
                        and not region_suffix(k).startswith("store_")][:-6]

            assert first_region(have) == first_region(want), version
            tail = [region_suffix(k) for k, _ in have if region_suffix(k)][-6:]
            assert set(tail) == {f"metric_{m}Count" for m in
                                 ["put", "delete", "increment", "append", "get", "scan"]}, tail


def lines_shape(text):
    """The layout: every line with its number, id or string value taken out."""
    text = re.sub(r'_table_[^"]*_region_([0-9a-f]{32}|[0-9]+)_', "_table_T_region_R_", text)
    text = re.sub(r'Namespace_[^"]*?_table_', "Namespace_N_table_", text)
    text = re.sub(r'"tag\.(\w+)": ".*"', r'"tag.\1": "S"', text)
    return [re.sub(r": -?[0-9][0-9.E+-]*(,?)$", r": 0\1", line) for line in text.split("\n")]


def test_text_layout_is_that_of_hbase():
    for version in VERSIONS:
        with cluster(version) as sim:
            url = sim.servers[0]
            pairs = [("rs1-server-a.json", url, "RegionServer,sub=Server"),
                     ("master-a.json", sim.master, "Master,sub=*")]
            if version == "2.6.4":
                pairs += [("rs1-jvmmetrics-a.json", url, "JvmMetrics"),
                          ("rs1-ipc-a.json", url, "RegionServer,sub=IPC")]
            for name, base, bean in pairs:
                want = lines_shape(capture(version, name).decode())
                path = jmx_path(qry="Hadoop:service=HBase,name=" + bean)
                have = lines_shape(ask(base, path).decode())
                want = [line for line in want if not RANGES.search(line)]
                for have_line, want_line in zip(have, want, strict=True):
                    assert have_line.rstrip(",") == want_line.rstrip(","), (version, name)


def test_server_and_master_beans_have_names_types_and_order():
    for version in VERSIONS:
        with cluster(version) as sim:
            [server] = beans(sim.servers[0], qry=SERVER_BEAN + "Server")
            [captured] = captured_beans(version, "rs1-server-a.json")
            assert plain_shape(server) == plain_shape(captured), version
            masters = beans(sim.master, qry="Hadoop:service=HBase,name=Master,sub=*")
            captured = captured_beans(version, "master-a.json")
            assert [plain_shape(b) for b in masters] == [plain_shape(b) for b in captured], version
            assert [b[:2] for b in masters] == [b[:2] for b in captured], version


def test_older_versions_have_the_signals_too():
    for version in ["2.4.18", "1.7.2"]:
        with cluster(version) as sim:
            [ipc] = beans(sim.servers[0], qry=SERVER_BEAN + "IPC")
            assert {"queueSize", "numActiveHandler", "numCallsInGeneralQueue"} <= set(dict(ipc))
            [jvm] = beans(sim.servers[0], qry="Hadoop:service=HBase,name=JvmMetrics")
            assert "GcTimeMillis" in dict(jvm)


def test_filtered_query():
    for regex in ["_metric_*" + METRICS, ".*_metric_" + METRICS, "^N.*_metric_" + METRICS]:
        for version in ["2.6.4", "2.4.18"]:
            with cluster(version) as sim:
                want = lines_shape(capture(version, "rs1-filtered-a.json").decode())
                text = ask(sim.servers[0], jmx_path(get=f"{SERVER_BEAN}Regions::{regex}")).decode()
                have = lines_shape(text)
                # Three lines a region; the last one has no comma.
                assert have[:5] + have[-3:] == want[:5] + want[-3:], (version, regex)
                assert set(have[5:-4]) == set(want[5:-4]), (version, regex)
                assert len(have) == 8 + 3 * count_on(sim, 1), (version, regex)


def count_on(sim, number):
    return sum(r["serverNumber"] == number for r in sim.state()["regions"])


def combined_attributes():
    """The attributes that the combined capture asked for, besides the region counters."""
    names = {k for b in captured_beans("2.6.4", "rs1-combined-a.json") for k, _ in b[2:]
             if not region_suffix(k)}
    return sorted(names - {"tag.serverName"})


def combined_path():
    regexes = ["_metric_*" + METRICS, "^tag.serverName$", f"^({'|'.join(combined_attributes())})$"]
    return jmx_path(get="Hadoop:service=HBase,*::" + ",".join(regexes))


def test_combined_query():
    def shape(beans_):
        of_tables = re.compile("TableRequests_Namespace_.*_table_.*")
        return {(of_tables.sub("TableRequests_N_table_T", b[0][1]), of_tables.sub("", b[1][1])):
                [k for k, _ in b[2:] if not region_suffix(k)] +
                sorted({region_suffix(k) for k, _ in b[2:] if region_suffix(k)}) for b in beans_}

    with cluster("2.6.4") as sim:
        body = json.loads(ask(sim.servers[0], combined_path()),
                          object_pairs_hook=lambda pairs: pairs)
        assert shape(dict(body)["beans"]) == shape(captured_beans("2.6.4", "rs1-combined-a.json"))


def test_a_dot_in_a_pattern_is_any_character():
    with cluster("2.6.4") as sim:
        for pattern, found in {"^tag.server.ame$": True, "^tag.serverNam$": False,
                               "^(a|region.ount)$": True, "gionCoun": True}.items():
            path = jmx_path(get=f"{SERVER_BEAN}Server::{pattern},none_*")
            [bean] = json.loads(ask(sim.servers[0], path))["beans"]
            assert (len(bean) > 2) == found, (pattern, bean)


def test_combined_query_on_old_versions_is_an_error_bean():
    with cluster("1.7.2") as sim:
        [bean] = json.loads(ask(sim.servers[0], combined_path()))["beans"]
        assert bean["result"] == "ERROR"
        assert bean["message"].startswith("No attribute with name _metric_*(")
        path = jmx_path(get=f"{SERVER_BEAN}Regions::.*_metric_{METRICS}")
        assert ask(sim.servers[0], path) == capture("1.7.2", "rs1-filtered-a.json")


def test_tables_bean_can_be_switched_on():
    with cluster("2.6.4", "tables-bean on\n") as sim:
        path = jmx_path(get=f"{SERVER_BEAN}Tables::_metric_*{METRICS}")
        [bean] = json.loads(ask(sim.servers[0], path))["beans"]
        names = [k for k in bean if k.startswith("Namespace_default_table_orders_metric_")]
        assert sorted(n.rsplit("_", 1)[1] for n in names) == [
            "readRequestCount", "writeRequestCount"]


ERRORS = {
    "err-attr.json": {"get": SERVER_BEAN + "Server::nosuch"},
    "err-get.json": {"get": SERVER_BEAN + "Server"},
    "err-none.json": {"qry": SERVER_BEAN + "Nosuch"},
    "err-qry.json": {"qry": "bad"},
}


def test_error_answers_are_equal_to_the_byte():
    for version in ["2.6.4", "2.4.18"]:
        with cluster(version) as sim:
            for name, parameters in ERRORS.items():
                assert ask(sim.servers[0], jmx_path(**parameters)) == capture(version, name), name


def header_shape(lines):
    varying = {"date", "expires", "content-length"}
    return [(k, None if k.lower() in varying else v) for k, v in lines]


def captured_headers(version, name):
    text = capture(version, name).decode().replace("\r", "").strip()
    return [tuple(line.split(": ", 1)) for line in text.split("\n")[1:]]


def test_headers():
    for version in VERSIONS:
        with cluster(version) as sim:
            url = sim.servers[0]
            cases = {"rs1-regions-a.json": (url, jmx_path(qry=SERVER_BEAN + "Regions")),
                     "rs1-server-a.json": (url, jmx_path(qry=SERVER_BEAN + "Server")),
                     "rs1-filtered-a.json": (
                         url, jmx_path(get=f"{SERVER_BEAN}Regions::_metric_*{METRICS}")),
                     "master-a.json": (
                         sim.master, jmx_path(qry="Hadoop:service=HBase,name=Master,sub=*"))}
            if version != "1.7.2":
                cases |= {name: (url, jmx_path(**p)) for name, p in ERRORS.items()}
                cases["live_servers-a.json"] = (sim.master, LIVE_SERVERS)
            for name, (base, path) in cases.items():
                _, headers, _ = request(base, path)
                want = header_shape(captured_headers(version, name + ".headers"))
                assert header_shape(headers.items()) == want, (version, name, headers.items())


def test_gzip_from_2_4_on():
    for version in VERSIONS:
        with cluster(version) as sim:
            url, path = sim.servers[0], jmx_path(qry=SERVER_BEAN + "Regions")
            plain = ask(url, path)
            _, headers, body = request(url, path, headers={"Accept-Encoding": "gzip"})
            if version == "1.7.2":
                assert body == plain and "Content-Encoding" not in headers
            else:
                assert gzip.decompress(body) == plain
                want = captured_headers(version, "gzip.headers")
                assert header_shape(headers.items()) == header_shape(want), headers.items()


def test_live_servers():
    path = LIVE_SERVERS
    with cluster("2.6.4", "table x keys '<=>&,\\xFF size 3GiB on 1\n") as sim:
        text = ask(sim.master, path).decode()
        have = json.loads(text)["data"]
        want = json.loads(capture("2.6.4", "live_servers-a.json"))["data"]

        def server_shape(server):
            return [(k, kind(v)) for k, v in server.items()]

        def region_shape(server):
            [first, *_] = [r for n, r in server["region_status"].items() if "hbase:meta" not in n]
            return [(k, kind(v)) for k, v in first.items()]

        assert server_shape(have[0]) == server_shape(want[0])
        assert region_shape(have[0]) == region_shape(want[0])
        assert list(have[0]["server_name"]) == list(want[0]["server_name"])
        assert list(have[0]["sink"]) == list(want[0]["sink"])
        assert list(have[0]["tasks"][0]) == list(want[0]["tasks"][0])
        assert have[0]["server_name"]["server_name"] == sim.ports["regionservers"][0]["server"]
        for server, url in zip(have, sim.servers, strict=True):
            assert f":{server['info_server_port']}" in url
            names = list(server["region_status"])
            assert names == sorted(names)
        # Gson's HTML escapes, Java's doubles, U+FFFD for bytes that are not UTF-8.
        assert '"x,\\u0027\\u003c\\u003d\\u003e\\u0026,' in text
        assert '"store_file_size":3.221225472E9' in text
        assert '"x,\ufffd,' in text
        listed = {n.rstrip(".").rsplit(".", 1)[-1] for s in have for n in s["region_status"]}
        regions = {r["region"] for r in sim.state()["regions"]}
        assert listed == regions - {"1588230740"} | {"hbase:meta,,1"}

    with cluster("2.4.18") as sim:
        status, _, body = request(sim.master, path)
        assert status == 404 and body == capture("2.4.18", "live_servers-a.json")


def test_rs_status():
    """An idle server has no call; rows named for a region show in calls of HBase's shape."""
    path = "/rs-status?format=json&filter=rpc"
    with cluster("2.6.4", "table r regions 1 on 1\n") as sim:
        idle = ask(sim.servers[0], path)
        assert capture("2.6.4", "rs-status-rpc-20.txt").startswith(idle)
        for name, command in {"mutate": "rate r#0 read 1 write 9", "get": "rate r#0 read 9 write 1",
                              "scan": "scan r#0 50"}.items():
            sim.command(command)
            sim.command("rows r#0 row\\x00\\x22\\xFF")
            [have] = json.loads(ask(sim.servers[0], path))
            [want] = json.loads(capture("2.5.13-rpc", f"rs-status-{name}.json"))
            assert list(have) == list(want) and list(have["rpcCall"]) == list(want["rpcCall"])
            assert have["rpcCall"]["method"] == want["rpcCall"]["method"]
            [text] = have["rpcCall"]["params"]
            assert 'row: "row\\000\\"\\377"' in text, text
            keys = [re.findall(r"^ *(\w+)", t, re.M)[:5]
                    for t in (text, want["rpcCall"]["params"][0])]
            assert keys[0] == keys[1], keys
        sim.command("rows r#0")
        assert ask(sim.servers[0], path) == idle


RPC_STATUS = "?format=json&filter=rpc"


def members(text):
    return re.findall(r"^ *(\w+)", text, re.M)


def calls(sim, server=0, page="/rs-status"):
    return json.loads(ask(sim.servers[server], page + RPC_STATUS))


def test_a_batch_has_the_shape_of_hbase():
    [want] = json.loads(capture("2.5.13-rpc", "rs-status-multi.json"))
    with cluster("2.6.4", "table r regions 1 write 9 on 1\n") as sim:
        sim.command("calls r#0 spread batch 50")
        [have] = calls(sim)
        assert list(have) == list(want) and list(have["rpcCall"]) == list(want["rpcCall"])
        assert have["rpcCall"]["method"] == "Multi"
        [texts] = zip(have["rpcCall"]["params"], want["rpcCall"]["params"], strict=True)
        assert members(texts[0]) == members(texts[1])


def drawn(sim, answers=40):
    """Rows, in order, and client addresses of so many answers."""
    seen = [c["rpcCall"] for _ in range(answers) for c in calls(sim)]
    rows = [re.search(r'row: "(.*)"', c["params"][0]).group(1) for c in seen]
    return rows, [c["clientaddress"] for c in seen]


def test_rows_come_by_pattern():
    with cluster("2.6.4", "table r keys 30,60 read 9 on 1\n") as sim:
        sim.command("calls r#1 spread x 5 clients 4")
        rows, clients = drawn(sim)
        assert len(rows) == 200 and all("30000000" <= r < "60000000" for r in rows), rows
        assert min(rows) < "35000000" and max(rows) > "55000000"
        assert 70 < clients.count("10.0.0.1") < 130 and len(set(clients)) == 4
        sim.command("calls r#1 popular 42 80%")
        rows, _ = drawn(sim, 100)
        assert 65 <= rows.count("42") <= 95, rows.count("42")
        sim.command("calls r#1 popular 99 100%")  # of another region
        assert "99" not in drawn(sim)[0]
        sim.command("calls r#1 rising")
        rows, _ = drawn(sim)
        assert rows == sorted(set(rows)), rows
        sim.command("calls r#1 none")
        assert calls(sim) == []


def test_daughters_keep_the_pattern():
    with cluster("2.6.4", "table r keys 30,60 read 9 on 1\n") as sim:
        sim.command("calls r#1 popular 42 100%")
        sim.command("split r#1 at 45")
        found = {}
        for call in calls(sim):
            text = call["rpcCall"]["params"][0]
            start = re.search(r'value: "r,(\d+),', text).group(1)
            found[start] = re.search(r'row: "(.*)"', text).group(1)
        assert found["30"] == "42" and found["45"] >= "45", found


def test_the_status_page_moves():
    with cluster("2.6.4", "status-page jsp\ntable r regions 1 read 9 on 1\n") as sim:
        sim.command("calls r#0 spread")
        status, headers, _ = request(sim.servers[0], "/rs-status" + RPC_STATUS)
        assert status == 302 and headers["Location"] == "/regionserver.jsp"
        assert len(calls(sim, page="/regionserver.jsp")) == 1
        assert b"<html>" in ask(sim.servers[0], "/regionserver.jsp")
        server = sim.state()["servers"][0]
        assert (server["statusRequests"], server["jspRequests"]) == (3, 2), server
    with cluster("2.6.4") as sim:
        assert request(sim.servers[0], "/regionserver.jsp" + RPC_STATUS)[0] == 404
        assert b"<html>" in ask(sim.servers[0], "/rs-status?format=json")


def test_calls_on_chosen_regions():
    """The detail query: three counters of the regions named, and the server's name."""
    with cluster("2.6.4") as sim:
        ids = [r["region"] for r in sim.state()["regions"] if r["table"] == "wide"
               and r["serverNumber"] == 1][:2]
        query = (f"_region_*({'|'.join(ids)})_metric_(getCount|scanCount|readRequestCount)$"
                 ",^tag.serverName$")
        found = {dict(b)["name"]: b for b in beans(sim.servers[0], get=SERVER_BEAN + "?e*::" + query)}
        captured = {k: kind(v) for k, v in captured_beans("2.6.4", "rs1-regions-a.json")[0]}
        attributes = [(k, kind(v)) for k, v in found[SERVER_BEAN + "Regions"] if region_suffix(k)]
        assert len(attributes) == 6, attributes
        assert {REGION_NAME.match(k).group(2) for k, _ in attributes} == set(ids)
        want = {region_suffix(k): v for k, v in captured.items() if region_suffix(k)}
        assert all(want[region_suffix(k)] == v for k, v in attributes)
        [_, _, name] = found[SERVER_BEAN + "Server"]
        assert name[0] == "tag.serverName"
        assert not any("Table" in name for name in found), list(found)


def test_conf():
    with cluster("2.6.4", "handlers 44\n") as sim:
        body = ask(sim.servers[0], "/conf?format=json")
        assert 200_000 < len(body) < 230_000, len(body)
        properties = {p["key"]: p["value"] for p in json.loads(body)["properties"]}
        assert properties["hbase.regionserver.handler.count"] == "44"
        assert "hbase.regionserver.global.memstore.size" not in properties
        assert sim.state()["servers"][0]["confRequests"] == 1


def test_the_block_cache_moves_with_reads_and_counts_can_grow():
    def signals(sim):
        [bean] = beans(sim.servers[0], qry=SERVER_BEAN + "Server")
        return dict(bean)

    with cluster("2.6.4", "cache 0\ntable r regions 1 on 1\n") as sim:
        before = signals(sim)
        sim.command("counters r#0 read 100000")
        after = signals(sim)
        reads = after["readRequestCount"] - before["readRequestCount"]
        hits = after["blockCacheHitCount"] - before["blockCacheHitCount"]
        misses = after["blockCacheMissCount"] - before["blockCacheMissCount"]
        assert hits + misses == reads >= 100000 and 0.98 < hits / reads < 1
        sim.command("grow server 1 blockCacheMissCount 1000000")
        first = signals(sim)["blockCacheMissCount"]
        wait_until(lambda: signals(sim)["blockCacheMissCount"] > first + 100000, "more misses")
        sim.command("unset server 1 blockCacheMissCount")
        assert signals(sim)["blockCacheMissCount"] < first + 100000


if __name__ == "__main__":
    run([value for name, value in list(globals().items()) if name.startswith("test_")])
