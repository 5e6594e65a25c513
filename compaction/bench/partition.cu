#include "compaction/bench/partition_suite.cuh"

// All types in one file: most of the time goes to the headers, CUB's above all.
template void compaction::bench::bench_partition<uint8_t>(Session&);
template void compaction::bench::bench_partition<uint32_t>(Session&);
template void compaction::bench::bench_partition<uint64_t>(Session&);
template void compaction::bench::bench_partition<compaction::bench::Item16>(Session&);
