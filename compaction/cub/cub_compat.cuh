// SPDX-License-Identifier: MIT
#pragma once

#include "compaction/cub/reduce.cuh"
#include "compaction/cub/scan.cuh"
#include "compaction/cub/select.cuh"

// CUB's device-wide functions, with CUB's names and arguments, on this library's kernels. Write
// `namespace cub = compaction::cub_compat;`, or replace the prefix. MIGRATION.md says what differs.
//
// Pointers to items of one type, and the iterators of thrust::device_vector, take the library's
// fast path. Other random-access iterators are read and written item by item; items that are
// selected or partitioned that way have at most 128 bytes, except in DeviceSelect::If. Any integer
// type can be the number of items.
