# SPDX-License-Identifier: BSD-3-Clause
libplink_cost_a_SOURCES += \
	costmodels/gloo/algorithms.h \
	costmodels/gloo/gloo.c \
	costmodels/gloo/gloo-allgather.c \
	costmodels/gloo/gloo-alltoall.c \
	costmodels/gloo/gloo-barrier.c \
	costmodels/gloo/gloo-bcube.c \
	costmodels/gloo/gloo-bcube-class.c \
	costmodels/gloo/gloo-binary-blocks.c \
	costmodels/gloo/gloo-binary-blocks.h \
	costmodels/gloo/gloo-broadcast.c \
	costmodels/gloo/gloo-common.c \
	costmodels/gloo/gloo-halving-doubling.c \
	costmodels/gloo/gloo-reduce.c \
	costmodels/gloo/gloo-reduce-scatter.c \
	costmodels/gloo/gloo-ring.c \
	costmodels/gloo/gloo-ring-chunked.c \
	costmodels/gloo/gloo-segmented-ring.c \
	costmodels/gloo/gloo-segments.c costmodels/gloo/gloo-segments.h
