#include "compaction/bench/reduce_suite.cuh"

// All types in one file: most of the time goes to the headers, CUB's above all.
template void compaction::bench::bench_reduce<uint8_t>(Session&);
template void compaction::bench::bench_reduce<uint32_t>(Session&);
template void compaction::bench::bench_reduce<uint64_t>(Session&);
template void compaction::bench::bench_reduce<compaction::bench::Item16>(Session&);
