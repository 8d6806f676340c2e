# SPDX-License-Identifier: BSD-3-Clause
# Solvers: permutations and cost models, nothing else.
noinst_LTLIBRARIES += libplink-solver.la
libplink_solver_la_SOURCES = \
	solver/anneal.c solver/anneal.h \
	solver/ascent.c solver/ascent.h \
	solver/assignment.c solver/assignment.h \
	solver/bottleneck.c solver/bottleneck.h \
	solver/choice.h \
	solver/choose-bound.c solver/choose-bound.h \
	solver/choose-exact.c solver/choose-exact.h \
	solver/choose-near.c solver/choose-near.h \
	solver/choose-ring.c solver/choose-ring.h \
	solver/choose-tour.c solver/choose-tour.h \
	solver/cube.c solver/cube.h \
	solver/forest.c solver/forest.h \
	solver/graph.c solver/graph.h \
	solver/hops.c solver/hops.h \
	solver/levels.c solver/levels.h \
	solver/lp.h \
	solver/neighbours.c solver/neighbours.h \
	solver/pb.h \
	solver/points/kd.c solver/points/kd.h \
	solver/points/kd-span.c solver/points/kd-span.h \
	solver/points/points.h \
	solver/points/point-ring.c solver/points/point-ring.h \
	solver/points/point-start.c solver/points/point-start.h \
	solver/points/point-bound.c solver/points/point-bound.h \
	solver/order-bound.c solver/order-bound.h \
	solver/order-cut.c solver/order-cut.h \
	solver/order-descent.c solver/order-descent.h \
	solver/order-edges.c solver/order-edges.h \
	solver/order-encode.c solver/order-encode.h \
	solver/order-exact.c solver/order-exact.h \
	solver/order-floor.c solver/order-floor.h \
	solver/order-guide.c solver/order-guide.h \
	solver/order-restart.c solver/order-restart.h \
	solver/order-search.c solver/order-search.h \
	solver/order-links.c solver/order-paths.c \
	solver/order-proof.c solver/order-proof.h \
	solver/order-reach.c solver/order-reach.h \
	solver/order-slowest.c solver/order-slowest.h \
	solver/order-start.c solver/order-start.h \
	solver/order-terms.c solver/order-terms.h \
	solver/order-tree.c solver/order-tree.h \
	solver/ring-bound.c solver/ring-bound.h \
	solver/ring-cuts.c solver/ring-cuts.h \
	solver/ring-exact.c solver/ring-exact.h \
	solver/ring-local.c solver/ring-local.h \
	solver/ring-master.c solver/ring-master.h \
	solver/ring-restart.c solver/ring-restart.h \
	solver/ring-separate.c solver/ring-separate.h \
	solver/restarts.c solver/restarts.h \
	solver/ring-rows.c solver/ring-rows.h \
	solver/ring-search.c solver/ring-search.h \
	solver/seating.c solver/seating.h \
	solver/smooth.c solver/smooth.h \
	solver/stop.c solver/stop.h \
	solver/symmetry.c solver/symmetry.h \
	solver/tour.c solver/tour.h
if HAVE_GLPK
libplink_solver_la_SOURCES += solver/lp-glpk.c
else
libplink_solver_la_SOURCES += solver/lp-none.c
endif
if HAVE_Z3
libplink_solver_la_SOURCES += solver/pb-z3.c
else
libplink_solver_la_SOURCES += solver/pb-none.c
endif
libplink_solver_la_CFLAGS = $(AM_CFLAGS) $(Z3_CFLAGS)
libplink_solver_la_LIBADD = libplink-cost.la $(GLPK_LIBS) $(Z3_LIBS)
SOLVER_LIBS = libplink-solver.la libplink-core.la $(RNG_LIBS) $(THREAD_LIBS) -lm
