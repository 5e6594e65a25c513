#include "compaction/bench/reduce_suite.cuh"

template void compaction::bench::bench_reduce<compaction::bench::Item16>(Session&);
