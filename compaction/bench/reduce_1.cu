#include "compaction/bench/reduce_suite.cuh"

template void compaction::bench::bench_reduce<uint8_t>(Session&);
