/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-shim-stats.c - counting calls, adding counts up, writing them */
#include "config.h"

#include "base/rng.h"
#include "shim/stats/clock.h"
#include "shim/stats/sums.h"
#include "shim/stats/table.h"
#include "shim/stats/write.h"
#include "tests/failalloc.h"
#include "tests/tap.h"

#include <jansson.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void test_keys(void)
{
	bool good = true;
	uint64_t key;

	is_int(pl_stats_class(0), 0, "no bytes are a class of their own");
	is_int(pl_stats_class(UINT64_MAX), 64, "the largest class");
	for (int bit = 0; bit < 64; bit++) {
		const uint64_t first = UINT64_C(1) << bit;

		for (uint64_t bytes = first; bytes - first < first;
		     bytes += bit < 8 ? 1 : first / 7 + 1) {
			key = pl_stats_key(5, 3, 0, bytes);
			good = good && pl_stats_key_size_min(key) == first &&
			       pl_stats_key_size_max(key) == first + (first - 1);
		}
	}
	ok(good, "a class is from a power of two to the next");
	key = pl_stats_key(68, INT32_MAX, 0, 77);
	ok(pl_stats_key_call(key) == 68 && pl_stats_key_ranks(key) == INT32_MAX,
	   "a key says function and ranks");
	ok(pl_stats_key(0, 1, 0, 0) > 0, "no key is 0");
	ok(pl_stats_key(0, 2, 0, 1 << 30) < pl_stats_key(0, 3, 0, 0) &&
		   pl_stats_key(0, 3, 0, 0) < pl_stats_key(1, 1, 0, 0),
	   "keys go by function, ranks, bytes");
	ok(pl_stats_key_size_min(PL_STATS_OTHER) == 0 &&
		   pl_stats_key_size_max(PL_STATS_OTHER) == UINT64_MAX,
	   "what had no room is of any size");
}

static const struct pl_stats_sum *find(const struct pl_stats_sums *sums, uint64_t key)
{
	for (size_t i = 0; i < sums->n; i++)
		if (sums->v[i].key == key)
			return &sums->v[i];
	return NULL;
}

/* The first call of a thread, when there is no memory for a table. */
static void test_no_table(void)
{
	struct pl_stats_sums sums = {0};
	size_t live;

	failalloc_begin(0);
	pl_stats_count(pl_stats_key(0, 1, 0, 5), 5, 1);
	ok(failalloc_end(&live) && live == 0, "a table is refused");
	is_int(pl_stats_sums_own(&sums, 1), 0, "what had none");
	ok(sums.n == 1 && sums.v[0].key == PL_STATS_OTHER && sums.v[0].calls == 1 &&
		   sums.v[0].bytes == 5,
	   "is among the others");
	pl_stats_sums_fini(&sums);
}

#define THREADS 8
#define CALLS 20000

static void *count_some(void *arg)
{
	const uint64_t key = pl_stats_key(1, 4, 0, 1);

	(void)arg;
	for (int i = 0; i < CALLS; i++)
		pl_stats_count(key, 1, 2);
	return NULL;
}

static void test_threads(void)
{
	struct pl_stats_sums sums = {0};
	const struct pl_stats_sum *sum;
	pthread_t thread[THREADS];

	for (int turn = 0; turn < 2; turn++) {
		for (int i = 0; i < THREADS; i++)
			pthread_create(&thread[i], NULL, count_some, NULL);
		for (int i = 0; i < THREADS; i++)
			pthread_join(thread[i], NULL);
	}
	is_int(pl_stats_sums_own(&sums, 0.5), 0, "counts of ended threads");
	sum = find(&sums, pl_stats_key(1, 4, 0, 1));
	if (ok(sum && sums.n == 2, "are one row")) {
		is_int((int64_t)sum->calls, 2 * THREADS * CALLS, "of all their calls");
		is_int((int64_t)sum->n_processes, 1, "of one process");
		ok(sum->seconds == 2 * THREADS * CALLS && sum->seconds_min == sum->seconds &&
			   sum->seconds_max == sum->seconds,
		   "and all their time");
	}
	pl_stats_sums_fini(&sums);
}

/* This thread's table, filled until it is full and beyond, in any order. */
static void test_full(void)
{
	const unsigned int n_keys = PL_STATS_ROWS_MAX + 100;
	struct pl_stats_sums sums = {0};
	uint64_t calls = 0, bytes = 0;
	struct pl_rng rng;
	bool right = true;

	/* the table is one that a thread has left, with a row in it */
	pl_rng_init(&rng, 7, 0);
	for (unsigned int call = 0; call < PL_STATS_ROWS_MAX; call++)
		pl_stats_count(pl_stats_key(1000 + call, 2, 0, 9), 9, 1);
	for (int i = 0; i < 50000; i++)
		pl_stats_count(
			pl_stats_key(1000 + (unsigned int)pl_rng_below(&rng, n_keys), 2, 0, 9), 9,
			1);
	is_int(pl_stats_sums_own(&sums, 1), 0, "a full table");
	for (size_t i = 0; i < sums.n; i++) {
		if (i > 0 && sums.v[i].key <= sums.v[i - 1].key)
			right = false;
		if (pl_stats_key_call(sums.v[i].key) < 1000)
			continue;
		calls += sums.v[i].calls;
		bytes += sums.v[i].bytes;
	}
	ok(right, "rows stand by their keys");
	is_int((int64_t)sums.n, PL_STATS_ROWS_MAX + 1, "has all its rows, and one for the rest");
	/* one of 5 bytes is that of test_no_table() */
	ok(calls == 50001 + PL_STATS_ROWS_MAX && bytes == 9 * (calls - 1) + 5, "no call is lost");
	ok(sums.n > 0 && sums.v[sums.n - 1].key == PL_STATS_OTHER &&
		   sums.v[sums.n - 1].calls > 5000,
	   "those that had no room are in the last");
	pl_stats_sums_fini(&sums);
}

static void make_random(struct pl_stats_sums *sums, struct pl_rng *rng)
{
	*sums = (struct pl_stats_sums){.v = calloc(20, sizeof(*sums->v)), .room = 20};
	for (uint64_t key = 1; sums->v && key <= 20; key++) {
		const double s = (double)pl_rng_below(rng, 1000);

		if (pl_rng_below(rng, 2))
			sums->v[sums->n++] =
				(struct pl_stats_sum){.key = key,
						      .calls = 1 + pl_rng_below(rng, 9),
						      .bytes = pl_rng_below(rng, 99),
						      .n_processes = 1,
						      .seconds = s,
						      .seconds_min = s,
						      .seconds_max = s};
	}
}

/* What adding them up must give, a key at a time. */
static bool is_sum(const struct pl_stats_sums *sums, const struct pl_stats_sums *of, int n,
		   uint64_t key)
{
	struct pl_stats_sum want = {.key = key, .seconds_min = INFINITY};
	const struct pl_stats_sum *got = find(sums, key);

	for (int i = 0; i < n; i++) {
		const struct pl_stats_sum *x = find(&of[i], key);

		if (!x)
			continue;
		want.calls += x->calls;
		want.bytes += x->bytes;
		want.n_processes++;
		want.seconds += x->seconds;
		want.seconds_min = fmin(want.seconds_min, x->seconds);
		want.seconds_max = fmax(want.seconds_max, x->seconds);
	}
	if (!want.n_processes)
		return !got;
	return got && got->calls == want.calls && got->bytes == want.bytes &&
	       got->n_processes == want.n_processes && got->seconds == want.seconds &&
	       got->seconds_min == want.seconds_min && got->seconds_max == want.seconds_max;
}

static void test_add(void)
{
	struct pl_stats_sums of[6], all;
	struct pl_rng rng;
	bool good = true;

	pl_rng_init(&rng, 3, 0);
	for (int turn = 0; turn < 100; turn++) {
		all = (struct pl_stats_sums){0};
		for (int i = 0; i < 6; i++) {
			make_random(&of[i], &rng);
			good = good && pl_stats_sums_add(&all, &of[i]) == 0;
		}
		for (uint64_t key = 0; key <= 21; key++)
			good = good && is_sum(&all, of, 6, key);
		for (size_t i = 1; i < all.n; i++)
			good = good && all.v[i - 1].key < all.v[i].key;
		for (int i = 0; i < 6; i++)
			pl_stats_sums_fini(&of[i]);
		pl_stats_sums_fini(&all);
	}
	ok(good, "sums of six processes are those of each key");
}

/* Sums of two processes, each of all that is counted by now. */
static int attempt(struct pl_stats_sums *sums)
{
	struct pl_stats_sums other = {0};
	int rc = pl_stats_sums_own(sums, 1);
	const size_t n = sums->n;

	if (rc == 0)
		rc = pl_stats_sums_own(&other, 1);
	if (rc == 0)
		rc = pl_stats_sums_add(sums, &other);
	if (rc)
		ok(sums->n == n, "what fails changes nothing");
	pl_stats_sums_fini(&other);
	return rc;
}

static void test_memory(void)
{
	size_t live, wrong = 0, k = 0;

	for (bool failed = true; failed; k++) {
		struct pl_stats_sums sums = {0};
		int rc;

		failalloc_begin(k);
		rc = attempt(&sums);
		pl_stats_sums_fini(&sums);
		failed = failalloc_end(&live);
		wrong += failed != (rc != 0) || live != 0;
	}
	ok(k > 10, "of %zu allocations each one fails", k - 1);
	is_int((int64_t)wrong, 0, "it is said, and nothing is left");
}

static const struct pl_stats_call calls[] = {{"allreduce", "blocking"},
					     {"allreduce", "nonblocking"}};

/* What is written, as a string. */
static char *written(void write(FILE *, const struct pl_stats_job *, const struct pl_stats_sums *),
		     const struct pl_stats_job *job, const struct pl_stats_sums *sums)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (f) {
		write(f, job, sums);
		fclose(f);
	}
	return text;
}

static void test_write(void)
{
	struct pl_stats_sum row[2] = {{.key = pl_stats_key(1, 16, 0, 4096),
				       .calls = 32,
				       .bytes = 131072,
				       .n_processes = 16,
				       .seconds = 16.0,
				       .seconds_min = 0.5,
				       .seconds_max = 1.25},
				      {.key = PL_STATS_OTHER, .calls = 1, .n_processes = 1}};
	const struct pl_stats_sums sums = {.v = row, .n = 2};
	struct pl_stats_job job = {.mode = "world",
				   .order = "allreduce ring openmpi",
				   .n_ranks = 16,
				   .started = 0,
				   .ended = 86400,
				   .seconds = 86400.25,
				   .clock = "tsc",
				   .calls = calls};
	char *text;
	json_t *json;

	strcpy(job.plan, "a\"b\\c\nd \xc3\xa4 \xff\xed\xa0\x80");
	text = written(pl_stats_write_text, &job, &sums);
	is_str(text,
	       "# plink-stats 1\n# by unit " PACKAGE_VERSION "\n"
	       "# mode world\n# ranks 16\n"
	       "# plan a\"b\\c?d \xc3\xa4 \xff\xed\xa0\x80\n"
	       "# order allreduce ring openmpi\n"
	       "# started 1970-01-01T00:00:00Z\n"
	       "# ended 1970-01-02T00:00:00Z\n# seconds 86400.250000000\n"
	       "# clock tsc\n"
	       "collective kind ranks size_min size_max calls bytes processes seconds_mean "
	       "seconds_min seconds_max\n"
	       "allreduce nonblocking 16 4096 8191 32 131072 16 1.000000000 0.500000000 "
	       "1.250000000\n"
	       "other any 0 0 18446744073709551615 1 0 1 0.000000000 0.000000000 0.000000000\n",
	       "text");
	free(text);
	row[1].key = pl_stats_key(0, 1, 0, 0);
	text = written(pl_stats_write_json, &job, &sums);
	json = text ? json_loads(text, 0, NULL) : NULL;
	ok(json != NULL, "JSON is JSON");
	is_str(json_string_value(json_object_get(json, "plan")),
	       "a\"b\\c\nd \xc3\xa4 \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd",
	       "names are UTF-8, whatever they were");
	is_int((int64_t)json_array_size(json_object_get(json, "rows")), 2, "JSON has the rows");
	json_decref(json);
	free(text);
	job.plan[0] = '\0';
	text = written(pl_stats_write_json, &job, &(struct pl_stats_sums){.n = 0});
	json = text ? json_loads(text, 0, NULL) : NULL;
	ok(json && json_is_null(json_object_get(json, "plan")),
	   "no plan is null, and there may be no rows");
	json_decref(json);
	free(text);
}

static const char *odd(unsigned int call)
{
	return call % 2 ? "odd" : "even";
}

/* What a library adds that writes a file for each process. */
static void test_added(void)
{
	static const struct pl_stats_column added[] = {{"parity", odd}};
	struct pl_stats_process process = {.host = "h\n0", .pid = 4711, .rank = -1};
	struct pl_stats_sum row[2] = {
		{.key = pl_stats_key(1, 16, 0, 0), .calls = 1, .n_processes = 1},
		{.key = PL_STATS_OTHER, .calls = 1, .n_processes = 1}};
	const struct pl_stats_sums sums = {.v = row, .n = 2};
	const struct pl_stats_job job = {.mode = "aside",
					 .n_ranks = 16,
					 .clock = "tsc",
					 .calls = calls,
					 .process = &process,
					 .time = "host",
					 .added = added,
					 .n_added = 1};
	json_t *json, *first;
	char *text;

	text = written(pl_stats_write_text, &job, &sums);
	ok(strstr(text, "\n# ranks 16\n# host h?0\n# pid 4711\n# started "),
	   "a process: its host and number, and no rank");
	ok(strstr(text, "\n# clock tsc\n# time host\n"), "whose time it is");
	ok(strstr(text, " seconds_max parity\n"), "a column is added");
	ok(strstr(text, " 0.000000000 odd\nother any ") && strstr(text, " 0.000000000 any\n"),
	   "and a word in each row");
	free(text);
	row[1].key = pl_stats_key(0, 1, 0, 0);
	text = written(pl_stats_write_json, &job, &sums);
	json = text ? json_loads(text, 0, NULL) : NULL;
	first = json_array_get(json_object_get(json, "rows"), 0);
	is_str(json_string_value(json_object_get(first, "parity")), "odd",
	       "JSON: a word in each row");
	is_str(json_string_value(json_object_get(json, "host")), "h\n0", "JSON: the host");
	is_str(json_string_value(json_object_get(json, "time")), "host", "JSON: whose time it is");
	ok(json_is_null(json_object_get(json, "rank")), "JSON: no rank");
	json_decref(json);
	free(text);
	process.rank = 3;
	text = written(pl_stats_write_text, &job, &sums);
	ok(strstr(text, "\n# pid 4711\n# rank 3\n"), "a rank");
	free(text);
}

/* Found by their members, in whatever order they came. */
static void test_groups(void)
{
	static const int a[] = {0, 4}, b[] = {4, 0}, c[] = {0, 1, 2};
	static const unsigned int number[] = {7, 7};
	struct pl_stats_groups g = {0}, again = {0};
	struct pl_stats_sum row[] = {{.key = pl_stats_key(1, 2, 1, 9), .calls = 1},
				     {.key = pl_stats_key(1, 2, 2, 9), .calls = 2},
				     {.key = pl_stats_key(1, 2, PL_STATS_GROUP_OTHER, 9)},
				     {.key = PL_STATS_OTHER}};
	struct pl_stats_sums sums = {.v = row, .n = 4};
	int *packed;
	size_t n;

	ok(pl_stats_groups_add(&g, c, 3) == 0 && pl_stats_groups_add(&g, b, 2) == 1 &&
		   pl_stats_groups_add(&g, a, 2) == 2 && pl_stats_groups_add(&g, b, 2) == 1,
	   "groups are numbered as they come, each once");
	pl_stats_groups_sort(&g);
	ok(pl_stats_groups_find(&g, a, 2) == 0 && pl_stats_groups_find(&g, b, 2) == 1 &&
		   pl_stats_groups_find(&g, c, 2) == PL_STATS_NO_GROUP,
	   "sorted by size, then by members");
	packed = pl_stats_groups_pack(&g, &n);
	pl_stats_groups_unpack(&again, packed, n);
	ok(n == 10 && again.n == 3 && pl_stats_groups_find(&again, c, 3) == 2,
	   "packed and unpacked");
	free(packed);
	pl_stats_groups_fini(&again);
	pl_stats_groups_fini(&g);
	pl_stats_sums_regroup(&sums, number);
	ok(sums.n == 3 && row[0].calls == 3 && row[0].key == pl_stats_key(1, 2, 7, 9) &&
		   pl_stats_key_group(row[1].key) == PL_STATS_GROUP_OTHER &&
		   row[2].key == PL_STATS_OTHER,
	   "rows get other numbers, and are one if these are equal");
	pl_stats_sums_regroup(&sums, NULL);
	ok(sums.n == 2 && row[0].key == pl_stats_key(1, 2, 0, 9), "or none");
}

/* As in a process that was forked; what comes then is counted. */
static void test_forget(void)
{
	struct pl_stats_sums sums = {0};

	pl_stats_forget();
	is_int(pl_stats_sums_own(&sums, 1), 0, "what is forgotten");
	is_int((int64_t)sums.n, 0, "is not there");
	for (int i = 0; i < 2 * PL_STATS_ROWS_MAX; i++)
		pl_stats_count(pl_stats_key(7 + (unsigned int)(i / 2), 1, 0, 1), 1, 1);
	is_int(pl_stats_sums_own(&sums, 1), 0, "a table is filled again");
	is_int((int64_t)sums.n, PL_STATS_ROWS_MAX, "up to its end");
	ok(sums.n > 0 && sums.v[sums.n - 1].key != PL_STATS_OTHER && sums.v[0].calls == 2,
	   "with what came since");
	pl_stats_sums_fini(&sums);
}

/* Both clocks tell the time that the other one has seen; how well depends on who else is
 * running. */
static void test_clock(void)
{
	for (int allowed = 0; allowed < 2; allowed++) {
		const int64_t before_ns = pl_clock_ns();
		const struct pl_stats_moment start = pl_stats_clock_start(allowed);
		uint64_t last = 0, ticks;
		bool forward = true;
		double seconds, wall;

		for (int i = 0; i < 1000; i++) {
			ticks = pl_stats_clock();
			forward = forward && ticks >= last;
			last = ticks;
		}
		ok(forward, "the clock does not go back");
		nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
		ticks = pl_stats_clock() - start.ticks;
		seconds = (double)ticks * pl_stats_clock_tick_s(&start);
		wall = 1e-9 * (double)(pl_clock_ns() - before_ns);
		ok(seconds > 0.019 && seconds <= wall * 1.001, "%s: %.6f s of %.6f",
		   allowed ? "the best" : "the other", seconds, wall);
		if (!allowed)
			ok(!pl_stats_has_counter, "no counter if not allowed");
	}
}

/* A process that may not write files: it hears of the statistics' failure by the result alone. Exit
 * 0: the write fails, and no signal is left over. */
static void write_nothing(void)
{
	const struct rlimit none = {0, 0};
	const struct pl_stats_job job = {.mode = "world", .clock = "tsc"};
	struct pl_stats_sums sums = {0};
	struct pl_err err = {0};
	sigset_t pending, mask;

	setrlimit(RLIMIT_FSIZE, &none);
	if (!pl_stats_write("unit-shim-stats.none", &job, &sums, &err) ||
	    !strstr(err.text, "File too large"))
		_exit(1);
	sigpending(&pending);
	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	_exit(sigismember(&pending, SIGXFSZ) || sigismember(&mask, SIGXFSZ));
}

static void test_file_limit(void)
{
	int status = -1;
	const pid_t pid = fork();

	if (pid == 0)
		write_nothing();
	waitpid(pid, &status, 0);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 0,
	   "a limit of file sizes: told, and no SIGXFSZ (%d)", status);
	ok(access("unit-shim-stats.none", F_OK) != 0, "nothing is left");
}

int main(void)
{
	test_keys();
	test_no_table();
	test_threads();
	test_full();
	test_add();
	test_memory();
	test_write();
	test_added();
	test_groups();
	test_forget();
	test_clock();
	test_file_limit();
	return done_testing();
}
