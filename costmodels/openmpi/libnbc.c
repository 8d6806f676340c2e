/* SPDX-License-Identifier: BSD-3-Clause */
/* libnbc.c - the reduce and the broadcast of coll/libnbc, which do not block */
/*
 *   3 --> 2 --> 1 --> 0     chain: fragments are received, added and sent one
 *                           by one
 *
 * The reduce is that of Rabenseifner, or of few elements a binomial one; of two
 * ranks and large buffers a chain. The broadcast is linear, or of more than
 * four ranks binomial. Messages are those of coll/tuned; but where a tree or a
 * chain has another root, it and rank 0 change places, and the other ranks stay
 * where they are. Fragments have equal numbers of elements; the last one also
 * has what is left over.
 */
#include "config.h"

#include "base/mem.h"
#include "costmodels/openmpi/algorithms.h"
#include "costmodels/openmpi/han.h"

#include <stdlib.h>

#define FRAGMENT_BYTES 8192

static int chain(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	const uint64_t count = call->bytes / call->element_bytes;
	const uint64_t n = (call->bytes + FRAGMENT_BYTES - 1) / FRAGMENT_BYTES;
	const uint64_t each = count / n * call->element_bytes;

	(void)err;
	for (size_t rank = 0; rank < call->n_pos; rank++) {
		const size_t before = call->n_pos - 1 - rank;

		pl_script_rank(s, rank);
		for (size_t i = 0; i < n; i++) {
			const uint64_t bytes = i + 1 < n ? each : call->bytes - i * each;

			pl_script_round(s, (uint32_t)(before + i));
			pl_script_data(s, i * each, PL_ADDS);
			if (before > 0) {
				pl_script_recv(s, rank + 1, bytes);
				pl_script_reduce(s, bytes);
			}
			if (rank > 0)
				pl_script_send(s, rank - 1, bytes);
		}
	}
	return 0;
}

/* Runs it with rank 0 as its root, and lets both change places. */
static int exchanged(struct pl_script *s, const struct pl_call *call, pl_generate_fn *generate,
		     struct pl_err *err)
{
	uint32_t *rank = pl_array_create(call->n_pos, sizeof(*rank));
	struct pl_call own = *call;
	struct pl_script part;
	int rc = -1;

	if (!rank)
		return pl_err_nomem(err);
	for (size_t i = 0; i < call->n_pos; i++)
		rank[i] = (uint32_t)i;
	rank[0] = (uint32_t)call->root;
	rank[call->root] = 0;
	own.root = 0;
	if (pl_script_init(&part, call->n_pos, err) == 0) {
		rc = generate(&part, &own, err);
		if (rc == 0)
			pl_script_join(s, &part, rank);
		pl_script_fini(&part);
	}
	free(rank);
	return rc;
}

int pl_openmpi_nbc_broadcast(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	if (call->n_pos <= 4)
		return pl_openmpi_broadcast_linear(s, call, err);
	return exchanged(s, call, pl_openmpi_broadcast_binomial, err);
}

int pl_openmpi_nbc_reduce(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	const size_t n = call->n_pos;

	if (n > 2 && call->bytes / call->element_bytes >= pl_fold(n, 0).n)
		return pl_openmpi_reduce_rabenseifner(s, call, err);
	return exchanged(s, call, n > 4 || call->bytes < 65536 ? pl_openmpi_reduce_binomial : chain,
			 err);
}
