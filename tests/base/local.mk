# SPDX-License-Identifier: BSD-3-Clause
# Tests of base/.
UNIT_TESTS += \
	tests/base/unit-err tests/base/unit-examples \
	tests/base/unit-hostrange tests/base/unit-hosts \
	tests/base/unit-matrix tests/base/unit-message-cost tests/base/unit-matrix-import \
	tests/base/unit-matrix-use tests/base/unit-matrix-write \
	tests/base/unit-number tests/base/unit-outfile tests/base/unit-pace \
	tests/base/unit-plan \
	tests/base/unit-priority tests/base/unit-rng tests/base/unit-tournament \
	tests/base/unit-scratch tests/base/unit-size tests/base/unit-stats tests/base/unit-stop \
	tests/base/unit-text tests/base/unit-tiers tests/base/unit-visitors
TOOL_TESTS += \
	tests/base/0100-matrix.t

tests_base_unit_err_SOURCES = tests/base/unit-err.c
tests_base_unit_err_LDADD = $(UNIT_LIBS)
tests_base_unit_hosts_SOURCES = tests/base/unit-hosts.c $(FAILALLOC_FILES)
tests_base_unit_hosts_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_base_unit_hosts_LDADD = $(UNIT_LIBS)
tests_base_unit_matrix_SOURCES = tests/base/unit-matrix.c tests/base/matrix-text.h
tests_base_unit_matrix_LDADD = $(UNIT_LIBS)
tests_base_unit_matrix_import_SOURCES = tests/base/unit-matrix-import.c \
	tests/base/matrix-text.h
tests_base_unit_matrix_import_LDADD = $(UNIT_LIBS)
tests_base_unit_matrix_use_SOURCES = tests/base/unit-matrix-use.c \
	tests/base/matrix-text.h $(FAILALLOC_FILES)
tests_base_unit_matrix_use_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_base_unit_matrix_use_LDADD = $(UNIT_LIBS)
tests_base_unit_matrix_write_SOURCES = tests/base/unit-matrix-write.c \
	tests/base/matrix-text.h
tests_base_unit_matrix_write_LDADD = $(UNIT_LIBS)
tests_base_unit_visitors_SOURCES = tests/base/unit-visitors.c $(FAILALLOC_FILES)
tests_base_unit_visitors_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_base_unit_visitors_LDADD = $(UNIT_LIBS)
tests_base_unit_pace_SOURCES = tests/base/unit-pace.c
tests_base_unit_pace_LDADD = $(UNIT_LIBS)
tests_base_unit_number_SOURCES = tests/base/unit-number.c
tests_base_unit_number_LDADD = $(UNIT_LIBS)
UNIT_TESTS += tests/base/unit-plan-costs
tests_base_unit_plan_costs_SOURCES = tests/base/unit-plan-costs.c
tests_base_unit_plan_costs_LDADD = $(UNIT_LIBS)
tests_base_unit_plan_SOURCES = tests/base/unit-plan.c $(FAILALLOC_FILES)
tests_base_unit_plan_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_base_unit_plan_LDADD = $(UNIT_LIBS)
tests_base_unit_stats_SOURCES = tests/base/unit-stats.c \
	bench/spearman.c bench/spearman.h
tests_base_unit_stats_LDADD = $(UNIT_LIBS)
tests_base_unit_text_SOURCES = tests/base/unit-text.c $(FAILALLOC_FILES)
tests_base_unit_text_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_base_unit_text_LDADD = $(UNIT_LIBS)
tests_base_unit_examples_SOURCES = tests/base/unit-examples.c
tests_base_unit_examples_LDADD = $(UNIT_LIBS)
tests_base_unit_hostrange_SOURCES = tests/base/unit-hostrange.c
tests_base_unit_hostrange_LDADD = $(UNIT_LIBS)
tests_base_unit_size_SOURCES = tests/base/unit-size.c
tests_base_unit_size_LDADD = $(UNIT_LIBS)
tests_base_unit_stop_SOURCES = tests/base/unit-stop.c
tests_base_unit_stop_LDADD = $(UNIT_LIBS)
tests_base_unit_message_cost_SOURCES = tests/base/unit-message-cost.c tests/base/matrix-text.h
tests_base_unit_message_cost_LDADD = $(UNIT_LIBS)
tests_base_unit_tiers_SOURCES = tests/base/unit-tiers.c tests/base/matrix-text.h
tests_base_unit_tiers_LDADD = $(UNIT_LIBS)
tests_base_unit_outfile_SOURCES = tests/base/unit-outfile.c
tests_base_unit_outfile_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=linkat
tests_base_unit_outfile_LDADD = $(UNIT_LIBS)
tests_base_unit_scratch_SOURCES = tests/base/unit-scratch.c
tests_base_unit_scratch_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=mkostemp
tests_base_unit_scratch_LDADD = $(UNIT_LIBS)
tests_base_unit_rng_SOURCES = tests/base/unit-rng.c
tests_base_unit_rng_LDADD = $(UNIT_LIBS)
tests_base_unit_tournament_SOURCES = tests/base/unit-tournament.c
tests_base_unit_tournament_LDADD = $(PROBE_TEST_LIBS)
tests_base_unit_priority_SOURCES = tests/base/unit-priority.c
tests_base_unit_priority_LDADD = $(UNIT_LIBS)
