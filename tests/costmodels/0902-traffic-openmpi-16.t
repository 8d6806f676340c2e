#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0902-traffic-openmpi-16.t - as 0900, with more ranks
traffic_ranks='6 7 12 16'
. "${srcdir:-$(dirname "$0")/../..}/tests/costmodels/0900-traffic-openmpi.t"
