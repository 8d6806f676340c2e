/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-fifo.c - stretches in shared memory: where both ends find them, and what
 * is refused */
#include "config.h"

#include "base/rng.h"
#include "engine/fifo.h"
#include "tests/tap.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <unistd.h>

/* What the writer says of each stretch; the reader is up to 8 behind. */
#define BEHIND 8

static bool is_filled(const unsigned char *at, size_t bytes, unsigned char with)
{
	for (size_t i = 0; i < bytes; i++)
		if (at[i] != with)
			return false;
	return true;
}

struct ends {
	struct pl_fifo w, r;
	size_t bytes[BEHIND]; /* of what the reader has not read */
	unsigned written, read;
};

/* The reader reads its next stretch and frees it. Is it as it was written? */
static bool read_one(struct ends *e)
{
	const size_t n = e->bytes[e->read % BEHIND];
	const unsigned char *at = pl_fifo_read(&e->r, n);
	const bool same = at && is_filled(at, n, (unsigned char)e->read++);

	pl_fifo_free(&e->r);
	return same;
}

/* Stretches of many lengths. */
static void check_stretches(struct ends e)
{
	struct pl_rng rng;
	size_t n_full = 0;
	bool good = true;

	pl_rng_init(&rng, 5, 1);
	while (good && e.written < 5000) {
		const size_t n = 1 + pl_rng_below(&rng, 200000);
		void *to = NULL;

		while (good && (e.written - e.read == BEHIND ||
				!(to = pl_fifo_write(&e.w, n)))) {
			n_full += e.written - e.read < BEHIND;
			good = e.read < e.written && read_one(&e);
		}
		if (to)
			memset(to, (unsigned char)e.written, n);
		e.bytes[e.written++ % BEHIND] = n;
	}
	ok(good && n_full > 100,
	   "5000 stretches are read as they were written; %zu times there was "
	   "no room",
	   n_full);
}

int main(void)
{
	struct pl_fifo_offer offer, other;
	struct pl_fifo_memory *memory, *opened;
	struct pl_fifo none = {0};
	int fd;

	memory = pl_fifo_memory_create(&offer, &fd);
	opened = pl_fifo_memory_open(&offer);
	if (!ok(memory && opened && opened != memory, "memory is opened"))
		return done_testing();
	for (int k = 0; k < 2; k++)
		check_stretches((struct ends){.w = {memory, k, 0},
					      .r = {opened, k, 0}});
	ok(!pl_fifo_write(&(struct pl_fifo){memory, 0, 0}, PL_FIFO_BYTES + 1) &&
		   !pl_fifo_read(&(struct pl_fifo){memory, 0, 0},
				 PL_FIFO_BYTES + 1),
	   "a stretch longer than the memory is refused");
	ok(!pl_fifo_write(&none, 1) && !pl_fifo_read(&none, 1),
	   "no memory, no stretch");
	ok(ftruncate(fd, 0) != 0, "nobody can take it away");
	other = offer;
	other.token[3] ^= 1;
	ok(!pl_fifo_memory_open(&other), "another token is refused");
	other = offer;
	other.fd = htonl(1);
	ok(!pl_fifo_memory_open(&other), "any other file is refused");
	close(fd);
	ok(!pl_fifo_memory_open(&offer), "what is closed is refused");
	pl_fifo_memory_destroy(memory);
	pl_fifo_memory_destroy(opened);
	return done_testing();
}
