/* SPDX-License-Identifier: BSD-3-Clause */
/* library.c - whose collectives a job runs, by its launcher */
#include "config.h"

#include "src/order/library.h"

#include "costmodels/catalogue.h"
#include "order/calls/workload.h"
#include "src/order/format/format.h"
#include "src/order/launch.h"

static const char *mpi_library(struct pl_reorder_options *o)
{
	struct pl_err ignored = {0};

	o->mpirun = pl_mpi_find(&o->mpi, o->format, NULL, &ignored);
	return o->mpi.kind == PL_MPI_MPICH || o->format == PL_FORMAT_MPICH ? "mpich" : "openmpi";
}

static bool has(const struct pl_order_names *names, const char *impl)
{
	struct pl_order_names other = *names;
	struct pl_order_algorithm what = {.a = NULL};
	struct pl_err none = {0};

	other.impl = impl;
	return pl_order_algorithm_find(&what, &other, &none) == 0;
}

void pl_reorder_library_find(struct pl_reorder_options *o, struct pl_order_names *names)
{
	const char *impl = pl_reorder_form(o->format)->library;

	if (names->impl)
		return;
	if (!impl)
		impl = mpi_library(o);
	if (names->algorithm && !has(names, impl) && has(names, "thesis"))
		impl = "thesis";
	names->impl = o->request.names.impl = impl;
	/* rules come with a setting that turns it off */
	names->han = o->request.names.han =
		o->mpi.kind == PL_MPI_OPENMPI_5 && !pl_reorder_writes_rules(o);
	o->guessed_impl = true;
}

int pl_reorder_library_check(struct pl_reorder_options *o, const struct pl_hosts *hosts,
			     struct pl_err *err)
{
	const struct pl_order_names ring = {.collective = o->request.names.collective};
	struct pl_order_workload w = {.n = 0};
	int rc;

	if (!o->guessed_impl || !pl_order_request_promises(&o->request) ||
	    o->request.names.algorithm || o->predict || !o->request.usual_sizes)
		return 0;
	rc = pl_order_workload_init(&w, hosts, &o->request, err);
	pl_order_workload_fini(&w);
	if (rc == 0 || err->code != PL_EUSAGE || !has(&ring, "thesis"))
		return rc;
	pl_reorder_warn("%s: the order is for a ring, by its hops", err->text);
	*err = (struct pl_err){.code = PL_OK};
	o->request.names = ring;
	o->request.names.impl = "thesis";
	o->request.what.has_size = false;
	return pl_order_algorithm_find(&o->request.what, &o->request.names, err);
}
