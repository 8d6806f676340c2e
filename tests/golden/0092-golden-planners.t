#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0092-golden-planners.t - what the tools print, to the byte: planners, and what options do not take
. "${srcdir:-$(dirname "$0")/../..}/tests/golden/golden.sh"
printed planners words refused
done_testing
