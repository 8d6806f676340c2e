/* SPDX-License-Identifier: BSD-3-Clause */
/* trips.c - what delays a trace's round trips really got */
#include "config.h"

#include "tests/testbed/network/trips.h"

#include "base/mem.h"
#include "base/stats.h"
#include "probes/protocol/packet.h"

#include <netinet/in.h>
#include <netinet/ip_icmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define UDP_BYTES 8

enum way { FORTH, BACK };

/* Half of a round trip. Sorted, both halves of one are neighbours, and those of one pair and round
 * are in the order in which they were asked for. */
struct half {
	uint16_t asker, other;
	uint8_t protocol;
	uint16_t round; /* of plink's; ICMP: a process' number */
	uint32_t seq;
	enum way way;
	uint32_t change;
	size_t at; /* in the trace */
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
	if (len != UDP_BYTES + PL_PACKET_BYTES || in[UDP_BYTES] != PL_PACKET_VERSION)
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

	*half = (struct half){.applied_ns = t->applied_ns, .change = t->change};
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
	if (x->way != y->way)
		return x->way < y->way ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

/* The answer to half[i], the first request of its number; n: there is none. Sets the place of the
 * next number. */
static size_t find_answer(const struct half *half, size_t n, size_t i, size_t *next)
{
	size_t answer = n;

	for (*next = i; *next < n && half[*next].seq == half[i].seq; (*next)++)
		if (half[*next].way == BACK && answer == n)
			answer = *next;
	return half[i].way == FORTH ? answer : n;
}

/* Trips of half[n], all of one round, under @change, as ns[]. How many. */
static size_t join(const struct half *half, size_t n, uint32_t change, int64_t *ns)
{
	bool warm = half->protocol != IPPROTO_UDP;
	size_t k = 0, next;

	for (size_t i = 0; i < n; i = next) {
		const size_t answer = find_answer(half, n, i, &next);

		if (answer == n)
			continue;
		if (warm && half[i].change == change && half[answer].change == change)
			ns[k++] = half[i].applied_ns + half[answer].applied_ns;
		warm = true;
	}
	return k;
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

/* The halves among @in's packets. How many. */
static size_t find_halves(const struct tb_trips_input *in, struct half *half)
{
	size_t m = 0;

	for (size_t i = 0; i < in->len; i++) {
		const struct tb_traced *t = &in->packet[i];

		if (t->src < in->n && t->dst < in->n && is_half(t, &half[m]))
			half[m++].at = i;
	}
	qsort(half, m, sizeof(*half), compare);
	return m;
}

int tb_trips(const struct tb_trips_input *in, struct tb_trips *trips, struct pl_err *err)
{
	const size_t n = in->n;
	struct half *half = pl_array_create(in->len, sizeof(*half));
	int64_t *ns = pl_array_create(in->len, sizeof(*ns));
	size_t m, end, k;
	int ret = -1;

	memset(trips, 0, n * n * sizeof(*trips));
	if (!half || !ns) {
		pl_err_nomem(err);
		goto out;
	}
	m = find_halves(in, half);
	for (size_t i = 0; i < m; i = end) {
		for (end = i + 1; end < m; end++)
			if (compare_rounds(&half[i], &half[end]))
				break;
		k = join(half + i, end - i, in->change, ns);
		pl_sort_int64(ns, k);
		if (k > 0)
			take_round(ns, k, &trips[half[i].asker * n + half[i].other]);
	}
	ret = 0;
out:
	free(half);
	free(ns);
	return ret;
}
