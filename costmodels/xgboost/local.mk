# SPDX-License-Identifier: BSD-3-Clause
libplink_cost_a_SOURCES += \
	costmodels/xgboost/algorithms.h \
	costmodels/xgboost/rabit-tree.c \
	costmodels/xgboost/rings.c \
	costmodels/xgboost/xgboost.c
