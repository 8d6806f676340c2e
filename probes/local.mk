# SPDX-License-Identifier: BSD-3-Clause
# Probing: libplink-agent is what plink-agent needs and no more; libplink-probes
# is the coordinator, which shares its formats.
noinst_LIBRARIES += libplink-agent.a libplink-probes.a

libplink_agent_a_SOURCES = \
	probes/agent/agent.c probes/agent/agent.h \
	probes/agent/commands.c probes/agent/greet.c \
	probes/agent/guard.c probes/agent/guard.h \
	probes/agent/packets.c probes/agent/parts.h \
	probes/agent/cost.c \
	probes/agent/early.c probes/agent/early.h \
	probes/agent/echo.c \
	probes/agent/exchange.c probes/agent/exchange.h \
	probes/agent/wire.c probes/agent/wire.h \
	probes/bandwidth/flow.c probes/bandwidth/flow.h \
	probes/bandwidth/flow-parts.h \
	probes/bandwidth/meter.c probes/bandwidth/meter.h \
	probes/bandwidth/receiver.c probes/bandwidth/sender.c \
	probes/bandwidth/tcp.c probes/bandwidth/tcp.h \
	probes/pair/flows.c probes/pair/flows.h \
	probes/pair/prober.c probes/pair/prober.h \
	probes/pair/settle.c probes/pair/settle.h \
	probes/protocol/address.c probes/protocol/address.h \
	probes/protocol/control.c probes/protocol/control.h \
	probes/protocol/flow.h \
	probes/protocol/lines.c \
	probes/protocol/packet.c probes/protocol/packet.h \
	probes/protocol/ports.c \
	probes/protocol/silence.c probes/protocol/silence.h \
	probes/protocol/verbs.c probes/protocol/verbs.h
libplink_agent_a_CFLAGS = $(AM_CFLAGS) $(SODIUM_CFLAGS)
AGENT_A = libplink-agent.a $(BASE_A)

libplink_probes_a_SOURCES = \
	probes/bandwidth/bandwidth.c probes/bandwidth/bandwidth.h \
	probes/bandwidth/few.c \
	probes/bandwidth/layers.c probes/bandwidth/layers.h \
	probes/bandwidth/looks.c probes/bandwidth/looks.h \
	probes/bandwidth/transfer.c probes/bandwidth/transfer.h \
	probes/launch/elf.c probes/launch/elf.h \
	probes/launch/fault.c probes/launch/fault.h \
	probes/launch/launch.c probes/launch/launch.h \
	probes/launch/push.c probes/launch/push.h \
	probes/launch/self.c \
	probes/launch/spawn.c probes/launch/spawn.h \
	probes/run/again.c probes/run/again.h \
	probes/run/agenda.c probes/run/agenda.h \
	probes/run/budget.c probes/run/budget.h \
	probes/run/checkpoint.c probes/run/checkpoint.h \
	probes/run/choose.c \
	probes/run/collect.c probes/run/collect.h \
	probes/run/coordinator.c probes/run/coordinator.h \
	probes/run/fleet.c probes/run/fleet.h \
	probes/run/count.c \
	probes/run/measure.c probes/run/measure.h \
	probes/run/options.c probes/run/options.h \
	probes/run/pass.c \
	probes/run/probe.c probes/run/probe.h \
	probes/run/remote.c probes/run/remote.h \
	probes/run/resume.c probes/run/resume.h \
	probes/run/rounds.c probes/run/rounds.h \
	probes/run/suspect.c probes/run/suspect.h
libplink_probes_a_CFLAGS = $(AM_CFLAGS) $(SODIUM_CFLAGS)
# To be linked in this order, the users before what they use.
PROBE_LIBS = libplink-probes.a $(AGENT_A)
