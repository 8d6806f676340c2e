# SPDX-License-Identifier: BSD-3-Clause
libplink_cost_a_SOURCES += \
	costmodels/thesis/algorithms.h \
	costmodels/thesis/thesis-bcube.c \
	costmodels/thesis/thesis-halving-doubling.c \
	costmodels/thesis/thesis-masters.c \
	costmodels/thesis/thesis-masters.h \
	costmodels/thesis/thesis-ring.c \
	costmodels/thesis/thesis-tree.c \
	costmodels/thesis/thesis-two-level.c \
	costmodels/thesis/thesis.c
