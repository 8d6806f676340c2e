# SPDX-License-Identifier: BSD-3-Clause
# What the tests catch.
EXTRA_DIST += tests/faults/plant
