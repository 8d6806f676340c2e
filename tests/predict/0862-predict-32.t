#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0862-predict-32.t - bench/predict: kept measurements of 32 machines judged
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
PLINK_BUILD=$builddir
export PLINK_BUILD
predict=$srcdir/bench/predict
all=$srcdir/bench/data/predict
. "$srcdir/tests/predict/kept.sh"
judge_kept 4x8-uplink-200 4x8-uplink-0
done_testing
