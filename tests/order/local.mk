# SPDX-License-Identifier: BSD-3-Clause
# Tests of order/.
UNIT_TESTS += \
	tests/order/unit-cover \
	tests/order/unit-job-order \
	tests/order/unit-order-child tests/order/unit-order-ring \
	tests/order/unit-pipeline tests/order/unit-promise
TOOL_TESTS += \
	tests/order/0700-order-formats.t tests/order/0702-order-launchers.t \
	tests/order/0704-order-slurm.t tests/order/0706-order-nccl.t \
	tests/order/0710-order-rules.t tests/order/0715-order-exact.t \
	tests/order/0720-order-refuses.t tests/order/0722-order-missing.t \
	tests/order/0730-order-verify.t tests/order/0740-order-live.t \
	tests/order/0742-order-ssh.t \
	tests/order/0750-order-algorithms.t tests/order/0755-order-choose.t \
	tests/order/0756-order-workload.t tests/order/0757-order-ties.t \
	tests/order/0758-order-windows.t tests/order/0759-order-alltoall.t \
	tests/order/0760-order-predict.t \
	tests/order/0765-order-forecast.t \
	tests/order/0768-order-schedule-times.t \
	tests/order/0770-order-schedule.t tests/order/0772-order-aggregators.t \
	tests/order/0790-order-job.t tests/order/0844-promise.t
EXTRA_DIST += \
	tests/data/order/matrix $(ORDER_GOLDEN:%=tests/data/order/%)

ORDER_GOLDEN = hostfile seq rankfile names plan json report
renew-order-golden: plink-order
	PLINK_GOLDEN=renew srcdir='$(abs_top_srcdir)' \
		builddir='$(abs_top_builddir)' \
		$(SHELL) $(srcdir)/tests/order/0700-order-formats.t
.PHONY: renew-order-golden
tests_order_unit_cover_SOURCES = tests/order/unit-cover.c $(FAILALLOC_FILES)
tests_order_unit_cover_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_order_unit_cover_LDADD = libplink-calls.a $(UNIT_LIBS)
tests_order_unit_job_order_SOURCES = tests/order/unit-job-order.c
tests_order_unit_job_order_LDADD = $(JOB_ORDER_A) $(UNIT_LIBS) $(THREAD_LIBS)
tests_order_unit_order_child_SOURCES = tests/order/unit-order-child.c \
	src/order/launch.c
tests_order_unit_order_child_LDADD = $(TOOL_A) $(UNIT_LIBS)
tests_order_unit_pipeline_SOURCES = tests/order/unit-pipeline.c \
	tests/predict/predict-net.h
tests_order_unit_pipeline_LDADD = $(JOB_ORDER_A) $(UNIT_LIBS) $(THREAD_LIBS)
tests_order_unit_promise_SOURCES = tests/order/unit-promise.c $(FAILALLOC_FILES)
tests_order_unit_promise_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
tests_order_unit_promise_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_order_unit_promise_LDADD = $(CALLS_LIBS) $(UNIT_LIBS) \
	$(JANSSON_LIBS) $(THREAD_LIBS)
tests_order_unit_order_ring_SOURCES = tests/order/unit-order-ring.c tests/solver/solve.h
tests_order_unit_order_ring_LDADD = $(ORDERS_A) $(UNIT_LIBS) $(THREAD_LIBS)
