/* SPDX-License-Identifier: BSD-3-Clause */
/* measured.c - what stands in the head of a matrix that is measured now */
#include "config.h"

#include "base/clock.h"
#include "base/matrix/matrix.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static int set_string(char **to, const char *s)
{
	free(*to);
	*to = pl_string_copy(s, strlen(s));
	return *to ? 0 : -1;
}

int pl_matrix_set_method(struct pl_matrix *m, const char *method)
{
	return set_string(&m->method, method);
}

int pl_matrix_describe(struct pl_matrix *m, const char *method, const char *const *statistic,
		       size_t n_rtt, size_t n)
{
	char now[32];

	if (set_string(&m->layer[0].statistic, statistic[0]) || pl_matrix_set_method(m, method) ||
	    set_string(&m->created, pl_clock_date(now)))
		return -1;
	m->layer[0].quantity = PL_RTT;
	m->layer[0].unit = PL_NS;
	m->symmetrize = PL_SYM_MAX;
	for (size_t k = 1; k < n; k++)
		if (!pl_matrix_add_layer(m, statistic[k], k < n_rtt ? PL_RTT : PL_COUNT,
					 k < n_rtt ? PL_NS : PL_PROBES))
			return -1;
	return 0;
}
