#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0090-golden-orders.t - what the tools print, to the byte: orders
. "${srcdir:-$(dirname "$0")/../..}/tests/golden/golden.sh"
NETWORKS='n6 n10 d10 plane'
export NETWORKS
printed orders
done_testing
