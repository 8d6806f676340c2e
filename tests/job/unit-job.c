/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-job.c - jobs: read, written and read again; faults with their place */
#include "config.h"

#include "job/job.h"
#include "job/mesh.h"
#include "tests/failalloc.h"
#include "tests/tap.h"

#include <stdlib.h>

static int parse(struct pl_job *job, const char *lines, struct pl_err *err)
{
	struct pl_text text;
	int rc;

	*job = (struct pl_job){0};
	if (pl_text_copy(&text, "job", lines, strlen(lines), err))
		return -1;
	rc = pl_job_parse(job, &text, err);
	pl_text_fini(&text);
	return rc;
}

static const char whole[] =
	"# plink-job 1\n"
	"ranks 12\n"
	"cards 2\n"
	"library nccl\n"
	"# stages last\n"
	"mesh tp=2 dp=3 pp=2\n"
	"kind tensor allreduce 64k calls=96 along=tp\n"
	"kind data reduce-scatter 1048580 exposed=0.5 algorithm=ring along=dp\n"
	"kind stages pipeline 32M microbatches=8 forward=1.5ms backward=2us vpp=2 along=pp\n"
	"kind both barrier along=tp,pp\n"
	"kind halo traffic calls=2 library=openmpi\n"
	"send 0 1 4k\n"
	"send 11 0 1 messages=3\n"
	"kind experts alltoallv calls=3 along=dp\n"
	"send 0 4 8k\n"
	"send 4 2 1\n"
	"kind some broadcast 8\n"
	"group 7 3\n"
	"group 0\n";

static const char written[] =
	"# plink-job 1\n"
	"ranks 12\n"
	"cards 2\n"
	"library nccl\n"
	"kind tensor allreduce 64k calls=96\n"
	"group 0 1\ngroup 2 3\ngroup 4 5\ngroup 6 7\ngroup 8 9\ngroup 10 11\n"
	"kind data reduce-scatter 1048580 exposed=0.5 algorithm=ring\n"
	"group 0 2 4\ngroup 1 3 5\ngroup 6 8 10\ngroup 7 9 11\n"
	"kind stages pipeline 32M microbatches=8 vpp=2 forward=1500000ns backward=2000ns\n"
	"group 0 6\ngroup 1 7\ngroup 2 8\ngroup 3 9\ngroup 4 10\ngroup 5 11\n"
	"kind both barrier\n"
	"group 0 1 6 7\ngroup 2 3 8 9\ngroup 4 5 10 11\n"
	"kind halo traffic calls=2 library=openmpi\n"
	"send 0 1 4k\n"
	"send 11 0 1 messages=3\n"
	"kind experts alltoallv calls=3\n"
	"group 0 2 4\ngroup 1 3 5\ngroup 6 8 10\ngroup 7 9 11\n"
	"send 0 4 8k\n"
	"send 4 2 1\n"
	"kind some broadcast 8\n"
	"group 7 3\n"
	"group 0\n";

static char *text_of(const struct pl_job *job)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	if (!f || pl_job_write(job, f, NULL) || fclose(f))
		abort();
	return text;
}

static void test_round_trip(void)
{
	struct pl_job job, again;
	struct pl_err err = {0};
	char *once, *twice;

	is_int(parse(&job, whole, &err), 0, "a job is read");
	once = text_of(&job);
	is_str(once, written, "and written, with its groups");
	is_int(parse(&again, once, &err), 0, "which is read, too");
	twice = text_of(&again);
	is_str(twice, once, "as the same job");
	free(once);
	free(twice);
	pl_job_fini(&job);
	pl_job_fini(&again);
}

#define HEAD "# plink-job 1\nranks 4\n"
#define KIND HEAD "kind a allreduce 8\n"

static void test_faults(void)
{
	static const struct {
		const char *text, *why;
		int line, col;
	} cases[] = {
		{"", "starts with", 1, 1},
		{"# plink-job 2\n", "unknown version", 1, 13},
		{"# plink-plan 1\n", "this is a plan, not", 1, 1},
		{"# plink-job 1\nkind a allreduce 8\n", "stands first", 2, 1},
		{"# plink-job 1\nranks 0\n", "from 1 to", 2, 7},
		{"# plink-job 1\nranks 9223372036854775808\n", "from 1 to", 2, 7},
		{HEAD "ranks 4\n", "twice", 3, 7},
		{HEAD, "no kind", 2, 1},
		{HEAD "mesh a=2 b=3\n", "has 6 ranks, the job 4", 3, 5},
		{HEAD "mesh a=2 a=2\n", "twice", 3, 10},
		{HEAD "mesh a=1048576 b=1048576 c=1048576\n", "more than", 3, 5},
		{HEAD "kind a allreduce 8 along=a\n", "no mesh above", 3, 26},
		{HEAD "mesh a=4\nkind a allreduce 8 along=a,b\n", "not a dimension", 4, 28},
		{HEAD "mesh a=4\nkind a allreduce 8 along=a,a\n", "stands here twice", 4, 28},
		{HEAD "kind a allreduce\n", "bytes of a call", 3, 17},
		{HEAD "kind a allreduce 9223372036854775808\n", "size in bytes", 3, 18},
		{HEAD "kind a allreduce 8 x=1\n", "not known", 3, 20},
		{HEAD "kind a allreduce 8 calls=0\n", "above 0", 3, 26},
		{HEAD "kind a allreduce 8 exposed=1.5\n", "from 0 to 1", 3, 28},
		{HEAD "kind a allreduce 8 microbatches=2\n", "only a pipeline", 3, 33},
		{HEAD "kind a barrier 8\n", "no size", 3, 16},
		{HEAD "kind a allsum 8\n", "or alltoallv, pipeline", 3, 8},
		{HEAD "kind a allreduce 8 library=x\n", "openmpi", 3, 28},
		{KIND, "has no group", 3, 1},
		{KIND "group\n", "a rank must stand", 4, 6},
		{KIND "group 0 4\n", "from 0 to 3", 4, 9},
		{KIND "group 0 1\ngroup 2 1\n", "rank 1 is in this kind", 5, 9},
		{KIND "group 0 1\nkind a allreduce 8\n", "stands above", 5, 6},
		{HEAD "kind a allreduce 8 forward=1s\n", "only a pipeline", 3, 28},
		{HEAD "kind a pipeline 8 forward=2h\n", "up to an hour", 3, 27},
		{HEAD "kind a allreduce 8 vpp=2\n", "only a pipeline", 3, 24},
		{HEAD "kind a pipeline 8 vpp=1025\n", "from 1 to 1024", 3, 23},
		{HEAD "mesh a=4\nkind a pipeline 8 microbatches=6 vpp=2 along=a\n",
		 "must be a multiple of its 4 stages", 4, 6},
		{HEAD "kind a traffic\nsend 0 1 9223372036854775807\n"
		      "send 1 0 1\n",
		 "2^63 bytes", 3, 6},
		{HEAD "kind a alltoallv 8\n", "no size", 3, 18},
		{HEAD "kind a alltoallv\nsend 0 1 8\n", "both ranks", 4, 8},
		{HEAD "kind a alltoallv\ngroup 0 1\ngroup 2 3\nsend 1 2 8\n", "both ranks", 6, 8},
		{HEAD "kind a alltoallv\ngroup 0 1\nsend 0 1 8\ngroup 2 3\n", "before its lines", 6,
		 1},
		{HEAD "kind a alltoallv\ngroup 0 1\n", "has no send", 4, 1},
		{KIND "send 0 1 8\n", "behind a kind of traffic", 4, 1},
		{HEAD "kind a traffic\nsend 0 4 8\n", "from 0 to 3", 4, 8},
		{HEAD "kind a traffic\nsend 0 1 8 messages=0\n", "from 1 on", 4, 12},
		{HEAD "kind a traffic\nkind b allreduce 8\n", "has no send", 4, 5},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pl_err err = {0};
		struct pl_job job;
		const int rc = parse(&job, cases[i].text, &err);

		ok(rc == -1 && err.code == PL_EINPUT && !job.kind &&
			   strstr(err.text, cases[i].why) && err.line == cases[i].line &&
			   err.col == cases[i].col,
		   "refused: %s", cases[i].why);
		if (rc == 0 || !strstr(err.text, cases[i].why) || err.line != cases[i].line ||
		    err.col != cases[i].col)
			printf("# %ld:%ld: %s\n", err.line, err.col, err.text);
		pl_job_fini(&job);
	}
}

static void test_memory(void)
{
	bool refused = true, clean = true;

	for (size_t k = 0; refused; k++) {
		struct pl_err err = {0};
		struct pl_job job;
		size_t live;

		failalloc_begin(k);
		if (parse(&job, whole, &err) && err.code != PL_ESYSTEM)
			clean = false;
		pl_job_fini(&job);
		refused = failalloc_end(&live);
		clean = clean && live == 0;
	}
	ok(clean, "any allocation may fail");
}

int main(void)
{
	test_round_trip();
	test_faults();
	test_memory();
	return done_testing();
}
