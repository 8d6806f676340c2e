/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-schedule-pattern.c - schedules written down: their messages are those of a run, their bytes
 * those of the thesis */
#include "config.h"

#include "costmodels/catalogue.h"
#include "engine/allreduce.h"
#include "engine/schedule-pattern.h"
#include "tests/engine/two-level.h"
#include "tests/tap.h"

#include <stdlib.h>

#define N_MAX 16
#define BYTES_MAX 20000

/* What has been sent, in its order; the first `delivered` have arrived. */
struct record {
	struct pl_message *sent;
	size_t n, room, delivered;
};

struct rank {
	uint32_t rank;
	struct pl_program program;
	struct pl_allreduce r;
	unsigned char data[BYTES_MAX];
	struct record *record;
};

static struct rank ranks[N_MAX];

static int send_to(void *self, uint32_t peer, uint32_t chunk, const void *data, size_t bytes,
		   bool signal, struct pl_err *err)
{
	struct rank *rank = self;
	struct record *record = rank->record;

	(void)signal;
	(void)err;
	if (record->n == record->room) {
		record->room = 2 * record->room + 64;
		record->sent = realloc(record->sent, record->room * sizeof(*record->sent));
	}
	record->sent[record->n++] =
		(struct pl_message){.src = rank->rank,
				    .dst = peer,
				    .tag = chunk,
				    .at = (uint64_t)((const unsigned char *)data - rank->data),
				    .bytes = bytes};
	return 1;
}

static void add_bytes(void *sum, const void *more, size_t n, void *with)
{
	(void)sum;
	(void)more;
	(void)n;
	(void)with;
}

static int deliver(struct record *record, struct pl_err *err)
{
	const struct pl_message m = record->sent[record->delivered++];
	struct pl_chunk_arrival *a = pl_chunk_arrival_create(NULL, m.bytes);

	a->peer = m.src;
	memset(a->data, 0, m.bytes);
	return pl_allreduce_arrived(&ranks[m.dst].r, m.tag, a, err);
}

/* All messages of a run. */
static int run(const struct pl_schedule *s, uint32_t n, uint64_t bytes, struct record *record,
	       struct pl_err *err)
{
	const size_t element = bytes % 4 ? 1 : 4;
	int rc = 0;

	for (uint32_t i = 0; i < n; i++) {
		const struct pl_allreduce_call call = {.buffer = ranks[i].data,
						       .count = bytes / element,
						       .adder = {add_bytes, NULL, element},
						       .chunk_bytes = s->chunk_bytes,
						       .window = s->window};

		ranks[i].rank = i;
		ranks[i].record = record;
		if (pl_program_init(&ranks[i].program, &s->slices, i, err) ||
		    pl_allreduce_init(&ranks[i].r, &ranks[i].program,
				      (struct pl_transport){.send = send_to,
							    .self = &ranks[i],
							    .chunks_max = 1 << 20},
				      &call, err))
			return -1;
	}
	while (rc == 0 && record->delivered < record->n)
		rc = deliver(record, err);
	for (uint32_t i = 0; i < n; i++) {
		if (rc == 0 && !pl_allreduce_is_done(&ranks[i].r))
			rc = pl_err_set(err, PL_EINPUT, "rank %u is not done", i);
		pl_allreduce_fini(&ranks[i].r);
		pl_program_fini(&ranks[i].program);
	}
	return rc;
}

/* By what makes messages the same; those that are stay in their order. */
static int by_identity(const void *a, const void *b)
{
	const struct pl_message *x = a, *y = b;
	const uint64_t of_x[] = {x->src, x->dst, x->tag, x->at, x->bytes};
	const uint64_t of_y[] = {y->src, y->dst, y->tag, y->at, y->bytes};

	for (size_t i = 0; i < 5; i++)
		if (of_x[i] != of_y[i])
			return of_x[i] < of_y[i] ? -1 : 1;
	return 0;
}

static bool are_same(const struct pl_pattern *p, struct record *record)
{
	struct pl_message *m = malloc(p->n_messages * sizeof(*m));
	bool same = p->n_messages == record->n;

	if (same && record->n > 0) {
		memcpy(m, p->message, record->n * sizeof(*m));
		qsort(m, record->n, sizeof(*m), by_identity);
		qsort(record->sent, record->n, sizeof(*m), by_identity);
	}
	for (size_t i = 0; same && i < record->n; i++)
		same = by_identity(&m[i], &record->sent[i]) == 0;
	free(m);
	return same;
}

/* Does each rank do what it does with a chunk in the order of its program, and begin with the sends
 * where a strand is held? */
static bool are_in_order(const struct pl_pattern *p, const struct pl_schedule *s)
{
	bool good = p->window == s->window;

	for (size_t i = 0; good && i < p->n_messages; i++) {
		const struct pl_message *m = &p->message[i];

		/* what a rank sends on in a later round, it has received */
		for (size_t k = p->into[m->src]; good && k < p->into[m->src + 1]; k++) {
			const struct pl_message *in = &p->message[p->received[k]];

			if (in->tag == m->tag)
				good = (in->round < m->round) == (in->received_step < m->send_step);
		}
	}
	return good;
}

static void check_run(const char *name, const struct pl_schedule *s, uint32_t n)
{
	static const uint64_t sizes[] = {0, 4, 52, 4099, 16384, BYTES_MAX};
	struct pl_err err = {0};
	bool same = true, in_order = true;

	for (size_t i = 0; i < 6 && same && in_order; i++) {
		struct record record = {0};
		struct pl_pattern p = {0};

		same = pl_schedule_pattern(&p, s, n, sizes[i], &err) == 0 &&
		       run(s, n, sizes[i], &record, &err) == 0 && are_same(&p, &record);
		in_order = are_in_order(&p, s);
		pl_pattern_fini(&p);
		free(record.sent);
	}
	ok(same, "%s of %u ranks: the messages of a run%s%s", name, n, err.text[0] ? ": " : "",
	   err.text);
	ok(in_order, "%s of %u ranks: each waits for what it sends on", name, n);
}

/* The parameter server of each rank has the same share. */
static void make_servers(struct pl_slices *slices, uint32_t n)
{
	for (uint32_t server = 0; server < n; server++) {
		struct pl_slice slice = {.weight = 1};

		for (uint32_t i = 0; i < 2 * n; i++) {
			const struct pl_slice_transfer t = {.round = i >= n,
							    .src = i < n ? i : server,
							    .dst = i < n ? server : i - n,
							    .adds = i < n};

			if (t.src != t.dst)
				pl_slice_append(&slice, t);
		}
		pl_slices_add_take(slices, &slice, PL_SLICE_ALL);
	}
}

static void make_two_levels(struct pl_slices *slices, uint32_t n, uint32_t per_rack)
{
	uint32_t group[N_MAX];
	const struct pl_two_level two = {.n_ranks = n, .n_groups = n / per_rack, .group = group};

	for (uint32_t i = 0; i < n; i++)
		group[i] = i / per_rack;
	pl_two_level_slices(slices, &two, NULL);
}

/* Bytes of all messages, and of those between racks. */
static void check_bytes(const char *name, const struct pl_schedule *s, uint32_t n,
			uint32_t per_rack, uint64_t between)
{
	const uint64_t bytes = (uint64_t)n * 65536;
	struct pl_pattern p = {0};
	uint64_t all = 0, across = 0;

	if (!ok(pl_schedule_pattern(&p, s, n, bytes, NULL) == 0, "%s", name))
		return;
	for (size_t i = 0; i < p.n_messages; i++) {
		const struct pl_message *m = &p.message[i];

		all += m->bytes;
		across += m->src / per_rack != m->dst / per_rack ? m->bytes : 0;
	}
	ok(all == 2 * (n - 1) * bytes && across == between * bytes,
	   "%s, %u in racks of %u: %.17g and %.17g buffers, table 4.1", name, n, per_rack,
	   (double)all / (double)bytes, (double)across / (double)bytes);
	pl_pattern_fini(&p);
}

/* Table 4.1 of the PLink thesis, with N = per_rack and C racks. */
static void check_table(uint32_t n, uint32_t per_rack)
{
	const uint64_t racks = n / per_rack;
	struct pl_schedule two = {.chunk_bytes = 4096, .window = 3};
	struct pl_schedule servers = two;

	make_two_levels(&two.slices, n, per_rack);
	make_servers(&servers.slices, n);
	check_bytes("two-level", &two, n, per_rack, 2 * (racks - 1));
	check_bytes("servers", &servers, n, per_rack, 2 * per_rack * (racks - 1));
	check_run("two-level", &two, n);
	check_run("servers", &servers, n);
	pl_slices_fini(&two.slices);
	pl_slices_fini(&servers.slices);
}

static void check_algorithm(const char *name, uint32_t n)
{
	const struct pl_algorithm *a = pl_catalogue_named(PL_ALLREDUCE, PL_THESIS, name);
	const struct pl_call call = {.n_pos = n, .bytes = 4096};
	struct pl_schedule s = {.chunk_bytes = 100};
	struct pl_pattern p = {0};

	if (pl_algorithm_pattern(a, &call, &p, NULL) == 0 &&
	    pl_slices_of_pattern(&s.slices, &p, NULL) == 0)
		check_run(name, &s, n);
	else
		ok(false, "%s of %u ranks", name, n);
	pl_pattern_fini(&p);
	pl_slices_fini(&s.slices);
}

static void check_limits(void)
{
	struct pl_schedule s = {.chunk_bytes = 1};
	struct pl_pattern p = {0};
	struct pl_err err;

	make_servers(&s.slices, 4);
	ok(pl_schedule_pattern(&p, &s, 4, UINT64_C(1) << 60, &err) == -1 && err.code == PL_EUSAGE &&
		   !p.message,
	   "too many chunks: %s", err.text);
	ok(pl_schedule_pattern(&p, &s, 4, UINT64_C(1) << 23, &err) == -1 && err.code == PL_EUSAGE &&
		   !p.message,
	   "too many messages: %s", err.text);
	pl_slices_fini(&s.slices);
	ok(pl_schedule_pattern(&p, &s, 4, 64, &err) == -1 && err.code == PL_EINPUT, "no slice: %s",
	   err.text);
}

int main(void)
{
	static const char *const names[] = {"ring", "halving-doubling", "double-binary-tree",
					    "two-level"};

	check_table(16, 4);
	check_table(12, 3);
	check_table(8, 4);
	check_table(4, 1);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		for (uint32_t n = 2; n <= 9; n++)
			check_algorithm(names[i], n);
	check_limits();
	return done_testing();
}
