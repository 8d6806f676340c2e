# SPDX-License-Identifier: BSD-3-Clause
libplink_cost_la_SOURCES += \
	costmodels/thesis/algorithms.h \
	costmodels/thesis/thesis.c costmodels/thesis/thesis.h \
	costmodels/thesis/thesis-ring.c
