# SPDX-License-Identifier: BSD-3-Clause
# What the tools print, to compare two builds (tests/golden/compare).
check_PROGRAMS += tests/golden/patterns
tests_golden_patterns_SOURCES = tests/golden/patterns.c
tests_golden_patterns_LDADD = $(COST_A) $(UNIT_LIBS)
TOOL_TESTS += $(GOLDEN_TESTS)
GOLDEN_TESTS = tests/golden/0090-golden-orders.t tests/golden/0091-golden-inputs.t \
	tests/golden/0092-golden-planners.t
EXTRA_DIST += tests/golden/compare tests/golden/outputs tests/golden/golden.sh \
	tests/golden/digests.orders tests/golden/digests.inputs tests/golden/digests.jobs \
	tests/golden/digests.patterns tests/golden/digests.processes \
	tests/golden/digests.planners tests/golden/digests.words tests/golden/digests.refused \
	tests/golden/digests.spoiled
# for a change that is meant; its commit says why
renew-digests: all $(check_PROGRAMS)
	for t in tests/costmodels/0922-digests.t $(GOLDEN_TESTS); do \
		PLINK_GOLDEN=renew srcdir='$(abs_top_srcdir)' builddir='$(abs_top_builddir)' \
			$(SHELL) $(srcdir)/$$t || exit; \
	done
.PHONY: renew-digests
