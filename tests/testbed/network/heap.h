/* SPDX-License-Identifier: BSD-3-Clause */
/* heap.h - packets on their way, the one that is due first on top */
#ifndef PLINK_TESTS_TESTBED_NETWORK_HEAP
#define PLINK_TESTS_TESTBED_NETWORK_HEAP

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One packet as read from the network device, offload header first. It is due when its first bit
 * reaches the next link or, once arrived, when its last bit is in. */
struct tb_packet {
	int64_t due_ns;   /* monotonic clock */
	int64_t sent_ns;  /* when it left the sender, as far as is known */
	int64_t tail_ns;  /* when its last bit reaches that link */
	int64_t delay_ns; /* delay of the way when the packet came */
	uint32_t change;  /* how often the delays had changed by then */
	uint64_t order;   /* breaks ties: first in, first out */
	uint32_t len, wire_bytes;
	uint16_t src, dst; /* host indices */
	uint8_t hop;       /* links passed */
	bool arrived;      /* it has passed all links */
	bool stray;        /* neither waits for its turn nor makes others wait */
	unsigned char data[];
};

/* A binary heap; start with {0}, end with fini. */
struct tb_heap {
	struct tb_packet **v;
	size_t n, room;
	uint64_t pushed;
};

/* Takes the packet; 0, or -1 when memory runs out (it stays the caller's). */
int tb_heap_push_take(struct tb_heap *heap, struct tb_packet *packet);

/* The packet due first, NULL when empty; borrowed. */
const struct tb_packet *tb_heap_top(const struct tb_heap *heap);

/* Removes and returns the packet due first; the caller frees it. The heap must not be empty. */
struct tb_packet *tb_heap_pop(struct tb_heap *heap);

/* Frees every packet left. */
void tb_heap_fini(struct tb_heap *heap);

#endif
