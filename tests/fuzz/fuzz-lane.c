/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-lane.c - any bytes from a peer, in pieces of any size, by TCP or in memory: a sum, or an
 * error */
#include "config.h"

#include "engine/lane.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define CALL 7
#define COUNT 100

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int send_nothing(void *self, uint32_t peer, uint32_t chunk, const void *data, size_t bytes,
			bool signal, struct pl_err *err)
{
	(void)self;
	(void)peer;
	(void)chunk;
	(void)data;
	(void)bytes;
	(void)signal;
	(void)err;
	return 1;
}

static void add_bytes(void *sum, const void *more, size_t n, void *with)
{
	unsigned char *s = sum;
	const unsigned char *m = more;

	(void)with;
	for (size_t i = 0; i < n; i++)
		s[i] = (unsigned char)(s[i] + m[i]);
}

/* Everything that has come. 0, or -1 after an error, which must say what. */
static int receive(struct pl_lane *lane, struct pl_allreduce *r)
{
	struct pl_err err = {0};
	struct pl_chunk_arrival *arrival;
	uint32_t chunk;
	int rc;

	while ((rc = pl_lane_receive(lane, r, CALL, &chunk, &arrival, &err)) > 0)
		if (pl_allreduce_arrived(r, chunk, arrival, &err)) {
			rc = -1;
			break;
		}
	if (rc < 0 && (err.code != PL_EINPUT || !err.text[0]))
		abort();
	return rc;
}

/* The piece by TCP, or as a part in memory. Is there room for it? */
static bool put(struct pl_fifo *fifo, int to, const uint8_t *piece, size_t n)
{
	unsigned char head[PL_FIFO_HEAD_BYTES] = {0};
	const size_t bytes = n > sizeof(head) ? n - sizeof(head) : 0;
	void *part;

	if (!fifo->memory)
		return send(to, piece, n, 0) == (ssize_t)n;
	part = pl_fifo_reserve(fifo, bytes);
	if (!part)
		return false;
	memcpy(head, piece, n - bytes);
	memcpy(part, piece + n - bytes, bytes);
	pl_fifo_write(fifo, head, bytes);
	return true;
}

/* The first byte says how large the pieces are. */
static void feed(struct pl_lane *lane, struct pl_fifo *fifo, int to, struct pl_allreduce *r,
		 const uint8_t *data, size_t size)
{
	const size_t piece = data[0] % 128 ? data[0] % 128 : 256;
	int rc = 0;

	for (size_t at = 1; at < size && rc == 0 && !lane->held;) {
		const size_t n = size - at < piece ? size - at : piece;

		if (!put(fifo, to, data + at, n))
			abort();
		at += n;
		rc = receive(lane, r);
	}
}

/* Rank 0 of two: of one half of the buffer it is the master, the other is the peer's. They share
 * memory if the first byte is above 127. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pl_program_act act[] = {
		{PL_ADD_FROM, 0, 1},
		{PL_SEND_TO, 1, 1},
		{PL_SEND_TO, 0, 1},
		{PL_REPLACE_FROM, 1, 1},
	};
	uint64_t before[] = {0, 1, 2};
	size_t first[] = {0, 2, 4};
	const struct pl_program program = {
		.rank = 0, .n_slices = 2, .before = before, .act = act, .first = first};
	unsigned char buffer[COUNT] = {0};
	const struct pl_allreduce_call call = {.buffer = buffer,
					       .count = COUNT,
					       .adder = {add_bytes, NULL, 1},
					       .chunk_bytes = 16,
					       .window = 2};
	struct pl_lane lane = {.peer = 1};
	struct pl_fifo fifo = {0};
	struct pl_fifo_offer offer;
	struct pl_allreduce r;
	int fd[2], offered;

	if (size == 0)
		return 0;
	if (data[0] > 127) {
		fifo.memory = pl_fifo_memory_create(&offer, &offered);
		if (!fifo.memory)
			abort();
		close(offered);
	}
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, fd) || fcntl(fd[0], F_SETFL, O_NONBLOCK) ||
	    pl_allreduce_init(
		    &r, &program,
		    (struct pl_transport){.send = send_nothing, .chunks_max = PL_LANE_CHUNKS_MAX},
		    &call, NULL))
		abort();
	lane.fd = fd[0];
	lane.shared = fifo.memory;
	lane.in.memory = lane.out.memory = fifo.memory;
	feed(&lane, &fifo, fd[1], &r, data, size);
	pl_lane_fini(&lane);
	pl_allreduce_fini(&r);
	close(fd[1]);
	return 0;
}
