#include "compaction/bench/select_suite.cuh"

template void compaction::bench::bench_select<uint64_t>(Session&);
