/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-hello.c - any bytes from who connects: a peer that shows the key and has the schedule, or
 * nobody */
#include "config.h"

#include "engine/mesh.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KEY "0123456789abcde"
#define HELLO_BYTES 60

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int come(const struct sockaddr_storage *address, const uint8_t *data, size_t size)
{
	const int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (fd < 0 || connect(fd, (const struct sockaddr *)address, sizeof(struct sockaddr_in)))
		abort();
	if (size > 0 && send(fd, data, size, MSG_NOSIGNAL) != (ssize_t)size)
		abort();
	shutdown(fd, SHUT_WR);
	return fd;
}

/* Is it what the rank says of its connection @lane? */
static bool is_hello(const uint8_t *data, size_t size, uint32_t rank, uint32_t lane)
{
	const uint32_t magic = htonl(0x706c696eU);
	const uint32_t digest[2] = {0, htonl(5)};

	rank = htonl(rank);
	lane = htonl(lane);
	return size >= HELLO_BYTES && memcmp(data, &magic, 4) == 0 &&
	       memcmp(data + 4, KEY, 16) == 0 && memcmp(data + 20, digest, 8) == 0 &&
	       memcmp(data + 28, &rank, 4) == 0 && memcmp(data + 32, &lane, 4) == 0;
}

/* Rank 0 of three, of which only rank 1 is its peer, by two lanes. A peer may come too late to be
 * kept. */
static void check(const struct pl_mesh *m, const uint8_t *data, size_t size)
{
	for (uint32_t rank = 0; rank < 3; rank++)
		for (uint32_t k = 0; k < 2; k++)
			if (m->lane[2 * rank + k].fd >= 0 &&
			    !(rank == 1 && is_hello(data, size, rank, k)))
				abort();
	if (m->watch[0] >= 0 || m->watch[2] >= 0 ||
	    (m->watch[1] >= 0 && !is_hello(data, size, 1, 2)))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const bool is_peer[3] = {false, true, false};
	const struct pl_mesh_options o = {.n_ranks = 3,
					  .n_lanes = 2,
					  .shares_memory = true,
					  .key = KEY,
					  .digest = 5,
					  .patience_ns = 2000000};
	struct sockaddr_storage address = {0};
	struct sockaddr_in *a = (struct sockaddr_in *)&address;
	struct pl_err err = {0};
	struct pl_mesh m;
	int fd;

	a->sin_family = AF_INET;
	a->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (pl_mesh_listen(&m, &o, &address, &err))
		abort();
	fd = come(&address, data, size);
	if (pl_mesh_connect(&m, is_peer, &address, &err) == 0 || !err.text[0])
		abort();
	check(&m, data, size);
	pl_mesh_fini(&m);
	close(fd);
	return 0;
}
