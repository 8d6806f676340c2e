/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-kineto.c - any bytes as a trace: times above 0, or an error with its
 * place */
#include "config.h"

#include "planner/srift/profile/kineto.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct pl_kineto *k)
{
	if (!(k->forward_s > 0 && k->backward_s > 0) || k->n_gradients == 0 ||
	    k->n_steps == 0 || !(k->straggler >= 0 && k->straggler <= 1))
		abort();
	for (size_t i = 0; i < k->n_gradients; i++)
		if (k->gradient[i].bytes == 0 ||
		    !(k->gradient[i].finish >= 0 && k->gradient[i].finish <= 1))
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
	if (fd < 0 || ftruncate(fd, 0) ||
	    pwrite(fd, data, size, 0) != (ssize_t)size)
		abort();
	if (pl_kineto_read(&k, path, &err) == 0)
		check(&k);
	else if ((err.code != PL_EINPUT && err.code != PL_ESYSTEM) ||
		 k.gradient)
		abort();
	pl_kineto_fini(&k);
	return 0;
}
