# SPDX-License-Identifier: BSD-3-Clause
libplink_cost_a_SOURCES += \
	costmodels/lightgbm/algorithms.h \
	costmodels/lightgbm/lightgbm.c \
	costmodels/lightgbm/lightgbm-collectives.c \
	costmodels/lightgbm/lightgbm-common.c \
	costmodels/lightgbm/lightgbm-gather.c \
	costmodels/lightgbm/lightgbm-halving.c \
	costmodels/lightgbm/lightgbm-rings.c
