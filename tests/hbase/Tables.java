// SPDX-License-Identifier: Apache-2.0

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.exceptions.MergeRegionException;
import org.apache.hadoop.hbase.util.Bytes;

/** The commands about tables and their regions. Each returns when hbase:meta shows its effect. */
final class Tables {
    private static final long WAIT_SECONDS = 90;

    private final AsyncConnection connection;
    private final AsyncAdmin admin;

    Tables(AsyncConnection connection) {
        this.connection = connection;
        this.admin = connection.getAdmin();
    }

    String create(Command command) throws Exception {
        TableName table = command.table(2);
        String splits = command.option("splits", "");
        int replicas = command.integer("replicas", 1);
        command.finish();
        String namespace = table.getNamespaceAsString();
        if (!await(admin.listNamespaces()).contains(namespace)) {
            await(admin.createNamespace(NamespaceDescriptor.create(namespace).build()));
        }
        TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(table)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(command.word(1)))
            .setRegionReplication(replicas);
        byte[][] keys = splits.isEmpty() ? new byte[0][]
            : Arrays.stream(splits.split(",")).map(Bytes::toBytesBinary).toArray(byte[][]::new);
        await(keys.length == 0 ? admin.createTable(builder.build())
            : admin.createTable(builder.build(), keys));
        int regions = (keys.length + 1) * replicas;
        waitUntil("online table", () -> locations(table).size() == regions);
        return Json.ok("table", Json.quote(table.getNameAsString()), "regions", "" + regions);
    }

    String drop(Command command) throws Exception {
        TableName table = command.table(1);
        command.finish();
        if (await(admin.isTableEnabled(table))) {
            await(admin.disableTable(table));
        }
        await(admin.deleteTable(table));
        return Json.ok("table", Json.quote(table.getNameAsString()));
    }

    /** One JSON object a region. */
    List<String> regions(Command command) throws Exception {
        TableName table = command.table(1);
        command.finish();
        List<String> objects = new ArrayList<>();
        for (HRegionLocation location : locations(table)) {
            RegionInfo region = location.getRegion();
            objects.add(Json.object("encoded", Json.quote(region.getEncodedName()),
                "name", Json.key(region.getRegionName()),
                "startKey", Json.key(region.getStartKey()),
                "endKey", Json.key(region.getEndKey()),
                "replica", "" + region.getReplicaId(),
                "server", Json.quote(location.getServerName().toString())));
        }
        return objects;
    }

    String move(Command command) throws Exception {
        TableName table = command.table(3);
        command.finish();
        RegionInfo region = holding(table, command.key(1));
        ServerName target = server(command.word(2));
        await(admin.move(region.getEncodedNameAsBytes(), target));
        waitUntil("move", () -> locations(table).stream().anyMatch(
            l -> l.getRegion().equals(region) && target.equals(l.getServerName())));
        return Json.ok("region", Json.quote(region.getEncodedName()),
            "server", Json.quote(target.toString()));
    }

    String split(Command command) throws Exception {
        TableName table = command.table(2);
        command.finish();
        byte[] key = command.key(1);
        RegionInfo parent = holding(table, key);
        await(admin.splitRegion(parent.getRegionName(), key));
        List<String> daughters = new ArrayList<>();
        waitUntil("daughters", () -> {
            daughters.clear();
            for (RegionInfo region : primaries(table)) {
                if (!region.equals(parent) && (Bytes.equals(region.getStartKey(), key)
                    || Bytes.equals(region.getStartKey(), parent.getStartKey()))) {
                    daughters.add(Json.quote(region.getEncodedName()));
                }
            }
            return daughters.size() == 2;
        });
        return Json.ok("parent", Json.quote(parent.getEncodedName()),
            "daughters", Json.array(daughters));
    }

    String merge(Command command) throws Exception {
        TableName table = command.table(3);
        command.finish();
        RegionInfo first = holding(table, command.key(1));
        RegionInfo second = holding(table, command.key(2));
        waitUntil("mergeable regions", () -> mergeUnlessReferring(first, second));
        RegionInfo[] merged = new RegionInfo[1];
        waitUntil("merged region", () -> {
            merged[0] = holding(table, command.key(1));
            return !merged[0].equals(first) && merged[0].equals(holding(table, command.key(2)));
        });
        return Json.ok("parents", Json.array(List.of(Json.quote(first.getEncodedName()),
            Json.quote(second.getEncodedName()))),
            "region", Json.quote(merged[0].getEncodedName()));
    }

    /** False when a region still refers to files of a split parent: HBase rewrites them soon. */
    private boolean mergeUnlessReferring(RegionInfo first, RegionInfo second) throws Exception {
        try {
            await(admin.mergeRegions(
                List.of(first.getRegionName(), second.getRegionName()), false));
            return true;
        } catch (MergeRegionException e) {
            if (String.valueOf(e.getMessage()).contains("is not mergeable")) {
                return false;
            }
            throw e;
        }
    }

    String balancer(Command command) throws Exception {
        command.expectWords(1);
        command.finish();
        String state = command.word(0);
        if (!state.equals("on") && !state.equals("off")) {
            throw new Load.UsageException("balancer on or off, not '" + state + "'");
        }
        boolean before = await(admin.balancerSwitch(state.equals("on"), true));
        return Json.ok("before", Json.quote(before ? "on" : "off"));
    }

    byte[] family(TableName table) throws Exception {
        return await(admin.getDescriptor(table)).getColumnFamilyNames().iterator().next();
    }

    /** The online regions of a table in key order, without further replicas. */
    List<RegionInfo> primaries(TableName table) throws Exception {
        List<RegionInfo> regions = new ArrayList<>();
        for (HRegionLocation location : locations(table)) {
            if (location.getRegion().getReplicaId() == RegionInfo.DEFAULT_REPLICA_ID) {
                regions.add(location.getRegion());
            }
        }
        return regions;
    }

    /** Online regions in key order, each replica by itself, as hbase:meta has them now. */
    private List<HRegionLocation> locations(TableName table) throws Exception {
        if (!await(admin.tableExists(table))) {
            throw new IOException("no table " + table);
        }
        List<HRegionLocation> found = new ArrayList<>();
        for (HRegionLocation l : await(
            connection.getRegionLocator(table).getAllRegionLocations())) {
            if (l != null && l.getServerName() != null && !l.getRegion().isSplitParent()) {
                found.add(l);
            }
        }
        found.sort(Comparator.comparing(HRegionLocation::getRegion, RegionInfo.COMPARATOR));
        return found;
    }

    private RegionInfo holding(TableName table, byte[] key) throws Exception {
        for (RegionInfo region : primaries(table)) {
            if (region.containsRow(key)) {
                return region;
            }
        }
        throw new IOException("no online region of " + table + " holds '"
            + Bytes.toStringBinary(key) + "'");
    }

    private ServerName server(String word) throws Exception {
        List<ServerName> live = new ArrayList<>(await(admin.getRegionServers()));
        live.sort(Comparator.comparingInt(ServerName::getPort));
        if (word.matches("[0-9]{1,3}") && Integer.parseInt(word) < live.size()) {
            return live.get(Integer.parseInt(word));
        }
        for (ServerName name : live) {
            if (name.toString().equals(word)) {
                return name;
            }
        }
        throw new Load.UsageException("no live server '" + word + "' among " + live);
    }

    private static void waitUntil(String what, Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
        while (!condition.call()) {
            if (System.nanoTime() > deadline) {
                throw new TimeoutException("no " + what + " within " + WAIT_SECONDS + " s");
            }
            Thread.sleep(100);
        }
    }

    static <T> T await(CompletableFuture<T> future) throws Exception {
        try {
            return future.get(WAIT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception ? (Exception) e.getCause() : e;
        }
    }
}
