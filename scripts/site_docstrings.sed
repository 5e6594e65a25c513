# SPDX-License-Identifier: MIT
# For Doxygen: what follows the parameters of a docstring, such as its cost, belongs to none of them.
\|^ */// @(param\|tparam\|return)|,\|^ *(/// [^ @]\|[^/ ])| s|^( *///) ([^ @])|\1 @details \2|
