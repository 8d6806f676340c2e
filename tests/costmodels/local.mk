# SPDX-License-Identifier: BSD-3-Clause
# Tests of costmodels/.
UNIT_TESTS += \
	tests/costmodels/unit-catalogue tests/costmodels/unit-cost-ring \
	tests/costmodels/unit-gloo tests/costmodels/unit-han \
	tests/costmodels/unit-lightgbm \
	tests/costmodels/unit-mpich tests/costmodels/unit-nccl \
	tests/costmodels/unit-nccl-choose tests/costmodels/unit-objective \
	tests/costmodels/unit-openmpi-patterns \
	tests/costmodels/unit-openmpi-rooted \
	tests/costmodels/unit-trees tests/costmodels/unit-script \
	tests/costmodels/unit-script-join \
	tests/costmodels/unit-thesis
TOOL_TESTS += \
	tests/costmodels/0900-traffic-openmpi.t \
	tests/costmodels/0902-traffic-openmpi-16.t \
	tests/costmodels/0903-traffic-openmpi-han.t \
	tests/costmodels/0905-traffic-mpich.t \
	tests/costmodels/0906-traffic-mpich-16.t \
	tests/costmodels/0907-mpich-protocol.t \
	tests/costmodels/0910-traffic-gloo.t \
	tests/costmodels/0912-traffic-gloo-16.t tests/costmodels/0920-patterns.t \
	tests/costmodels/0922-digests.t
EXTRA_DIST += \
	tests/costmodels/digests \
	tests/costmodels/pattern-run.h tests/costmodels/shape-cost.h

tests_costmodels_unit_cost_ring_SOURCES = tests/costmodels/unit-cost-ring.c
tests_costmodels_unit_cost_ring_LDADD = $(COST_A) $(UNIT_LIBS)
tests_costmodels_unit_script_join_SOURCES = tests/costmodels/unit-script-join.c
tests_costmodels_unit_script_join_LDADD = $(COST_A) $(UNIT_LIBS)
tests_costmodels_unit_script_SOURCES = tests/costmodels/unit-script.c tests/costmodels/pattern-traffic.h
tests_costmodels_unit_script_LDADD = $(COST_A) $(UNIT_LIBS)
tests_costmodels_unit_objective_SOURCES = tests/costmodels/unit-objective.c tests/solver/solve.h \
	$(FAILALLOC_FILES)
tests_costmodels_unit_objective_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_costmodels_unit_objective_LDADD = $(COST_A) $(UNIT_LIBS)
if HAVE_GLOO
check_PROGRAMS += tests/costmodels/gloo-compare
endif
tests_costmodels_gloo_compare_SOURCES = tests/costmodels/gloo-compare.c \
	tests/costmodels/gloo-traffic.cc tests/costmodels/gloo-traffic.h
tests_costmodels_gloo_compare_CXXFLAGS = -std=gnu++17 -Wall -Wextra $(BASE_CFLAGS)
tests_costmodels_gloo_compare_LDADD = $(COST_A) $(UNIT_LIBS) $(GLOO_LIBS)
tests_costmodels_unit_gloo_SOURCES = tests/costmodels/unit-gloo.c tests/costmodels/pattern-traffic.h
tests_costmodels_unit_gloo_LDADD = $(COST_A) $(UNIT_LIBS)
tests_costmodels_unit_lightgbm_SOURCES = tests/costmodels/unit-lightgbm.c tests/costmodels/pattern-traffic.h
tests_costmodels_unit_lightgbm_LDADD = $(COST_A) $(UNIT_LIBS)
tests_costmodels_unit_han_SOURCES = tests/costmodels/unit-han.c
tests_costmodels_unit_han_LDADD = $(COST_A) $(UNIT_LIBS)
tests_costmodels_unit_thesis_SOURCES = tests/costmodels/unit-thesis.c tests/costmodels/pattern-run.h \
	tests/costmodels/pattern-traffic.h tests/costmodels/shape-cost.h
tests_costmodels_unit_thesis_LDADD = $(COST_A) $(UNIT_LIBS)
tests_costmodels_unit_nccl_SOURCES = tests/costmodels/unit-nccl.c tests/costmodels/pattern-run.h \
	tests/costmodels/shape-cost.h
tests_costmodels_unit_nccl_LDADD = $(COST_A) $(UNIT_LIBS)
tests_costmodels_unit_catalogue_SOURCES = tests/costmodels/unit-catalogue.c tests/costmodels/pattern-run.h \
	$(FAILALLOC_FILES)
tests_costmodels_unit_catalogue_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_costmodels_unit_catalogue_LDADD = $(COST_A) $(UNIT_LIBS)
check_PROGRAMS += tests/costmodels/patterns-table
tests_costmodels_patterns_table_SOURCES = tests/costmodels/patterns-table.c
tests_costmodels_patterns_table_LDADD = $(COST_A) $(UNIT_LIBS)
renew-patterns-table: tests/costmodels/patterns-table
	PLINK_GOLDEN=renew srcdir='$(abs_top_srcdir)' \
		builddir='$(abs_top_builddir)' \
		$(SHELL) $(srcdir)/tests/costmodels/0920-patterns.t
.PHONY: renew-patterns-table
tests_costmodels_unit_trees_SOURCES = tests/costmodels/unit-trees.c
tests_costmodels_unit_trees_LDADD = $(COST_A) $(UNIT_LIBS)
tests_costmodels_unit_openmpi_rooted_SOURCES = tests/costmodels/unit-openmpi-rooted.c \
	tests/costmodels/digests \
	tests/costmodels/pattern-run.h tests/costmodels/shape-cost.h
tests_costmodels_unit_openmpi_rooted_LDADD = $(COST_A) $(UNIT_LIBS)
tests_costmodels_unit_openmpi_patterns_SOURCES = tests/costmodels/unit-openmpi-patterns.c \
	tests/costmodels/pattern-run.h $(FAILALLOC_FILES)
tests_costmodels_unit_openmpi_patterns_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_costmodels_unit_openmpi_patterns_LDADD = $(COST_A) $(UNIT_LIBS)
tests_costmodels_unit_mpich_SOURCES = tests/costmodels/unit-mpich.c tests/costmodels/pattern-run.h \
	$(FAILALLOC_FILES)
tests_costmodels_unit_mpich_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_costmodels_unit_mpich_LDADD = $(COST_A) $(UNIT_LIBS)
check_PROGRAMS += tests/costmodels/traffic-check
tests_costmodels_traffic_check_SOURCES = tests/costmodels/traffic-check.c tests/costmodels/traffic-digest.h \
	tests/costmodels/traffic-cases.c tests/costmodels/traffic-cases.h \
	tests/costmodels/pattern-steps.c tests/costmodels/pattern-steps.h
tests_costmodels_traffic_check_LDADD = $(COST_A) $(UNIT_LIBS)
TRAFFIC_SOURCES = tests/costmodels/mpi-traffic.c tests/costmodels/traffic-digest.h \
	tests/costmodels/traffic-library.h
if HAVE_MPI
check_PROGRAMS += tests/costmodels/mpi-traffic tests/costmodels/openmpi-rules
endif
tests_costmodels_openmpi_rules_SOURCES = tests/costmodels/openmpi-rules.c
tests_costmodels_openmpi_rules_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
tests_costmodels_openmpi_rules_LDFLAGS = $(AM_LDFLAGS) -rdynamic
tests_costmodels_openmpi_rules_LDADD = $(COST_A) $(UNIT_LIBS) $(MPI_TEST_LIBS)
tests_costmodels_mpi_traffic_SOURCES = $(TRAFFIC_SOURCES) tests/costmodels/traffic-openmpi.c \
	tests/costmodels/mpi-posts.c tests/costmodels/mpi-posts.h
tests_costmodels_mpi_traffic_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
tests_costmodels_mpi_traffic_LDFLAGS = $(AM_LDFLAGS) -rdynamic
tests_costmodels_mpi_traffic_LDADD = $(MPI_TEST_LIBS)
if HAVE_MPICH
check_PROGRAMS += tests/costmodels/mpich-traffic tests/costmodels/mpich-trips
endif
tests_costmodels_mpich_trips_SOURCES = tests/costmodels/mpich-trips.c
tests_costmodels_mpich_trips_CFLAGS = $(AM_CFLAGS) $(MPICH_CFLAGS)
tests_costmodels_mpich_trips_LDFLAGS = $(AM_LDFLAGS) -rdynamic
tests_costmodels_mpich_trips_LDADD = $(MPICH_TEST_LIBS)
tests_costmodels_mpich_traffic_SOURCES = $(TRAFFIC_SOURCES) tests/costmodels/traffic-mpich.c
tests_costmodels_mpich_traffic_CFLAGS = $(AM_CFLAGS) $(MPICH_CFLAGS)
tests_costmodels_mpich_traffic_LDFLAGS = $(AM_LDFLAGS) -rdynamic
tests_costmodels_mpich_traffic_LDADD = $(MPICH_TEST_LIBS)
tests_costmodels_unit_nccl_choose_SOURCES = \
	tests/costmodels/unit-nccl-choose.c
tests_costmodels_unit_nccl_choose_LDADD = $(COST_A) $(UNIT_LIBS)
