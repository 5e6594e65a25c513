#include "compaction/bench/reduce_suite.cuh"

template void compaction::bench::bench_reduce<uint64_t>(Session&);
