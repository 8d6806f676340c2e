/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-schedule.c - any bytes as schedules: ones that are written back alike and, where they pass
 * the check, give every rank the sum; or an error */
#include "config.h"

#include "engine/allreduce.h"
#include "engine/schedule.h"

#include <stdlib.h>
#include <string.h>

#define RANKS_MAX 8
#define COUNT 23
#define FLIGHTS_MAX 4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int parse(struct pl_schedules *s, const void *data, size_t size)
{
	struct pl_err err = {0};
	struct pl_text text;
	int rc;

	*s = (struct pl_schedules){0};
	if (pl_text_copy(&text, "fuzz", data, size, &err))
		return -1;
	rc = pl_schedules_parse(s, &text, &err);
	if (rc && (err.code != PL_EINPUT || s->schedule || s->job.hosts.v))
		abort();
	pl_text_fini(&text);
	return rc;
}

/* What was read must be fit to be written. */
static char *written(const struct pl_schedules *s)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	if (!f || pl_schedules_write(s, f, NULL) || fclose(f))
		abort();
	return text;
}

/* Ranks and what is between them. */
struct rank {
	uint32_t number;
	struct pl_program program;
	struct pl_allreduce r;
	int data[COUNT];
};

static struct rank ranks[RANKS_MAX];
static struct {
	uint32_t dst, chunk;
	struct pl_chunk_arrival *arrival;
} flight[FLIGHTS_MAX];
static size_t n_flights;

static int send_to(void *self, uint32_t peer, uint32_t chunk, const void *data, size_t bytes,
		   bool signal, struct pl_err *err)
{
	const struct rank *rank = self;
	struct pl_chunk_arrival *a = pl_chunk_arrival_create(NULL, bytes);

	(void)err;
	if (!a || n_flights == FLIGHTS_MAX)
		abort();
	a->peer = rank->number;
	a->signal = signal;
	memcpy(a->data, data, bytes);
	flight[n_flights].dst = peer;
	flight[n_flights].chunk = chunk;
	flight[n_flights++].arrival = a;
	return 1;
}

static void add_ints(void *sum, const void *more, size_t n, void *with)
{
	int *s = sum;
	const int *m = more;

	(void)with;
	for (size_t i = 0; i < n; i++)
		s[i] += m[i];
}

static void begin(const struct pl_schedule *s, uint32_t number)
{
	struct rank *rank = &ranks[number];
	const struct pl_allreduce_call call = {.buffer = rank->data,
					       .count = COUNT,
					       .adder = {add_ints, NULL, sizeof(int)},
					       .chunk_bytes = s->chunk_bytes,
					       .window = s->window,
					       .any_order = s->any_order};

	rank->number = number;
	for (int i = 0; i < COUNT; i++)
		rank->data[i] = (1 << number) + i;
	if (pl_allreduce_init(
		    &rank->r, &rank->program,
		    (struct pl_transport){.send = send_to, .self = rank, .chunks_max = SIZE_MAX},
		    &call, NULL))
		abort();
}

static void check_ends(struct rank *rank, int n)
{
	if (!pl_allreduce_is_done(&rank->r))
		abort();
	for (int i = 0; i < COUNT; i++)
		if (rank->data[i] != (1 << n) - 1 + n * i)
			abort();
	pl_allreduce_fini(&rank->r);
}

/* All ranks' parts of an all-reduce of a few numbers. */
static void run(const struct pl_schedule *s, uint32_t n)
{
	n_flights = 0;
	for (uint32_t i = 0; i < n; i++)
		begin(s, i);
	for (size_t i = 0; i < n_flights; i++)
		if (pl_allreduce_arrived(&ranks[flight[i].dst].r, flight[i].chunk,
					 flight[i].arrival, NULL))
			abort();
	for (uint32_t i = 0; i < n; i++)
		check_ends(&ranks[i], (int)n);
}

static size_t count_transfers(const struct pl_schedule *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->slices.n; i++)
		n += s->slices.slice[i].n_transfers;
	return n;
}

/* Fewer chunks than COUNT carry each transfer. */
static void run_if_small(const struct pl_schedule *s, size_t n)
{
	uint32_t made = 0;

	if (n > RANKS_MAX || count_transfers(s) * COUNT > FLIGHTS_MAX)
		return;
	while (made < n && pl_program_init(&ranks[made].program, &s->slices, made, NULL) == 0)
		made++;
	if (made == n)
		run(s, made);
	while (made-- > 0)
		pl_program_fini(&ranks[made].program);
}

static void check(const struct pl_schedules *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->job.hosts.n; i++)
		n += (size_t)s->job.hosts.v[i].slots;
	if (n > 64 || pl_schedules_check(s, NULL))
		return;
	for (size_t i = 0; i < s->n; i++)
		run_if_small(&s->schedule[i], n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pl_schedules s, again;
	char *once, *twice;

	if (parse(&s, data, size))
		return 0;
	once = written(&s);
	if (parse(&again, once, strlen(once)))
		abort();
	twice = written(&again);
	if (strcmp(once, twice) != 0)
		abort();
	check(&s);
	free(once);
	free(twice);
	pl_schedules_fini(&s);
	pl_schedules_fini(&again);
	return 0;
}
