/* SPDX-License-Identifier: BSD-3-Clause */
/* openmpi.c - table of the algorithms */
#include "config.h"

#include "costmodels/openmpi/openmpi.h"

#include "costmodels/openmpi/algorithms.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

const struct pl_algorithm pl_openmpi_algorithms[] = {
	/* all-reduce */

	/* broadcast */

	/* reduce */

	/* all-gather */

	/* reduce-scatter */

	/* barrier */

	{.name = NULL},
};

const struct pl_algorithm *pl_openmpi_algorithm(enum pl_collective collective,
						const char *name)
{
	const struct pl_algorithm *a = pl_openmpi_algorithms;

	while (a->name &&
	       (a->collective != collective || strcmp(a->name, name) != 0))
		a++;
	assert(a->name);
	return a;
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
