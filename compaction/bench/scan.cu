#include "compaction/bench/scan_suite.cuh"

// All types in one file: most of the time goes to the headers, CUB's above all.
template void compaction::bench::bench_scan<uint8_t>(Session&);
template void compaction::bench::bench_scan<uint32_t>(Session&);
template void compaction::bench::bench_scan<uint64_t>(Session&);
template void compaction::bench::bench_scan<compaction::bench::Item16>(Session&);
