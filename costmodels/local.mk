# SPDX-License-Identifier: BSD-3-Clause
# Cost models: who sends what to whom in a collective, and what an order costs it;
# a folder for the thesis and for each library, a file for each algorithm.
noinst_LIBRARIES += libplink-cost.a
libplink_cost_a_SOURCES = \
	costmodels/algorithm.h \
	costmodels/blocks.c costmodels/blocks.h \
	costmodels/catalogue.c costmodels/catalogue.h \
	costmodels/fold.c costmodels/fold.h \
	costmodels/objective.c costmodels/objective.h \
	costmodels/objective/bins.c \
	costmodels/objective/objective-create.c \
	costmodels/objective/parts.h \
	costmodels/objective/values.c \
	costmodels/pattern.c costmodels/pattern.h \
	costmodels/ring.c costmodels/ring.h \
	costmodels/script.c costmodels/script.h \
	costmodels/settings.c costmodels/settings.h \
	costmodels/script-append.c costmodels/script-join.c \
	costmodels/script-match.c costmodels/script-paste.c \
	costmodels/shape.c costmodels/shape.h
COST_A = libplink-cost.a $(BASE_A)

include costmodels/thesis/local.mk
include costmodels/openmpi/local.mk
include costmodels/gloo/local.mk
include costmodels/nccl/local.mk
include costmodels/lightgbm/local.mk
include costmodels/mpich/local.mk
include costmodels/xgboost/local.mk
