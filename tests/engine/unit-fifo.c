/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-fifo.c - parts in shared memory: where both ends find them, who is woken, and what is
 * refused */
#include "config.h"

#include "base/rng.h"
#include "engine/fifo.h"
#include "tests/tap.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <unistd.h>

static bool is_filled(const unsigned char *at, size_t bytes, unsigned char with)
{
	for (size_t i = 0; i < bytes; i++)
		if (at[i] != with)
			return false;
	return true;
}

struct ends {
	struct pl_fifo w, r;
	unsigned written, read;
};

/* The reader reads its next part and frees it. Is it as it was written? */
static bool read_one(struct ends *e)
{
	const unsigned char *head = pl_fifo_head(&e->r), *data;
	uint32_t value[2];

	if (!head)
		return false;
	memcpy(value, head, sizeof(value));
	data = pl_fifo_read(&e->r, value[1]);
	return data && value[0] == e->read++ &&
	       is_filled(data, value[1], (unsigned char)value[0]) && pl_fifo_free(&e->r);
}

/* Parts of many lengths; where there is no room, one is read first. */
static void check_parts(struct ends e)
{
	struct pl_rng rng;
	size_t n_full = 0;
	bool good = true;

	pl_rng_init(&rng, 5, 1);
	while (good && e.written < 5000) {
		const uint32_t n = 1 + (uint32_t)pl_rng_below(&rng, PL_FIFO_PART_MAX);
		const uint32_t head[2] = {e.written, n};
		void *to;

		while (good && !(to = pl_fifo_reserve(&e.w, n))) {
			n_full++;
			good = read_one(&e);
		}
		if (!good)
			break;
		memset(to, (unsigned char)e.written++, n);
		pl_fifo_write(&e.w, (const unsigned char *)head, n);
	}
	ok(good && n_full > 100,
	   "5000 parts are read as they were written; %zu times there was no room", n_full);
}

static void check_sleep(struct pl_fifo w, struct pl_fifo r)
{
	const unsigned char head[PL_FIFO_HEAD_BYTES] = {1};

	ok(!pl_fifo_head(&r) && pl_fifo_sleep(&r), "a reader may sleep");
	ok(pl_fifo_reserve(&w, 1) && pl_fifo_write(&w, head, 1), "the next part is to wake it");
	ok(pl_fifo_reserve(&w, 1) && !pl_fifo_write(&w, head, 1), "the one after that is not");
	ok(!pl_fifo_sleep(&r), "it may not sleep while a part is there");
	pl_fifo_wake(&r);
	ok(pl_fifo_reserve(&w, 1) && !pl_fifo_write(&w, head, 1), "one that is awake is not woken");
	ok(pl_fifo_read(&r, 1) && !pl_fifo_free(&r), "nor is a writer that has room");
	ok(!pl_fifo_read(&r, PL_FIFO_PART_MAX + 1), "no part is so long");
}

int main(void)
{
	struct pl_fifo_offer offer, other;
	struct pl_fifo_memory *memory, *opened;
	int fd;

	memory = pl_fifo_memory_create(&offer, &fd);
	opened = pl_fifo_memory_open(&offer);
	if (!ok(memory && opened && opened != memory, "memory is opened"))
		return done_testing();
	check_sleep((struct pl_fifo){memory, 1, 0}, (struct pl_fifo){opened, 1, 0});
	check_parts((struct ends){.w = {memory, 0, 0}, .r = {opened, 0, 0}});
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
