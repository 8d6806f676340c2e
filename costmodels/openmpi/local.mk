# SPDX-License-Identifier: BSD-3-Clause
libplink_cost_la_SOURCES += costmodels/openmpi/algorithms.h
libplink_cost_la_SOURCES += costmodels/openmpi/openmpi.c
libplink_cost_la_SOURCES += costmodels/openmpi/openmpi.h
libplink_cost_la_SOURCES += costmodels/openmpi/trees.c
libplink_cost_la_SOURCES += costmodels/openmpi/trees.h
