# SPDX-License-Identifier: BSD-3-Clause
# What tools share, and base/ with it.
noinst_LIBRARIES += libplink-tool.a
libplink_tool_a_SOURCES = \
	src/common/json.c src/common/json.h \
	src/common/kept.c src/common/kept.h \
	src/common/launcher.c src/common/launcher.h \
	src/common/missing.c src/common/missing.h \
	src/common/next.c src/common/next.h \
	src/common/options.c src/common/options.h \
	src/common/removed.c \
	src/common/ports.c \
	src/common/probing.c src/common/probing.h \
	src/common/progress.c src/common/progress.h \
	src/common/starter.c src/common/starter.h \
	src/common/tool.c src/common/tool.h \
	src/common/units.c \
	src/common/verbs.c src/common/verbs.h
libplink_tool_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
TOOL_A = libplink-tool.a $(JANSSON_LIBS) $(BASE_A)

# The tools: a folder each, with main() in plink-X.c.
bin_PROGRAMS += plink plink-agent plink-audit plink-doctor plink-order plink-probe

plink_SOURCES = src/plink/plink.c
plink_LDADD = $(TOOL_A)

plink_agent_SOURCES = src/agent/plink-agent.c
plink_agent_LDADD = $(TOOL_A) $(AGENT_A)
plink_agent_LDFLAGS = $(AM_LDFLAGS)
if STATIC_AGENT
plink_agent_LDFLAGS += -static
endif

plink_audit_SOURCES = \
	src/audit/plink-audit.c \
	src/audit/help.c \
	src/audit/json.c \
	src/audit/options.c src/audit/options.h \
	src/audit/racks.c \
	src/audit/report.c \
	src/audit/run.c src/audit/run.h \
	src/audit/show.c src/audit/show.h \
	src/audit/sources.c src/audit/sources.h
plink_audit_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
plink_audit_LDADD = $(TOOL_A) $(ENGINE_A) $(TOPOLOGY_A) $(AUDIT_LIBS) $(JANSSON_LIBS) -lm

plink_doctor_SOURCES = \
	src/doctor/plink-doctor.c \
	src/doctor/ask.c src/doctor/ask.h \
	src/doctor/facts.c src/doctor/facts.h \
	src/doctor/json.c \
	src/doctor/judge.c src/doctor/judge.h \
	src/doctor/judge-clock.c \
	src/doctor/judge-ring.c \
	src/doctor/options.c src/doctor/options.h \
	src/doctor/ring.c src/doctor/ring.h \
	src/doctor/script.c src/doctor/script.h \
	src/doctor/show.c src/doctor/show.h
plink_doctor_CPPFLAGS = $(AM_CPPFLAGS) \
	-DPL_PKGLIBDIR='"$(pkglibdir)"' -DPL_PKGLIBEXECDIR='"$(pkglibexecdir)"'
plink_doctor_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
plink_doctor_LDADD = $(TOOL_A) $(PROBE_LIBS) $(JANSSON_LIBS) -lm

plink_probe_SOURCES = \
	src/probe/plink-probe.c \
	src/probe/args.c src/probe/args.h src/probe/args-check.c \
	src/probe/choice.c src/probe/choice.h \
	src/probe/json.c \
	src/probe/off.c \
	src/probe/remedy.c \
	src/probe/show.c src/probe/show.h \
	src/probe/values.c src/probe/values.h
plink_probe_CPPFLAGS = $(AM_CPPFLAGS) -DPL_PROBE_TOOL='"plink-probe"'
plink_probe_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
plink_probe_LDADD = $(TOOL_A) $(TOPOLOGY_A) $(EMBED_A) $(PROBE_LIBS) \
	$(RNG_LIBS) $(JANSSON_LIBS) -lm

# plink-probe-mpi, and the same for MPICH: within the job that they measure.
PROBE_MPI_SOURCES = \
	src/probe-mpi/plink-probe-mpi.c \
	src/probe-mpi/args.c src/probe-mpi/args.h \
	src/probe-mpi/rename.c \
	src/probe/json.c \
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
plink_probe_mpi_LDADD = $(TOOL_A) $(PROBE_LIBS) $(MPI_LIBS) $(JANSSON_LIBS) -lm
if HAVE_MPICH
bin_PROGRAMS += plink-probe-mpich
endif
plink_probe_mpich_SOURCES = $(PROBE_MPI_SOURCES)
plink_probe_mpich_CPPFLAGS = $(AM_CPPFLAGS) \
	-DPL_PROBE_TOOL='"plink-probe-mpich"'
plink_probe_mpich_CFLAGS = $(AM_CFLAGS) $(MPICH_CFLAGS) $(JANSSON_CFLAGS)
plink_probe_mpich_LDADD = $(TOOL_A) $(PROBE_LIBS) $(MPICH_LIBS) $(JANSSON_LIBS) -lm

plink_order_SOURCES = \
	src/order/choose.c src/order/choose.h \
	src/order/cost.c \
	src/order/unreliable.c \
	src/order/faults.c src/order/faults.h \
	src/order/files.c src/order/files.h \
	src/order/forecast.c src/order/forecast.h \
	src/order/forecast-json.c src/order/forecast-json.h \
	src/order/forecast-text.c \
	src/order/help.c \
	src/order/hubs.c src/order/hubs.h \
	src/order/job.c src/order/job.h \
	src/order/json.c \
	src/order/launch.c src/order/launch.h \
	src/order/library.c src/order/library.h \
	src/order/missing.c src/order/missing.h \
	src/order/nccl-takes.c src/order/nccl-takes.h \
	src/order/options.c src/order/options.h \
	src/order/options-check.c \
	src/order/output.c src/order/output.h \
	src/order/picture.c src/order/picture.h \
	src/order/picture-facts.c \
	src/order/picture-job.c \
	src/order/plink-order.c \
	src/order/probe.c src/order/probe.h \
	src/order/progress.c \
	src/order/remarks.c src/order/remarks.h \
	src/order/remedy.c \
	src/order/report.c src/order/report.h \
	src/order/report-nccl.c \
	src/order/report-promise.c \
	src/order/report-schedules.c \
	src/order/report-pairs.c \
	src/order/report-taken.c \
	src/order/report-topology.c \
	src/order/rules.c src/order/rules.h \
	src/order/schedule-candidates.c src/order/schedule-candidates.h \
	src/order/schedule-clock.c src/order/schedule-clock.h \
	src/order/schedule-times.c src/order/schedule-times.h \
	src/order/schedule-tree.c src/order/schedule-tree.h \
	src/order/schedules.c src/order/schedules.h \
	src/order/setting.c src/order/setting.h \
	src/order/source.c src/order/source.h \
	src/order/topology.c src/order/topology.h \
	src/order/verify.c \
	src/order/format/format.c src/order/format/format.h \
	src/order/format/nodes.c \
	src/order/format/ranks.c \
	src/order/format/schedule.c \
	src/order/format/slots.c
plink_order_CPPFLAGS = $(AM_CPPFLAGS) -DPL_PKGLIBDIR='"$(pkglibdir)"'
plink_order_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
plink_order_LDADD = $(TOOL_A) $(JOB_ORDER_A) $(ENGINE_A) $(REPORT_A) $(CALLS_LIBS) \
	$(SOLVER_A) $(PROBE_LIBS) \
	$(RNG_LIBS) $(JANSSON_LIBS) $(THREAD_LIBS) -lm

bin_PROGRAMS += plink-mpirun
pkglibexec_PROGRAMS += plink-mpi-check
MPIRUN_PARTS = \
	src/mpirun/check.c src/mpirun/check.h \
	src/mpirun/grammar.c src/mpirun/grammar.h src/mpirun/hydra.c \
	src/mpirun/judge.c src/mpirun/judge.h \
	src/mpirun/line.c src/mpirun/line.h src/mpirun/prrte.c \
	shim/ranks.c shim/ranks.h shim/self.c shim/self.h
plink_mpirun_SOURCES = \
	src/mpirun/plink-mpirun.c $(MPIRUN_PARTS) \
	src/mpirun/options.c src/mpirun/options.h \
	src/mpirun/setting.c src/mpirun/setting.h
plink_mpirun_CPPFLAGS = $(AM_CPPFLAGS) \
	-DPL_PKGLIBDIR='"$(pkglibdir)"' -DPL_PKGLIBEXECDIR='"$(pkglibexecdir)"'
plink_mpirun_LDADD = $(TOOL_A)

# Runs on every host of a job: of base/ only what it needs.
plink_mpi_check_SOURCES = \
	src/mpi-check/plink-mpi-check.c \
	shim/self.c shim/self.h \
	base/err.c base/err.h base/hosts/hosts.c base/hosts/hosts.h base/mem.c base/mem.h \
	base/text/names.c base/text/names.h \
	base/text/path.c base/text/path.h \
	base/text/kind.c base/text/kind.h \
	base/text/text.c base/text/text.h
plink_mpi_check_LDADD = -ldl

bin_PROGRAMS += plink-exec
plink_exec_SOURCES = \
	src/exec/plink-exec.c \
	src/exec/change.c src/exec/change.h \
	src/exec/commands.c src/exec/commands.h \
	src/exec/hidden.c src/exec/hidden.h \
	src/exec/lightgbm.c src/exec/lightgbm.h \
	src/exec/machines.c src/exec/machines.h \
	src/exec/numbers.c src/exec/numbers.h \
	src/exec/options.c src/exec/options.h \
	src/exec/present.c src/exec/present.h \
	src/exec/program.c src/exec/program.h \
	src/exec/seat.c src/exec/seat.h \
	src/exec/torchrun.c src/exec/torchrun.h \
	src/exec/where.c src/exec/where.h \
	shim/plan.c shim/plan.h shim/ranks.c shim/ranks.h shim/self.c shim/self.h
plink_exec_LDADD = $(TOOL_A)

bin_PROGRAMS += plink-groups
plink_groups_SOURCES = \
	src/groups/plink-groups.c \
	src/groups/json.c \
	src/groups/matrix.c \
	src/groups/options.c src/groups/options.h \
	src/groups/schedulers.c \
	src/groups/text.c \
	src/groups/work.c src/groups/work.h
plink_groups_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
plink_groups_LDADD = $(TOOL_A) $(TOPOLOGY_A) $(EMBED_LIBS) $(JANSSON_LIBS)

bin_PROGRAMS += plink-batch
plink_batch_SOURCES = \
	src/batch/plink-batch.c \
	src/batch/batch.h \
	src/batch/compare.c src/batch/search.h \
	src/batch/job.c src/batch/job.h \
	src/batch/json.c \
	src/batch/model.c \
	src/batch/noise.c \
	src/batch/options.c \
	src/batch/picture.c \
	src/batch/run.c \
	src/batch/text.c
plink_batch_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
plink_batch_LDADD = $(TOOL_A) libplink-report.a $(PLANNER_LIBS)

# With the parts of libplink that make a job's connections.
bin_PROGRAMS += plink-hub
plink_hub_SOURCES = \
	src/hub/plink-hub.c \
	src/hub/async.c src/hub/async.h \
	src/hub/jobs.c src/hub/jobs.h \
	src/hub/listen.c src/hub/listen.h \
	src/hub/serve.c src/hub/serve.h \
	src/hub/team.c src/hub/team.h \
	lib/error.c lib/hubs.c lib/hubs.h lib/parts.h lib/plink.h \
	lib/proof.c lib/proof.h \
	lib/rendezvous.c lib/rendezvous.h \
	lib/schedule-file.c \
	lib/service.c lib/service.h \
	shim/self.c shim/self.h
plink_hub_CFLAGS = $(AM_CFLAGS) $(SODIUM_CFLAGS)
plink_hub_LDADD = $(TOOL_A) $(ENGINE_A) $(SODIUM_LIBS) $(THREAD_LIBS) -lm

bin_PROGRAMS += plink-job
plink_job_SOURCES = \
	src/job/plink-job.c \
	src/job/import.c src/job/job.h \
	src/job/options.c \
	src/job/show.c
plink_job_LDADD = $(TOOL_A) $(IMPORT_A)

# With the part of libplink by which processes of a job meet; opens NCCL itself.
bin_PROGRAMS += plink-nccl-bw
plink_nccl_bw_SOURCES = \
	src/nccl-bw/plink-nccl-bw.c src/nccl-bw/nccl-bw.h \
	src/nccl-bw/gpu.c src/nccl-bw/gpu.h \
	src/nccl-bw/matrix.c \
	src/nccl-bw/meet.c \
	src/nccl-bw/options.c \
	src/nccl-bw/pairs.c \
	src/nccl-bw/watch.c \
	lib/error.c lib/parts.h lib/plink.h \
	lib/proof.c lib/proof.h \
	lib/rendezvous.c lib/rendezvous.h \
	shim/nccl/nccl-abi.h \
	shim/self.c shim/self.h
plink_nccl_bw_CFLAGS = $(AM_CFLAGS) $(SODIUM_CFLAGS)
plink_nccl_bw_LDADD = $(TOOL_A) $(SODIUM_LIBS) -ldl -lm

bin_PROGRAMS += plink-report
plink_report_SOURCES = \
	src/report/plink-report.c \
	src/report/live.c src/report/live.h \
	src/report/live-table.c \
	src/report/options.c src/report/options.h \
	src/report/schedule.c src/report/schedule.h \
	src/report/traffic.c src/report/traffic.h \
	src/report/traffic-table.c \
	src/report/work.c src/report/work.h
plink_report_CFLAGS = $(AM_CFLAGS)
plink_report_LDADD = $(TOOL_A) $(ENGINE_A) libplink-audit.a $(CALLS_LIBS) \
	$(REPORT_LIBS) $(PCAP_LIBS) $(JANSSON_LIBS)

bin_PROGRAMS += plink-spot
plink_spot_SOURCES = \
	src/spot/plink-spot.c \
	src/spot/checkpoint.c \
	src/spot/curve.c \
	src/spot/expect.c \
	src/spot/fit.c \
	src/spot/help.c src/spot/verbs.h \
	src/spot/job.c src/spot/job.h \
	src/spot/learn.c src/spot/learn.h \
	src/spot/picture.c src/spot/picture.h \
	src/spot/saves.c src/spot/saves.h \
	src/spot/sources.c src/spot/sources.h \
	src/spot/trace.c
plink_spot_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
plink_spot_LDADD = $(TOOL_A) libplink-report.a $(TRANSIENT_LIBS)

bin_PROGRAMS += plink-srift
plink_srift_SOURCES = \
	src/srift/plink-srift.c \
	src/srift/batches.c \
	src/srift/cases.c \
	src/srift/grid/grid.c src/srift/grid/grid.h \
	src/srift/grid/file.c \
	src/srift/grid/job.c \
	src/srift/grid/nccl.c \
	src/srift/grid/options.c \
	src/srift/help.c src/srift/verbs.h \
	src/srift/history.c src/srift/history.h \
	src/srift/hubs.c \
	src/srift/json.c \
	src/srift/merge.c \
	src/srift/network.c src/srift/network.h \
	src/srift/plans.c src/srift/plans.h \
	src/srift/options.c src/srift/options.h \
	src/srift/predict.c src/srift/predict.h \
	src/srift/profile.c \
	src/srift/recommend.c src/srift/recommend.h \
	src/srift/recommend-json.c \
	src/srift/recommend-options.c \
	src/srift/recommend-text.c \
	src/srift/regions.c \
	src/srift/risk.c src/srift/risk.h src/srift/risk-write.c \
	src/srift/step.c src/srift/step.h \
	src/srift/sweep/sweep.c src/srift/sweep/sweep.h \
	src/srift/sweep/options.c src/srift/sweep/write.c \
	src/srift/terms.c src/srift/terms.h \
	src/srift/text.c \
	src/srift/train.c src/srift/train.h src/srift/train-options.c \
	src/srift/units.c src/srift/units.h \
	src/srift/watch/acts.c \
	src/srift/watch/drive.c src/srift/watch/drive.h \
	src/srift/watch/environment.c \
	src/srift/watch/options.c src/srift/watch/options.h \
	src/srift/watch/seek.c \
	src/srift/watch/tell.c \
	src/srift/watch/watch.c
plink_srift_CPPFLAGS = $(AM_CPPFLAGS) -DPL_PKGDATADIR='"$(pkgdatadir)"'
plink_srift_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
plink_srift_LDADD = $(TOOL_A) $(JOB_ORDER_A) $(ENGINE_A) libplink-transient.a $(LEARNED_LIBS) \
	$(THREAD_LIBS)

bin_PROGRAMS += plink-stalls
plink_stalls_SOURCES = \
	src/stalls/plink-stalls.c src/stalls/stalls.h \
	src/stalls/picture.c \
	src/stalls/predict.c \
	src/stalls/run/cache.c \
	src/stalls/run/launch.c \
	src/stalls/run/options.c \
	src/stalls/run/run.c src/stalls/run/run.h \
	src/stalls/run/taken.c \
	src/stalls/stats.c \
	src/stalls/synth.c \
	src/stalls/table.c src/stalls/table.h \
	src/stalls/table-write.c \
	src/stalls/what-if.c
plink_stalls_CPPFLAGS = $(AM_CPPFLAGS) -DPL_PKGDATADIR='"$(pkgdatadir)"'
plink_stalls_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
plink_stalls_LDADD = $(TOOL_A) libplink-report.a $(CALLS_LIBS) $(PLANNER_LIBS)
