# SPDX-License-Identifier: BSD-3-Clause
libplink_cost_la_SOURCES += \
	costmodels/nccl/nccl.c costmodels/nccl/nccl.h
