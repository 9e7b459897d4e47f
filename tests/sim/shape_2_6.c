/* SPDX-License-Identifier: Apache-2.0 */
/* HBase 2.6.4: the beans' attributes, after tests/data/captures/hbase-2.6.4. The order
 * of the beans is that of the combined query's answer. */
#include "tests/sim/shape.h"

static const char server_attributes[] =
    "tag.zookeeperQuorum=zk tag.serverName=server tag.clusterId=cluster "
    "tag.Context:\"regionserver\" tag.Hostname=host regionCount=regions "
    "storeCount=regions hlogFileCount:1 hlogFileSize storeFileCount=files "
    "maxStoreFileCount:1 memStoreSize=memstore memStoreHeapSize=memstore "
    "memStoreOffHeapSize storeFileSize=size maxStoreFileAge minStoreFileAge "
    "avgStoreFileAge numReferenceFiles regionServerStartTime=start "
    "averageRegionSize=average_size storeFileIndexSize staticIndexSize "
    "staticBloomSize bloomFilterRequestsCount bloomFilterNegativeResultsCount "
    "bloomFilterEligibleRequestsCount mutationsWithoutWALCount "
    "mutationsWithoutWALSize percentFilesLocal:100.0 "
    "percentFilesLocalPrimaryRegions:100.0 percentFilesLocalSecondaryRegions:0.0 "
    "totalBytesRead localBytesRead shortCircuitBytesRead zeroCopyBytesRead "
    "splitQueueLength compactionQueueLength smallCompactionQueueLength "
    "largeCompactionQueueLength flushQueueLength blockCacheFreeSize:429181120 "
    "blockCacheCount blockCacheDataBlockCount blockCacheSize:315616 "
    "blockCacheCountHitPercent:90.0 blockCacheExpressHitPercent:90.0 "
    "l1CacheSize:315616 l1CacheFreeSize:429181120 l1CacheCount "
    "l1CacheEvictionCount l1CacheHitCount=hits l1CacheMissCount=misses "
    "l1CacheHitRatio:0.9 l1CacheMissRatio:0.1 l2CacheSize l2CacheFreeSize "
    "l2CacheCount l2CacheEvictionCount l2CacheHitCount l2CacheMissCount "
    "l2CacheHitRatio:0.0 l2CacheMissRatio:0.0 mobFileCacheCount "
    "mobFileCacheHitPercent:0.0 readRequestRatePerSecond=read_rate "
    "writeRequestRatePerSecond=write_rate ByteBuffAllocatorHeapAllocationBytes "
    "ByteBuffAllocatorPoolAllocationBytes "
    "ByteBuffAllocatorHeapAllocationRatio:0.0 "
    "ByteBuffAllocatorTotalBufferCount:1860 ByteBuffAllocatorUsedBufferCount "
    "activeScanners totalRequestCount=calls totalRowActionRequestCount=rows "
    "readRequestCount=reads filteredReadRequestCount writeRequestCount=writes "
    "rpcGetRequestCount=gets rpcFullScanRequestCount rpcScanRequestCount=scans "
    "rpcMultiRequestCount rpcMutateRequestCount=writes checkMutateFailedCount "
    "checkMutatePassedCount blockCacheHitCount=hits "
    "blockCacheHitCountPrimary=hits blockCacheHitCachingCount=hits "
    "blockCacheMissCount=misses blockCacheMissCountPrimary=misses "
    "blockCacheMissCachingCount=misses blockCacheEvictionCount "
    "blockCacheEvictionCountPrimary blockCacheFailedInsertionCount "
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
    "updatesBlockedTime flushedCellsCount compactedCellsCount "
    "majorCompactedCellsCount flushedCellsSize compactedCellsSize "
    "majorCompactedCellsSize cellsCountCompactedFromMob cellsCountCompactedToMob "
    "cellsSizeCompactedFromMob cellsSizeCompactedToMob mobFlushCount "
    "mobFlushedCellsCount mobFlushedCellsSize mobScanCellsCount mobScanCellsSize "
    "mobFileCacheAccessCount mobFileCacheMissCount mobFileCacheEvictedCount "
    "hedgedReads hedgedReadWins hedgedReadOpsInCurThread blockedRequestCount "
    "~CheckAndMutate ~MajorCompactionTime ~ScanTime=scans "
    "~CheckAndMutateBlockBytesScanned ~Put=writes splitRequestCount "
    "~AppendBlockBytesScanned ~PutBatch ~IncrementBlockBytesScanned ~SplitTime "
    "~GetBlockBytesScanned majorCompactedInputBytes slowAppendCount "
    "flushedOutputBytes ~Replay ~MajorCompactionInputSize "
    "pauseInfoThresholdExceeded ~CheckAndDelete ~CompactionInputSize "
    "flushedMemstoreBytes majorCompactedOutputBytes slowPutCount "
    "compactedInputBytes ~FlushOutputSize ~PauseTimeWithGc compactedOutputBytes "
    "pauseWarnThresholdExceeded ~ScanBlockBytesScanned ~Increment ~Delete "
    "~DeleteBatch blockBytesScannedCount ~FlushMemstoreSize "
    "~CompactionInputFileCount ~CompactionTime ~Get=gets "
    "~MajorCompactionInputFileCount scannerLeaseExpiredCount ~CheckAndPut "
    "~MajorCompactionOutputSize ~CompactionOutputFileCount slowDeleteCount "
    "~FlushTime splitSuccessCount ~MajorCompactionOutputFileCount slowGetCount "
    "~ScanSize=scans ~CompactionOutputSize ~PauseTimeWithoutGc "
    "slowIncrementCount ~Append Bulkload_count Bulkload_mean_rate:0.0 "
    "Bulkload_1min_rate:0.0 Bulkload_5min_rate:0.0 Bulkload_15min_rate:0.0 "
    "~Bulkload ServerReadQueryPerSecond_count=reads "
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
    "numCallsInBulkLoadQueue numCallsInPriorityQueue numCallsInMetaPriorityQueue "
    "numOpenConnections:5 numActiveHandler=handlers "
    "numActiveGeneralHandler=handlers numActivePriorityHandler "
    "numActiveReplicationHandler numGeneralCallsDropped numLifoModeSwitches "
    "numCallsInWriteQueue numActiveBulkLoadHandler numCallsInReadQueue "
    "numCallsInScanQueue numActiveWriteHandler numActiveReadHandler "
    "numActiveScanHandler nettyDirectMemoryUsage:16777216 "
    "nettyTotalPendingOutboundBytes nettyMaxPendingOutboundBytes "
    "receivedBytes=received exceptions.RegionMovedException "
    "authenticationSuccesses authorizationFailures exceptions.requestTooBig "
    "~UnwritableTime exceptions.OutOfOrderScannerNextException "
    "exceptions.rpcThrottling exceptions.otherExceptions ~ProcessCallTime=calls "
    "exceptions.callQueueTooBig ~QueueCallTime=calls authenticationFailures "
    "exceptions.multiResponseTooLarge exceptions.callDropped "
    "~TotalCallTime=calls exceptions.RegionTooBusyException "
    "exceptions.FailedSanityCheckException ~ResponseSize=calls "
    "exceptions.UnknownScannerException exceptions maxOutboundBytesExceeded "
    "authenticationFallbacks exceptions.quotaExceeded exceptions.callTimedOut "
    "exceptions.NotServingRegionException authorizationSuccesses "
    "exceptions.ScannerResetException ~RequestSize=calls sentBytes=sent";

static const char jvm_attributes[] =
    "tag.Context:\"jvm\" tag.ProcessName:\"RegionServer\" tag.SessionId:\"\" "
    "tag.Hostname=host MemNonHeapUsedM:68.82455 MemNonHeapCommittedM:70.375 "
    "MemNonHeapMaxM:-1.0 MemHeapUsedM:64.99655 MemHeapCommittedM:84.0 "
    "MemHeapMaxM:1024.0 MemMaxM:1024.0 GcCount=gc_count GcTimeMillis=gc_time "
    "ThreadsNew ThreadsRunnable:8 ThreadsBlocked ThreadsWaiting:76 "
    "ThreadsTimedWaiting:27 ThreadsTerminated";

static const char master_server[] =
    "tag.liveRegionServers=live tag.deadRegionServers=dead "
    "tag.drainingRegionServers:\"\" tag.zookeeperQuorum=zk tag.serverName=master "
    "tag.clusterId=cluster tag.isActiveMaster=active tag.Context:\"master\" "
    "tag.Hostname=host mergePlanCount splitPlanCount "
    "masterActiveTime=active_since masterStartTime=master_start "
    "masterFinishedInitializationTime=initialized averageLoad=load "
    "numRegionServers=live_count numDeadRegionServers=dead_count "
    "numDrainingRegionServers oldWALsDirSize clusterRequests=requests "
    "~ServerCrashTime ServerCrashSubmittedCount ServerCrashFailedCount";

static const char master_balancer[] =
    "tag.Context:\"master\" tag.isBalancerActive:\"true\" tag.Hostname=host "
    "miscInvocationCount:20 ~BalancerCluster";

static const char master_assignment[] =
    "tag.Context:\"master\" tag.Hostname=host operationCount=operations "
    "deadServerOpenRegions ritOldestAge emptyRegionInfoRegions ~RitDuration "
    "orphanRegionsOnRS ritCountOverThreshold unknownServerOpenRegions "
    "orphanRegionsOnFS ritCount overlaps inconsistentRegions holes "
    "unknownServerRegions MoveSubmittedCount SplitFailedCount "
    "CloseSubmittedCount ReopenSubmittedCount OpenFailedCount ~CloseTime "
    "MergeSubmittedCount CloseFailedCount MoveFailedCount ~OpenTime ~SplitTime "
    "AssignSubmittedCount ~MergeTime ~UnassignTime OpenSubmittedCount "
    "AssignFailedCount UnassignSubmittedCount MergeFailedCount "
    "SplitSubmittedCount ~ReopenTime ~MoveTime UnassignFailedCount "
    "ReopenFailedCount ~AssignTime";

static const char master_ipc[] =
    "tag.Context:\"master\" tag.Hostname=host queueSize numCallsInGeneralQueue "
    "numCallsInReplicationQueue numCallsInBulkLoadQueue numCallsInPriorityQueue "
    "numCallsInMetaPriorityQueue numOpenConnections:6 numActiveHandler "
    "numActiveGeneralHandler numActivePriorityHandler "
    "numActiveReplicationHandler numGeneralCallsDropped numLifoModeSwitches "
    "numCallsInWriteQueue numActiveBulkLoadHandler numCallsInReadQueue "
    "numCallsInScanQueue numActiveWriteHandler numActiveReadHandler "
    "numActiveScanHandler nettyDirectMemoryUsage:16777216 "
    "nettyTotalPendingOutboundBytes nettyMaxPendingOutboundBytes receivedBytes "
    "exceptions.RegionMovedException authenticationSuccesses "
    "authorizationFailures exceptions.requestTooBig ~UnwritableTime "
    "exceptions.OutOfOrderScannerNextException exceptions.rpcThrottling "
    "exceptions.otherExceptions ~ProcessCallTime exceptions.callQueueTooBig "
    "~QueueCallTime authenticationFailures exceptions.multiResponseTooLarge "
    "exceptions.callDropped ~TotalCallTime exceptions.RegionTooBusyException "
    "exceptions.FailedSanityCheckException ~ResponseSize "
    "exceptions.UnknownScannerException exceptions maxOutboundBytesExceeded "
    "authenticationFallbacks exceptions.quotaExceeded exceptions.callTimedOut "
    "exceptions.NotServingRegionException authorizationSuccesses "
    "exceptions.ScannerResetException ~RequestSize sentBytes";

static const char master_filesystem[] =
    "tag.Context:\"master\" tag.Hostname=host ~HlogSplitSize ~HlogSplitTime "
    "~MetaHlogSplitTime ~MetaHlogSplitSize";

static const char master_procedure[] =
    "tag.Context:\"master\" tag.Hostname=host numMasterWALs";

static const char master_quotas[] =
    "tag.tableSpaceQuotaOverview:\"[]\" tag.namespaceSpaceQuotaOverview:\"[]\" "
    "tag.Context:\"master\" tag.Hostname=host numTablesInQuotaViolation "
    "numNamespaceInQuotaViolation ~SnapshotObserverSizeComputationTime "
    "numSpaceQuotas ~QuotaObserverChoreTime ~SnapshotQuotaObserverChoreTime "
    "numRegionSizeReports ~SnapshotObserverSnapshotFetchTime";

static const struct bean_shape server_beans[] = {
    {"JvmMetrics", NULL, BEAN_PLAIN, jvm_attributes},
    {"MetricsSystem,sub=Control", "org.apache.hadoop.metrics2.impl.MetricsSystemImpl",
     BEAN_PLAIN, ""},
    {"MetricsSystem,sub=Stats", NULL, BEAN_PLAIN,
     "tag.Context:\"metricssystem\" tag.Hostname=host"},
    {"RegionServer,sub=TableRequests_Namespace_", NULL, BEAN_TABLE_REQUESTS,
     COMMON_TAGS},
    {"RegionServer,sub=WAL", NULL, BEAN_PLAIN, COMMON_TAGS},
    {"RegionServer,sub=Tables", NULL, BEAN_TABLES, COMMON_TAGS},
    {"RegionServer,sub=Server", NULL, BEAN_PLAIN, server_attributes},
    {"RegionServer,sub=Quotas", NULL, BEAN_PLAIN, COMMON_TAGS},
    {"RegionServer,sub=Memory", NULL, BEAN_PLAIN, COMMON_TAGS " memStoreSize"},
    {"RegionServer,sub=IPC", NULL, BEAN_PLAIN, ipc_attributes},
    {"RegionServer,sub=Regions", NULL, BEAN_REGIONS, COMMON_TAGS},
    {"UgiMetrics", NULL, BEAN_PLAIN, "tag.Context:\"ugi\" tag.Hostname=host"},
    {"RegionServer,sub=Replication", NULL, BEAN_PLAIN, COMMON_TAGS},
    {"RegionServer,sub=Coprocessor.Region.CP_org.apache.hadoop.hbase."
     "coprocessor.MultiRowMutationEndpoint",
     NULL, BEAN_META_ONLY, COMMON_TAGS},
};

static const struct bean_shape master_beans[] = {
    {"Master,sub=Server", NULL, BEAN_PLAIN, master_server},
    {"Master,sub=Balancer", NULL, BEAN_PLAIN, master_balancer},
    {"Master,sub=AssignmentManager", NULL, BEAN_PLAIN, master_assignment},
    {"Master,sub=IPC", NULL, BEAN_PLAIN, master_ipc},
    {"Master,sub=FileSystem", NULL, BEAN_PLAIN, master_filesystem},
    {"Master,sub=Procedure", NULL, BEAN_PLAIN, master_procedure},
    {"Master,sub=Quotas", NULL, BEAN_PLAIN, master_quotas},
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
    {"_metric_currentRegionCacheRatio", REGION_ZERO_DOUBLE},
    {"_metric_compactionsCompletedCount", REGION_ZERO},
    {"_metric_compactionsFailedCount", REGION_ZERO},
    {"_metric_lastMajorCompactionAge", REGION_COMPACTION_AGE},
    {"_metric_numBytesCompactedCount", REGION_ZERO},
    {"_metric_numFilesCompactedCount", REGION_ZERO},
    {"_metric_readRequestCount", REGION_READS},
    {"_metric_filteredReadRequestCount", REGION_ZERO},
    {"_metric_writeRequestCount", REGION_WRITES},
    {"_metric_replicaid", REGION_REPLICA},
    {"_metric_compactionsQueuedCount", REGION_ZERO},
    {"_metric_flushesQueuedCount", REGION_ZERO},
    {"_metric_maxCompactionQueueSize", REGION_ZERO},
    {"_metric_maxFlushQueueSize", REGION_ZERO},
    {"_metric_memstoreOnlyRowReadsCount", REGION_STORE_READS},
    {"_metric_mixedRowReadsCount", REGION_STORE_ZERO},
    {"_metric_putCount", REGION_WRITES},
    {"_metric_deleteCount", REGION_ZERO},
    {"_metric_incrementCount", REGION_ZERO},
    {"_metric_appendCount", REGION_ZERO},
    {"_metric_getCount", REGION_GETS},
    {"_metric_scanCount", REGION_SCANS},
};

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

const struct shape shape_2_6 = {
    .server_beans = server_beans,
    .server_bean_count = COUNT(server_beans),
    .master_beans = master_beans,
    .master_bean_count = COUNT(master_beans),
    .region_attributes = region_attributes,
    .region_attribute_count = COUNT(region_attributes),
    .region_tail = 26,
    .num_regions = false,
    .regex = true,
    .gzip = true,
    .live_servers = true,
    .agent = NULL,
    .json_type = "application/json; charset=utf8",
};
