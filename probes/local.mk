# SPDX-License-Identifier: BSD-3-Clause
# Probing: libplink-agent is what plink-agent needs and no more; libplink-probes
# is the coordinator, which shares its formats.
noinst_LTLIBRARIES += libplink-agent.la libplink-probes.la

libplink_agent_la_SOURCES = \
	probes/address.c probes/address.h \
	probes/agent.c probes/agent.h \
	probes/control.c probes/control.h \
	probes/echo.c probes/echo.h \
	probes/early.c probes/early.h \
	probes/exchange.c probes/exchange.h \
	probes/flows.c probes/flows.h \
	probes/lines.c \
	probes/packet.c probes/packet.h \
	probes/ports.c probes/ports.h \
	probes/prober.c probes/prober.h \
	probes/settle.c probes/settle.h \
	probes/wire.c probes/wire.h
libplink_agent_la_CFLAGS = $(AM_CFLAGS) $(SODIUM_CFLAGS)
libplink_agent_la_LIBADD = $(SODIUM_LIBS) -lm

libplink_probes_la_SOURCES = \
	probes/agenda.c probes/agenda.h \
	probes/again.c probes/again.h \
	probes/choose.c \
	probes/collect.c probes/collect.h \
	probes/coordinator.c probes/coordinator.h \
	probes/elf.c probes/elf.h \
	probes/fleet.c probes/fleet.h \
	probes/forecast.c \
	probes/launch.c probes/launch.h \
	probes/measure.c probes/measure.h \
	probes/options.c probes/options.h \
	probes/pass.c \
	probes/probe.c probes/probe.h \
	probes/push.c probes/push.h \
	probes/remote.c probes/remote.h \
	probes/resume.c probes/resume.h \
	probes/rounds.c probes/rounds.h \
	probes/schedule.c probes/schedule.h \
	probes/self.c \
	probes/suspect.c probes/suspect.h
libplink_probes_la_CFLAGS = $(AM_CFLAGS) $(SODIUM_CFLAGS)
libplink_probes_la_LIBADD = $(SODIUM_LIBS) -lm
# To be linked in this order, the users before what they use.
PROBE_LIBS = libplink-probes.la libplink-agent.la libplink-core.la
