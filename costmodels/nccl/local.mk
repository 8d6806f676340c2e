# SPDX-License-Identifier: BSD-3-Clause
libplink_cost_a_SOURCES += \
	costmodels/nccl/algorithms.h \
	costmodels/nccl/nccl-alltoall.c \
	costmodels/nccl/nccl-chain.c \
	costmodels/nccl/nccl-choose.c costmodels/nccl/nccl-choose.h \
	costmodels/nccl/nccl-link.c costmodels/nccl/nccl-link.h \
	costmodels/nccl/nccl-pat-plan.c costmodels/nccl/nccl-pat-plan.h \
	costmodels/nccl/nccl-pat.c \
	costmodels/nccl/nccl-ring.c \
	costmodels/nccl/nccl-tree.c \
	costmodels/nccl/nccl.c
