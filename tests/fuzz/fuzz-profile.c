/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-profile.c - any bytes as a profile: times above 0, or an error with its place */
#include "config.h"

#include "planner/srift/profile/profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_instance(const struct pl_profile *p, const struct pl_profile_instance *in)
{
	const double last = in->forward.batch[in->forward.n - 1];

	if (pl_profile_find(p, in->name, strlen(in->name)) != in || in->ranks < 1 ||
	    !(in->straggler >= 0 && in->straggler <= 1))
		abort();
	for (size_t i = 0; i < p->n_layers; i++)
		if (!(in->finish[i] >= 0 && in->finish[i] <= 1))
			abort();
	for (int i = 0; i <= 10; i++) {
		const double first = in->forward.batch[0];
		const double at = first + (last - first) * i / 10;

		if (!(pl_profile_seconds(&in->forward, at) > 0) ||
		    !(pl_profile_seconds(&in->backward, at) > 0))
			abort();
	}
}

static void check_number(const struct pl_profile *p, const struct pl_profile_number *number)
{
	if (pl_profile_number_find(&p->numbers, number->name, number->instance) != number ||
	    !isfinite(number->value) || !(number->batch >= 0))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pl_profile p = {0};
	struct pl_text text;
	struct pl_err err = {0};

	if (pl_text_copy(&text, "fuzz", data, size, &err))
		return 0;
	if (pl_profile_parse(&p, &text, &err) == 0) {
		for (size_t i = 0; i < p.n_instances; i++)
			check_instance(&p, &p.instance[i]);
		for (size_t i = 0; i < p.numbers.n; i++)
			check_number(&p, &p.numbers.v[i]);
	} else if (err.code != PL_EINPUT || err.line < 1 || err.col < 1 || p.layer || p.instance)
		abort();
	pl_profile_fini(&p);
	pl_text_fini(&text);
	return 0;
}
