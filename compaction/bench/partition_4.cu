#include "compaction/bench/partition_suite.cuh"

template void compaction::bench::bench_partition<uint32_t>(Session&);
