/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-hub.c - any bytes as what two ranks say to a hub: calls that go on in number and are the
 * same, an error, or the end */
#include "config.h"

#include "engine/hub.h"

#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The hub's end of a connection on which the rank says this, and ends. */
static int rank_says(const uint8_t *data, size_t size)
{
	int fd[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, fd) ||
	    (size > 0 && send(fd[0], data, size, MSG_DONTWAIT) < 0))
		abort();
	close(fd[0]);
	return fd[1];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int watch[3] = {rank_says(data, size / 2), rank_says(data + size / 2, size - size / 2), -1};
	char *name[] = {(char[]){"h8"}};
	const struct pl_mesh m = {.options = {.rank = 2, .n_ranks = 3, .first_hub = 2, .hub = name},
				  .watch = watch};
	struct pl_hub_ears ears;
	struct pl_err err = {0};
	uint64_t last = 0;
	int rc;

	if (pl_hub_ears_init(&ears, &m, &err))
		return 0;
	while ((rc = pl_hub_hear(&ears, &err)) > 0) {
		if (ears.last.number <= last)
			abort();
		last = ears.last.number;
	}
	if (rc < 0 && err.code != PL_EINPUT && err.code != PL_ESYSTEM)
		abort();
	pl_hub_ears_fini(&ears);
	close(watch[0]);
	close(watch[1]);
	return 0;
}
