# SPDX-License-Identifier: BSD-3-Clause
libplink_cost_la_SOURCES += \
	costmodels/openmpi/openmpi.c costmodels/openmpi/openmpi.h
