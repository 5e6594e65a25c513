#include "compaction/bench/partition_suite.cuh"

template void compaction::bench::bench_partition<uint64_t>(Session&);
