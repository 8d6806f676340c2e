/* SPDX-License-Identifier: BSD-3-Clause */
/* common.c - what several algorithms of Open MPI have in common */
#include "config.h"

#include "costmodels/catalogue.h"
#include "costmodels/openmpi/algorithms.h"

#include <limits.h>

void pl_openmpi_weigh(struct pl_shape *shape)
{
	pl_shape_weigh(shape, PL_OPENMPI_EAGER_BYTES, PL_OPENMPI_TRIPS);
}

int pl_openmpi_check_count(const struct pl_call *call, struct pl_err *err)
{
	const uint64_t count = call->bytes / call->element_bytes;

	if (count <= INT_MAX)
		return 0;
	return pl_err_set(err, PL_EUSAGE,
			  "%llu elements in one call: MPI counts them in an "
			  "int, %d at most",
			  (unsigned long long)count, INT_MAX);
}

int pl_openmpi_check_blocks(const struct pl_call *call, struct pl_err *err)
{
	const uint64_t count = call->bytes / call->element_bytes;

	if (count % call->n_pos)
		return pl_err_set(err, PL_EUSAGE,
				  "%llu elements do not make %zu equal blocks, "
				  "which MPI_Reduce_scatter_block needs",
				  (unsigned long long)count, call->n_pos);
	return pl_openmpi_check_count(call, err);
}

const char *pl_openmpi_rule(const struct pl_openmpi_rule *rules, size_t n_pos, uint64_t bytes)
{
	while (n_pos >= rules->ranks_below || bytes >= rules->bytes_below)
		rules++;
	return rules->name;
}

int pl_openmpi_then(struct pl_script *s, enum pl_collective collective, const char *name,
		    const struct pl_call *call, struct pl_err *err)
{
	const struct pl_algorithm *a = pl_catalogue_named(collective, PL_OPENMPI, name);
	struct pl_call own = *call, decided;
	struct pl_script next;
	int rc;

	own.root = 0;
	own.radix = 0;
	own.han = false;
	own.segment_bytes = 0;
	a = pl_algorithm_decide(a, &own, &decided);
	if (pl_script_init(&next, call->n_pos, err))
		return -1;
	rc = a->generate(&next, &decided, err);
	if (rc == 0)
		pl_script_append(s, &next);
	pl_script_fini(&next);
	return rc;
}

struct pl_range pl_openmpi_half(struct pl_range part, uint64_t element_bytes, bool upper)
{
	const uint64_t lower = part.bytes / element_bytes / 2 * element_bytes;

	if (upper)
		return (struct pl_range){part.at + lower, part.bytes - lower};
	return (struct pl_range){part.at, lower};
}

void pl_openmpi_sendrecv(struct pl_script *s, struct pl_openmpi_exchange x)
{
	pl_script_data(s, x.in.at, x.taking);
	pl_script_send_at(s, x.out.at);
	pl_script_sendrecv(s, (struct pl_exchange){x.dst, x.src, x.out.bytes, x.in.bytes});
}

int pl_openmpi_ring_shape(struct pl_shape *shape, size_t n_pos, double times, double bytes,
			  struct pl_err *err)
{
	*shape = (struct pl_shape){.kind = PL_SUM, .n_pos = n_pos};
	return pl_shape_add_ring(shape, n_pos, 1, (struct pl_hop){.times = times, .bytes = bytes},
				 err);
}

int pl_openmpi_rounds_shape(struct pl_shape *shape, enum pl_collective collective, const char *name,
			    const struct pl_call *call, struct pl_err *err)
{
	return pl_algorithm_rounds(pl_catalogue_named(collective, PL_OPENMPI, name), call, shape,
				   err);
}
