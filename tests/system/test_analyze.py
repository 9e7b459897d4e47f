# SPDX-License-Identifier: Apache-2.0
"""hotspotctl analyze: totals of one look, rates of two, texts and JMX, and what it refuses."""

import csv
import hashlib
import io
import json
import os
import random
import resource
import subprocess
import time

from harness import BUILD, SLOWDOWN, SOURCE, run

CTL = BUILD / "hotspotctl"
CAPTURES = SOURCE / "tests" / "data" / "captures" / "hbase-2.6.4"
HEAD = ("SERVER_NAME", "REGION_NAME", "START_KEY", "END_KEY", "SIZE", "REQ", "LOCALITY")
SERVERS = [f"rs{i}.example.com,16020,1700000001111" for i in range(4)]


def analyze(*args, text=b"", status=0):
    done = subprocess.run([CTL, "analyze", *args], input=text, capture_output=True, check=False)
    assert done.returncode == status, (args, done.returncode, done.stdout[:300], done.stderr)
    if status == 2:
        assert done.stdout == b"", done.stdout
        assert done.stderr.startswith(b"hotspotctl: ") and done.stderr.count(b"\n") == 1, done.stderr
        return done.stderr.decode()
    return done.stdout.decode()


def regions(table, counts, servers=SERVERS):
    """(server, name, encoded, start, end, count) of a table with a region for each count."""
    rows = []
    for i, count in enumerate(counts):
        start = "" if i == 0 else f"{i:05d}"
        end = "" if i == len(counts) - 1 else f"{i + 1:05d}"
        name = f"{table},{start},1700000000000"
        encoded = hashlib.md5(name.encode()).hexdigest()
        rows.append((servers[i % len(servers)], f"{name}.{encoded}.", encoded, start, end, count))
    return rows


def listing(rows):
    """As the HBase shell's list_regions prints it."""
    cells = [(s, n, a, b, "1024", str(c), "1.0") for s, n, _, a, b, c in rows]
    widths = [max(len(h), *(len(c[i]) for c in cells)) for i, h in enumerate(HEAD)]
    lines = ["".join(f" {t:>{w}} |" for t, w in zip(HEAD, widths)),
             "".join(f" {'-' * w} |" for w in widths)]
    lines += ["".join(f" {t:>{w}} |" for t, w in zip(c, widths)) for c in cells]
    return "\n".join(lines + [f" {len(rows)} rows", "Took 0.5321 seconds"]).encode() + b"\n"


def jmx(server, rows):
    values = {"name": "Hadoop:service=HBase,name=RegionServer,sub=Regions", "tag.Context": "regionserver"}
    for _, _, encoded, _, _, (reads, writes) in rows:
        prefix = f"Namespace_default_table_orders_region_{encoded}_metric_"
        values[prefix + "readRequestCount"] = reads
        values[prefix + "writeRequestCount"] = writes
    beans = [{"name": "Hadoop:service=HBase,name=RegionServer,sub=Server", "tag.serverName": server,
              "regionCount": len(rows)}, values]
    return json.dumps({"beans": beans}).encode()


def test_totals(bench):
    del bench
    rows = regions("orders", [1000, 1100, 982341, 900, 1204, 1102])
    got = json.loads(analyze("-", "--output", "json", text=listing(rows), status=1))
    assert got["basis"] == "lifetime"
    hot, = got["hot"]
    baseline = (1000 + 1100 + 900 + 1204 + 1102) / 5
    assert hot["region"] == rows[2][2] and hot["table"] == "orders" and hot["server"] == SERVERS[2]
    assert (hot["startKey"], hot["endKey"]) == ("00002", "00003")
    assert hot["value"] == 982341 and abs(hot["baseline"] - baseline) < 1e-6
    assert abs(hot["ratio"] - 982341 / baseline) < 1e-6
    assert abs(hot["share"] - 982341 / (982341 + 5 * baseline)) < 1e-9
    assert got["tables"][0]["regions"] == 6
    assert "since each region opened" in analyze("-", text=listing(rows), status=1)
    row, = csv.DictReader(io.StringIO(analyze("-", "--output", "csv", text=listing(rows), status=1)))
    assert row["region"] == rows[2][2]
    even = listing(regions("orders", [1000, 1100, 1050, 900]))
    assert "Nothing is hot" in analyze("-", text=even)


def test_rates_of_two_looks(bench):
    """What was hot long ago is not hot now."""
    first, second = bench.folder / "first", bench.folder / "second"
    before = [1000, 9000000, 1000, 1000, 1000, 1000]
    after = [b + d for b, d in zip(before, (600, 600, 600, 60000, 600, 600))]
    first.write_bytes(listing(regions("orders", before)))
    second.write_bytes(listing(regions("orders", after)))
    got = json.loads(analyze(first, second, "--interval", "60", "--output", "json", status=1))
    assert got["basis"] == "rate"
    hot, = got["hot"]
    assert hot["startKey"] == "00003" and abs(hot["value"] - 1000) < 1e-6
    assert abs(hot["baseline"] - 10) < 1e-6
    now = time.time()
    os.utime(first, (now - 60, now - 60))
    os.utime(second, (now, now))
    by_time = json.loads(analyze(first, second, "--output", "json", status=1))
    assert abs(by_time["hot"][0]["value"] - 1000) < 1
    assert not json.loads(analyze(first, second, "--interval", "60", "--min-rate", "2000", "--output",
                                  "json"))["hot"]
    os.utime(second, (now - 60, now - 60))
    assert "--interval" in analyze(first, second, status=2)


def test_moved_regions_have_no_rate(bench):
    first, second = bench.folder / "first", bench.folder / "second"
    first.write_bytes(listing(regions("orders", [1000] * 6)))
    second.write_bytes(listing(regions("orders", [9000] * 6, servers=SERVERS[::-1])))
    got = json.loads(analyze(first, second, "--interval", "10", "--output", "json"))
    assert got["basis"] == "lifetime" and not got["hot"]


def test_jmx(bench):
    rows = regions("orders", [(500, 500)] * 5)
    later = [r[:5] + ((2500, 100500) if i == 3 else (1500, 1500),) for i, r in enumerate(rows)]
    files = [bench.folder / name for name in ("a", "b")]
    for file, content in zip(files, (rows, later)):
        file.write_bytes(jmx(SERVERS[0], content))
    got = json.loads(analyze(*files, "--interval", "10", "--output", "json", status=1))
    hot, = got["hot"]
    assert hot["region"] == rows[3][2] and hot["access"] == "write"
    assert abs(hot["value"] - 10000) < 1e-6 and hot["startKey"] is None
    assert not json.loads(analyze(files[0], "--output", "json"))["hot"]


def test_captures(bench):
    del bench
    for name in ("list_regions-a.txt", "rs1-combined-a.json", "rs1-regions-a.json", "live_servers-a.json"):
        done = subprocess.run([CTL, "analyze", CAPTURES / name, "--output", "json"],
                              capture_output=True, check=False)
        assert done.returncode in (0, 1), (name, done.stderr)
        assert json.loads(done.stdout)["tables"], name
    done = subprocess.run([CTL, "analyze", *(CAPTURES / f"rs{i}-combined-{x}.json" for x in "ab"
                                             for i in (1, 2)), "--output", "json"],
                          capture_output=True, check=False)
    assert done.returncode in (0, 1) and json.loads(done.stdout)["basis"] == "rate", done.stderr
    assert "nosuch" in analyze(CAPTURES / "list_regions-nosuch.txt", status=2)


def test_wrong_input(bench):
    whole = listing(regions("orders", [1000, 1100, 982341, 900]))
    lines = whole.splitlines(keepends=True)
    for text in (b"", b"\n\n", b"hello\n", b"{", b"[]", b"{\"beans\": [", b"{\"beans\": []}", b"<html>",
                 b"ERROR: Unknown table nosuch!\n", bytes(range(256)) * 10,
                 b"".join(lines[:3]), whole[:len(whole) // 2]):
        analyze("-", text=text, status=2)
    analyze(status=2)
    assert "directory" in analyze(bench.folder, status=2)
    assert "nosuch" in analyze(bench.folder / "nosuch", status=2)
    assert "none of the inputs" in analyze("-", "--table", "other", text=whole, status=2)
    assert "--threshold" in analyze("-", "--threshold", "1", text=whole, status=2)
    rng = random.Random(int(os.environ.get("TEST_SEED", "9")))
    for _ in range(100):  # a byte that is another, somewhere
        broken = bytearray(whole)
        broken[rng.randrange(len(broken))] = rng.randrange(256)
        done = subprocess.run([CTL, "analyze", "-"], input=bytes(broken), capture_output=True,
                              check=False)
        assert done.returncode in (0, 1, 2), (done, bytes(broken))
        assert (done.returncode == 2) == (done.stdout == b""), (done, bytes(broken))


def test_300000_rows(bench):
    count = 300_000 if SLOWDOWN == 1 else 30_000
    rng = random.Random(1)
    file = bench.folder / "listing"
    with open(file, "wb") as out:
        for table in range(30):
            counts = [rng.randrange(900, 1300) for _ in range(count // 30)]
            counts[7] = 982341000 if table == 7 else 1000
            out.write(listing(regions(f"ns:t{table}", counts)))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    got = json.loads(analyze(file, "--output", "json", status=1))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"     {count} rows, {file.stat().st_size / 1e6:.0f} MB: {seconds:.2f} s")
    assert [h["table"] for h in got["hot"]] == ["ns:t7"] and len(got["tables"]) == 30
    assert SLOWDOWN > 1 or seconds < 1


if __name__ == "__main__":
    run([test_totals, test_rates_of_two_looks, test_moved_regions_have_no_rate, test_jmx,
         test_captures, test_wrong_input, test_300000_rows])
