# SPDX-License-Identifier: BSD-3-Clause
# Tests of solver/.
UNIT_TESTS += \
	tests/solver/unit-anneal tests/solver/unit-assign tests/solver/unit-bottleneck \
	tests/solver/unit-choose tests/solver/unit-order-blocks \
	tests/solver/unit-order-bound tests/solver/unit-order-cube \
	tests/solver/unit-order-descent tests/solver/unit-order-proof \
	tests/solver/unit-order-search \
	tests/solver/unit-ring-bound tests/solver/unit-ring-cross \
	tests/solver/unit-ring-cuts tests/solver/unit-ring-local \
	tests/solver/unit-ring-search tests/solver/unit-symmetry
TOOL_TESTS += \
	tests/solver/0870-thesis-solver.t tests/solver/0872-solver.t \
	tests/solver/0875-order-search.t
EXTRA_DIST += \
	tests/solver/solve.h tests/solver/shapes.h

tests_solver_unit_ring_local_SOURCES = tests/solver/unit-ring-local.c tests/solver/solve.h \
	tests/tap.h
tests_solver_unit_ring_local_LDADD = $(SOLVE_TEST_LIBS)
tests_solver_unit_ring_cross_SOURCES = tests/solver/unit-ring-cross.c tests/solver/solve.h \
	tests/tap.h
tests_solver_unit_ring_cross_LDADD = $(SOLVE_TEST_LIBS)
tests_solver_unit_ring_search_SOURCES = tests/solver/unit-ring-search.c tests/solver/solve.h \
	$(FAILALLOC_FILES)
tests_solver_unit_ring_search_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_solver_unit_ring_search_LDADD = $(SOLVE_TEST_LIBS)
tests_solver_unit_ring_bound_SOURCES = tests/solver/unit-ring-bound.c tests/solver/solve.h \
	$(FAILALLOC_FILES)
tests_solver_unit_ring_bound_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_solver_unit_ring_bound_LDADD = $(SOLVE_TEST_LIBS)
tests_solver_unit_bottleneck_SOURCES = tests/solver/unit-bottleneck.c tests/solver/solve.h \
	$(FAILALLOC_FILES)
tests_solver_unit_bottleneck_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_solver_unit_bottleneck_LDADD = $(SOLVE_TEST_LIBS)
tests_solver_unit_order_descent_SOURCES = tests/solver/unit-order-descent.c tests/solver/shapes.h \
	tests/solver/solve.h tests/tap.h
tests_solver_unit_order_descent_LDADD = $(SOLVE_TEST_LIBS)
tests_solver_unit_order_blocks_SOURCES = tests/solver/unit-order-blocks.c tests/solver/shapes.h \
	tests/solver/solve.h $(FAILALLOC_FILES)
tests_solver_unit_order_blocks_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_solver_unit_order_blocks_LDADD = $(SOLVE_TEST_LIBS)
tests_solver_unit_order_bound_SOURCES = tests/solver/unit-order-bound.c tests/solver/shapes.h \
	tests/solver/solve.h $(FAILALLOC_FILES)
tests_solver_unit_order_bound_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_solver_unit_order_bound_LDADD = $(SOLVE_TEST_LIBS)
tests_solver_unit_order_cube_SOURCES = tests/solver/unit-order-cube.c tests/solver/shapes.h \
	tests/solver/solve.h $(FAILALLOC_FILES)
tests_solver_unit_order_cube_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_solver_unit_order_cube_LDADD = $(SOLVE_TEST_LIBS)
tests_solver_unit_ring_cuts_SOURCES = tests/solver/unit-ring-cuts.c tests/solver/solve.h \
	$(FAILALLOC_FILES)
tests_solver_unit_ring_cuts_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_solver_unit_ring_cuts_LDADD = $(SOLVE_TEST_LIBS)
tests_solver_unit_order_proof_SOURCES = tests/solver/unit-order-proof.c tests/solver/shapes.h \
	tests/solver/solve.h $(FAILALLOC_FILES)
tests_solver_unit_order_proof_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_solver_unit_order_proof_LDADD = $(SOLVE_TEST_LIBS)
tests_solver_unit_assign_SOURCES = tests/solver/unit-assign.c tests/solver/solve.h \
	$(FAILALLOC_FILES)
tests_solver_unit_assign_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_solver_unit_assign_LDADD = $(SOLVE_TEST_LIBS)
tests_solver_unit_anneal_SOURCES = tests/solver/unit-anneal.c tests/solver/shapes.h \
	tests/solver/solve.h $(FAILALLOC_FILES)
tests_solver_unit_anneal_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_solver_unit_anneal_LDADD = $(SOLVE_TEST_LIBS)
tests_solver_unit_order_search_SOURCES = tests/solver/unit-order-search.c tests/solver/shapes.h \
	tests/solver/solve.h $(FAILALLOC_FILES)
tests_solver_unit_order_search_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_solver_unit_order_search_LDADD = $(SOLVE_TEST_LIBS)
tests_solver_unit_choose_SOURCES = tests/solver/unit-choose.c tests/solver/shapes.h \
	tests/solver/solve.h $(FAILALLOC_FILES)
tests_solver_unit_choose_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_solver_unit_choose_LDADD = $(SOLVE_TEST_LIBS)
tests_solver_unit_symmetry_SOURCES = tests/solver/unit-symmetry.c tests/solver/shapes.h \
	tests/solver/solve.h $(FAILALLOC_FILES)
tests_solver_unit_symmetry_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_solver_unit_symmetry_LDADD = $(SOLVE_TEST_LIBS)
