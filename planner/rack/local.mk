# SPDX-License-Identifier: BSD-3-Clause
# What aggregators beside the ranks are worth.
noinst_LIBRARIES += libplink-rack.a
libplink_rack_a_SOURCES = \
	planner/rack/deploy.c planner/rack/deploy.h \
	planner/rack/deploy-read.c \
	planner/rack/levels.c planner/rack/levels.h
libplink_rack_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
RACK_A = libplink-rack.a $(PLANNER_A)

# Prices of plink-rack cost, as an example.
dist_pkgdata_DATA = planner/rack/thesis-prices.json
