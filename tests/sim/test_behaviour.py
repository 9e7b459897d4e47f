# SPDX-License-Identifier: Apache-2.0
"""hbase-sim over time: counters, cache, what moves, splits, merges and restarts do."""

import hashlib
import re
import urllib.parse

from simulator import (BASE, EMPTY_LIST, FILTERED, FULL, MASTER, SERVER, SLOWDOWN, Simulator, ask,
                       beans, refused, run, seen, rows, wait_until)


def encoded_name(region):
    """MD5 over the bytes before the last dot but one, as HBase computes it."""
    name = re.sub(rb"\\x([0-9A-F]{2})", lambda m: bytes([int(m.group(1), 16)]),
                  region["name"].encode())
    return hashlib.md5(name[:-34]).hexdigest()


def check_names(sim):
    for region in sim.state()["regions"]:
        if region["table"] == "hbase:meta":
            assert (region["region"], region["name"]) == ("1588230740", "hbase:meta,,1")
        else:
            assert region["region"] == encoded_name(region), region
            assert region["name"].endswith(f".{region['region']}.")


# Counters

def test_counters_are_the_integral_of_the_rate():
    with Simulator(BASE) as sim:
        first = sim.state()
        second = wait_until(lambda: (s := sim.state())["t"] >= first["t"] + 50 and s, "50 ms")
        for state in (first, second):
            for region in state["regions"]:
                if region["table"] == "orders":
                    assert region["read"] == 3 * state["t"], region
                    assert region["write"] == 2 * state["t"], region
        # What JMX shows is the truth of the moment that lastMajorCompactionAge names.
        for metrics in seen(sim, 1).values():
            t = metrics["lastMajorCompactionAge"] - first["startWall"]
            if metrics["readRequestCount"] > 100:
                assert metrics["readRequestCount"] == 3 * t, metrics
                assert metrics["writeRequestCount"] == 2 * t, metrics


def test_a_rate_below_one_a_millisecond_is_exact():
    with Simulator(BASE + "table slow regions 1 read 777.7 on 1\n") as sim:
        for _ in range(50):  # counting often loses nothing
            state = sim.state()
            [slow] = [r for r in state["regions"] if r["table"] == "slow"]
            assert slow["read"] == 777700 * state["t"] // 1_000_000, slow


def test_a_new_rate_counts_from_its_moment():
    with Simulator(BASE + "at 20ms rate orders#4 read 1000 write 0\n") as sim:
        state = wait_until(lambda: (s := sim.state())["t"] > 40 and s, "the new rate")
        region = [r for r in state["regions"] if r["table"] == "orders"][4]
        assert region["read"] == 3 * 20 + (state["t"] - 20), region
        assert region["write"] == 2 * 20, region
        assert (region["readRate"], region["writeRate"]) == (1000, 0)
        sim.command("hot orders#4 x20.5")
        assert sim.regions("orders")[4]["readRate"] == 20500
        sim.command("calm orders#4")
        assert sim.regions("orders")[4]["readRate"] == 3000
        sim.command("rate orders#* read 5")
        assert {r["readRate"] for r in sim.regions("orders")} == {5}


def test_a_ramp_has_the_integral_of_a_line():
    with Simulator("cache 0\ntable r regions 1\nramp r#0 read 0 to 4000 over 400ms\n") as sim:
        state = wait_until(lambda: (s := sim.state())["t"] > 400 and s, "the ramp's end")
        [region] = [r for r in state["regions"] if r["table"] == "r"]
        assert region["read"] == 800 + 4 * (state["t"] - 400), (region, state["t"])


def test_counters_keep_64_bits():
    with Simulator(BASE) as sim:
        region = sim.regions("orders")[3]
        sim.command("rate orders#3 read 0 write 0")
        sim.command(f"counters orders#3 read 9007199254740993 write {2**63 - 1}")
        body = ask(sim.servers[region["serverNumber"] - 1], FILTERED).decode()
        assert "readRequestCount\": 9007199254740993," in body
        assert f"writeRequestCount\": {2**63 - 1}" in body


def test_noise_stays_within_its_bounds_and_is_seeded():
    text = ("cache 0\nnoise 20%\ntable r regions 8 read 100000 on 1\n"
            "at 20s rate r#* read 0\n")
    counts = []
    for seed in ("7", "7", "8"):
        with Simulator(text, "--speed", "1000", "--seed", seed) as sim:
            wait_until(lambda: sim.regions("r")[0]["readRate"] == 0, "20 s")
            counts.append([region["read"] for region in sim.regions("r")])
    assert counts[0] == counts[1] != counts[2], counts
    assert len(set(counts[0])) == 8
    assert all(0.85 < count / 2_000_000 < 1.15 for count in counts[0]), counts


def test_speed_multiplies_time():
    with Simulator("cache 0\ntable r regions 1 read 1000\nat 60s rate r#0 read 0\n",
                   "--speed", "1000") as sim:
        wait_until(lambda: sim.regions("r")[0]["readRate"] == 0, "a minute in 60 ms")
        assert sim.regions("r")[0]["read"] == 60000
        assert sim.state()["wall"] - sim.state()["startWall"] < sim.state()["t"] / 100


# Samples

def test_the_cache_holds():
    with Simulator(BASE.replace("cache 0", "cache 150ms")) as sim:
        answers = []  # (sample time, body) whenever it changes
        while len(answers) < 4:
            body = ask(sim.servers[0], FILTERED)
            [sample] = {m["lastMajorCompactionAge"] for m in rows(body).values()}
            if not answers or answers[-1][0] != sample:
                answers.append((sample, body))
            assert body == answers[-1][1]  # the same sample is the same to the byte
        gaps = [b[0] - a[0] for a, b in zip(answers, answers[1:])]
        assert min(gaps) > 150 and max(gaps) < 150 + 500 * SLOWDOWN, gaps


def test_all_beans_and_queries_show_one_sample():
    with Simulator(BASE.replace("cache 0", "cache 10s")) as sim:
        full, filtered = seen(sim, 1, FULL), seen(sim, 1)
        sums = beans(sim.servers[0], SERVER)
        assert filtered == {k: {m: full[k][m] for m in v} for k, v in filtered.items()}
        for name in ("readRequestCount", "writeRequestCount"):
            assert sums[name] == sum(r[name] for r in full.values())
        assert sums["regionCount"] == len(full)
        for metrics in full.values():
            assert metrics["putCount"] == metrics["writeRequestCount"]
            assert metrics["getCount"] == metrics["readRequestCount"]


def test_scans_count_calls():
    with Simulator(BASE + "table s regions 1 read 0 scan 100 on 1\n") as sim:
        sim.command("counters s#0 read 0")
        sim.command("rate s#0 read 100000")
        region = sim.regions("s")[0]["region"]
        metrics = wait_until(
            lambda: (m := seen(sim, 1, FULL)[region])["scanCount"] > 3 and m, "scans")
        assert metrics["scanCount"] == metrics["readRequestCount"] // 100
        assert metrics["getCount"] == 0
        sim.command("scan s#0 0")
        wait_until(lambda: seen(sim, 1, FULL)[region]["getCount"] > 0, "gets")


def test_age_after_a_compaction():
    with Simulator(BASE + "table c regions 1 compacted 3h on 1\n") as sim:
        [region] = sim.regions("c")
        age = seen(sim, 1)[region["region"]]["lastMajorCompactionAge"]
        assert 3 * 3600_000 <= age < 3 * 3600_000 + 10_000 * SLOWDOWN, age
        sim.command("compact c#0")
        age = seen(sim, 1)[region["region"]]["lastMajorCompactionAge"]
        assert age < 10_000 * SLOWDOWN, age


def test_beans_vanish_after_a_move():
    text = BASE.replace("empty 0", "empty 150ms after 100ms").replace("cache 0", "cache 10s")
    begins, ends = 80 + 100, 80 + 100 + 150
    with Simulator(text + "at 80ms move orders#4 to 2\n") as sim:
        region = sim.regions("orders")[4]
        number, encoded = region["serverNumber"], region["region"]
        assert number != 2
        other = ({1, 3} - {number}).pop()
        seen_empty = set()
        after = 0
        while after <= ends:
            before = sim.state()["t"]
            answers = {n: ask(sim.servers[n - 1], FILTERED) for n in (1, 2, 3)}
            after = sim.state()["t"]
            empty = {n for n in answers if answers[n] == EMPTY_LIST}
            seen_empty |= empty
            assert other not in empty
            assert not empty or (after >= begins and before < ends), (before, after)
            if begins <= before and after < ends:
                assert empty == {number, 2}, (before, after)
            if after < begins:  # the old sample is shown until then
                assert encoded in rows(answers[number]) and encoded not in rows(answers[2])
        assert seen_empty == {number, 2}
        assert encoded in seen(sim, 2) and encoded not in seen(sim, number)


def test_beans_vanish_regularly():
    with Simulator("cache 0\nempty 50ms after 1s every 100ms\n", "--speed", "1") as sim:
        wait_until(lambda: ask(sim.servers[0], FULL) == EMPTY_LIST, "empty")
        wait_until(lambda: ask(sim.servers[0], FULL) != EMPTY_LIST, "back")


# Moves, splits, merges

def test_a_moved_region_starts_at_zero():
    with Simulator(BASE + "at 60ms move orders#4 to 2\nat 60ms move orders#5 to 3\n") as sim:
        before = sim.regions("orders")
        state = wait_until(lambda: (s := sim.state())["t"] > 80 and s, "the move")
        after = [r for r in state["regions"] if r["table"] == "orders"]
        for i, target in ((4, 2), (5, 3)):
            assert after[i]["region"] == before[i]["region"]
            assert after[i]["serverNumber"] == target
            moved = before[i]["serverNumber"] != target
            assert after[i]["read"] == 3 * (state["t"] - (60 if moved else 0)), after[i]
        check_names(sim)


def test_reopening_in_place_keeps_the_counts_from_2_3_on():
    for version, keeps in (("2.6.4", True), ("1.7.2", False)):
        with Simulator(f"version {version}\n" + BASE) as sim:
            region = sim.regions("orders")[4]
            sim.command("rate orders#4 read 0 write 0")
            sim.command("counters orders#4 read 1000")
            sim.command(f"move orders#4 to {region['serverNumber']}")
            assert sim.regions("orders")[4]["read"] == (1000 if keeps else 0)


def test_split():
    for version in ("2.6.4", "1.7.2"):
        with Simulator(f"version {version}\n" + BASE) as sim:
            sim.command("rate orders#4 read 0 write 800")
            sim.command("counters orders#4 read 1001 write 5")
            parent = sim.regions("orders")[4]
            sim.command("split orders#4 at 45 lower 75%")
            low, high = sim.regions("orders")[4:6]
            assert (low["startKey"], low["endKey"]) == (parent["startKey"], "45")
            assert (high["startKey"], high["endKey"]) == ("45", parent["endKey"])
            assert (low["writeRate"], high["writeRate"]) == (600, 200)
            assert low["read"] == high["read"] == (0 if version == "2.6.4" else 500)
            assert {low["server"], high["server"]} == {parent["server"]}
            shown = seen(sim, parent["serverNumber"], FULL)
            assert parent["region"] not in shown
            assert {low["region"], high["region"]} <= set(shown)
            check_names(sim)
            answer = sim.answer("split orders#4 at 99")
            assert answer.startswith("error the split key is not inside"), answer


def test_split_in_the_middle():
    with Simulator("servers 1\ntable t regions 1\n") as sim:
        for _ in range(6):  # of the first, the last and some between
            for n in (0, len(sim.regions("t")) - 1, len(sim.regions("t")) // 2):
                sim.command(f"split t#{n}")
        regions = sim.regions("t")
        assert len(regions) == 19
        assert regions[0]["startKey"] == regions[-1]["endKey"] == ""
        assert all(a["endKey"] == b["startKey"] for a, b in zip(regions, regions[1:]))
        assert len({r["startKey"] for r in regions}) == 19
        check_names(sim)


def test_merge():
    for version in ("2.6.4", "1.7.2"):
        with Simulator(f"version {version}\n" + BASE) as sim:
            sim.command("rate orders#1 read 0 write 10")
            sim.command("rate orders#2 read 0 write 20")
            sim.command("counters orders#1 read 30 write 1")
            sim.command("counters orders#2 read 12 write 1")
            a, b = sim.regions("orders")[1:3]
            assert sim.answer("merge orders#1 orders#3").startswith("error region")
            sim.command("merge orders#1 orders#2")
            merged = sim.regions("orders")[1]
            assert (merged["startKey"], merged["endKey"]) == (a["startKey"], b["endKey"])
            assert merged["server"] == a["server"] and merged["writeRate"] == 30
            assert merged["read"] == (0 if version == "2.6.4" else 42)
            assert len(sim.regions("orders")) == 9
            assert not {a["region"], b["region"]} & {r for n in (1, 2, 3) for r in seen(sim, n)}
            check_names(sim)


def test_replicas_follow():
    with Simulator("servers 3\ncache 0\nempty 0\ntable r keys m replicas 2 read 10\n") as sim:
        sim.command("split r#0 at c")
        sim.command("merge r#1 r#2")
        regions = [r for r in sim.state()["regions"] if r["table"] == "r"]
        keys = [(r["startKey"], r["replica"]) for r in regions]
        assert keys == [("", 0), ("", 1), ("c", 0), ("c", 1)]
        for region in regions:
            shown = seen(sim, region["serverNumber"], FULL)[region["region"]]
            assert shown["replicaid"] == region["replica"]
            assert ("_0001." in region["name"]) == (region["replica"] == 1)
        check_names(sim)


def test_tables_come_and_go():
    with Simulator(BASE) as sim:
        sim.command("table iot:new keys \\x00\\xFF,b,a read 2 size 3MiB on 2")
        regions = sim.regions("iot:new")
        assert [r["startKey"] for r in regions] == ["", "\\x00\\xFF", "a", "b"]
        assert {r["serverNumber"] for r in regions} == {2}
        shown = seen(sim, 2, FULL)
        assert all(shown[r["region"]]["storeFileSize"] == 3 << 20 for r in regions)
        check_names(sim)
        assert sim.answer("table iot:new").startswith("error table iot:new exists")
        sim.command("drop table iot:new")
        assert not set(seen(sim, 2, FULL)) & {r["region"] for r in regions}
        assert sim.answer("drop table iot:new") == "error there is no table 'iot:new'"


def test_a_frozen_copy_never_changes():
    with Simulator(BASE) as sim:
        region = sim.regions("orders")[3]
        other = region["serverNumber"] % 3 + 1
        sim.command(f"frozen orders#3 on {other}")
        frozen = seen(sim, other)[region["region"]]
        moving = seen(sim, region["serverNumber"])[region["region"]]
        wait_until(lambda: seen(sim, region["serverNumber"])[region["region"]] != moving,
                   "it lives")
        assert seen(sim, other)[region["region"]] == frozen
        sim.command(f"thaw server {other}")
        assert region["region"] not in seen(sim, other)


# Servers and masters

def test_restart():
    with Simulator(BASE) as sim:
        old = sim.ports["regionservers"][1]["server"]
        sim.command("restart server 2 down 300ms")
        assert refused(sim.servers[1])
        master = beans(sim.master, MASTER)
        assert master["numRegionServers"] == 2 and master["tag.deadRegionServers"] == old
        assert old not in master["tag.liveRegionServers"]
        wait_until(lambda: not refused(sim.servers[1]), "it is back")
        bean = beans(sim.servers[1], SERVER)
        new = bean["tag.serverName"]
        assert new.rsplit(",", 1)[0] == old.rsplit(",", 1)[0]
        start_codes = [int(name.rsplit(",", 1)[1]) for name in (new, old)]
        assert start_codes[0] == bean["regionServerStartTime"] > start_codes[1]
        state = sim.state()
        since = state["wall"] - bean["regionServerStartTime"]
        for region in (r for r in state["regions"] if r["table"] == "orders"):
            assert region["serverNumber"] != 2 or abs(region["read"] - 3 * since) <= 3, (region, since)
        master = beans(sim.master, MASTER)
        assert new in master["tag.liveRegionServers"] and master["tag.deadRegionServers"] == ""
        assert master["averageLoad"] == len(state["regions"]) / 3


def test_kill_and_start():
    with Simulator(BASE) as sim:
        moved = {r["region"] for r in sim.state()["regions"] if r["serverNumber"] == 2}
        sim.command("kill server 2")
        assert refused(sim.servers[1])
        assert moved <= set(seen(sim, 1, FULL)) | set(seen(sim, 3, FULL))
        sim.command("start server 2")
        assert seen(sim, 2) == {}
        sim.command("move orders#0 to 2")
        assert len(seen(sim, 2)) == 1


def test_failover():
    with Simulator(BASE + "masters 2\n") as sim:
        backup = sim.ports["backup"]
        assert beans(sim.master, MASTER)["tag.isActiveMaster"] == "true"
        idle = beans(backup, MASTER)
        assert idle["tag.isActiveMaster"] == "false" and idle["tag.liveRegionServers"] == ""
        sim.command("failover down 200ms")
        assert refused(sim.master)
        active = beans(backup, MASTER)
        assert active["tag.isActiveMaster"] == "true"
        assert active["tag.liveRegionServers"].split(";") == [
            s["server"] for s in sim.ports["regionservers"]]
        wait_until(lambda: not refused(sim.master), "the old one is back")
        assert beans(sim.master, MASTER)["tag.isActiveMaster"] == "false"


def test_set_an_attribute():
    with Simulator(BASE) as sim:
        sim.command("set server 2 numActiveHandler 30")
        ipc = SERVER.replace("sub=Server", "sub=IPC")
        assert beans(sim.servers[1], ipc)["numActiveHandler"] == 30
        assert beans(sim.servers[0], ipc)["numActiveHandler"] != 30
        sim.command("unset server 2 numActiveHandler")
        assert beans(sim.servers[1], ipc)["numActiveHandler"] != 30


def test_hosts_with_one_port():
    with Simulator(BASE + "addresses hosts\n") as sim:
        addresses = [urllib.parse.urlsplit(url) for url in sim.servers]
        assert len({a.hostname for a in addresses}) == 3
        assert {a.port for a in addresses} == {sim.ports["info_port"]}
        for url, server in zip(sim.servers, sim.ports["regionservers"]):
            name = beans(url, SERVER)["tag.serverName"]
            assert name == server["server"] and name.split(",")[0] in url


if __name__ == "__main__":
    run([value for name, value in list(globals().items()) if name.startswith("test_")])
