# SPDX-License-Identifier: BSD-3-Clause
# What the network looks like: where hosts stand, as told or as measured.
noinst_LTLIBRARIES += libplink-topology.la
libplink_topology_la_SOURCES = \
	topology/places.c topology/places.h topology/places-read.c \
	topology/told/ec2.c \
	topology/told/ftree.c \
	topology/told/gcp.c \
	topology/told/json.c topology/told/json.h \
	topology/told/kubernetes.c \
	topology/told/names.c topology/told/names.h \
	topology/told/plain.c \
	topology/told/slurm.c \
	topology/told/told.h
libplink_topology_la_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
libplink_topology_la_LIBADD = libplink-core.la $(JANSSON_LIBS)
