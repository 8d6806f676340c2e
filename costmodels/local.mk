# SPDX-License-Identifier: BSD-3-Clause
# Cost models: who sends what to whom in a collective, and what an order costs it;
# kernels that libraries share, a file or a few for each library and the thesis.
noinst_LIBRARIES += libplink-cost.a
libplink_cost_a_SOURCES = \
	costmodels/algorithm.h \
	costmodels/catalogue.c costmodels/catalogue.h \
	costmodels/comm.c costmodels/comm.h \
	costmodels/gloo.c costmodels/gloo.h costmodels/gloo-classes.c \
	costmodels/gloo-halving.c \
	costmodels/kernels.c costmodels/kernels.h \
	costmodels/lightgbm.c costmodels/mpich.c \
	costmodels/nccl.c costmodels/nccl.h costmodels/nccl-choose.c costmodels/nccl-pat.c \
	costmodels/nccl-ring.c \
	costmodels/objective.c costmodels/objective.h \
	costmodels/objective-create.c costmodels/objective-norms.c \
	costmodels/objective-parts.h \
	costmodels/openmpi.c costmodels/openmpi.h costmodels/openmpi-han.c \
	costmodels/openmpi-kernels.c \
	costmodels/openmpi-rules.c costmodels/openmpi-trees.c \
	costmodels/pattern.c costmodels/pattern.h \
	costmodels/ring.c costmodels/ring.h \
	costmodels/script.c costmodels/script.h \
	costmodels/settings.c costmodels/settings.h \
	costmodels/shape.c costmodels/shape.h \
	costmodels/thesis.c costmodels/trees.c \
	costmodels/xgboost.c
COST_A = libplink-cost.a $(BASE_A)
