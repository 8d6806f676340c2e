/* SPDX-License-Identifier: BSD-3-Clause */
/* comm-memo.c - remembers the answers of a model of the network */
#include "config.h"

#include "planner/srift/comm/comm-memo.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIZE_FIRST 1024

void pl_comm_memo_fini(struct pl_comm_memo *memo)
{
	free(memo->answer);
	memset(memo, 0, sizeof(*memo));
}

/* The place where that answer is or belongs. The table has room. */
static struct pl_comm_answer *find(struct pl_comm_answer *answer, size_t size, double bytes,
				   size_t n_ranks)
{
	uint64_t h;
	size_t at;

	memcpy(&h, &bytes, sizeof(h));
	h = (h ^ n_ranks * 0x9e3779b97f4a7c15u) * 0xff51afd7ed558ccdu;
	at = (size_t)(h >> 32) % size;
	while (answer[at].n_ranks && (answer[at].n_ranks != n_ranks || answer[at].bytes != bytes))
		at = (at + 1) % size;
	return &answer[at];
}

/* At most half full. */
static int grow(struct pl_comm_memo *memo)
{
	const size_t size = memo->size ? 2 * memo->size : SIZE_FIRST;
	struct pl_comm_answer *bigger;

	if (2 * (memo->used + 1) <= memo->size)
		return 0;
	bigger = pl_array_create(size, sizeof(*bigger));
	if (!bigger)
		return -1;
	for (size_t i = 0; i < memo->size; i++)
		if (memo->answer[i].n_ranks)
			*find(bigger, size, memo->answer[i].bytes, memo->answer[i].n_ranks) =
				memo->answer[i];
	free(memo->answer);
	memo->answer = bigger;
	memo->size = size;
	return 0;
}

int pl_comm_memo_find(struct pl_comm_memo *memo, double bytes, size_t n_ranks, double *bytes_per_s,
		      struct pl_err *err)
{
	const struct pl_comm *given = &memo->given;
	struct pl_comm_answer *answer;
	struct pl_err fault = {0};
	double b = NAN;
	int rc;

	if (grow(memo))
		return pl_err_nomem(err);
	answer = find(memo->answer, memo->size, bytes, n_ranks);
	if (answer->n_ranks) {
		*bytes_per_s = answer->bytes_per_s;
		return !isnan(*bytes_per_s);
	}
	rc = bytes > 0 ? given->bandwidth(given->model, bytes, n_ranks, &b, &fault)
		       : given->cap(given->model, n_ranks, &b, &fault);
	if (rc && fault.code != PL_EUSAGE) {
		if (err)
			*err = fault;
		return -1;
	}
	*answer = (struct pl_comm_answer){bytes, n_ranks, rc ? NAN : b};
	memo->used++;
	*bytes_per_s = answer->bytes_per_s;
	return rc == 0;
}

int pl_comm_memo_ask(struct pl_comm_memo *memo, double bytes, size_t n_ranks, double *bytes_per_s,
		     struct pl_err *err)
{
	const int known = pl_comm_memo_find(memo, bytes, n_ranks, bytes_per_s, err);

	if (known != 0)
		return known > 0 ? 0 : -1;
	return pl_err_set(err, PL_EUSAGE, "bandwidths are not known for %zu ranks", n_ranks);
}
