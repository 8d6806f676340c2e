/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-srift-grid.c - grids of measured all-reduces: nonsense, columns, machines */
#include "config.h"

#include "planner/srift/learned/grid.h"
#include "tests/failalloc.h"
#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>

#define HEAD                                                                                       \
	"cloud,region,zone,instance,gpu,cpu,cores,memory_gib,rated_gbps,"                          \
	"bytes,ranks,async,seconds\n"
#define WHERE "aws,west,a,g3,M60,Xeon,32,244,10,"

static int parse(struct pl_grid *g, const char *s, struct pl_err *err)
{
	struct pl_text text;
	int rc;

	*err = (struct pl_err){0};
	if (pl_text_copy(&text, "grid", s, strlen(s), err))
		return -1;
	rc = pl_grid_parse(g, &text, err);
	pl_text_fini(&text);
	return rc;
}

static const struct {
	const char *text;
	long line, col;
	const char *part;
} bad[] = {
	{"", 0, 0, "no row"},
	{HEAD, 0, 0, "no row"},
	{"# nothing\n\n", 0, 0, "no row"},
	{"cloud,region\n", 1, 1, "no column \"zone\""},
	{"cloud,cloud\n", 1, 7, "column \"cloud\" comes twice"},
	{"cloud,region,zone,instance,gpu,cpu,cores,memory_gib,rated_gbps,bytes,ranks,async\n", 1, 1,
	 "one of the columns \"seconds\" and \"bus_bytes_per_s\""},
	{"cloud,region,zone,instance,gpu,cpu,cores,memory_gib,rated_gbps,bytes,ranks,async,seconds,"
	 "bus_bytes_per_s\n",
	 1, 1, "one of the columns"},
	{HEAD WHERE "4,2,1\n", 2, 39, "the line ends after 12 of 13 fields"},
	{HEAD WHERE "4,2,1,1e-5,9\n", 2, 45, "more fields than the 13"},
	{HEAD WHERE "0,2,1,1e-5\n", 2, 34, "bytes: \"0\" is not a whole"},
	{HEAD WHERE "4.5,2,1,1e-5\n", 2, 34, "bytes: \"4.5\" is not a whole"},
	{HEAD WHERE "-4,2,1,1e-5\n", 2, 34, "bytes: \"-4\""},
	{HEAD WHERE "4,1,1,1e-5\n", 2, 36, "ranks: \"1\" is not a whole"},
	{HEAD WHERE "4,2,0,1e-5\n", 2, 38, "async: \"0\""},
	{HEAD WHERE "4,2,1,0\n", 2, 40, "seconds: \"0\" is not from 1e-09"},
	{HEAD WHERE "4,2,1,-1\n", 2, 40, "seconds: \"-1\""},
	{HEAD WHERE "4,2,1,nan\n", 2, 40, "seconds: \"nan\""},
	{HEAD WHERE "4,2,1,inf\n", 2, 40, "seconds: \"inf\""},
	{HEAD WHERE "4,2,1,\n", 2, 40, "seconds: \"\""},
	{HEAD "aws,west,a,,M60,Xeon,32,244,10,4,2,1,1e-5\n", 2, 12, "instance: a name of no bytes"},
	{HEAD "a\x01ws,west,a,g3,M60,Xeon,32,244,10,4,2,1,1e-5\n", 2, 1,
	 "cloud: a quote or a control character"},
	{HEAD "aws,west,a,g3,M60,Xeon,many,244,10,4,2,1,1e-5\n", 2, 24,
	 "cores: \"many\" is not from 0"},
	{HEAD "aws,west,a,g3,M60,Xeon,32,-1,10,4,2,1,1e-5\n", 2, 27, "memory_gib: \"-1\""},
	{HEAD "aws,west,a,\"g3,M60\n", 2, 12, "this quote is never closed"},
	{HEAD WHERE "4,2,1,1e-5\naws,west,a,g3,M60,Xeon,16,244,10,4,2,1,1\n", 3, 24,
	 "cores: g3 had 32 before"},
	{HEAD WHERE "4,2,1,1e-5\naws,west,a,g3,T4,Xeon,32,244,10,4,2,1,1\n", 3, 15,
	 "gpu: g3 had \"M60\" before"},
};

static void test_nonsense(void)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct pl_grid g = {0};
		struct pl_err err;
		const int rc = parse(&g, bad[i].text, &err);
		const bool good = rc == -1 && err.code == PL_EINPUT && err.line == bad[i].line &&
				  err.col == bad[i].col && g.n_rows == 0 && !g.machine &&
				  strstr(err.text, bad[i].part);

		if (!good)
			printf("# rc %d, %ld:%ld: %s\n", rc, err.line, err.col, err.text);
		ok(good, "refused: %s", bad[i].part);
		pl_grid_fini(&g);
	}
}

static void test_rows(void)
{
	struct pl_grid g = {0};
	struct pl_err err;
	const struct pl_grid_machine *m;

	is_int(parse(&g,
		     "# a comment\r\n" HEAD WHERE "1048576,8,2,0.002\n\n"
		     "aws,west,b,g3,M60,Xeon,32,244,10,4,2,1,1e-5\n"
		     "# another\n" WHERE "4,64,1,1e-4\r\n",
		     &err),
	       0, "three rows");
	is_int((int64_t)g.n_rows, 3, "are read");
	is_int((int64_t)g.n_machines, 2, "of two machines: zones differ");
	ok(g.row[0].machine == 0 && g.row[1].machine == 1 && g.row[2].machine == 0,
	   "each of its own");
	m = &g.machine[0];
	ok(m->bytes_min == 4 && m->bytes_max == 1048576 && m->ranks[0] == 8 && m->n_ranks == 2 &&
		   m->ranks[1] == 64 && m->async_min == 1 && m->async_max == 2,
	   "how far its rows reach");
	is_str(m->text[PL_GRID_CPU], "Xeon", "names");
	ok(m->number[PL_GRID_MEMORY_GIB] == 244, "numbers");
	ok(fabs(g.row[0].bytes_per_s / (2 * 1048576 * 7 / 8. / 0.002) - 1) < 1e-15,
	   "bus bandwidth: 2 s (n - 1) / (n t)");
	pl_grid_fini(&g);
}

static void test_columns(void)
{
	struct pl_grid g = {0};
	struct pl_err err;

	is_int(parse(&g,
		     "when,bus_bytes_per_s,async,ranks,bytes,rated_gbps,memory_gib,cores,cpu,gpu,"
		     "instance,zone,region,cloud\n"
		     "today, 1.5e9 ,1,2,64,25,144,36,\"Xeon, 8124M\",,c5,,,own\n",
		     &err),
	       0, "columns in any order, others among them, empty names");
	ok(g.n_rows == 1 && g.row[0].bytes_per_s == 1.5e9 && g.row[0].bytes == 64,
	   "a bandwidth as it stands");
	is_str(g.machine[0].text[PL_GRID_CPU], "Xeon, 8124M", "a quoted name");
	is_str(g.machine[0].text[PL_GRID_GPU], "", "no GPU");
	is_str(g.machine[0].text[PL_GRID_CLOUD], "own", "the last column");
	pl_grid_fini(&g);
}

static void test_memory(void)
{
	bool failed = true, clean = true;
	size_t k;

	for (k = 0; failed; k++) {
		struct pl_grid g = {0};
		struct pl_err err;
		size_t live;
		int rc;

		failalloc_begin(k);
		rc = parse(&g,
			   HEAD WHERE "4,2,1,1e-5\n"
				      "aws,east,a,g3,M60,Xeon,32,244,10,4,2,1,1\n",
			   &err);
		clean &= rc == 0 || err.code == PL_ESYSTEM;
		pl_grid_fini(&g);
		failed = failalloc_end(&live);
		clean &= live == 0 && (rc == 0) == !failed;
	}
	ok(clean && k > 10, "no memory: told, nothing left (%zu places)", k);
}

int main(void)
{
	test_nonsense();
	test_rows();
	test_columns();
	test_memory();
	return done_testing();
}
