#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0672-probe-mpich.t - plink-probe-mpich, within jobs of MPICH on one machine
. "${srcdir:-$(dirname "$0")/..}/tests/tap.sh"
library=mpich
. "$srcdir/tests/mpi-shim/mpi.sh"
probe=$builddir/plink-probe-mpich
version="MPICH Version"
. "$srcdir/tests/probe-mpi.sh"
done_testing
