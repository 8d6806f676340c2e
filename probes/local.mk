# SPDX-License-Identifier: BSD-3-Clause
# Probing: libplink-agent is what plink-agent needs and no more.
noinst_LTLIBRARIES += libplink-agent.la
bin_PROGRAMS += plink-agent

libplink_agent_la_SOURCES = \
	probes/address.c probes/address.h \
	probes/agent.c probes/agent.h \
	probes/control.c probes/control.h \
	probes/exchange.c probes/exchange.h \
	probes/lines.c \
	probes/packet.c probes/packet.h \
	probes/ports.c probes/ports.h \
	probes/prober.c probes/prober.h \
	probes/settle.c probes/settle.h \
	probes/wire.c probes/wire.h
libplink_agent_la_CFLAGS = $(AM_CFLAGS) $(SODIUM_CFLAGS)
libplink_agent_la_LIBADD = $(SODIUM_LIBS) -lm

plink_agent_SOURCES = src/plink-agent.c
plink_agent_LDADD = libplink-agent.la libplink-core.la
plink_agent_LDFLAGS = $(AM_LDFLAGS)
if STATIC_AGENT
plink_agent_LDFLAGS += -all-static
endif
