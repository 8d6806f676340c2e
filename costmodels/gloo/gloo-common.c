/* SPDX-License-Identifier: BSD-3-Clause */
/* gloo-common.c - what Gloo's classes have in common, and the paced ring */
#include "config.h"

#include "costmodels/catalogue.h"
#include "costmodels/gloo/algorithms.h"

#include <string.h>

void pl_gloo_notify(struct pl_script *s, size_t dst)
{
	pl_script_tag(s, PL_GLOO_NOTIFY);
	pl_script_data(s, 0, PL_TAKES_NOTHING);
	pl_script_isend(s, dst, PL_GLOO_NOTIFICATION_BYTES);
	pl_script_tag(s, PL_GLOO_DATA);
}

void pl_gloo_await(struct pl_script *s, size_t src)
{
	pl_script_tag(s, PL_GLOO_NOTIFY);
	pl_script_data(s, 0, PL_TAKES_NOTHING);
	pl_script_recv(s, src, PL_GLOO_NOTIFICATION_BYTES);
	pl_script_tag(s, PL_GLOO_DATA);
}

int pl_gloo_check_int(uint64_t bytes, struct pl_err *err)
{
	if (bytes <= INT32_MAX)
		return 0;
	return pl_err_set(err, PL_EUSAGE,
			  "this class of Gloo counts in an int: %llu bytes "
			  "are more than 2^31 - 1",
			  (unsigned long long)bytes);
}

/*
 * A round is a message one way and the neighbour's word back, 2 c + bytes / bw,
 * and whoever waits at the slowest link makes all others wait: no chain of
 * messages round the ring takes longer than going to and fro there.
 */
struct pl_hop pl_gloo_paced_hop(double rounds, double bytes)
{
	return (struct pl_hop){.times = 2 * rounds, .bytes = bytes / 2};
}

bool pl_gloo_is_function(const struct pl_algorithm *a, size_t radix)
{
	static const char *const functions[] = {"default", "segmented-ring", "binomial",
						"ring-v",  "dissemination",  "linear"};

	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++)
		if (strcmp(a->name, functions[i]) == 0)
			return true;
	/* the function has groups of two; of others there is a class */
	return strcmp(a->name, "bcube") == 0 && radix == 0;
}
