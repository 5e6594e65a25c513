#include "compaction/bench/partition_suite.cuh"

template void compaction::bench::bench_partition<compaction::bench::Item16>(Session&);
