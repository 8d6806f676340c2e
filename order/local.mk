# SPDX-License-Identifier: BSD-3-Clause
# From a request and costs to an order and its bound: for plink-order and the library.
noinst_LIBRARIES += libplink-orders.a
libplink_orders_a_SOURCES = \
	order/algorithm.c order/algorithm.h \
	order/bandwidth.c order/bandwidth.h \
	order/bound-ring.c \
	order/costs.c order/costs.h \
	order/first.c order/first.h \
	order/input.c order/input.h \
	order/match.c \
	order/model.c order/model.h \
	order/request.c order/request.h \
	order/ring.c order/ring.h \
	order/solve.c order/solve.h \
	order/solve-choose.c \
	order/solve-parts.h \
	order/solve-ring.c \
	order/solve-shape.c \
	order/solve-stages.c \
	order/solve-ties.c \
	order/window.c order/window.h
ORDERS_A = libplink-orders.a libplink-protocol.a $(SOLVER_A)

# The same for the calls of a library, judged by predicted seconds, and what to do
# without some of the costs.
noinst_LIBRARIES += libplink-calls.a
libplink_calls_a_SOURCES = \
	order/calls/blend.c order/calls/blend.h \
	order/calls/candidates.c order/calls/candidates.h \
	order/calls/drawn.c order/calls/drawn.h \
	order/calls/forecaster.c order/calls/forecaster.h \
	order/calls/network.c order/calls/network.h \
	order/calls/promise.c order/calls/promise.h \
	order/calls/risk.c order/calls/risk.h \
	order/calls/workload.c order/calls/workload.h \
	order/calls/workload-stats.c \
	order/missing/cover.c order/missing/cover.h \
	order/missing/unreachable.c \
	order/missing/estimate.c order/missing/estimate.h
CALLS_LIBS = libplink-calls.a libplink-stats.a $(ORDERS_A) $(PREDICT_A) \
	$(TOPOLOGY_A) $(EMBED_A)

# Orders for all communicators of a job together.
noinst_LIBRARIES += libplink-job-order.a
libplink_job_order_a_SOURCES = \
	order/job/answer.c \
	order/job/bound.c \
	order/job/bound-kinds.c \
	order/job/calls.c order/job/calls.h \
	order/job/cost.c order/job/cost.h \
	order/job/factor.c \
	order/job/flows.c \
	order/job/groups.c order/job/groups.h \
	order/job/interleaved.c \
	order/job/order.c order/job/order.h \
	order/job/outline.c \
	order/job/parts.h \
	order/job/pipeline.c \
	order/job/play.c order/job/play.h \
	order/job/search.c \
	order/job/seeds.c \
	order/job/shapes.c \
	order/job/solve.h \
	order/job/span.c
JOB_ORDER_A = libplink-job-order.a $(JOB_A) $(CALLS_LIBS)
