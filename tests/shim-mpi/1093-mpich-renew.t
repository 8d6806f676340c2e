#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1093-mpich-renew.t - in shadow mode a job of MPICH takes other orders while it runs
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
library=mpich
. "$srcdir/tests/shim-mpi/mpi.sh"
. "$srcdir/tests/shim-mpi/renew.sh"

done_testing
