// SPDX-License-Identifier: Apache-2.0

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A steady load on the regions that a table had when it began. One thread keeps the pace: at every
 * tick it sends what the schedule says is due by now, for all regions in one batch, of which the
 * client library makes one call a server; HBase counts the rows of such a call one by one. The
 * library's own threads bring the answers and do the retries, so that a region on the move delays
 * its own rows only.
 *
 * <p>The schedule is absolute, rate x time since the rate was set, so that no error accumulates.
 * What a region owes is bounded: with MAX_OWED_SECONDS of its rate unanswered, further rows are
 * skipped rather than sent later in one burst.
 *
 * <p>A region's keys lie evenly over its range and are drawn in an order that covers it evenly at
 * any time: a split in the middle of the range halves the load.
 */
final class Drive {
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long REPORT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final double MAX_OWED_SECONDS = 5;
    private static final int LAST_ANSWERS_SECONDS = 60;
    private static final byte[] QUALIFIER = Bytes.toBytes("q");
    private static final byte[] VALUE = new byte[32];

    /** What the caller asks for; null rates mean none, seconds 0 means until stopped. */
    static final class Plan {
        double[] puts;
        double[] gets;
        int keys;
        int seconds;
        Path stopFile;
        Path report;
    }

    /** Puts or gets of one region. The plain fields are guarded by the Drive. */
    private static final class Pace {
        private final double phase;
        private double rate;
        private long since;
        private long scheduled;
        private long drawn;
        final AtomicLong done = new AtomicLong();
        final AtomicInteger pending = new AtomicInteger();

        /** {@code phase} in [0,1): keeps slow regions from all being due at the same tick. */
        Pace(double phase) {
            this.phase = phase;
        }

        void setRate(double newRate, long now) {
            rate = newRate;
            since = now;
            scheduled = 0;
        }

        /** How many rows the schedule wants by now that were not asked for before. */
        long due(long now) {
            long wanted = (long) (rate * (now - since) / 1e9 + phase) - scheduled;
            scheduled += wanted;
            return wanted;
        }

        long room() {
            return Math.max(0, Math.round(Math.max(10, rate * MAX_OWED_SECONDS)) - pending.get());
        }
    }

    private static final class Flow {
        final RegionInfo region;
        final byte[][] keys;
        final Pace puts;
        final Pace gets;

        Flow(RegionInfo region, int keyCount, double phase) {
            this.region = region;
            this.keys = spread(region.getStartKey(), region.getEndKey(), keyCount);
            this.puts = new Pace(phase);
            this.gets = new Pace((phase + 0.5) % 1);
        }
    }

    private final AsyncTable<?> table;
    private final byte[] family;
    private final Plan plan;
    private final List<Flow> flows = new ArrayList<>();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong skipped = new AtomicLong();
    private final Thread thread = new Thread(this::run, "drive");
    private volatile boolean stopRequested;
    private volatile Exception failure;

    Drive(AsyncTable<?> table, byte[] family, List<RegionInfo> regions, Plan plan) {
        this.table = table;
        this.family = family;
        this.plan = plan;
        for (RegionInfo region : regions) {
            flows.add(new Flow(region, plan.keys, (double) flows.size() / regions.size()));
        }
    }

    int size() {
        return flows.size();
    }

    /** Throws if the report cannot be written. */
    void start() throws IOException {
        report();
        setRates(plan.puts, plan.gets);
        thread.start();
    }

    boolean isAlive() {
        return thread.isAlive();
    }

    void requestStop() {
        stopRequested = true;
        LockSupport.unpark(thread);
    }

    void stop() throws Exception {
        requestStop();
        join();
    }

    /** Waits for the end; throws what ended the load before its time. */
    void join() throws Exception {
        thread.join();
        if (failure != null) {
            throw failure;
        }
    }

    /** null: as before. */
    synchronized void setRates(double[] puts, double[] gets) {
        long now = System.nanoTime();
        for (int i = 0; i < flows.size(); i++) {
            if (puts != null) {
                flows.get(i).puts.setRate(puts[i], now);
            }
            if (gets != null) {
                flows.get(i).gets.setRate(gets[i], now);
            }
        }
    }

    private void run() {
        try {
            keepPace();
            awaitLastAnswers();
            report();
        } catch (IOException | RuntimeException e) {
            failure = e;
        }
    }

    private void keepPace() throws IOException {
        long begin = System.nanoTime();
        long length = plan.seconds == 0 ? Long.MAX_VALUE : TimeUnit.SECONDS.toNanos(plan.seconds);
        long nextTick = begin;
        long nextReport = begin + REPORT_NANOS;
        for (long now = begin; now - begin < length && !stopRequested; now = System.nanoTime()) {
            sendDue(now);
            if (now >= nextReport) {
                report();
                nextReport += REPORT_NANOS;
                if (plan.stopFile != null && Files.exists(plan.stopFile)) {
                    stopRequested = true;
                }
            }
            nextTick += TICK_NANOS;
            while (System.nanoTime() < nextTick && !stopRequested) {
                LockSupport.parkNanos(nextTick - System.nanoTime());
            }
        }
    }

    private synchronized void sendDue(long now) {
        List<Row> batch = new ArrayList<>();
        List<Pace> owners = new ArrayList<>();
        for (Flow flow : flows) {
            for (long n = admitted(flow.puts, now); n > 0; n--) {
                batch.add(new Put(draw(flow, flow.puts)).addColumn(family, QUALIFIER, VALUE));
                owners.add(flow.puts);
            }
            for (long n = admitted(flow.gets, now); n > 0; n--) {
                batch.add(new Get(draw(flow, flow.gets)));
                owners.add(flow.gets);
            }
        }
        if (batch.isEmpty()) {
            return;
        }
        List<CompletableFuture<Object>> answers = table.batch(batch);
        for (int i = 0; i < answers.size(); i++) {
            Pace owner = owners.get(i);
            answers.get(i).whenComplete((result, error) -> {
                (error == null ? owner.done : failed).incrementAndGet();
                owner.pending.decrementAndGet();
            });
        }
    }

    private long admitted(Pace pace, long now) {
        long due = pace.due(now);
        long sent = Math.min(due, pace.room());
        skipped.addAndGet(due - sent);
        pace.pending.addAndGet((int) sent);
        return sent;
    }

    /** The next key: multiples of the golden ratio, modulo 1, cover [0,1) evenly at any time. */
    private static byte[] draw(Flow flow, Pace pace) {
        double fraction = (++pace.drawn * 0.6180339887498949) % 1;
        return flow.keys[(int) (fraction * flow.keys.length)];
    }

    private void awaitLastAnswers() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LAST_ANSWERS_SECONDS);
        while (flows.stream().anyMatch(f -> f.puts.pending.get() + f.gets.pending.get() > 0)
            && System.nanoTime() < deadline) {
            LockSupport.parkNanos(TICK_NANOS);
        }
    }

    /**
     * {"t":ms,"failed":n,"skipped":n,"regions":[{"region":"...","startKey":"...","puts":n,
     * "gets":n},...]}: the rows acknowledged since the beginning; the regions are those of then.
     */
    String counts() {
        List<String> regions = new ArrayList<>();
        long t = System.currentTimeMillis();
        for (Flow flow : flows) {
            regions.add(Json.object("region", Json.quote(flow.region.getEncodedName()),
                "startKey", Json.key(flow.region.getStartKey()),
                "puts", "" + flow.puts.done.get(), "gets", "" + flow.gets.done.get()));
        }
        return Json.object("t", "" + t, "failed", "" + failed.get(), "skipped", "" + skipped.get(),
            "regions", Json.array(regions));
    }

    private void report() throws IOException {
        if (plan.report != null) {
            Files.write(plan.report, (counts() + "\n").getBytes(StandardCharsets.UTF_8),
                StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
    }

    /** {@code count} keys evenly over [start, end), keys taken as binary fractions. */
    private static byte[][] spread(byte[] start, byte[] end, int count) {
        int length = Math.max(start.length, end.length) + 4;
        BigInteger low = new BigInteger(1, Arrays.copyOf(start, length));
        BigInteger high = end.length == 0 ? BigInteger.ONE.shiftLeft(8 * length)
            : new BigInteger(1, Arrays.copyOf(end, length));
        byte[][] keys = new byte[count][];
        for (int i = 0; i < count; i++) {
            BigInteger offset = high.subtract(low).multiply(BigInteger.valueOf(2L * i + 1))
                .divide(BigInteger.valueOf(2L * count));
            keys[i] = fixedLength(low.add(offset), length);
        }
        return keys;
    }

    static byte[] fixedLength(BigInteger value, int length) {
        byte[] bytes = value.toByteArray(); // may be shorter, or one longer by a sign byte
        byte[] key = new byte[length];
        int used = Math.min(bytes.length, length);
        System.arraycopy(bytes, bytes.length - used, key, length - used, used);
        return key;
    }
}
