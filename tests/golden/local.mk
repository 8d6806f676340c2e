# SPDX-License-Identifier: BSD-3-Clause
# What the tools print, to compare two builds (tests/golden/compare).
check_PROGRAMS += tests/golden/patterns
tests_golden_patterns_SOURCES = tests/golden/patterns.c
tests_golden_patterns_LDADD = $(COST_A) $(UNIT_LIBS)
EXTRA_DIST += tests/golden/compare tests/golden/outputs
