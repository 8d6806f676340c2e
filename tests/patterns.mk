# SPDX-License-Identifier: BSD-3-Clause
# Tests of who sends what to whom in a collective.
# patterns of the thesis and of NCCL
EXTRA_DIST += tests/pattern-run.h tests/shape-cost.h
UNIT_TESTS += tests/unit-thesis
tests_unit_thesis_SOURCES = tests/unit-thesis.c tests/pattern-run.h \
	tests/pattern-traffic.h tests/shape-cost.h
tests_unit_thesis_LDADD = libplink-cost.la $(UNIT_LIBS)
UNIT_TESTS += tests/unit-nccl
tests_unit_nccl_SOURCES = tests/unit-nccl.c tests/pattern-run.h \
	tests/shape-cost.h
tests_unit_nccl_LDADD = libplink-cost.la $(UNIT_LIBS)
UNIT_TESTS += tests/unit-catalogue
tests_unit_catalogue_SOURCES = tests/unit-catalogue.c tests/pattern-run.h \
	$(FAILALLOC_FILES)
tests_unit_catalogue_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_catalogue_LDADD = libplink-cost.la $(UNIT_LIBS)
TOOL_TESTS += tests/0920-patterns.t
check_PROGRAMS += tests/patterns-table
tests_patterns_table_SOURCES = tests/patterns-table.c
tests_patterns_table_LDADD = libplink-cost.la $(UNIT_LIBS)
renew-patterns-table: tests/patterns-table
	PLINK_GOLDEN=renew srcdir='$(abs_top_srcdir)' \
		builddir='$(abs_top_builddir)' \
		$(SHELL) $(srcdir)/tests/0920-patterns.t
.PHONY: renew-patterns-table

UNIT_TESTS += tests/unit-openmpi-trees
tests_unit_openmpi_trees_SOURCES = tests/unit-openmpi-trees.c
tests_unit_openmpi_trees_LDADD = libplink-cost.la $(UNIT_LIBS)

UNIT_TESTS += tests/unit-openmpi-rooted
tests_unit_openmpi_rooted_SOURCES = tests/unit-openmpi-rooted.c \
	tests/pattern-run.h tests/shape-cost.h
tests_unit_openmpi_rooted_LDADD = libplink-cost.la $(UNIT_LIBS)

UNIT_TESTS += tests/unit-openmpi-patterns
tests_unit_openmpi_patterns_SOURCES = tests/unit-openmpi-patterns.c \
	tests/pattern-run.h $(FAILALLOC_FILES)
tests_unit_openmpi_patterns_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_openmpi_patterns_LDADD = libplink-cost.la $(UNIT_LIBS)

UNIT_TESTS += tests/unit-mpich
tests_unit_mpich_SOURCES = tests/unit-mpich.c tests/pattern-run.h \
	$(FAILALLOC_FILES)
tests_unit_mpich_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_mpich_LDADD = libplink-cost.la $(UNIT_LIBS)

# patterns against the traffic of Open MPI and MPICH
TOOL_TESTS += tests/0900-traffic-openmpi.t tests/0905-traffic-mpich.t \
	tests/0907-mpich-protocol.t
check_PROGRAMS += tests/traffic-check
tests_traffic_check_SOURCES = tests/traffic-check.c tests/traffic-digest.h \
	tests/traffic-cases.c tests/traffic-cases.h \
	tests/pattern-steps.c tests/pattern-steps.h
tests_traffic_check_LDADD = libplink-cost.la $(UNIT_LIBS)
TRAFFIC_SOURCES = tests/mpi-traffic.c tests/traffic-digest.h \
	tests/traffic-library.h
if HAVE_MPI
check_PROGRAMS += tests/mpi-traffic
endif
tests_mpi_traffic_SOURCES = $(TRAFFIC_SOURCES) tests/traffic-openmpi.c \
	tests/mpi-posts.c tests/mpi-posts.h
tests_mpi_traffic_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
tests_mpi_traffic_LDFLAGS = $(AM_LDFLAGS) -export-dynamic
tests_mpi_traffic_LDADD = $(MPI_LIBS)
if HAVE_MPICH
check_PROGRAMS += tests/mpich-traffic tests/mpich-trips
endif
tests_mpich_trips_SOURCES = tests/mpich-trips.c
tests_mpich_trips_CFLAGS = $(AM_CFLAGS) $(MPICH_CFLAGS)
tests_mpich_trips_LDFLAGS = $(AM_LDFLAGS) -export-dynamic
tests_mpich_trips_LDADD = $(MPICH_LIBS)
tests_mpich_traffic_SOURCES = $(TRAFFIC_SOURCES) tests/traffic-mpich.c
tests_mpich_traffic_CFLAGS = $(AM_CFLAGS) $(MPICH_CFLAGS)
tests_mpich_traffic_LDFLAGS = $(AM_LDFLAGS) -export-dynamic
tests_mpich_traffic_LDADD = $(MPICH_LIBS)
EXTRA_DIST += tests/shapes.h
UNIT_TESTS += tests/unit-order-search
tests_unit_order_search_SOURCES = tests/unit-order-search.c tests/shapes.h \
	tests/solve.h $(FAILALLOC_FILES)
tests_unit_order_search_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_order_search_LDADD = $(SOLVE_TEST_LIBS)

UNIT_TESTS += tests/unit-choose
tests_unit_choose_SOURCES = tests/unit-choose.c tests/shapes.h \
	tests/solve.h $(FAILALLOC_FILES)
tests_unit_choose_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_choose_LDADD = $(SOLVE_TEST_LIBS)

UNIT_TESTS += tests/unit-symmetry
tests_unit_symmetry_SOURCES = tests/unit-symmetry.c tests/shapes.h \
	tests/solve.h $(FAILALLOC_FILES)
tests_unit_symmetry_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_unit_symmetry_LDADD = $(SOLVE_TEST_LIBS)
