/* SPDX-License-Identifier: BSD-3-Clause */
/* trips.c - what delays a trace's round trips really got */
#include "config.h"

#include "tests/testbed/trips.h"

#include "probes/protocol/packet.h"
#include "src/mem.h"
#include "src/stats.h"

#include <netinet/in.h>
#include <netinet/ip_icmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define UDP_BYTES 8

enum way { FORTH, BACK };

/* Half of a round trip. Sorted, both halves of one are neighbours, and those of one
 * pair and round are in the order in which they were asked for. */
struct half {
	uint16_t asker, other;
	uint8_t protocol;
	uint16_t round; /* of plink's; ICMP: a process' number */
	uint32_t seq;
	enum way way;
	int64_t applied_ns;
};

static uint32_t get(const unsigned char *in, size_t n)
{
	uint32_t value = 0;

	for (size_t i = 0; i < n; i++)
		value = value << 8 | in[i];
	return value;
}

static bool is_probe(const unsigned char *in, size_t len, struct half *half)
{
	if (len != UDP_BYTES + PL_PACKET_BYTES ||
	    in[UDP_BYTES] != PL_PACKET_VERSION)
		return false;
	in += UDP_BYTES;
	if (in[1] != PL_REQUEST && in[1] != PL_REPLY)
		return false;
	half->way = in[1] == PL_REQUEST ? FORTH : BACK;
	half->round = (uint16_t)get(in + 2, 2);
	half->seq = get(in + 4, 4);
	return true;
}

static bool is_echo(const unsigned char *in, size_t len, struct half *half)
{
	if (len < 8 || (in[0] != ICMP_ECHO && in[0] != ICMP_ECHOREPLY))
		return false;
	half->way = in[0] == ICMP_ECHO ? FORTH : BACK;
	half->round = (uint16_t)get(in + 4, 2);
	half->seq = get(in + 6, 2);
	return true;
}

/* Is the packet half of a round trip, and which? */
static bool is_half(const struct tb_traced *t, struct half *half)
{
	const size_t head = (size_t)(t->head[0] & 15) * 4;
	bool is = false;

	*half = (struct half){.applied_ns = t->applied_ns};
	if (head < 20 || t->len < head || head + UDP_BYTES > TB_TRACE_HEAD)
		return false;
	half->protocol = t->head[9];
	if (half->protocol == IPPROTO_UDP && head == 20)
		is = is_probe(t->head + head, t->len - head, half);
	else if (half->protocol == IPPROTO_ICMP)
		is = is_echo(t->head + head, t->len - head, half);
	half->asker = half->way == FORTH ? t->src : t->dst;
	half->other = half->way == FORTH ? t->dst : t->src;
	return is;
}

static int compare_rounds(const struct half *x, const struct half *y)
{
	if (x->asker != y->asker)
		return x->asker < y->asker ? -1 : 1;
	if (x->other != y->other)
		return x->other < y->other ? -1 : 1;
	if (x->protocol != y->protocol)
		return x->protocol < y->protocol ? -1 : 1;
	return x->round < y->round ? -1 : x->round > y->round;
}

static int compare(const void *a, const void *b)
{
	const struct half *x = a, *y = b;
	const int rounds = compare_rounds(x, y);

	if (rounds)
		return rounds;
	if (x->seq != y->seq)
		return x->seq < y->seq ? -1 : 1;
	return x->way < y->way ? -1 : x->way > y->way;
}

/* Trips of half[n], all of one round, as ns[]. How many. */
static size_t join(const struct half *half, size_t n, int64_t *ns)
{
	size_t k = 0;

	for (size_t i = 0; i + 1 < n; i++)
		if (half[i].way == FORTH && half[i + 1].way == BACK &&
		    half[i].seq == half[i + 1].seq)
			ns[k++] = half[i].applied_ns + half[i + 1].applied_ns;
	if (k == 0 || half->protocol != IPPROTO_UDP)
		return k;
	memmove(ns, ns + 1, (k - 1) * sizeof(*ns));
	return k - 1;
}

static void take_round(const int64_t *ns, size_t k, struct tb_trips *trips)
{
	const int64_t p10_ns = ns[pl_percentile_index(k, 0.1)];

	if (trips->n > 0 && trips->p10_ns <= p10_ns)
		return;
	trips->n = k;
	trips->min_ns = ns[0];
	trips->p10_ns = p10_ns;
	trips->p50_ns = ns[pl_percentile_index(k, 0.5)];
}

int tb_trips(const struct tb_traced *packet, size_t len, size_t n,
	     struct tb_trips *trips, struct pl_err *err)
{
	struct half *half = pl_array_create(len, sizeof(*half));
	int64_t *ns = pl_array_create(len, sizeof(*ns));
	size_t m = 0, end, k;
	int ret = -1;

	memset(trips, 0, n * n * sizeof(*trips));
	if (!half || !ns) {
		pl_err_nomem(err);
		goto out;
	}
	for (size_t i = 0; i < len; i++)
		if (packet[i].src < n && packet[i].dst < n)
			m += is_half(&packet[i], &half[m]);
	qsort(half, m, sizeof(*half), compare);
	for (size_t i = 0; i < m; i = end) {
		for (end = i + 1; end < m; end++)
			if (compare_rounds(&half[i], &half[end]))
				break;
		k = join(half + i, end - i, ns);
		pl_sort_int64(ns, k);
		if (k > 0)
			take_round(ns, k,
				   &trips[half[i].asker * n + half[i].other]);
	}
	ret = 0;
out:
	free(half);
	free(ns);
	return ret;
}
