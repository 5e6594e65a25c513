#include "compaction/bench/scan_suite.cuh"

template void compaction::bench::bench_scan<compaction::bench::Item16>(Session&);
