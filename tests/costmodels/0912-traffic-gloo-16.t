#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0912-traffic-gloo-16.t - as 0910, with more ranks
traffic_ranks='12 16'
. "${srcdir:-$(dirname "$0")/../..}/tests/costmodels/0910-traffic-gloo.t"
