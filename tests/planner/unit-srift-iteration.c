/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-srift-iteration.c - iterations of training: closed forms, buckets, layers by chance */
#include "config.h"

#include "planner/srift/iteration/iteration.h"
#include "tests/failalloc.h"
#include "tests/tap.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#define MB ((uint64_t)1 << 20)

/* A network by formula: a byte a second of bus bandwidth for each byte asked for, or always the
 * same; asked[] is what was asked for. */
struct network {
	double bytes_per_s; /* 0: as many as bytes */
	double cap;
};
static double asked[8];
static size_t n_asked;

static int bandwidth(const void *model, double bytes, size_t n_ranks, double *bytes_per_s,
		     struct pl_err *err)
{
	const struct network *net = model;

	(void)err;
	(void)n_ranks;
	asked[n_asked++ % 8] = bytes;
	*bytes_per_s = net->bytes_per_s > 0 ? net->bytes_per_s : bytes;
	return 0;
}

static int cap(const void *model, size_t n_ranks, double *bytes_per_s, struct pl_err *err)
{
	const struct network *net = model;

	(void)n_ranks;
	if (net->cap < 0)
		return pl_err_set(err, PL_EUSAGE, "not known");
	*bytes_per_s = net->cap;
	return 0;
}

static struct pl_comm comm_of(const struct network *net)
{
	return (struct pl_comm){net, bandwidth, cap};
}

static double one[] = {8}, forward[] = {1}, backward[] = {2};
static double finish[] = {1, 0.5, 0.25};
static struct pl_profile_layer layers[] = {{"a", MB, 1}, {"b", 2 * MB, 1}, {"c", 4 * MB, 1}};
static struct pl_profile_instance instance = {.name = "i",
					      .ranks = 1,
					      .forward = {1, one, forward},
					      .backward = {1, one, backward},
					      .finish = finish};
static struct pl_profile profile = {
	.model = "m", .layer = layers, .n_layers = 3, .instance = &instance, .n_instances = 1};
static const struct pl_iteration_options plain = {.draws = 200, .seed = 1};

/* Four machines of the instance. */
static struct pl_selection *four(void)
{
	static struct pl_selection_part part;
	static struct pl_selection sel = {.part = &part, .n_parts = 1, .room = 1};

	part = (struct pl_selection_part){&instance, 4, 8, NAN, 1, 2};
	return &sel;
}

static void near(double got, double want, const char *what)
{
	if (!ok(fabs(got - want) <= 1e-9 * want, "%s", what))
		printf("# got %.15g, want %.15g\n", got, want);
}

static struct pl_iteration iterate(const struct network *net, const struct pl_iteration_options *o)
{
	const struct pl_comm comm = comm_of(net);
	struct pl_iteration it;
	struct pl_err err;

	n_asked = 0;
	if (pl_iterate(&it, &profile, four(), &comm, o, &err))
		it.seconds = NAN;
	return it;
}

/* Gradients are there after 0.5 (c), 1 (b) and 2 (a) seconds; on the wire go 1.5 times their
 * bytes. */
static void test_closed_forms(void)
{
	struct network net = {12 * (double)MB, 12 * (double)MB};
	struct pl_iteration it = iterate(&net, &plain);

	near(it.exchange_s, 2 + 1.5 / 12, "hidden but for the last layer");
	near(it.seconds, 1 + 2 + 1.5 / 12, "t_fw + max(t_bw, t_pe)");
	ok(it.exchange.most_at_once == 1 && it.bytes == 7 * MB && it.buckets.n == 3,
	   "three all-reduces, one at a time");
	near(it.ready_s[1], 1, "gradients are there when the profile says");
	near(it.slowness, 1, "no chance, no straggler");
	pl_iteration_fini(&it);

	net = (struct network){3 * (double)MB, 3 * (double)MB};
	it = iterate(&net, &plain);
	near(it.exchange_s, 0.5 + 10.5 / 3, "nothing hidden once it is slow");
	pl_iteration_fini(&it);
	net = (struct network){3 * (double)MB, 6 * (double)MB};
	it = iterate(&net, &plain);
	near(it.transfer[2].end_s, 2.5, "two together, each at its own rate");
	pl_iteration_fini(&it);
}

static void test_options(void)
{
	const struct network net = {3 * (double)MB, -1};
	struct pl_iteration_options o = plain;
	struct pl_iteration it = iterate(&net, &o);

	ok(isnan(it.seconds), "what the network does not know is an error");
	o.cap_bytes_per_s = 3 * (double)MB;
	it = iterate(&net, &o);
	near(it.exchange_s, 4, "unless the caller does");
	pl_iteration_fini(&it);
	layers[1].bytes++;
	o.round_up = true;
	it = iterate(&net, &o);
	ok(n_asked == 3 && asked[0] == 4 * MB && asked[1] == 4 * MB && asked[2] == MB,
	   "sizes are rounded up to powers of two");
	near(it.transfer[1].wire_bytes, 1.5 * (2. * MB + 1), "what is moved is not");
	layers[1].bytes--;
	pl_iteration_fini(&it);
}

/* Until a bucket holds what it should, its last layer in full; in the order of the gradients; a
 * bucket goes when its last gradients are there. */
static void test_buckets(void)
{
	const struct network net = {12 * (double)MB, 12 * (double)MB};
	struct pl_iteration_options o = plain;
	struct pl_iteration it;

	o.buckets = (struct pl_bucket_rule){MB, 25 * MB};
	it = iterate(&net, &o);
	ok(it.buckets.n == 2 && it.buckets.bucket[0].n == 1 &&
		   it.buckets.bucket[0].bytes == 4 * MB && it.buckets.bucket[1].bytes == 3 * MB,
	   "a first small bucket, and one for the rest");
	near(it.exchange_s, 2 + 4.5 / 12, "the rest goes last");
	pl_iteration_fini(&it);
	o.buckets = (struct pl_bucket_rule){5 * MB, MB};
	it = iterate(&net, &o);
	ok(it.buckets.n == 2 && it.buckets.bucket[0].n == 2 && it.buckets.order[0] == 2 &&
		   it.buckets.order[1] == 1,
	   "a bucket is filled beyond its size");
	near(it.transfer[0].ready_s, 1, "and waits for its last layer");
	pl_iteration_fini(&it);
	o.buckets = (struct pl_bucket_rule){4 * MB, 2 * MB};
	it = iterate(&net, &o);
	ok(it.buckets.n == 3, "a bucket that is just full is full");
	pl_iteration_fini(&it);
}

static void test_dynamic(void)
{
	const struct network net = {12 * (double)MB, 12 * (double)MB};
	struct pl_iteration_options o = plain;
	struct pl_iteration it, again;

	/* any of four runs it: 1 - 0.8^4 = 0.5904 */
	layers[0].probability = 0.2;
	o.draws = 100000;
	it = iterate(&net, &o);
	again = iterate(&net, &o);
	/* without it the exchange ends after 1.25 s, hidden */
	if (!ok(fabs(it.seconds - 3 - 0.5904 * 1.5 / 12) < 1e-3, "a layer by chance: in the mean"))
		printf("# %.9g\n", it.seconds);
	ok(fabs(it.exchange_s - 0.5904 * 2.125 - 0.4096 * 1.25) < 1e-2, "the exchange as well");
	ok(it.seconds == again.seconds, "same seed, same bits");
	pl_iteration_fini(&it);
	pl_iteration_fini(&again);
	o.seed = 2;
	again = iterate(&net, &o);
	ok(it.seconds != again.seconds, "another seed, others");
	pl_iteration_fini(&again);
	o.buckets = (struct pl_bucket_rule){1, 1};
	it = iterate(&net, &o);
	near(it.seconds, 3 + 1.5 / 12, "in buckets it is always there");
	pl_iteration_fini(&it);
	layers[0].probability = 0;
	it = iterate(&net, &plain);
	near(it.seconds, 3, "never: not exchanged");
	pl_iteration_fini(&it);
	layers[0].probability = 1;
}

static void test_alone(void)
{
	const struct network net = {1, 1};
	const struct pl_comm comm = comm_of(&net);
	struct pl_selection *sel = four();
	struct pl_iteration it;
	struct pl_err err;

	sel->part[0].count = 1;
	is_int(pl_iterate(&it, &profile, sel, &comm, &plain, &err), 0, "one rank");
	ok(it.seconds == 3 && it.exchange_s == 0 && it.buckets.n == 0, "exchanges nothing");
	pl_iteration_fini(&it);
}

/* What a span of the trace says, in us; -1: there is none. */
static double span(const json_t *events, const char *name, int pid, int tid, const char *key)
{
	const json_t *event;
	size_t i;

	json_array_foreach(events, i, event)
	{
		const char *ph = json_string_value(json_object_get(event, "ph"));
		const char *its = json_string_value(json_object_get(event, "name"));

		if (!strcmp(ph, "X") && !strcmp(its, name) &&
		    json_integer_value(json_object_get(event, "pid")) == pid &&
		    json_integer_value(json_object_get(event, "tid")) == tid)
			return json_number_value(json_object_get(event, key));
	}
	return -1;
}

static void test_trace(void)
{
	const struct network net = {3 * (double)MB, 6 * (double)MB};
	struct pl_iteration it = iterate(&net, &plain);
	struct pl_err err;
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);
	json_t *all, *events;

	is_int(pl_iteration_trace(&it, &profile, f, &err), 0, "a trace");
	fclose(f);
	all = json_loads(text, 0, NULL);
	events = json_object_get(all, "traceEvents");
	ok(json_is_array(events), "with events");
	near(span(events, "backward", 1, 1, "ts"), 1e6,
	     "the backward pass begins after the forward one");
	near(span(events, "c", 1, 2, "dur"), 0.5e6, "gradients of c");
	near(span(events, "c", 2, 1, "ts"), 1.5e6, "its all-reduce begins");
	near(span(events, "b", 2, 2, "ts"), 2e6, "that of b, beside it");
	near(span(events, "a", 2, 2, "ts"), 3e6, "that of a in the first line that is free");
	json_decref(all);
	free(text);
	pl_iteration_fini(&it);
}

static void test_memory(void)
{
	const struct network net = {3, 6};
	const struct pl_comm comm = comm_of(&net);
	bool failed = true, clean = true;
	size_t k;

	layers[0].probability = 0.5;
	for (k = 0; failed; k++) {
		struct pl_iteration it;
		struct pl_err err = {0};
		size_t live;
		int rc;

		failalloc_begin(k);
		rc = pl_iterate(&it, &profile, four(), &comm, &plain, &err);
		if (rc == 0)
			pl_iteration_fini(&it);
		failed = failalloc_end(&live);
		clean &= live == 0 && (rc == 0) == !failed && (rc == 0 || err.code == PL_ESYSTEM);
	}
	layers[0].probability = 1;
	ok(clean && k > 10, "no memory: told, nothing left (%zu places)", k);
}

int main(void)
{
	test_closed_forms();
	test_options();
	test_buckets();
	test_dynamic();
	test_alone();
	test_trace();
	test_memory();
	return done_testing();
}
