/* SPDX-License-Identifier: BSD-3-Clause */
/* tuning.c - one rank's side of schedules that change while the job runs */
#include "config.h"

#include "engine/tune/tuning.h"

#include "base/clock.h"
#include "base/mem.h"
#include "engine/tune/control.h"
#include "engine/tune/retune.h"
#include "engine/tune/sent.h"

#include <stdlib.h>
#include <string.h>

const struct pl_tuning_rules pl_tuning_rules = {
	.step = pl_tuner_step, .plan = pl_tuner_plan, .calls_min = 10, .ns_min = 200000000};

/* Messages of rank 0, and of the others. */
enum kind { ASK = 1, PLAN, REPORT, READY };

/* Schedules of this rank's own making. */
struct tuned {
	struct pl_schedules schedules;
	struct pl_rank_part part;
};

enum phase { RUNS, ASKED, PROPOSED, AGREED };

/* What rank 0 alone has. */
struct chief {
	struct pl_tuner *tuner;
	struct pl_tuning_rules rules;
	enum phase phase;
	size_t n_missing;       /* answers */
	uint64_t serial;        /* of the plan */
	uint64_t digest;        /* that all are to answer with */
	double *bytes, *busy_s; /* [n * n] */
	uint64_t *called_bytes; /* [schedules]: in this interval */
	int64_t *called_ns;
	uint64_t n_calls;
	int64_t begun_ns;
};

struct pl_tuning {
	uint32_t rank;
	size_t n, n_values;
	const struct pl_rank_part *original;
	struct tuned *now, *next; /* NULL: the original */
	bool has_next;
	struct pl_control *control;    /* [n]; fd -1: none */
	struct pl_sent *before, *sent; /* [n] */
	unsigned char *message;        /* room for any of this rank's */
	bool is_over;
	struct chief chief;
};

static void tuned_destroy(struct tuned *tuned)
{
	if (!tuned)
		return;
	pl_rank_part_fini(&tuned->part);
	pl_schedules_fini(&tuned->schedules);
	free(tuned);
}

void pl_tuning_destroy(struct pl_tuning *t)
{
	if (!t)
		return;
	tuned_destroy(t->now);
	tuned_destroy(t->next);
	for (size_t p = 0; t->control && p < t->n; p++)
		pl_control_fini(&t->control[p]);
	free(t->control);
	free(t->before);
	free(t->sent);
	free(t->message);
	pl_tuner_destroy(t->chief.tuner);
	free(t->chief.bytes);
	free(t->chief.busy_s);
	free(t->chief.called_bytes);
	free(t->chief.called_ns);
	free(t);
}

static size_t most(size_t a, size_t b)
{
	return a > b ? a : b;
}

static bool chief_init(struct pl_tuning *t, const struct pl_tuning_rules *rules)
{
	const struct pl_schedules *s = t->original->schedules;
	struct chief *c = &t->chief;

	*c = (struct chief){.rules = *rules, .begun_ns = pl_clock_ns()};
	c->tuner = pl_tuner_create(s);
	c->bytes = pl_array_create(t->n * t->n, sizeof(*c->bytes));
	c->busy_s = pl_array_create(t->n * t->n, sizeof(*c->busy_s));
	c->called_bytes = pl_array_create(s->n, sizeof(*c->called_bytes));
	c->called_ns = pl_array_create(s->n, sizeof(*c->called_ns));
	return c->tuner && c->bytes && c->busy_s && c->called_bytes && c->called_ns;
}

struct pl_tuning *pl_tuning_create(const struct pl_mesh *mesh, const struct pl_rank_part *part,
				   const struct pl_tuning_rules *rules)
{
	struct pl_tuning *t = calloc(1, sizeof(*t));
	size_t room;

	if (!t)
		return NULL;
	t->rank = mesh->options.rank;
	t->n = mesh->options.n_ranks;
	t->original = part;
	t->n_values = pl_retune_count(part->schedules);
	room = most((1 + t->n_values) * sizeof(uint64_t), pl_sent_bytes(t->n));
	t->control = pl_array_create(t->n, sizeof(*t->control));
	t->before = pl_array_create(t->n, sizeof(*t->before));
	t->sent = pl_array_create(t->n, sizeof(*t->sent));
	t->message = malloc(room);
	if (!t->control || !t->before || !t->sent || !t->message ||
	    (t->rank == 0 && !chief_init(t, rules))) {
		pl_tuning_destroy(t);
		return NULL;
	}
	for (size_t p = 0; p < t->n; p++) {
		t->control[p].fd = mesh->watch[p];
		if (t->control[p].fd >= 0)
			pl_control_prepare(&t->control[p], room);
	}
	pl_sent_read(mesh, t->before);
	t->is_over = room > PL_CONTROL_BYTES_MAX || t->n < 2 || t->n_values == 0;
	return t;
}

const struct pl_rank_part *pl_tuning_part(const struct pl_tuning *t)
{
	return t->now ? &t->now->part : t->original;
}

const char *pl_tuning_why(const struct pl_tuning *t)
{
	return t->chief.tuner ? pl_tuner_why(t->chief.tuner) : "rank 0 has decided so";
}

bool pl_tuning_raises(const struct pl_tuning *t)
{
	return t->rank == 0 && t->chief.phase == AGREED && !t->is_over;
}

static void send_to(struct pl_tuning *t, size_t peer, enum kind kind, size_t bytes)
{
	if (!pl_control_send(&t->control[peer], kind, t->message, bytes))
		t->is_over = true;
}

static void send_to_all(struct pl_tuning *t, enum kind kind, size_t bytes)
{
	for (size_t p = 1; p < t->n && !t->is_over; p++)
		send_to(t, p, kind, bytes);
	t->chief.n_missing = t->n - 1;
}

/* What this rank has sent since the last time, to t->message. */
static size_t report(struct pl_tuning *t, const struct pl_mesh *mesh)
{
	struct pl_sent *before = t->before;

	pl_sent_read(mesh, t->sent);
	pl_sent_write(t->message, t->n, t->before, t->sent);
	t->before = t->sent;
	t->sent = before;
	return pl_sent_bytes(t->n);
}

/* The schedules by numbers as they are sent; NULL: they cannot be made. */
static struct tuned *make(const struct pl_tuning *t, const unsigned char *from)
{
	struct tuned *tuned = calloc(1, sizeof(*tuned));
	double *value = pl_array_create(t->n_values, sizeof(*value));
	bool good = tuned && value;

	for (size_t i = 0; good && i < t->n_values; i++) {
		const uint64_t bits = pl_control_get(from, i);

		memcpy(&value[i], &bits, sizeof(bits));
	}
	good = good && pl_retune(&tuned->schedules, t->original->schedules, value, NULL) == 0 &&
	       pl_rank_part_init(&tuned->part, &tuned->schedules, t->rank, NULL) == 0;
	free(value);
	if (good)
		return tuned;
	tuned_destroy(tuned);
	return NULL;
}

/* Makes the schedules of a plan: a serial number, and the numbers or nothing, which is the
 * original. Their digest, or 0: they cannot be made. */
static uint64_t prepare(struct pl_tuning *t, const unsigned char *plan, size_t bytes)
{
	tuned_destroy(t->next);
	t->next = NULL;
	t->has_next = bytes == 8;
	if (bytes == 8)
		return pl_schedules_digest(t->original->schedules);
	if (bytes == 8 * (1 + t->n_values))
		t->next = make(t, plan + 8);
	t->has_next = t->next != NULL;
	return t->next ? pl_schedules_digest(&t->next->schedules) : 0;
}

/* The tuner's plan, to t->message and to all. */
static void propose(struct pl_tuning *t)
{
	struct chief *c = &t->chief;
	const double *value = c->rules.plan(c->tuner);
	const size_t bytes = 8 * (value ? 1 + t->n_values : 1);

	pl_control_put(t->message, 0, ++c->serial);
	for (size_t i = 0; value && i < t->n_values; i++) {
		uint64_t bits;

		memcpy(&bits, &value[i], sizeof(bits));
		pl_control_put(t->message, 1 + i, bits);
	}
	c->digest = prepare(t, t->message, bytes);
	t->is_over |= c->digest == 0;
	c->phase = PROPOSED;
	send_to_all(t, PLAN, bytes);
}

static void begin_interval(struct chief *c, size_t n_schedules)
{
	c->phase = RUNS;
	c->n_calls = 0;
	c->begun_ns = pl_clock_ns();
	memset(c->called_bytes, 0, n_schedules * sizeof(*c->called_bytes));
	memset(c->called_ns, 0, n_schedules * sizeof(*c->called_ns));
}

/* All reports are there. */
static void think(struct pl_tuning *t)
{
	struct chief *c = &t->chief;
	const struct pl_schedules *s = t->original->schedules;
	struct pl_tuner_sight sight = {.traffic = {t->n, c->bytes, c->busy_s},
				       .now = pl_tuning_part(t)->schedules};

	for (size_t i = 1; i < s->n; i++)
		if (c->called_bytes[i] > c->called_bytes[sight.schedule])
			sight.schedule = i;
	sight.bytes_per_s = (double)c->called_bytes[sight.schedule] * 1e9 /
			    (double)c->called_ns[sight.schedule];
	if (c->rules.step(c->tuner, &sight))
		propose(t);
	else
		begin_interval(c, s->n);
}

static void take_report(struct pl_tuning *t, size_t rank, const unsigned char *from)
{
	pl_sent_parse(from, t->n, t->chief.bytes + rank * t->n, t->chief.busy_s + rank * t->n);
}

static void ask(struct pl_tuning *t, const struct pl_mesh *mesh)
{
	t->chief.phase = ASKED;
	report(t, mesh);
	take_report(t, 0, t->message);
	send_to_all(t, ASK, 0);
}

/* All ranks do this after the same call. */
static void change(struct pl_tuning *t, const struct pl_mesh *mesh)
{
	if (!t->has_next)
		return;
	tuned_destroy(t->now);
	t->now = t->next;
	t->next = NULL;
	t->has_next = false;
	pl_sent_read(mesh, t->before);
	if (t->rank > 0)
		return;
	begin_interval(&t->chief, t->original->schedules->n);
	if (t->chief.rules.changed)
		t->chief.rules.changed(pl_tuner_why(t->chief.tuner));
}

void pl_tuning_called(struct pl_tuning *t, const struct pl_mesh *mesh, size_t schedule,
		      uint64_t bytes, int64_t ns, bool signalled)
{
	struct chief *c = &t->chief;

	if (t->rank == 0 && c->phase == RUNS && !t->is_over) {
		c->n_calls++;
		c->called_bytes[schedule] += bytes;
		c->called_ns[schedule] += ns;
	}
	if (signalled)
		change(t, mesh);
	if (t->rank == 0 && c->phase == RUNS && !t->is_over && c->n_calls >= c->rules.calls_min &&
	    pl_clock_ns() - c->begun_ns >= c->rules.ns_min)
		ask(t, mesh);
}

/* A message of another rank to rank 0. */
static void take_answer(struct pl_tuning *t, uint32_t peer, uint32_t kind,
			const unsigned char *from, size_t bytes)
{
	struct chief *c = &t->chief;

	if (c->phase == ASKED && kind == REPORT && bytes == pl_sent_bytes(t->n)) {
		take_report(t, peer, from);
		if (--c->n_missing == 0)
			think(t);
	} else if (c->phase == PROPOSED && kind == READY && bytes == 16 &&
		   pl_control_get(from, 0) == c->serial && pl_control_get(from, 1) == c->digest) {
		if (--c->n_missing == 0)
			c->phase = AGREED;
	} else {
		t->is_over = true;
	}
}

/* A message of rank 0. */
static void take_order(struct pl_tuning *t, const struct pl_mesh *mesh, uint32_t kind,
		       const unsigned char *from, size_t bytes)
{
	if (kind == ASK && bytes == 0) {
		send_to(t, 0, REPORT, report(t, mesh));
	} else if (kind == PLAN && bytes >= 8) {
		const uint64_t digest = prepare(t, from, bytes);

		memcpy(t->message, from, 8);
		pl_control_put(t->message, 1, digest);
		send_to(t, 0, READY, 16);
	} else {
		t->is_over = true;
	}
}

bool pl_tuning_hear(struct pl_tuning *t, const struct pl_mesh *mesh, uint32_t peer)
{
	struct pl_control *c = &t->control[peer];
	uint32_t kind;
	size_t bytes;
	int rc;

	while ((rc = pl_control_receive(c, &kind, &bytes)) > 0) {
		if (t->is_over)
			continue;
		if (t->rank == 0)
			take_answer(t, peer, kind, pl_control_content(c), bytes);
		else if (peer == 0)
			take_order(t, mesh, kind, pl_control_content(c), bytes);
	}
	return rc == 0;
}
