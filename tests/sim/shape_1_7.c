/* SPDX-License-Identifier: Apache-2.0 */
/* HBase 1.7.2: the beans' attributes, after tests/data/captures/hbase-1.7.2. The
 * RegionServer's IPC bean is shaped after the master's. */
#include "tests/sim/shape.h"

static const char server_attributes[] =
    "tag.zookeeperQuorum=zk tag.serverName=server tag.clusterId=cluster "
    "tag.Context:\"regionserver\" tag.Hostname=host regionCount=regions "
    "storeCount=regions hlogFileCount:1 hlogFileSize storeFileCount=files "
    "memStoreSize=memstore storeFileSize=size maxStoreFileAge minStoreFileAge "
    "avgStoreFileAge numReferenceFiles regionServerStartTime=start "
    "averageRegionSize=average_size readRequestRate=read_rate "
    "writeRequestRate=write_rate totalRequestCount=calls "
    "totalRowActionRequestCount=rows readRequestCount=reads "
    "writeRequestCount=writes rpcGetRequestCount=gets rpcScanRequestCount=scans "
    "rpcMultiRequestCount rpcMutateRequestCount=writes checkMutateFailedCount "
    "checkMutatePassedCount storeFileIndexSize staticIndexSize staticBloomSize "
    "mutationsWithoutWALCount mutationsWithoutWALSize percentFilesLocal:100.0 "
    "percentFilesLocalSecondaryRegions:0.0 totalBytesRead localBytesRead "
    "shortCircuitBytesRead zeroCopyBytesRead splitQueueLength "
    "compactionQueueLength smallCompactionQueueLength largeCompactionQueueLength "
    "flushQueueLength blockCacheFreeSize:429181120 blockCacheCount "
    "blockCacheSize:315616 blockCacheHitCount=hits "
    "blockCacheHitCountPrimary=hits blockCacheMissCount=misses "
    "blockCacheMissCountPrimary=misses blockCacheEvictionCount "
    "blockCacheEvictionCountPrimary blockCacheCountHitPercent:90.0 "
    "blockCacheExpressHitPercent:90.0 blockCacheFailedInsertionCount "
    "blockCacheDataMissCount=misses blockCacheLeafIndexMissCount "
    "blockCacheBloomChunkMissCount blockCacheMetaMissCount "
    "blockCacheRootIndexMissCount blockCacheIntermediateIndexMissCount "
    "blockCacheFileInfoMissCount blockCacheGeneralBloomMetaMissCount "
    "blockCacheDeleteFamilyBloomMissCount blockCacheTrailerMissCount "
    "blockCacheDataHitCount=hits blockCacheLeafIndexHitCount "
    "blockCacheBloomChunkHitCount blockCacheMetaHitCount "
    "blockCacheRootIndexHitCount blockCacheIntermediateIndexHitCount "
    "blockCacheFileInfoHitCount blockCacheGeneralBloomMetaHitCount "
    "blockCacheDeleteFamilyBloomHitCount blockCacheTrailerHitCount "
    "l1CacheHitCount=hits l1CacheMissCount=misses l1CacheHitRatio:0.9 "
    "l1CacheMissRatio:0.1 l2CacheHitCount l2CacheMissCount l2CacheHitRatio:0.0 "
    "l2CacheMissRatio:0.0 updatesBlockedTime flushedCellsCount "
    "compactedCellsCount majorCompactedCellsCount flushedCellsSize "
    "compactedCellsSize majorCompactedCellsSize hedgedReads hedgedReadWins "
    "hedgedReadOpsInCurThread blockedRequestCount ~MajorCompactionTime "
    "~PauseTimeWithGc compactedOutputBytes pauseWarnThresholdExceeded "
    "~ScanTime=scans ~Increment ~Delete ~Put=writes ~DeleteBatch "
    "splitRequestCount ~FlushMemstoreSize ~CompactionInputFileCount ~PutBatch "
    "~CompactionTime ~Get=gets ~MajorCompactionInputFileCount ~CheckAndPut "
    "~SplitTime ~MajorCompactionOutputSize majorCompactedInputBytes "
    "slowAppendCount flushedOutputBytes ~CompactionOutputFileCount "
    "slowDeleteCount ~Replay ~FlushTime ~MajorCompactionInputSize "
    "pauseInfoThresholdExceeded splitSuccessCount ~CheckAndDelete "
    "~CompactionInputSize ~MajorCompactionOutputFileCount ~ScanSize=scans "
    "slowGetCount flushedMemstoreBytes ~CompactionOutputSize "
    "majorCompactedOutputBytes ~PauseTimeWithoutGc slowPutCount "
    "slowIncrementCount compactedInputBytes ~Append ~FlushOutputSize "
    "Bulkload_count Bulkload_mean_rate:0.0 Bulkload_1min_rate:0.0 "
    "Bulkload_5min_rate:0.0 Bulkload_15min_rate:0.0 ~Bulkload "
    "ServerReadQueryPerSecond_count=reads "
    "ServerReadQueryPerSecond_mean_rate=read_rate "
    "ServerReadQueryPerSecond_1min_rate=read_rate "
    "ServerReadQueryPerSecond_5min_rate=read_rate "
    "ServerReadQueryPerSecond_15min_rate=read_rate "
    "ServerWriteQueryPerSecond_count=writes "
    "ServerWriteQueryPerSecond_mean_rate=write_rate "
    "ServerWriteQueryPerSecond_1min_rate=write_rate "
    "ServerWriteQueryPerSecond_5min_rate=write_rate "
    "ServerWriteQueryPerSecond_15min_rate=write_rate";

static const char ipc_attributes[] =
    "tag.Context:\"regionserver\" tag.Hostname=host queueSize=queue_bytes "
    "numCallsInGeneralQueue=queue numCallsInReplicationQueue "
    "numCallsInPriorityQueue numOpenConnections:5 numActiveHandler=handlers "
    "numActiveGeneralHandler=handlers numActivePriorityHandler "
    "numActiveReplicationHandler numGeneralCallsDropped numLifoModeSwitches "
    "numCallsInWriteQueue numCallsInReadQueue numCallsInScanQueue "
    "numActiveWriteHandler numActiveReadHandler numActiveScanHandler "
    "receivedBytes=received exceptions.RegionMovedException "
    "exceptions.multiResponseTooLarge authenticationSuccesses "
    "authorizationFailures ~TotalCallTime=calls "
    "exceptions.RegionTooBusyException exceptions.FailedSanityCheckException "
    "~ResponseSize=calls exceptions.UnknownScannerException "
    "exceptions.OutOfOrderScannerNextException exceptions ~ProcessCallTime=calls "
    "authenticationFallbacks exceptions.NotServingRegionException "
    "exceptions.callQueueTooBig authorizationSuccesses "
    "exceptions.ScannerResetException ~RequestSize=calls sentBytes=sent "
    "~QueueCallTime=calls authenticationFailures";

static const char jvm_attributes[] =
    "tag.Context:\"jvm\" tag.ProcessName:\"RegionServer\" tag.SessionId:\"\" "
    "tag.Hostname=host MemNonHeapUsedM:68.82455 MemNonHeapCommittedM:70.375 "
    "MemNonHeapMaxM:-1.0 MemHeapUsedM:64.99655 MemHeapCommittedM:84.0 "
    "MemHeapMaxM:1024.0 MemMaxM:1024.0 GcCount=gc_count GcTimeMillis=gc_time "
    "ThreadsNew ThreadsRunnable:8 ThreadsBlocked ThreadsWaiting:76 "
    "ThreadsTimedWaiting:27 ThreadsTerminated";

static const char master_server[] =
    "tag.liveRegionServers=live tag.deadRegionServers=dead "
    "tag.draininigRegionServers:\"\" tag.zookeeperQuorum=zk "
    "tag.serverName=master tag.clusterId=cluster tag.isActiveMaster=active "
    "tag.Context:\"master\" tag.Hostname=host mergePlanCount splitPlanCount "
    "masterActiveTime=active_since masterStartTime=master_start "
    "masterFinishedInitializationTime=initialized averageLoad=load "
    "numRegionServers=live_count numDeadRegionServers=dead_count "
    "numDrainingRegionServers clusterRequests=requests";

static const char master_balancer[] =
    "tag.Context:\"master\" tag.isBalancerActive:\"true\" tag.Hostname=host "
    "miscInvocationCount:20 ~BalancerCluster";

static const char master_assignment[] =
    "tag.Context:\"master\" tag.Hostname=host ritOldestAge ~RitDuration "
    "ritCountOverThreshold ~BulkAssign ritCount ~Assign";

static const char master_ipc[] =
    "tag.Context:\"master\" tag.Hostname=host queueSize numCallsInGeneralQueue "
    "numCallsInReplicationQueue numCallsInPriorityQueue numOpenConnections:6 "
    "numActiveHandler numActiveGeneralHandler numActivePriorityHandler "
    "numActiveReplicationHandler numGeneralCallsDropped numLifoModeSwitches "
    "numCallsInWriteQueue numCallsInReadQueue numCallsInScanQueue "
    "numActiveWriteHandler numActiveReadHandler numActiveScanHandler "
    "receivedBytes exceptions.RegionMovedException "
    "exceptions.multiResponseTooLarge authenticationSuccesses "
    "authorizationFailures ~TotalCallTime exceptions.RegionTooBusyException "
    "exceptions.FailedSanityCheckException ~ResponseSize "
    "exceptions.UnknownScannerException "
    "exceptions.OutOfOrderScannerNextException exceptions ~ProcessCallTime "
    "authenticationFallbacks exceptions.NotServingRegionException "
    "exceptions.callQueueTooBig authorizationSuccesses "
    "exceptions.ScannerResetException ~RequestSize sentBytes ~QueueCallTime "
    "authenticationFailures";

static const char master_filesystem[] =
    "tag.Context:\"master\" tag.Hostname=host ~HlogSplitTime ~MetaHlogSplitTime "
    "~HlogSplitSize ~MetaHlogSplitSize";

static const char master_procedure[] =
    "tag.Context:\"master\" tag.Hostname=host numMasterWALs";

static const struct bean_shape server_beans[] = {
    {"JvmMetrics", NULL, BEAN_PLAIN, jvm_attributes},
    {"MetricsSystem,sub=Control", "org.apache.hadoop.metrics2.impl.MetricsSystemImpl",
     BEAN_PLAIN, ""},
    {"MetricsSystem,sub=Stats", NULL, BEAN_PLAIN,
     "tag.Context:\"metricssystem\" tag.Hostname=host"},
    {"RegionServer,sub=WAL", NULL, BEAN_PLAIN, COMMON_TAGS},
    {"RegionServer,sub=Tables", NULL, BEAN_TABLES, COMMON_TAGS},
    {"RegionServer,sub=TableLatencies", NULL, BEAN_PLAIN, COMMON_TAGS},
    {"RegionServer,sub=Server", NULL, BEAN_PLAIN, server_attributes},
    {"RegionServer,sub=Memory", NULL, BEAN_PLAIN, COMMON_TAGS " memStoreSize"},
    {"RegionServer,sub=IPC", NULL, BEAN_PLAIN, ipc_attributes},
    {"RegionServer,sub=Regions", NULL, BEAN_REGIONS, COMMON_TAGS},
    {"UgiMetrics", NULL, BEAN_PLAIN, "tag.Context:\"ugi\" tag.Hostname=host"},
    {"RegionServer,sub=Replication", NULL, BEAN_PLAIN, COMMON_TAGS},
};

static const struct bean_shape master_beans[] = {
    {"Master,sub=Server", NULL, BEAN_PLAIN, master_server},
    {"Master,sub=Balancer", NULL, BEAN_PLAIN, master_balancer},
    {"Master,sub=AssignmentManger", NULL, BEAN_PLAIN, master_assignment},
    {"Master,sub=IPC", NULL, BEAN_PLAIN, master_ipc},
    {"Master,sub=FileSystem", NULL, BEAN_PLAIN, master_filesystem},
    {"Master,sub=Procedure", NULL, BEAN_PLAIN, master_procedure},
};

static const struct region_attribute region_attributes[] = {
    {"_metric_storeCount", REGION_ONE},
    {"_metric_storeFileCount", REGION_FILES},
    {"_metric_storeRefCount", REGION_ZERO},
    {"_metric_maxCompactedStoreFileRefCount", REGION_ZERO},
    {"_metric_memStoreSize", REGION_MEMSTORE},
    {"_metric_maxStoreFileAge", REGION_ZERO},
    {"_metric_minStoreFileAge", REGION_ZERO},
    {"_metric_avgStoreFileAge", REGION_ZERO},
    {"_metric_numReferenceFiles", REGION_ZERO},
    {"_metric_storeFileSize", REGION_FILE_SIZE},
    {"_metric_compactionsCompletedCount", REGION_ZERO},
    {"_metric_compactionsFailedCount", REGION_ZERO},
    {"_metric_lastMajorCompactionAge", REGION_COMPACTION_AGE},
    {"_metric_numBytesCompactedCount", REGION_ZERO},
    {"_metric_numFilesCompactedCount", REGION_ZERO},
    {"_metric_readRequestCount", REGION_READS},
    {"_metric_writeRequestCount", REGION_WRITES},
    {"_metric_replicaid", REGION_REPLICA},
    {"_metric_compactionsQueuedCount", REGION_ZERO},
    {"_metric_flushesQueuedCount", REGION_ZERO},
    {"_metric_maxCompactionQueueSize", REGION_ZERO},
    {"_metric_maxFlushQueueSize", REGION_ZERO},
    {"_metric_putCount", REGION_WRITES},
    {"_metric_deleteCount", REGION_ZERO},
    {"_metric_incrementCount", REGION_ZERO},
    {"_metric_appendCount", REGION_ZERO},
    {"_metric_getCount", REGION_GETS},
    {"_metric_scanCount", REGION_SCANS},
};

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

const struct shape shape_1_7 = {
    .server_beans = server_beans,
    .server_bean_count = COUNT(server_beans),
    .master_beans = master_beans,
    .master_bean_count = COUNT(master_beans),
    .region_attributes = region_attributes,
    .region_attribute_count = COUNT(region_attributes),
    .region_tail = 22,
    .num_regions = true,
    .regex = false,
    .gzip = false,
    .live_servers = false,
    .agent = "Jetty(6.1.26)",
    .json_type = "application/json; charset=utf-8",
};
