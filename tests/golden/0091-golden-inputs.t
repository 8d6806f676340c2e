#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 0091-golden-inputs.t - what the tools print, to the byte: what is made of files
. "${srcdir:-$(dirname "$0")/../..}/tests/golden/golden.sh"
printed inputs jobs patterns processes spoiled
done_testing
