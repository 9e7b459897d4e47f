// SPDX-License-Identifier: Apache-2.0

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;

import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.RegionSplitter;

/**
 * HBase's own word on split points, tables and writes, for the tests of hotspotctl keys:
 *
 *   splits ALGORITHM FROM TO     for each number of regions: "N hex,hex,..." of RegionSplitter
 *   escapes FILE                 for each line: hex of Bytes.toBytesBinary, and its toStringBinary
 *   algo TABLE ALGORITHM N       create a table with RegionSplitter's points; print start keys
 *   create TABLE FAMILY FILE     create a table with the points of a SPLITS_FILE; the same
 *   put TABLE FAMILY FILE        put a row for each line (in HBase's escape)
 *   writes TABLE ROWS            wait until ROWS writes are counted; "hexStartKey count" a region
 */
public final class KeyLab {
    private static final long WAIT_MS = 60_000;

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static void splits(String algorithm, int from, int to) throws Exception {
        for (int n = from; n <= to; n++) {
            StringBuilder line = new StringBuilder(n + " ");
            for (byte[] point : RegionSplitter.newSplitAlgoInstance(
                    HBaseConfiguration.create(), algorithm).split(n)) {
                line.append(hex(point)).append(',');
            }
            System.out.println(line);
        }
    }

    private static void escapes(String file) throws Exception {
        for (String line : Files.readAllLines(Path.of(file))) {
            byte[] key = Bytes.toBytesBinary(line);
            System.out.println(hex(key) + " " + Bytes.toStringBinary(key));
        }
    }

    private static byte[][] points(String file) throws Exception {
        List<byte[]> points = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of(file))) {
            points.add(Bytes.toBytesBinary(line));
        }
        return points.toArray(new byte[0][]);
    }

    private static void create(Admin admin, TableName table, String family, byte[][] points)
            throws Exception {
        TableDescriptor descriptor = TableDescriptorBuilder.newBuilder(table)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(family)).build();
        admin.createTable(descriptor, points);
        for (RegionInfo region : admin.getRegions(table)) {
            System.out.println(hex(region.getStartKey()));
        }
    }

    private static void put(Connection connection, TableName table, String family, String file)
            throws Exception {
        try (BufferedMutator mutator = connection.getBufferedMutator(table)) {
            for (String line : Files.readAllLines(Path.of(file))) {
                mutator.mutate(new Put(Bytes.toBytesBinary(line))
                    .addColumn(Bytes.toBytes(family), Bytes.toBytes("q"), Bytes.toBytes("v")));
            }
        }
    }

    private static TreeMap<String, Long> counts(Admin admin, TableName table) throws Exception {
        TreeMap<String, Long> counts = new TreeMap<>();
        for (ServerName server : admin.getRegionServers()) {
            for (RegionMetrics metrics : admin.getRegionMetrics(server, table)) {
                counts.put(hex(startKey(metrics.getRegionName())), metrics.getWriteRequestCount());
            }
        }
        return counts;
    }

    private static byte[] startKey(byte[] regionName) throws Exception {
        return RegionInfo.parseRegionName(regionName)[1];
    }

    private static void writes(Admin admin, TableName table, long rows) throws Exception {
        long deadline = System.currentTimeMillis() + WAIT_MS;
        TreeMap<String, Long> counts = counts(admin, table);
        while (counts.values().stream().mapToLong(Long::longValue).sum() < rows
                && System.currentTimeMillis() < deadline) {
            Thread.sleep(200);
            counts = counts(admin, table);
        }
        counts.forEach((key, count) -> System.out.println("-" + key + " " + count));
    }

    public static void main(String[] args) throws Exception {
        if (args[0].equals("splits")) {
            splits(args[1], Integer.parseInt(args[2]), Integer.parseInt(args[3]));
            return;
        }
        if (args[0].equals("escapes")) {
            escapes(args[1]);
            return;
        }
        TableName table = TableName.valueOf(args[1]);
        try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create());
             Admin admin = connection.getAdmin()) {
            switch (args[0]) {
                case "algo" -> create(admin, table, "f", RegionSplitter.newSplitAlgoInstance(
                    HBaseConfiguration.create(), args[2]).split(Integer.parseInt(args[3])));
                case "create" -> create(admin, table, args[2], points(args[3]));
                case "put" -> put(connection, table, args[2], args[3]);
                case "writes" -> writes(admin, table, Long.parseLong(args[2]));
                default -> throw new IllegalArgumentException(args[0]);
            }
        }
    }
}
