/* SPDX-License-Identifier: BSD-3-Clause */
/* way.c - what a schedule's slices ask of the links of a network */
#include "config.h"

#include "engine/way.h"

#include "base/mem.h"
#include "engine/cut.h"

#include <math.h>
#include <stdlib.h>

/* One direction of a card or an uplink. */
struct link {
	double bytes_per_s; /* 0: not known */
	double load;        /* copies of the buffer that it carries */
	double copies;      /* of the slice, in the present round */
};

/* What a rank did first with the slice; rounds count from 1, 0 is never. */
struct first {
	uint32_t sends, receives;
};

struct walk {
	const struct pl_network *net;
	const size_t *machine;
	size_t n_ranks, n_links;
	/* [n_links]: cards out and in, by machine, then uplinks out and in */
	struct link *link;
	struct pl_tiers_way cross;
	size_t *on; /* [n_links]: those that a transfer passes */
	size_t n_on;
	struct first *first; /* [n_ranks] */
	double *begun;       /* [n_ranks] */
};

static void walk_fini(struct walk *w)
{
	free(w->link);
	free(w->cross.leave);
	free(w->cross.enter);
	free(w->on);
	free(w->first);
	free(w->begun);
}

static void set_rates(struct walk *w)
{
	const struct pl_tiers *t = &w->net->tiers;

	for (size_t i = 0; i < w->n_links / 2; i++) {
		const struct pl_link_rate *rate = i < t->n ? &t->card[i] : &t->uplink[i - t->n];

		w->link[2 * i].bytes_per_s = rate->out_bps / 8 * PL_TIERS_TCP_SHARE;
		w->link[2 * i + 1].bytes_per_s = rate->in_bps / 8 * PL_TIERS_TCP_SHARE;
	}
}

static int walk_init(struct walk *w, const struct pl_network *net, const size_t *machine,
		     size_t n_ranks)
{
	const struct pl_tiers *t = &net->tiers;

	*w = (struct walk){.net = net,
			   .machine = machine,
			   .n_ranks = n_ranks,
			   .n_links = 2 * (t->n + t->n_groups)};
	w->link = pl_array_create(w->n_links, sizeof(*w->link));
	w->cross.leave = pl_array_create(t->n_groups, sizeof(size_t));
	w->cross.enter = pl_array_create(t->n_groups, sizeof(size_t));
	w->on = pl_array_create(w->n_links, sizeof(*w->on));
	w->first = pl_array_create(n_ranks, sizeof(*w->first));
	w->begun = pl_array_create(n_ranks, sizeof(*w->begun));
	if (!w->link || !w->cross.leave || !w->cross.enter || !w->on || !w->first || !w->begun)
		return -1;
	set_rates(w);
	return 0;
}

static void find_links(struct walk *w, const struct pl_slice_transfer *t)
{
	const size_t src = w->machine[t->src], dst = w->machine[t->dst];
	const size_t n = w->net->tiers.n;

	w->n_on = 0;
	if (src == dst)
		return;
	w->on[w->n_on++] = 2 * src;
	w->on[w->n_on++] = 2 * dst + 1;
	pl_tiers_cross(&w->net->tiers, src, dst, &w->cross);
	for (size_t i = 0; i < w->cross.n_leave; i++)
		w->on[w->n_on++] = 2 * (n + w->cross.leave[i]);
	for (size_t i = 0; i < w->cross.n_enter; i++)
		w->on[w->n_on++] = 2 * (n + w->cross.enter[i]) + 1;
}

/* Adds a round, transfers @from to @end of the slice, to what a chunk of it takes. */
static void walk_round(struct walk *w, const struct pl_slice *s, size_t from, size_t end,
		       double part, struct pl_window_way *way)
{
	double latency_s = 0, s_per_byte = 0;

	for (size_t i = from; i < end; i++) {
		const struct pl_slice_transfer *t = &s->transfer[i];
		const size_t src = w->machine[t->src];

		latency_s =
			fmax(latency_s, w->net->latency_s[src * w->net->n + w->machine[t->dst]]);
		find_links(w, t);
		for (size_t k = 0; k < w->n_on; k++) {
			struct link *link = &w->link[w->on[k]];

			link->load += part;
			link->copies++;
			if (link->bytes_per_s > 0)
				s_per_byte = fmax(s_per_byte, link->copies / link->bytes_per_s);
		}
	}
	for (size_t i = from; i < end; i++) {
		find_links(w, &s->transfer[i]);
		for (size_t k = 0; k < w->n_on; k++)
			w->link[w->on[k]].copies = 0;
	}
	way->round_trip_s += latency_s;
	way->s_per_byte += s_per_byte;
}

/* Who begins the slice: those that send before they receive, or in the same round. */
static void find_begun(struct walk *w, const struct pl_slice *s, double part)
{
	for (size_t r = 0; r < w->n_ranks; r++)
		w->first[r] = (struct first){0};
	for (size_t i = 0; i < s->n_transfers; i++) {
		const struct pl_slice_transfer *t = &s->transfer[i];

		if (w->first[t->src].sends == 0)
			w->first[t->src].sends = t->round + 1;
		if (w->first[t->dst].receives == 0)
			w->first[t->dst].receives = t->round + 1;
	}
	for (size_t r = 0; r < w->n_ranks; r++)
		if (w->first[r].sends > 0 && w->first[r].sends <= w->first[r].receives)
			w->begun[r] += part;
}

static void walk_slice(struct walk *w, const struct pl_slice *s, double part,
		       struct pl_window_way *longest)
{
	struct pl_window_way way = {0};

	for (size_t from = 0, end; from < s->n_transfers; from = end) {
		for (end = from;
		     end < s->n_transfers && s->transfer[end].round == s->transfer[from].round;)
			end++;
		walk_round(w, s, from, end, part, &way);
	}
	find_begun(w, s, part);
	longest->round_trip_s = fmax(longest->round_trip_s, way.round_trip_s);
	longest->s_per_byte = fmax(longest->s_per_byte, way.s_per_byte);
}

/* Of all links together. */
static void judge_links(const struct walk *w, struct pl_window_way *way, double *slowest)
{
	*slowest = 0;
	for (size_t i = 0; i < w->n_links; i++) {
		const struct link *link = &w->link[i];
		const double goes_on = link->bytes_per_s / link->load;

		if (link->load == 0 || link->bytes_per_s <= 0)
			continue;
		if (*slowest == 0 || link->bytes_per_s < *slowest)
			*slowest = link->bytes_per_s;
		if (way->bytes_per_s == 0 || goes_on < way->bytes_per_s)
			way->bytes_per_s = goes_on;
	}
}

int pl_slices_way(struct pl_window_way *way, double *slowest_bytes_per_s,
		  const struct pl_slices *slices, const size_t *machine, size_t n_ranks,
		  const struct pl_network *net, struct pl_err *err)
{
	struct walk w;
	double all = 0;

	*way = (struct pl_window_way){0};
	if (walk_init(&w, net, machine, n_ranks)) {
		walk_fini(&w);
		return pl_err_nomem(err);
	}
	for (size_t i = 0; i < slices->n; i++)
		all += (double)slices->slice[i].weight;
	for (size_t i = 0; i < slices->n; i++)
		walk_slice(&w, &slices->slice[i], (double)slices->slice[i].weight / all, way);
	judge_links(&w, way, slowest_bytes_per_s);
	for (size_t r = 0; r < n_ranks; r++)
		way->begun = fmax(way->begun, w.begun[r]);
	walk_fini(&w);
	return 0;
}

int pl_schedule_take_way(struct pl_schedule *s, struct pl_window_way *way, const size_t *machine,
			 size_t n_ranks, const struct pl_network *net, struct pl_err *err)
{
	double slowest;

	if (pl_slices_way(way, &slowest, &s->slices, machine, n_ranks, net, err))
		return -1;
	s->chunk_bytes = pl_cut_chunk_bytes(slowest);
	s->window = pl_window_chunks(way, s->chunk_bytes);
	return 0;
}
