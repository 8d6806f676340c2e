/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-lib.c - libplink as a program links it: its header and nothing else */
#include "lib/plink.h"
#include "tests/tap.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define N 6

static const char *const names[N] = {"a", "b", "c", "d", "e", "f"};

/* Two racks, dealt out in turn: a c e near each other, b d f too. */
static double rtt(size_t i, size_t j)
{
	return (i % 2 == j % 2 ? 100e3 : 900e3) + 1e3 * (double)(i + j);
}

static struct pl_net *racks(void)
{
	struct pl_net *net = pl_net_create(names, N, NULL);

	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < N; j++)
			if (i != j && pl_net_set_rtt(net, i, j, rtt(i, j), NULL))
				abort();
	return net;
}

static void test_names(void)
{
	static const char *const twice[] = {"a", "b", "a"};
	static const char *const bad[] = {"a", "b b"};
	struct pl_error error = {0};
	struct pl_net *net;

	ok(!pl_net_create(names, 0, &error), "a network of no host");
	is_int(error.code, PL_ERROR_USAGE, "is the caller's mistake");
	ok(!pl_net_create(twice, 3, &error), "a name twice");
	is_str(error.text, "hosts 0 and 2 are both \"a\"", "is told");
	ok(!pl_net_create(bad, 2, &error), "a name with a blank");
	ok(!pl_net_create(bad, 2, NULL), "nobody asks why");
	net = pl_net_create(names, N, &error);
	is_int((long long)pl_net_hosts(net), N, "hosts");
	is_str(pl_net_name(net, 5), "f", "their names");
	ok(!pl_net_name(net, 6), "there is no seventh");
	is_int(pl_net_find(net, "c"), 2, "a host by its name");
	is_int(pl_net_find(net, "x"), -1, "none of that name");
	is_str(pl_net_unit(net), "ns", "the unit");
	ok(isnan(pl_net_cell(net, 0, 1)), "nothing is known yet");
	pl_net_destroy(net);
	pl_net_destroy(NULL);
}

static void test_values(void)
{
	static const double bad[] = {0, -1, NAN, INFINITY};
	struct pl_net *net = racks();
	struct pl_error error;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		ok(pl_net_set_rtt(net, 0, 1, bad[i], &error) == -1, "no round trip: %g", bad[i]);
		ok(pl_net_set_bandwidth(net, 0, 1, bad[i], &error) == -1, "no bandwidth: %g",
		   bad[i]);
	}
	is_int(pl_net_set_rtt(net, 1, 1, 5, &error), -1, "from a host to it");
	is_int(pl_net_set_rtt(net, 0, N, 5, &error), -1, "to no host");
	is_int(pl_net_set_rtt(net, N, 0, 5, &error), -1, "from no host");
	is_int(pl_net_set_slots(net, N, 1, &error), -1, "slots of no host");
	is_int(pl_net_set_slots(net, 0, 0, &error), -1, "no slot");
	is_int(pl_net_set_slots(net, 0, 4097, &error), -1, "too many");
	is_int(pl_net_set_slots(net, 0, 4096, &error), 0, "not too many");
	pl_net_set_slots(net, 0, 1, &error);
	ok(pl_net_cell(net, 0, 1) == rtt(0, 1), "all is as it was");
	is_int(pl_net_set_rtt(net, 0, 1, 5, NULL), 0, "a round trip");
	ok(pl_net_cell(net, 0, 1) == 5, "is taken");
	ok(isnan(pl_net_cell(net, N, 0)), "a cell of no host");
	pl_net_destroy(net);
}

static void test_goal(void)
{
	static const char *const bad[][2] = {
		{"colour", "red"},  {"size", "-1"},        {"size", "1x"},      {"segment", ""},
		{"root", "-1"},     {"symmetrize", "min"}, {"method", "guess"}, {"bound", "tight"},
		{"moves", "-1"},    {"time", "nan"},       {"time", "-1"},      {"threads", "0"},
		{"seed", "x"},      {"min-gain", "101"},   {"pin", ""},         {"digest", "yes"},
		{"collective", ""},
	};
	struct pl_goal *goal = pl_goal_create();
	struct pl_error error = {0};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		error.code = PL_ERROR_NONE;
		ok(pl_goal_set(goal, bad[i][0], bad[i][1], &error) == -1, "refused: %s=%s",
		   bad[i][0], bad[i][1]);
		is_int(error.code, PL_ERROR_USAGE, "as the caller's mistake");
	}
	is_str(error.text, "collective=: it is empty", "it is said why");
	pl_goal_destroy(goal);
	pl_goal_destroy(NULL);
}

/* A goal with these options, NULL behind the last. */
static struct pl_goal *goal_of(const char *const (*option)[2])
{
	struct pl_goal *goal = pl_goal_create();

	for (; (*option)[0]; option++)
		if (pl_goal_set(goal, (*option)[0], (*option)[1], NULL))
			abort();
	return goal;
}

static void test_together(void)
{
	static const char *const wrong[][4][2] = {
		{{"collective", "song"}, {NULL, NULL}},
		{{"algorithm", "spiral"}, {NULL, NULL}},
		{{"impl", "thesis"}, {"segment", "4k"}, {NULL, NULL}},
		{{"root", "1"}, {NULL, NULL}},
		{{"time", "1"}, {"moves", "5"}, {NULL, NULL}},
		{{"collective", "broadcast"}, {"root", "6"}, {NULL, NULL}},
	};
	static const char *const pin[][2] = {{"pin", "x"}, {NULL, NULL}};
	struct pl_net *net = racks();
	struct pl_error error;
	struct pl_goal *goal;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		goal = goal_of(wrong[i]);
		error.code = PL_ERROR_NONE;
		ok(!pl_solve(net, goal, &error), "no order: %s=%s", wrong[i][0][0], wrong[i][0][1]);
		ok(error.code == PL_ERROR_USAGE, "%s", error.text);
		pl_goal_destroy(goal);
	}
	goal = goal_of(pin);
	ok(!pl_solve(net, goal, &error), "a host that is none comes first");
	ok(error.code == PL_ERROR_INPUT, "%s", error.text);
	pl_goal_destroy(goal);
	pl_net_destroy(net);
}

/* The given order a b c d e f crosses between the racks six times, the best twice. */
static void test_solve(void)
{
	static const char *const exact[][2] = {{"method", "exact"}, {NULL, NULL}};
	struct pl_goal *goal = goal_of(exact);
	struct pl_net *net = racks();
	struct pl_answer *answer = pl_solve(net, goal, NULL);
	const size_t *at = pl_answer_order(answer);
	const size_t given[N] = {0, 1, 2, 3, 4, 5};
	size_t crossings = 0;
	double cost;

	for (size_t i = 0; i < N; i++)
		crossings += at[i] % 2 != at[(i + 1) % N] % 2;
	is_int((long long)crossings, 2, "the racks stand together");
	ok(pl_answer_is_best(answer), "that is proved");
	ok(!pl_answer_was_stopped(answer), "nobody stopped it");
	is_int(pl_cost(net, goal, at, &cost, NULL), 0, "what an order costs");
	ok(cost == pl_answer_cost(answer), "is what was said of it");
	is_int(pl_cost(net, goal, given, &cost, NULL), 0, "the given order");
	ok(cost == pl_answer_given(answer), "costs what was said of it");
	ok(pl_answer_bound(answer) <= pl_answer_cost(answer) &&
		   pl_answer_cost(answer) < pl_answer_given(answer),
	   "bound, cost and given stand in this order");
	pl_answer_destroy(answer);
	pl_answer_destroy(NULL);
	pl_goal_destroy(goal);
	pl_net_destroy(net);
}

static void test_orders(void)
{
	const size_t twice[N] = {0, 1, 2, 3, 4, 4};
	const size_t none[N] = {0, 1, 2, 3, 4, N};
	struct pl_goal *goal = pl_goal_create();
	struct pl_net *net = racks();
	struct pl_error error;
	double cost = 7;

	is_int(pl_cost(net, goal, twice, &cost, &error), -1, "a host twice");
	ok(error.code == PL_ERROR_USAGE, "%s", error.text);
	is_int(pl_cost(net, goal, none, &cost, &error), -1, "no host");
	ok(cost == 7, "nothing is written");
	pl_goal_destroy(goal);
	pl_net_destroy(net);
}

static void test_part(void)
{
	static const size_t some[] = {4, 1, 2}, bad[] = {0, N}, twice[] = {1, 1};
	struct pl_net *net = racks(), *part;
	struct pl_error error;

	for (size_t i = 0; i < N * N; i++)
		if (i / N != i % N)
			pl_net_set_bandwidth(net, i / N, i % N, 1e6, NULL);
	ok(!pl_net_part(net, some, 0, &error), "a part of no host");
	ok(!pl_net_part(net, bad, 2, &error), "of a host that is not there");
	ok(!pl_net_part(net, twice, 2, &error), "of one host twice");
	part = pl_net_part(net, some, 3, &error);
	pl_net_destroy(net);
	is_int((long long)pl_net_hosts(part), 3, "a part");
	is_str(pl_net_name(part, 0), "e", "has their names");
	ok(pl_net_cell(part, 0, 2) == rtt(4, 2), "and what was measured");
	pl_net_destroy(part);
}

static void test_missing(void)
{
	static const char *const sized[][2] = {{"size", "1M"}, {NULL, NULL}};
	struct pl_net *net = pl_net_create(names, 2, NULL);
	struct pl_goal *goal = goal_of(sized);
	struct pl_answer *answer;
	struct pl_error error;

	ok(!pl_solve(net, goal, &error), "nothing was measured");
	ok(error.code == PL_ERROR_PARTIAL, "%s", error.text);
	pl_net_set_rtt(net, 0, 1, 1e5, NULL);
	answer = pl_solve(net, goal, &error);
	ok(answer != NULL, "one direction stands for the other");
	pl_answer_destroy(answer);
	pl_net_destroy(net);
	net = pl_net_create(names, 3, NULL);
	for (size_t i = 0; i < 3; i++)
		pl_net_set_rtt(net, i, (i + 1) % 3, 1e5, NULL);
	pl_net_set_bandwidth(net, 0, 1, 1e6, NULL);
	ok(!pl_solve(net, goal, &error), "a bandwidth is missing");
	ok(error.code == PL_ERROR_PARTIAL, "%s", error.text);
	pl_goal_destroy(goal);
	pl_net_destroy(net);
}

static void test_stop(void)
{
	static const volatile sig_atomic_t now = 1;
	struct pl_goal *goal = pl_goal_create();
	struct pl_net *net = racks();
	struct pl_answer *answer;

	pl_goal_stop_by(goal, &now);
	answer = pl_solve(net, goal, NULL);
	ok(pl_answer_was_stopped(answer), "stopped before it began");
	ok(pl_answer_cost(answer) <= pl_answer_given(answer), "and no dearer than the given order");
	pl_answer_destroy(answer);
	pl_goal_destroy(goal);
	pl_net_destroy(net);
}

static int count_digests(const char *path)
{
	FILE *f = fopen(path, "r");
	char line[256];
	int n = 0;

	while (f && fgets(line, sizeof(line), f))
		n += strncmp(line, "# matrix ", 9) == 0;
	if (f)
		fclose(f);
	return n;
}

static void test_plan(void)
{
	char path[] = "/tmp/unit-lib-XXXXXX";
	const int fd = mkstemp(path);
	struct pl_goal *goal = pl_goal_create();
	struct pl_net *net = racks();
	struct pl_answer *answer;
	struct pl_saved *saved;
	struct pl_error error;

	pl_net_set_slots(net, 2, 4, NULL);
	answer = pl_solve(net, goal, NULL);
	is_int(pl_answer_write_plan(answer, "/no/such/folder", &error), -1, "a plan in no folder");
	ok(error.code == PL_ERROR_SYSTEM, "%s", error.text);
	is_int(pl_answer_write_plan(answer, path, &error), 0, "a plan");
	saved = pl_saved_read(path, &error);
	is_int((long long)pl_saved_hosts(saved), N, "read: its hosts");
	is_str(pl_saved_name(saved, 1), "b", "their names");
	ok(!pl_saved_name(saved, N), "one that is none");
	ok(memcmp(pl_saved_order(saved, NULL, 0), pl_answer_order(answer), N * sizeof(size_t)) == 0,
	   "the order");
	ok(pl_saved_order(saved, "allreduce", UINT64_MAX) == pl_saved_order(saved, NULL, 0),
	   "for any size");
	ok(!pl_saved_order(saved, "broadcast", 1), "not for a broadcast");
	is_int(count_digests(path), 1, "the digest of the matrix");
	pl_answer_destroy(answer);
	pl_goal_set(goal, "digest", "none", NULL);
	answer = pl_solve(net, goal, NULL);
	is_int(pl_answer_write_plan(answer, path, &error) + count_digests(path), 0, "or none");
	ok(!pl_saved_read("/no/such/plan", &error), "no such plan");
	ok(error.code == PL_ERROR_SYSTEM, "%s", error.text);
	ok(!pl_net_read(path, &error), "a plan is no matrix");
	ok(error.code == PL_ERROR_INPUT, "%s", error.text);
	ok(strncmp(error.text, path, strlen(path)) == 0 && error.text[strlen(path)] == ':',
	   "the place is told");
	pl_saved_destroy(saved);
	pl_saved_destroy(NULL);
	pl_answer_destroy(answer);
	pl_goal_destroy(goal);
	pl_net_destroy(net);
	close(fd);
	unlink(path);
}

/* All-reduces in threes: the racks, which the given order mixes. */
static void write_job(const char *path)
{
	FILE *f = fopen(path, "w");

	if (!f)
		abort();
	fprintf(f, "# plink-job 1\nranks 12\nmesh slot=2 host=3 rack=2\n"
		   "kind dp allreduce 1M along=host\n");
	if (fclose(f))
		abort();
}

static void test_job(void)
{
	static const size_t given[N] = {0, 1, 2, 3, 4, 5};
	static const char *const more[][2] = {{"size", "1M"}, {"pin", "a"}};
	char path[] = "/tmp/unit-lib-XXXXXX";
	const int fd = mkstemp(path);
	struct pl_goal *goal = pl_goal_create();
	struct pl_net *net = racks();
	struct pl_answer *answer;
	struct pl_error error;
	const size_t *at;
	double cost = 0;

	write_job(path);
	is_int(pl_goal_set(goal, "job", path, &error), 0, "a job");
	answer = pl_solve(net, goal, &error);
	at = pl_answer_order(answer);
	ok(at[0] % 2 == at[1] % 2 && at[0] % 2 == at[2] % 2, "its groups are in one rack each");
	ok(pl_answer_cost(answer) < pl_answer_given(answer), "its step takes less time");
	ok(isnan(pl_answer_bound(answer)) && !pl_answer_is_best(answer),
	   "nothing is proved of that");
	is_int(pl_cost(net, goal, given, &cost, &error), 0, "the given order");
	ok(cost == pl_answer_given(answer), "costs what was said of it");
	is_int(pl_answer_write_plan(answer, path, &error), 0, "a plan of it");
	pl_answer_destroy(answer);
	ok(!pl_solve(net, goal, &error), "a plan is no job");
	ok(error.code == PL_ERROR_INPUT, "%s", error.text);
	write_job(path);
	for (size_t i = 0; i < N * N; i++)
		if (i / N != i % N)
			pl_net_set_bandwidth(net, i / N, i % N, 1e8, NULL);
	answer = pl_solve(net, goal, &error);
	ok(pl_answer_given(answer) > 1e7, "in nanoseconds: more than a megabyte takes");
	is_int(pl_cost(net, goal, pl_answer_order(answer), &cost, &error), 0, "of any order");
	ok(cost == pl_answer_cost(answer), "the same");
	pl_answer_destroy(answer);
	for (size_t i = 0; i < 2; i++) {
		pl_goal_set(goal, more[i][0], more[i][1], NULL);
		ok(!pl_solve(net, goal, &error), "not with %s", more[i][0]);
		ok(error.code == PL_ERROR_USAGE, "%s", error.text);
	}
	pl_goal_destroy(goal);
	pl_net_destroy(net);
	close(fd);
	unlink(path);
}

int main(void)
{
	ok(*pl_version() != '\0', "a version: %s", pl_version());
	test_names();
	test_values();
	test_goal();
	test_together();
	test_solve();
	test_orders();
	test_part();
	test_missing();
	test_stop();
	test_plan();
	test_job();
	return done_testing();
}
