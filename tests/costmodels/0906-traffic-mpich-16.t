#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0906-traffic-mpich-16.t - as 0905, with more ranks
traffic_ranks='6:1 7:1 9:1 12:1 16:1 6:2 12:2 12:4 16:2'
. "${srcdir:-$(dirname "$0")/../..}/tests/costmodels/0905-traffic-mpich.t"
