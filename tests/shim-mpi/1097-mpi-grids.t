#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1097-mpi-grids.t - grids and graphs that may be reordered follow the plan's network: libplink-mpi.so
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
library=openmpi
. "$srcdir/tests/shim-mpi/mpi.sh"
. "$srcdir/tests/shim-mpi/grids.sh"
done_testing
