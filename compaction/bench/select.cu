#include "compaction/bench/select_suite.cuh"

// All types in one file: most of the time goes to the headers, CUB's above all.
template void compaction::bench::bench_select<uint8_t>(Session&);
template void compaction::bench::bench_select<uint32_t>(Session&);
template void compaction::bench::bench_select<uint64_t>(Session&);
template void compaction::bench::bench_select<compaction::bench::Item16>(Session&);
