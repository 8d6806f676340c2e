# SPDX-License-Identifier: BSD-3-Clause
# Cost models: what an order costs a collective, one file per algorithm.
noinst_LTLIBRARIES += libplink-cost.la
libplink_cost_la_SOURCES = \
	costmodels/ring.c costmodels/ring.h
