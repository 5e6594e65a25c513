#include "compaction/bench/scan_suite.cuh"

template void compaction::bench::bench_scan<uint64_t>(Session&);
