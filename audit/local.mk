# SPDX-License-Identifier: BSD-3-Clause
# What a job really sent, held against a pattern; captures are read with libpcap.
noinst_LIBRARIES += libplink-audit.a
libplink_audit_a_SOURCES = \
	audit/frame.c audit/frame.h \
	audit/placement.c audit/placement.h \
	audit/merge.c audit/merge.h \
	audit/monitoring.c audit/monitoring.h \
	audit/owner.c audit/owner.h \
	audit/pairs.c audit/pairs.h \
	audit/portlist.c audit/portlist.h \
	audit/rounds.c audit/rounds.h \
	audit/savefile.h \
	audit/stream.c audit/stream.h \
	audit/trace.c audit/trace.h \
	audit/verdict.c audit/verdict.h \
	audit/who.c audit/who.h \
	audit/wire.c audit/wire.h
if HAVE_PCAP
libplink_audit_a_SOURCES += audit/savefile.c
else
libplink_audit_a_SOURCES += audit/without-pcap.c
endif
libplink_audit_a_CFLAGS = $(AM_CFLAGS) $(PCAP_CFLAGS)
# To be linked in this order, the users before what they use.
AUDIT_LIBS = libplink-audit.a $(COST_A) $(AGENT_A) $(PCAP_LIBS)
EXTRA_DIST += audit/without-pcap.c
