# SPDX-License-Identifier: BSD-3-Clause
# The core library: hosts, matrix, plan, statistics, random numbers, errors.
noinst_LTLIBRARIES += libplink-core.la
libplink_core_la_SOURCES = \
	src/child.c src/child.h \
	src/err.c src/err.h \
	src/fields.c src/fields.h \
	src/hostrange.c src/hostrange.h \
	src/hosts.c src/hosts.h src/hosts-read.c \
	src/hosts-slurm.c src/hosts-slurm.h \
	src/launcher.c src/launcher.h \
	src/matrix.c src/matrix.h \
	src/matrix/cells.c src/matrix/cells.h \
	src/matrix/csv.c \
	src/matrix/few.c src/matrix/few.h src/matrix/layer.c \
	src/matrix/forms.h \
	src/matrix/header.c src/matrix/header.h src/matrix/header-line.c \
	src/matrix/label.c src/matrix/label.h \
	src/matrix/measured.c \
	src/matrix/units.c \
	src/matrix/own.c \
	src/matrix/read.c \
	src/matrix/rows.c \
	src/matrix/square.c \
	src/matrix/tsplib.c src/matrix/tsplib.h \
	src/matrix/tsplib-distance.c \
	src/matrix/write.c \
	src/mem.c src/mem.h \
	src/names.c src/names.h \
	src/number.c src/number.h \
	src/outfile.c src/outfile.h \
	src/nocore.c src/nocore.h \
	src/priority.c src/priority.h \
	src/progress.c src/progress.h \
	src/plan.c src/plan.h src/plan-read.c src/plan-read.h \
	src/plan-read-order.c \
	src/size.c src/size.h \
	src/starter.c src/starter.h \
	src/schedule.c src/schedule.h \
	src/stats.c src/stats.h \
	src/terminal.c src/terminal.h \
	src/text.c src/text.h \
	src/tiers.c src/tiers.h src/tiers-lines.c \
	src/tool.c src/tool.h src/tool-options.c \
	src/words.c src/words.h
libplink_core_la_CFLAGS = $(AM_CFLAGS) $(SODIUM_CFLAGS)
libplink_core_la_LIBADD = $(SODIUM_LIBS) -lm

# The bridge to PCG stands apart: it alone needs the C++ library, which whoever
# links it names too (libtool takes it for implied and leaves it out).
noinst_LTLIBRARIES += libplink-rng.la
libplink_rng_la_SOURCES = src/rng.cc src/rng.h
RNG_LIBS = libplink-rng.la $(PCG_LIBS)

# The tools: src/plink-X.c is main(), src/X/ its parts.
bin_PROGRAMS += plink-agent plink-audit plink-order plink-probe

plink_agent_SOURCES = src/plink-agent.c
plink_agent_LDADD = libplink-agent.la libplink-core.la
plink_agent_LDFLAGS = $(AM_LDFLAGS)
if STATIC_AGENT
plink_agent_LDFLAGS += -all-static
endif

plink_audit_SOURCES = \
	src/plink-audit.c \
	src/audit/agent.c src/audit/agent.h \
	src/audit/help.c src/audit/help.h \
	src/audit/json.c \
	src/audit/options.c src/audit/options.h \
	src/audit/report.c \
	src/audit/run.c src/audit/run.h \
	src/audit/show.c src/audit/show.h \
	src/audit/sources.c src/audit/sources.h
plink_audit_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
plink_audit_LDADD = $(AUDIT_LIBS) $(JANSSON_LIBS) -lm

plink_probe_SOURCES = \
	src/plink-probe.c \
	src/probe/args.c src/probe/args.h src/probe/args-check.c \
	src/probe/choice.c src/probe/choice.h \
	src/probe/json.c src/probe/json.h \
	src/probe/off.c \
	src/probe/part.c src/probe/part.h \
	src/probe/show.c src/probe/show.h \
	src/probe/values.c src/probe/values.h
plink_probe_CPPFLAGS = $(AM_CPPFLAGS) -DPL_PROBE_TOOL='"plink-probe"'
plink_probe_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
plink_probe_LDADD = libplink-topology.la libplink-embed.la $(PROBE_LIBS) \
	$(RNG_LIBS) $(JANSSON_LIBS) -lm

# plink-probe-mpi, and the same for MPICH: within the job that they measure.
PROBE_MPI_SOURCES = \
	src/plink-probe-mpi.c \
	src/probe-mpi/args.c src/probe-mpi/args.h \
	src/probe-mpi/rename.c src/probe-mpi/rename.h \
	src/probe/json.c src/probe/json.h \
	src/probe/show.c src/probe/show.h \
	src/probe/values.c src/probe/values.h \
	shim/self.c shim/self.h \
	probes/mpi/ping.c probes/mpi/ping.h \
	probes/mpi/places.c probes/mpi/places.h \
	probes/mpi/run.c probes/mpi/run.h \
	probes/mpi/turns.c probes/mpi/turns.h
if HAVE_MPI
bin_PROGRAMS += plink-probe-mpi
endif
plink_probe_mpi_SOURCES = $(PROBE_MPI_SOURCES)
plink_probe_mpi_CPPFLAGS = $(AM_CPPFLAGS) -DPL_PROBE_TOOL='"plink-probe-mpi"'
plink_probe_mpi_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS) $(JANSSON_CFLAGS)
plink_probe_mpi_LDADD = $(PROBE_LIBS) $(MPI_LIBS) $(JANSSON_LIBS) -lm
if HAVE_MPICH
bin_PROGRAMS += plink-probe-mpich
endif
plink_probe_mpich_SOURCES = $(PROBE_MPI_SOURCES)
plink_probe_mpich_CPPFLAGS = $(AM_CPPFLAGS) \
	-DPL_PROBE_TOOL='"plink-probe-mpich"'
plink_probe_mpich_CFLAGS = $(AM_CFLAGS) $(MPICH_CFLAGS) $(JANSSON_CFLAGS)
plink_probe_mpich_LDADD = $(PROBE_LIBS) $(MPICH_LIBS) $(JANSSON_LIBS) -lm

# From costs to an order, for plink-order and the library (lib/).
noinst_LTLIBRARIES += libplink-orders.la
libplink_orders_la_SOURCES = \
	src/order/algorithm.c src/order/algorithm.h \
	src/order/asks.c \
	src/order/bandwidth.c src/order/bandwidth.h \
	src/order/bound-ring.c \
	src/order/costs.c src/order/costs.h \
	src/order/first.c src/order/first.h \
	src/order/label.c \
	src/order/match.c src/order/match.h \
	src/order/model.c src/order/model.h \
	src/order/ring.c src/order/ring.h \
	src/order/solve.c src/order/solve.h \
	src/order/solve-choose.c \
	src/order/solve-parts.h src/order/solve-ring.c \
	src/order/solve-shape.c src/order/solve-stages.c \
	src/order/solve-ties.c \
	src/order/window.c src/order/window.h
libplink_orders_la_LIBADD = libplink-protocol.la libplink-solver.la

plink_order_SOURCES = \
	src/plink-order.c \
	src/doctor/ask.c src/doctor/ask.h \
	src/doctor/doctor.c src/doctor/doctor.h \
	src/doctor/facts.c src/doctor/facts.h \
	src/doctor/json.c \
	src/doctor/judge.c src/doctor/judge.h \
	src/doctor/judge-clock.c src/doctor/judge-ring.c \
	src/doctor/ring.c src/doctor/ring.h \
	src/doctor/script.c src/doctor/script.h \
	src/doctor/show.c src/doctor/show.h \
	src/order/choose.c src/order/choose.h \
	src/order/cost.c src/order/cost.h \
	src/order/cover.c src/order/cover.h \
	src/order/dead.c src/order/dead.h \
	src/order/doubt.c src/order/doubt.h \
	src/order/estimate.c src/order/estimate.h \
	src/order/faults.c src/order/faults.h \
	src/order/format/format.c src/order/format/format.h \
	src/order/format/nodes.c src/order/format/ranks.c \
	src/order/format/slots.c \
	src/order/forecast.c src/order/forecast.h \
	src/order/forecast-json.c src/order/forecast-json.h \
	src/order/forecast-text.c \
	src/order/forecaster.c src/order/forecaster.h \
	src/order/help.c src/order/help.h \
	src/order/blend.c src/order/blend.h \
	src/order/candidates.c src/order/candidates.h \
	src/order/input.c src/order/input.h \
	src/order/library.c src/order/library.h \
	src/order/promise.c src/order/promise.h \
	src/order/report-promise.c \
	src/order/workload.c src/order/workload.h src/order/workload-stats.c \
	src/order/json.c \
	src/order/launch.c src/order/launch.h \
	src/order/missing.c src/order/missing.h \
	src/order/nccl.c src/order/nccl.h \
	src/order/nccl-takes.c src/order/nccl-takes.h \
	src/order/network.c src/order/network.h \
	src/order/options.c src/order/options.h \
	src/order/option-ids.h src/order/option-take.c \
	src/order/options-check.c \
	src/order/output.c src/order/output.h \
	src/order/picture.c src/order/picture.h src/order/picture-facts.c \
	src/order/probe.c src/order/probe.h \
	src/order/report.c src/order/report.h src/order/report-nccl.c \
	src/order/report-taken.c \
	src/order/report-told.c \
	src/order/rules.c src/order/rules.h \
	src/order/setting.c src/order/setting.h \
	src/order/told.c src/order/told.h \
	src/order/values.c src/order/values.h \
	src/order/verify.c src/order/verify.h
plink_order_CPPFLAGS = $(AM_CPPFLAGS) \
	-DPL_PKGLIBDIR='"$(pkglibdir)"' -DPL_PKGLIBEXECDIR='"$(pkglibexecdir)"'
plink_order_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
plink_order_LDADD = libplink-orders.la libplink-report.la libplink-topology.la \
	libplink-embed.la libplink-predict.la libplink-solver.la $(PROBE_LIBS) \
	$(RNG_LIBS) $(JANSSON_LIBS) $(THREAD_LIBS) -lm

bin_PROGRAMS += plink-mpirun
pkglibexec_PROGRAMS += plink-mpi-check
MPIRUN_PARTS = \
	src/mpirun/check.c src/mpirun/check.h \
	src/mpirun/grammar.c src/mpirun/grammar.h src/mpirun/hydra.c \
	src/mpirun/judge.c src/mpirun/judge.h \
	src/mpirun/line.c src/mpirun/line.h \
	shim/ranks.c shim/ranks.h shim/self.c shim/self.h
plink_mpirun_SOURCES = \
	src/plink-mpirun.c $(MPIRUN_PARTS) \
	src/mpirun/digest.h \
	src/mpirun/options.c src/mpirun/options.h \
	src/mpirun/setting.c src/mpirun/setting.h
plink_mpirun_CPPFLAGS = $(AM_CPPFLAGS) \
	-DPL_PKGLIBDIR='"$(pkglibdir)"' -DPL_PKGLIBEXECDIR='"$(pkglibexecdir)"'
plink_mpirun_LDADD = libplink-core.la

# Runs on every host of a job: from the core only what it needs.
plink_mpi_check_SOURCES = \
	src/plink-mpi-check.c src/mpirun/digest.h \
	shim/self.c shim/self.h \
	src/err.c src/err.h src/hosts.h src/mem.c src/mem.h \
	src/text.c src/text.h
plink_mpi_check_LDADD = -ldl

bin_PROGRAMS += plink-exec
plink_exec_SOURCES = \
	src/plink-exec.c \
	src/exec/change.c src/exec/change.h \
	src/exec/deepspeed.c src/exec/deepspeed.h \
	src/exec/lightgbm.c src/exec/lightgbm.h \
	src/exec/machines.c src/exec/machines.h \
	src/exec/numbers.c src/exec/numbers.h \
	src/exec/options.c src/exec/options.h \
	src/exec/program.c src/exec/program.h \
	src/exec/seat.c src/exec/seat.h \
	src/exec/torchrun.c src/exec/torchrun.h \
	src/exec/where.c src/exec/where.h \
	shim/age.c shim/age.h shim/ranks.c shim/ranks.h shim/self.c shim/self.h
plink_exec_LDADD = libplink-core.la

bin_PROGRAMS += plink-groups
plink_groups_SOURCES = \
	src/plink-groups.c \
	src/groups/json.c \
	src/groups/matrix.c \
	src/groups/options.c src/groups/options.h \
	src/groups/text.c \
	src/groups/work.c src/groups/work.h
plink_groups_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
plink_groups_LDADD = libplink-topology.la $(EMBED_LIBS) $(JANSSON_LIBS)

bin_PROGRAMS += plink-report
plink_report_SOURCES = \
	src/plink-report.c \
	src/order/algorithm.c src/order/algorithm.h \
	src/report/options.c src/report/options.h \
	src/report/work.c src/report/work.h
plink_report_CFLAGS = $(AM_CFLAGS)
plink_report_LDADD = $(REPORT_LIBS)

bin_PROGRAMS += plink-srift
plink_srift_SOURCES = \
	src/plink-srift.c \
	src/srift/help.c src/srift/help.h \
	src/srift/json.c \
	src/srift/network.c src/srift/network.h \
	src/srift/options.c src/srift/options.h \
	src/srift/predict.c src/srift/predict.h \
	src/srift/profile.c src/srift/profile.h \
	src/srift/recommend.c src/srift/recommend.h \
	src/srift/recommend-help.c src/srift/recommend-json.c \
	src/srift/recommend-options.c \
	src/srift/recommend-text.c \
	src/srift/text.c \
	src/srift/train.c src/srift/train.h src/srift/train-options.c \
	src/srift/watch/acts.c \
	src/srift/watch/drive.c src/srift/watch/drive.h \
	src/srift/watch/environment.c \
	src/srift/watch/help.c src/srift/watch/help.h \
	src/srift/watch/options.c src/srift/watch/options.h \
	src/srift/watch/seek.c src/srift/watch/seek.h \
	src/srift/watch/tell.c \
	src/srift/watch/watch.c src/srift/watch/watch.h
plink_srift_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
plink_srift_LDADD = libplink-topology.la $(LEARNED_LIBS)
