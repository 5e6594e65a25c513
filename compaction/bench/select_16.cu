#include "compaction/bench/select_suite.cuh"

template void compaction::bench::bench_select<compaction::bench::Item16>(Session&);
