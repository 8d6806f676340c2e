# SPDX-License-Identifier: BSD-3-Clause
# Manual pages: man/X.in here, man/X with @VERSION@ and folders of the installation filled
# in where we build.
MAN_PAGES = \
	man/libplink.3 \
	man/libplink-mpi.7 \
	man/libplink-nccl.7 \
	man/libnccl-profiler-plink.7 \
	man/libnccl-tuner-plink.7 \
	man/plink.1 \
	man/plink-agent.1 \
	man/plink-audit.1 \
	man/plink-batch.1 \
	man/plink-doctor.1 \
	man/plink-exec.1 \
	man/plink-groups.1 \
	man/plink-hub.1 \
	man/plink-job.1 \
	man/plink-mpirun.1 \
	man/plink-order.1 \
	man/plink-report.1 \
	man/plink-spot.1 \
	man/plink-srift.1 \
	man/plink-srift-tutorial.7 \
	man/plink-stalls.1 \
	man/plink-c10d.7 \
	man/plink-torchrun.7 \
	man/plink-catalogue.5 \
	man/plink-grid.5 \
	man/plink-hosts.5 \
	man/plink-lifetimes.5 \
	man/plink-matrix.5 \
	man/plink-patterns.7 \
	man/plink-plan.5 \
	man/plink-profile.5 \
	man/plink-protocol.5 \
	man/plink-job.5 \
	man/plink-schedule.5 \
	man/plink-stalls.5 \
	man/plink-stats.5 \
	man/plink-topology.5 \
	man/plink-watch.5 \
	man/plink-probe.1 \
	man/plink-probe-mpi.1 \
	man/plink-nccl-bw.1 \
	man/plink-troubleshooting.7 \
	man/plink.7

nodist_man_MANS = $(MAN_PAGES)
EXTRA_DIST += $(MAN_PAGES:=.in)
CLEANFILES += $(MAN_PAGES)

# The brackets hide the pattern from configure, which fills in this file, too.
man/%: $(top_srcdir)/man/%.in Makefile
	$(AM_V_at)$(MKDIR_P) man
	$(AM_V_GEN)$(SED) -e 's|[@]VERSION@|$(PACKAGE_VERSION)|g' \
		-e 's|[@]BINDIR@|$(subst -,\\-,$(bindir))|g' \
		-e 's|[@]PKGLIBDIR@|$(subst -,\\-,$(pkglibdir))|g' \
		-e 's|[@]EXAMPLEDIR@|$(subst -,\\-,$(exampledir))|g' $< >$@

# Of a tool that is built, not installed.
noinst_DATA += man/plink-testbed.1
EXTRA_DIST += man/plink-testbed.1.in
CLEANFILES += man/plink-testbed.1
