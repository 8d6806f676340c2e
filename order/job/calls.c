/* SPDX-License-Identifier: BSD-3-Clause */
/* calls.c - the calls of a job's kinds, as the cost models know them */
#include "config.h"

#include "order/job/calls.h"

#include "costmodels/catalogue.h"

int pl_job_find_algorithm(struct pl_order_algorithm *what, const struct pl_job *job,
			  const struct pl_job_kind *kind, const char *library, struct pl_err *err)
{
	struct pl_order_names names = {.impl = library};

	if (job->library)
		names.impl = job->library;
	if (kind->library)
		names.impl = kind->library;
	if (kind->form == PL_JOB_COLLECTIVE) {
		names.collective = pl_collective_name(kind->collective);
		names.algorithm = kind->algorithm;
	}
	return pl_order_algorithm_find(what, &names, err);
}

static size_t run_length(const size_t *seat, size_t n)
{
	size_t first = 1, i = 0;

	while (first < n && seat[first] == seat[0])
		first++;
	while (i < n && n % first == 0 && seat[i] == seat[i - i % first])
		i++;
	return i == n ? first : 1;
}

struct pl_call pl_job_call(const struct pl_job_kind *kind, const struct pl_order_algorithm *what,
			   const size_t *seat, size_t n)
{
	return (struct pl_call){.n_pos = n,
				.bytes = kind->bytes,
				.element_bytes =
					kind->bytes % PL_ORDER_ELEMENT ? 1 : PL_ORDER_ELEMENT,
				.radix = what->radix,
				.slots = run_length(seat, n)};
}
