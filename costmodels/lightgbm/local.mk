# SPDX-License-Identifier: BSD-3-Clause
libplink_cost_la_SOURCES += \
	costmodels/lightgbm/lightgbm.c costmodels/lightgbm/lightgbm.h
