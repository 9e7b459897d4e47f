// SPDX-License-Identifier: Apache-2.0

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * An access pattern as applications have them: threads that make one call after the other, each a
 * call of its own on the server, at a rate for all threads together.
 *
 * <pre>
 * sequential  puts of rising keys behind --from: FROM000000000001, ...
 * popular     counts; --percent of them (80) in the row --from, the others anywhere in FROM..TO
 * range       gets of rows anywhere in FROM..TO
 * write       puts of rows anywhere in FROM..TO
 * scan        scans of FROM..TO from its first to its last row, over and over
 * </pre>
 */
final class Pattern {
    private static final byte[] QUALIFIER = Bytes.toBytes("q");
    private static final byte[] COUNTER = Bytes.toBytes("n");
    private static final byte[] VALUE = new byte[64];
    private static final int SCANNER_CACHING = 1000;

    /** One call; returns the rows that it read or wrote. */
    private interface Call {
        int make(Random random) throws Exception;
    }

    private final AsyncTable<?> table;
    private final byte[] family;
    private final byte[] from;
    private final byte[] to;
    private final double share;
    private final double rate;
    private final long seed;
    private final Call call;
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicLong next = new AtomicLong();
    private final AtomicLong rows = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private volatile boolean stopRequested;

    Pattern(AsyncConnection connection, Tables tables, Command command) throws Exception {
        command.expectWords(3);
        TableName name = TableName.valueOf(command.word(1));
        Map<String, Call> kinds = Map.of("sequential", this::putNext, "popular", this::countPopular,
            "range", this::getAny, "write", this::putAny, "scan", this::scan);
        call = kinds.get(command.word(2));
        if (call == null) {
            throw new Load.UsageException("no pattern '" + command.word(2) + "' among "
                + kinds.keySet());
        }
        from = Bytes.toBytesBinary(command.option("from", ""));
        to = Bytes.toBytesBinary(command.option("to", ""));
        share = command.integer("percent", 80) / 100.0;
        rate = command.integer("rate", 300);
        seed = command.integer("seed", 1);
        int count = command.integer("threads", 2);
        command.finish();
        table = connection.getTable(name);
        family = tables.family(name);
        for (int i = 0; i < count; i++) {
            Random random = new Random(seed + i);
            threads.add(new Thread(() -> run(random, rate / count), "pattern"));
        }
        threads.forEach(Thread::start);
    }

    String stop() throws InterruptedException {
        stopRequested = true;
        for (Thread thread : threads) {
            thread.join();
        }
        return counts();
    }

    String counts() {
        return Json.object("rows", "" + rows.get(), "failed", "" + failed.get());
    }

    /** The schedule is absolute; what cannot be kept up with is left out, not made up for. */
    private void run(Random random, double callsPerSecond) {
        long pause = (long) (1e9 / callsPerSecond);
        long due = System.nanoTime();
        while (!stopRequested) {
            try {
                rows.addAndGet(call.make(random));
            } catch (Exception e) {
                failed.incrementAndGet();
            }
            due = Math.max(due + pause, System.nanoTime() - pause);
            while (System.nanoTime() < due && !stopRequested) {
                LockSupport.parkNanos(due - System.nanoTime());
            }
        }
    }

    private int putNext(Random random) throws Exception {
        String number = String.format("%012d", next.incrementAndGet());
        return put(Bytes.add(from, number.getBytes(StandardCharsets.US_ASCII)));
    }

    private int countPopular(Random random) throws Exception {
        byte[] row = random.nextDouble() < share ? from : anyRow(random);
        Tables.await(table.increment(new Increment(row).addColumn(family, COUNTER, 1)));
        return 1;
    }

    private int getAny(Random random) throws Exception {
        Tables.await(table.get(new Get(anyRow(random))));
        return 1;
    }

    private int putAny(Random random) throws Exception {
        return put(anyRow(random));
    }

    private int put(byte[] row) throws Exception {
        Tables.await(table.put(new Put(row).addColumn(family, QUALIFIER, VALUE)));
        return 1;
    }

    private int scan(Random random) throws Exception {
        Scan scan = new Scan().withStartRow(from).withStopRow(to).setCaching(SCANNER_CACHING);
        return Tables.await(table.scanAll(scan)).size();
    }

    /** Evenly between from and to, keys taken as binary fractions. */
    private byte[] anyRow(Random random) {
        int length = Math.max(from.length, to.length) + 4;
        BigInteger low = new BigInteger(1, Arrays.copyOf(from, length));
        BigInteger high = to.length == 0 ? BigInteger.ONE.shiftLeft(8 * length)
            : new BigInteger(1, Arrays.copyOf(to, length));
        BigInteger offset = new BigInteger(30, random).multiply(high.subtract(low)).shiftRight(30);
        return Drive.fixedLength(low.add(offset), length);
    }
}
