/* SPDX-License-Identifier: BSD-3-Clause */
/* library.c - whose collectives a job runs, by how it is launched */
#include "config.h"

#include "src/order/library.h"

#include "costmodels/catalogue.h"
#include "src/order/launch.h"

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
}
