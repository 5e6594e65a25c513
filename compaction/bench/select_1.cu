#include "compaction/bench/select_suite.cuh"

template void compaction::bench::bench_select<uint8_t>(Session&);
