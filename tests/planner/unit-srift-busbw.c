/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-srift-busbw.c - tables of bus bandwidths: nonsense, files, between
 * sizes */
#include "config.h"

#include "planner/srift/comm/busbw.h"
#include "tests/failalloc.h"
#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>

static int add(struct pl_busbw *t, const char *s, struct pl_err *err)
{
	struct pl_text text;
	int rc;

	*err = (struct pl_err){0};
	if (pl_text_copy(&text, "table", s, strlen(s), err))
		return -1;
	rc = pl_busbw_parse(t, &text, "DP", err);
	pl_text_fini(&text);
	return rc;
}

#define RANKS                                                                                      \
	"# Using devices\n#  Rank  0 Group  0 Pid 1 on h device 0\n"                               \
	"#   Rank  7 Pid 2 on h device 1 [0x1] T4\nNCCL version 2.18\n#\n"
#define COLUMNS                                                                                    \
	"#       size         count      type   redop    root     time   "                         \
	"algbw   busbw #wrong     time   algbw   busbw #wrong\n"                                   \
	"#        (B)    (elements)                               (us)  "                          \
	"(GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)       \n"
#define ROW(size, us, algbw, busbw)                                                                \
	size " 9 float sum -1 1.5 0.00 0.00 0 " us " " algbw " " busbw " N/"                       \
	     "A\n"
#define OLD_COLUMNS                                                                                \
	"#       size         count      type   redop     time   algbw   "                         \
	"busbw  error     time   algbw   busbw  error\n"

static const struct {
	const char *text;
	long line, col;
	const char *part;
} bad[] = {
	{"", 0, 0, "neither the table of all_reduce_perf"},
	{"h:1:2 [0] NCCL INFO x\n", 0, 0, "neither the table of all_reduce_perf"},
	{" {\"64\": 1}", 0, 0, "JSON is not read here"},
	{"TP:\nallreduce,: 300\n", 0, 0, "in a section \"DP:\""},
	{"DP:\nallreduce,: null\n", 2, 1, "no bandwidth"},
	{"DP:\n  allreduce:\n", 0, 0, "no bandwidth"},
	{"DP:\nallreduce: -3\n", 2, 12, "this is not a bandwidth"},
	{"DP:\nallreduce,: 0\n", 2, 13, "this is not a bandwidth"},
	{"DP:\nEP:\nallreduce,: 1\n", 0, 0, "no bandwidth"},
	{RANKS COLUMNS, 0, 0, "no row"},
	{COLUMNS ROW("64", "10", "0.01", "0.01"), 3, 1, "of how many ranks"},
	{"# Rank 0\n" COLUMNS ROW("64", "10", "0", "0"), 4, 1, "how many"},
	{RANKS COLUMNS "64 9 float sum -1 1.5 0.00\n", 8, 27, "the line ends after 7 of 13"},
	{RANKS COLUMNS ROW("64", "0", "0.01", "0.01"), 8, 35, "not a time"},
	{RANKS COLUMNS ROW("64", "x", "0.01", "0.01"), 8, 35, "not a time"},
	{RANKS COLUMNS ROW("6k", "9", "0.01", "0.01"), 0, 0, "no row"},
	{RANKS COLUMNS "6e9:1:2 [0] NCCL INFO x\n192.0.2.1: y\n", 0, 0, "no row"},
	{RANKS COLUMNS ROW("64", "9", "nan", "0.01"), 8, 37, "not bandwidths"},
	{RANKS COLUMNS ROW("64", "9", "10.0", "10.0"), 8, 42,
	 "not those of an all-reduce of 8 ranks"},
	{RANKS COLUMNS "64 9 float none -1 5 1 1 0 5 1 1 0\n", 8, 12, "this is not an all-reduce"},
};

static void test_nonsense(void)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct pl_busbw t = {0};
		struct pl_err err;
		const int rc = add(&t, bad[i].text, &err);
		const bool good = rc == -1 && err.code == PL_EINPUT && err.line == bad[i].line &&
				  err.col == bad[i].col && t.n_worlds == 0 &&
				  strstr(err.text, bad[i].part);

		if (!good)
			printf("# rc %d, %ld:%ld: %s\n", rc, err.line, err.col, err.text);
		ok(good, "refused: %s", bad[i].part);
		pl_busbw_fini(&t);
	}
}

/* @what is the bandwidth at that size? GB/s. */
static void at(const struct pl_busbw *t, double bytes, size_t n, double want, const char *what)
{
	const struct pl_comm comm = pl_busbw_comm(t);
	struct pl_err err = {0};
	double b = NAN;

	comm.bandwidth(comm.model, bytes, n, &b, &err);
	if (!ok(fabs(b / 1e9 - want) <= 1e-9 * want, "%s", what))
		printf("# got %.12g, want %.12g: %s\n", b / 1e9, want, err.text);
}

static void test_nccl_tests(void)
{
	struct pl_busbw t = {0};
	struct pl_err err;
	double cap = 0;
	struct pl_comm comm;

	is_int(add(&t,
		   "09:10 [1,0]<stdout>:# Rank 0 Group 0\n09:10 [1,0]<stdout>:# Rank 1 Group 1\n"
		   "# Rank 2 Group 0\n# Rank 3 Group 1\n"
		   "09:11 [1,0]<stdout>:" COLUMNS "51e6:1:2 [0] NCCL INFO Channel 0\n"
		   "09:12 [1,0]<stdout>: " ROW("1048576", "100", "10.49",
					       "10.49") "192.0.2.1:1:2 [0] NCCL INFO 1 2 3\n09:12 "
							"[1,0]<stdout>:# Avg\n",
		   &err),
	       0, "behind prefixes, among lines of NCCL, of two groups");
	at(&t, 1048576, 2, 1048576 / 100e-6 / 1e9, "each has half of the ranks");
	pl_busbw_fini(&t);
	t = (struct pl_busbw){0};
	is_int(add(&t,
		   RANKS COLUMNS ROW("0", "3", "0.00", "0.00")
			   ROW("2097152", "140.4", "14.94", "26.14")
				   ROW("1048576", "105.7", "9.92",
				       "17.37") "# Out of bounds values : 0 OK\n",
		   &err),
	       0, "a table of nccl-tests");
	comm = pl_busbw_comm(&t);
	at(&t, 1048576, 8, 2 * 1048576 * 7 / 8. / 105.7e-6 / 1e9,
	   "2 s (n - 1) / (n t), of the time in place");
	at(&t, 524288, 8, 1048576 * 7 / 8. / 105.7e-6 / 1e9, "below the least size: its time");
	at(&t, 8388608, 8, 2 * 2097152 * 7 / 8. / 140.4e-6 / 1e9,
	   "above the largest: its bandwidth");
	at(&t, 1.5 * 1048576, 8, 1.5 * 2 * 1048576 * 7 / 8. / (0.5 * (105.7e-6 + 140.4e-6)) / 1e9,
	   "between two: half way in time");
	is_int(comm.cap(comm.model, 8, &cap, &err), 0, "there is a cap");
	ok(fabs(cap / (2 * 2097152 * 7 / 8. / 140.4e-6) - 1) < 1e-12,
	   "the best bandwidth of all sizes");
	is_int(add(&t, RANKS COLUMNS ROW("64", "9", "0.01", "0.01"), &err), -1,
	       "the same number of ranks again");
	has_str(err.text, "8 ranks are given twice", "is refused");
	is_str(err.file, "table", "with its file");
	is_int(add(&t, "DP:\nallreduce: 3\n", &err), -1, "and SimAI's beside");
	is_int(comm.bandwidth(comm.model, 64, 9, &cap, &err), -1, "9 ranks");
	has_str(err.text, "known for 8 ranks, not for 9", "are not known");
	is_int(comm.cap(comm.model, 7, &cap, &err), -1, "nor are 7");
	pl_busbw_fini(&t);
}

static void test_forms(void)
{
	struct pl_busbw t = {0};
	struct pl_err err;

	is_int(add(&t,
		   "# ranks 4\r\n" OLD_COLUMNS
		   "64 16 float sum 20.0 0.00 0.00 0e+00 10.0 0.01 0.01 0e+00\n"
		   "64 16 float sum 20.0 0.00 0.00 0e+00 30.0 0.00 0.00 0\n",
		   &err),
	       0, "columns of earlier versions, ranks told by hand");
	at(&t, 64, 4, 1.5 * 64 / 20e-6 / 1e9, "a size twice: the mean time");
	pl_busbw_fini(&t);
	is_int(add(&t,
		   "test\nTP:\nallreduce,: 300\nDP:\nallgather,: 380\n"
		   "  allreduce,: 47.5\nPP:\nbusbw: 1\n",
		   &err),
	       0, "SimAI's");
	at(&t, 4, 2, 47.5, "one bandwidth for every size");
	at(&t, 4e9, 512, 47.5, "and number of ranks");
	pl_busbw_fini(&t);
}

/* Rings of n ranks whose steps take alpha + beta bytes: t = 2 (n - 1) (alpha + beta s / n). Between
 * what was measured they come back. */
static void add_ring(struct pl_busbw *t, size_t n, double alpha, double beta)
{
	struct pl_busbw_world w = {.n_ranks = n};

	for (double s = 1024; s <= 1 << 26; s *= 32)
		pl_busbw_add_size(&w, s, s / ((double)n * alpha + beta * s));
	if (pl_busbw_take(t, &w, NULL))
		pl_busbw_world_fini(&w);
}

static void test_between(void)
{
	const double alpha = 20e-6, beta = 1 / 1.25e9;
	struct pl_busbw t = {0};
	const struct pl_comm comm = pl_busbw_comm(&t);
	double worst = 0, b;
	struct pl_err err;

	add_ring(&t, 16, alpha, beta);
	add_ring(&t, 2, alpha, beta);
	add_ring(&t, 8, alpha, beta);
	ok(t.n_worlds == 3 && t.world[0].n_ranks == 2 && t.world[2].n_ranks == 16,
	   "worlds by number of ranks");
	for (size_t n = 2; n <= 16; n++)
		for (double s = 1024; s < 1 << 27; s *= 1.1) {
			const double in = fmin(s, 1 << 25);

			if (comm.bandwidth(comm.model, in, n, &b, &err))
				b = NAN;
			b = fabs(b * ((double)n * alpha / in + beta) - 1);
			worst = fmax(worst, isnan(b) ? INFINITY : b);
		}
	if (!ok(worst < 1e-9, "a ring between sizes and numbers of ranks"))
		printf("# off by %g\n", worst);
	is_int(comm.bandwidth(comm.model, 64, 17, &b, &err), -1, "17 ranks");
	has_str(err.text, "known for 2 to 16 ranks, not for 17", "are beyond what was measured");
	pl_busbw_fini(&t);
	ok(pl_bus_bytes(1000, 4) == 1500 && pl_bus_bytes(1000, 1) == 0, "2 s (n - 1) / n");
}

static void test_memory(void)
{
	bool failed = true, clean = true;
	size_t k;

	for (k = 0; failed; k++) {
		struct pl_busbw t = {0};
		struct pl_err err;
		size_t live;
		int rc;

		failalloc_begin(k);
		rc = add(&t,
			 RANKS COLUMNS ROW("64", "9", "0.01", "0.01")
				 ROW("32", "9", "0.00", "0.01"),
			 &err);
		if (rc == 0)
			rc = add(&t, "# ranks 3\n" COLUMNS ROW("64", "9", "0.01", "0.01"), &err);
		clean &= (rc == 0 || err.code == PL_ESYSTEM);
		pl_busbw_fini(&t);
		failed = failalloc_end(&live);
		clean &= live == 0 && (rc == 0) == !failed;
	}
	ok(clean && k > 5, "no memory: told, nothing left (%zu places)", k);
}

int main(void)
{
	test_nonsense();
	test_nccl_tests();
	test_forms();
	test_between();
	test_memory();
	return done_testing();
}
