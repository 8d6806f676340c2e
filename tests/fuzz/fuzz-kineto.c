/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-kineto.c - any bytes as a trace, to both of its readers: times above 0, or an error with its
 * place */
#include "config.h"

#include "planner/srift/profile/kineto.h"
#include "planner/stalls/timeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct pl_kineto *k)
{
	if (!(k->forward_s > 0 && k->backward_s > 0) || k->n_gradients == 0 || k->n_steps == 0 ||
	    !(k->straggler >= 0 && k->straggler <= 1))
		abort();
	for (size_t i = 0; i < k->n_gradients; i++)
		if (k->gradient[i].bytes == 0 ||
		    !(k->gradient[i].finish >= 0 && k->gradient[i].finish <= 1))
			abort();
}

/* The parts of a step add up to it; rounding may take them below 0. */
static void check_timeline(const char *path)
{
	struct pl_stall_timeline t;
	struct pl_err err = {0};
	double slack;

	if (pl_stall_timeline_read(&t, path, &err)) {
		if (err.code != PL_EINPUT && err.code != PL_ESYSTEM)
			abort();
		return;
	}
	slack = 1e-6 * t.step_s;
	if (!(t.step_s > 0) || t.n_steps == 0 || t.data_s < 0 || t.exchange_s < -slack ||
	    t.compute_s < -slack || t.collectives_s < t.exchange_s - slack)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int fd = -1;
	static char path[64];
	struct pl_kineto k = {0};
	struct pl_err err = {0};

	if (fd < 0) {
		fd = memfd_create("trace", MFD_CLOEXEC);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	}
	if (fd < 0 || ftruncate(fd, 0) || pwrite(fd, data, size, 0) != (ssize_t)size)
		abort();
	if (pl_kineto_read(&k, path, &err) == 0)
		check(&k);
	else if ((err.code != PL_EINPUT && err.code != PL_ESYSTEM) || k.gradient)
		abort();
	pl_kineto_fini(&k);
	check_timeline(path);
	return 0;
}
