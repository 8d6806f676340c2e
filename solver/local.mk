# SPDX-License-Identifier: BSD-3-Clause
# Solvers: permutations and cost models, nothing else.
noinst_LIBRARIES += libplink-solver.a
libplink_solver_a_SOURCES = \
	solver/hops.h \
	solver/neighbours.c solver/neighbours.h \
	solver/assign/assign.h \
	solver/assign/assign-anneal.c solver/assign/assign-anneal.h \
	solver/assign/assign-bound.c \
	solver/assign/assign-levels.c solver/assign/assign-levels.h \
	solver/assign/assign-search.c \
	solver/assign/bisect.c solver/assign/bisect.h \
	solver/assign/flows.c solver/assign/flows.h \
	solver/assign/halve.c solver/assign/halve.h \
	solver/assign/population.c solver/assign/population.h \
	solver/assign/refine.c solver/assign/refine.h \
	solver/assign/split.c solver/assign/split.h \
	solver/assign/tabu.c solver/assign/tabu.h \
	solver/restarts.c solver/restarts.h \
	solver/bound/bottleneck.c solver/bound/bottleneck.h \
	solver/bound/cube.c \
	solver/bound/cube-bound.c solver/bound/cube-bound.h \
	solver/bound/cube-near.c \
	solver/bound/forest.c solver/bound/forest.h \
	solver/bound/order-bound.c solver/bound/order-bound.h \
	solver/bound/order-cut.c \
	solver/bound/order-edges.c solver/bound/order-edges.h \
	solver/bound/order-floor.c solver/bound/order-floor.h \
	solver/bound/order-reach.c \
	solver/bound/order-slowest.c \
	solver/bound/order-tree.c solver/bound/order-tree.h \
	solver/choose/choice.h \
	solver/choose/choose-bound.c \
	solver/choose/choose-exact.c \
	solver/choose/choose-near.c \
	solver/choose/choose-ring.c solver/choose/choose-ring.h \
	solver/choose/choose-tour.c solver/choose/choose-tour.h \
	solver/order/levels.c solver/order/levels.h \
	solver/order/order-blocks.c solver/order/order-blocks.h \
	solver/order/order-descent.c solver/order/order-descent.h \
	solver/order/order-exact.c \
	solver/order/order-guide.c \
	solver/order/order-restart.c solver/order/order-restart.h \
	solver/order/order-search.c solver/order/order-search.h \
	solver/order/order-start.c solver/order/order-start.h \
	solver/order/seating.c solver/order/seating.h \
	solver/order/smooth-moves.c solver/order/smooth-moves.h \
	solver/order/smooth.c solver/order/smooth.h \
	solver/order/symmetry.c solver/order/symmetry.h \
	solver/proof/order-encode.c solver/proof/order-encode.h \
	solver/proof/order-links.c \
	solver/proof/order-paths.c \
	solver/proof/order-proof.c solver/proof/order-proof.h \
	solver/proof/order-terms.c solver/proof/order-terms.h \
	solver/proof/pb.h \
	solver/ring/alternate.c solver/ring/alternate.h \
	solver/ring/ascent.c solver/ring/ascent.h \
	solver/ring/assignment.c \
	solver/ring/lp.h \
	solver/ring/patch.c solver/ring/patch.h \
	solver/ring/ring-bound.c solver/ring/ring-bound.h \
	solver/ring/ring-cross.c solver/ring/ring-cross.h \
	solver/ring/ring-cuts.c solver/ring/ring-cuts.h \
	solver/ring/ring-exact.c solver/ring/ring-exact.h \
	solver/ring/ring-local.c solver/ring/ring-local.h \
	solver/ring/ring-master.c solver/ring/ring-master.h \
	solver/ring/ring-pool.c solver/ring/ring-pool.h \
	solver/ring/ring-restart.c solver/ring/ring-restart.h \
	solver/ring/ring-rows.c solver/ring/ring-rows.h \
	solver/ring/ring-search.c solver/ring/ring-search.h \
	solver/ring/ring-separate.c solver/ring/ring-separate.h \
	solver/ring/tour.c solver/ring/tour.h \
	solver/thesis/anneal.c solver/thesis/anneal.h
if HAVE_GLPK
libplink_solver_a_SOURCES += solver/ring/lp-glpk.c
else
libplink_solver_a_SOURCES += solver/ring/lp-none.c
endif
if HAVE_Z3
libplink_solver_a_SOURCES += solver/proof/pb-z3.c
else
libplink_solver_a_SOURCES += solver/proof/pb-none.c
endif
libplink_solver_a_CFLAGS = $(AM_CFLAGS) $(Z3_CFLAGS)
SOLVER_A = libplink-solver.a $(COST_A) $(GLPK_LIBS) $(Z3_LIBS)
SOLVER_LIBS = $(SOLVER_A) $(RNG_LIBS) $(THREAD_LIBS) -lm
