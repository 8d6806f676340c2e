# SPDX-License-Identifier: BSD-3-Clause
libplink_cost_la_SOURCES += \
	costmodels/gloo/gloo.c costmodels/gloo/gloo.h
