// SPDX-License-Identifier: Apache-2.0

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * Administers and loads a test cluster. One command as arguments, or with the argument
 * {@code server} one command a line from standard input, each answered by one line of JSON,
 * {@code {"ok":true,...}} or {@code {"ok":false,"error":"..."}}, so that a test pays for one JVM
 * only.
 *
 * <pre>
 * create TABLE FAMILY [--splits K1,K2,...] [--replicas N]
 *                         with its namespace, where that is missing; waits for all regions
 * drop TABLE
 * regions TABLE           in key order, each replica by itself
 * move TABLE KEY SERVER   the region that holds KEY; SERVER is host,port,startcode or an index in
 *                         the live servers ordered by port, which is the order of cluster.json
 * split TABLE KEY         the region that holds KEY, at KEY; waits for both daughters
 * merge TABLE KEY1 KEY2   the two regions that hold the keys; waits for the merged one
 * balancer on|off
 * load TABLE [--puts R0,R1,...] [--gets R0,R1,...] [--keys N]
 *            [--seconds S] [--stop-file F] [--report F]
 *                         rows a second, one number a region in key order; on N keys a region
 *                         (1024); a report line a second, see Drive
 *     in server mode load answers at once, and there are
 * rates TABLE [--puts R0,...] [--gets R0,...]
 *                         new rates for the running load
 * counts TABLE            what a report line would say now
 * stop TABLE              ends the load, with its last counts
 * pattern NAME TABLE KIND [--from KEY] [--to KEY] [--rate CALLS] [--threads N] [--percent P]
 *                         calls as an application makes them, see Pattern
 * pattern-counts NAME     rows read or written so far, and failed calls
 * pattern-stop NAME
 * </pre>
 *
 * Keys are in HBase's binary escape (a comma, a space or a leading dash inside a key as
 * {@code \x2C}, {@code \x20}, {@code \x2D}); {@code ""} is the empty key. As a command of its own,
 * load ends after --seconds, when the stop file appears or, without --seconds, at the end of
 * standard input. Exit status: 0, 1 the command failed, 2 it was wrong; one line on standard error.
 */
public final class Load {
    private final AsyncConnection connection;
    private final Tables tables;
    private final Map<TableName, Drive> drives = new HashMap<>();
    private final Map<String, Pattern> patterns = new HashMap<>();

    /** The caller's mistake, as opposed to a failure of the cluster. */
    static final class UsageException extends Exception {
        UsageException(String message) {
            super(message);
        }
    }

    private Load(AsyncConnection connection) {
        this.connection = connection;
        this.tables = new Tables(connection);
    }

    public static void main(String[] args) {
        int status = 0;
        try {
            run(Arrays.asList(args));
        } catch (UsageException e) {
            System.err.println("load: " + e.getMessage());
            status = 2;
        } catch (Exception e) {
            System.err.println("load: " + oneLine(e));
            status = 1;
        }
        System.exit(status); // threads of the client library may still be in their last wait
    }

    private static void run(List<String> words) throws Exception {
        if (words.isEmpty()) {
            throw new UsageException("no command");
        }
        Configuration conf = HBaseConfiguration.create();
        conf.setInt("hbase.client.pause", 50);
        conf.setInt("hbase.client.operation.timeout", 60_000);
        conf.setInt("hbase.rpc.timeout", 20_000);
        try (AsyncConnection c = Tables.await(ConnectionFactory.createAsyncConnection(conf))) {
            Load load = new Load(c);
            if (words.get(0).equals("server")) {
                load.serve();
            } else {
                load.runOnce(new Command(words));
            }
        }
    }

    private void runOnce(Command command) throws Exception {
        switch (command.verb) {
        case "load":
            Drive drive = startLoad(command, true);
            drive.join();
            System.out.println(drive.counts());
            break;
        case "regions":
            tables.regions(command).forEach(System.out::println);
            break;
        case "rates":
        case "counts":
        case "stop":
        case "pattern":
        case "pattern-counts":
        case "pattern-stop":
            throw new UsageException(command.verb + " works in server mode only");
        default:
            System.out.println(execute(command));
        }
    }

    /** Until the end of standard input, which also ends the loads that still run. */
    private void serve() throws Exception {
        BufferedReader in = new BufferedReader(
            new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (!line.isBlank()) {
                System.out.println(answer(Arrays.asList(line.trim().split("\\s+"))));
            }
        }
        for (Drive drive : drives.values()) {
            drive.stop();
        }
        for (Pattern pattern : patterns.values()) {
            pattern.stop();
        }
    }

    private String answer(List<String> words) {
        String error;
        try {
            return execute(new Command(words));
        } catch (UsageException e) {
            error = e.getMessage();
        } catch (Exception e) {
            error = oneLine(e);
        }
        return Json.object("ok", "false", "error", Json.quote(error));
    }

    private String execute(Command command) throws Exception {
        switch (command.verb) {
        case "create":   return tables.create(command);
        case "drop":     return tables.drop(command);
        case "regions":  return Json.ok("regions", Json.array(tables.regions(command)));
        case "move":     return tables.move(command);
        case "split":    return tables.split(command);
        case "merge":    return tables.merge(command);
        case "balancer": return tables.balancer(command);
        case "load":     return Json.ok("load", startLoad(command, false).counts());
        case "rates":    return rates(command);
        case "counts":   return counts(command);
        case "stop":     return stop(command);
        case "pattern":  return startPattern(command);
        case "pattern-counts":
            command.expectWords(1);
            command.finish();
            return Json.ok("pattern", pattern(command).counts());
        case "pattern-stop":
            command.expectWords(1);
            command.finish();
            return Json.ok("pattern", pattern(command).stop());
        default:         throw new UsageException("unknown command '" + command.verb + "'");
        }
    }

    private Drive startLoad(Command command, boolean alone) throws Exception {
        TableName table = command.table(1);
        List<RegionInfo> regions = tables.primaries(table);
        Drive.Plan plan = new Drive.Plan();
        plan.puts = command.rates("puts", regions.size());
        plan.gets = command.rates("gets", regions.size());
        plan.keys = command.integer("keys", 1024);
        plan.seconds = command.integer("seconds", 0);
        plan.stopFile = path(command.option("stop-file", null));
        plan.report = path(command.option("report", null));
        command.finish();
        if (plan.keys < 1) {
            throw new UsageException("--keys: at least 1");
        }
        Drive before = drives.get(table);
        if (before != null && before.isAlive()) {
            throw new UsageException("a load on " + table + " is running");
        }
        Drive drive = new Drive(connection.getTable(table), tables.family(table), regions, plan);
        drive.start();
        drives.put(table, drive);
        if (alone && plan.seconds == 0) {
            stopAtEndOfInput(drive);
        }
        return drive;
    }

    private static void stopAtEndOfInput(Drive drive) {
        Thread watcher = new Thread(() -> {
            try {
                while (System.in.read() != -1) {
                    continue;
                }
            } catch (IOException e) {
                // as good as its end
            }
            drive.requestStop();
        });
        watcher.setDaemon(true);
        watcher.start();
    }

    private String rates(Command command) throws UsageException {
        Drive drive = drive(command);
        double[] puts = command.rates("puts", drive.size());
        double[] gets = command.rates("gets", drive.size());
        command.finish();
        drive.setRates(puts, gets);
        return Json.ok("load", drive.counts());
    }

    private String counts(Command command) throws UsageException {
        Drive drive = drive(command);
        command.finish();
        return Json.ok("load", drive.counts());
    }

    private String stop(Command command) throws Exception {
        Drive drive = drive(command);
        command.finish();
        drive.stop();
        return Json.ok("load", drive.counts());
    }

    private String startPattern(Command command) throws Exception {
        command.expectWords(3);
        if (patterns.containsKey(command.word(0))) {
            throw new UsageException("a pattern '" + command.word(0) + "' was started before");
        }
        Pattern pattern = new Pattern(connection, tables, command);
        patterns.put(command.word(0), pattern);
        return Json.ok("pattern", pattern.counts());
    }

    private Pattern pattern(Command command) throws UsageException {
        Pattern pattern = patterns.get(command.word(0));
        if (pattern == null) {
            throw new UsageException("no pattern '" + command.word(0) + "'");
        }
        return pattern;
    }

    private Drive drive(Command command) throws UsageException {
        TableName table = command.table(1);
        Drive drive = drives.get(table);
        if (drive == null) {
            throw new UsageException("no load on " + table);
        }
        return drive;
    }

    private static Path path(String name) {
        return name == null ? null : Path.of(name);
    }

    /** Messages of a server carry its stack trace; the first line is what matters. */
    private static String oneLine(Exception e) {
        String text = e.getMessage() == null ? "" : ": " + e.getMessage().strip().split("\n")[0];
        return e.getClass().getSimpleName() + text;
    }
}
