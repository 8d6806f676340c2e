/* SPDX-License-Identifier: BSD-3-Clause */
/* library.c - whose collectives a job runs, by how it is launched */
#include "config.h"

#include "src/order/library.h"

#include "costmodels/catalogue.h"
#include "src/order/launch.h"
#include "src/order/workload.h"
#include "src/tool.h"

/* Of launchers that start programs of one library; NULL: an MPI's. */
static const char *library_of(enum pl_order_format format)
{
	switch (format) {
	case PL_FORMAT_LIGHTGBM:
		return "lightgbm";
	case PL_FORMAT_HOROVOD: /* horovodrun --gloo */
		return "gloo";
	case PL_FORMAT_DEEPSPEED:
	case PL_FORMAT_TORCHRUN:
	case PL_FORMAT_PDSH: /* starts the processes of torch.distributed */
		return "nccl";
	default:
		return NULL;
	}
}

static const char *mpi_library(struct pl_order_options *o)
{
	struct pl_err ignored = {0};

	o->mpirun = pl_mpi_find(&o->mpi, o->format, NULL, &ignored);
	return o->mpi.kind == PL_MPI_MPICH || o->format == PL_FORMAT_MPICH
		       ? "mpich"
		       : "openmpi";
}

static bool has(const struct pl_order_names *names, const char *impl)
{
	struct pl_order_names other = *names;
	struct pl_order_algorithm what = {.a = NULL};
	struct pl_err none = {0};

	other.impl = impl;
	return pl_order_algorithm_find(&what, &other, &none) == 0;
}

void pl_order_library_find(struct pl_order_options *o,
			   struct pl_order_names *names)
{
	const char *impl = library_of(o->format);

	if (names->impl)
		return;
	if (!impl)
		impl = mpi_library(o);
	if (names->algorithm && !has(names, impl) && has(names, "thesis"))
		impl = "thesis";
	names->impl = o->names.impl = impl;
	o->guessed_impl = true;
}

int pl_order_library_check(struct pl_order_options *o,
			   const struct pl_hosts *hosts, struct pl_err *err)
{
	const struct pl_order_names ring = {.collective = o->names.collective};
	struct pl_order_workload w = {.n = 0};
	int rc;

	if (!o->guessed_impl || !pl_order_promises(o) || o->names.algorithm ||
	    o->predict || !o->usual_sizes)
		return 0;
	rc = pl_order_workload_init(&w, hosts, o, err);
	pl_order_workload_fini(&w);
	if (rc == 0 || err->code != PL_EUSAGE || !has(&ring, "thesis"))
		return rc;
	pl_tool_say(PL_ORDER_TOOL, "%s: the order is for a ring, by its hops",
		    err->text);
	*err = (struct pl_err){.code = PL_OK};
	o->names = ring;
	o->names.impl = "thesis";
	o->what.has_size = false;
	return pl_order_algorithm_find(&o->what, &o->names, err);
}
