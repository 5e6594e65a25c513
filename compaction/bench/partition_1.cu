#include "compaction/bench/partition_suite.cuh"

template void compaction::bench::bench_partition<uint8_t>(Session&);
