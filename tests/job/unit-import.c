/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-import.c - parts of plink-job import: names of operations, meshes that are guessed, memory
 * that runs out */
#include "config.h"

#include "job/import/import.h"
#include "job/import/kinds.h"
#include "tests/failalloc.h"
#include "tests/tap.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static void test_operations(void)
{
	static const struct {
		const char *name;
		enum pl_operation_form form;
		enum pl_collective collective;
	} cases[] = {
		{"allreduce", PL_OPERATION_COLLECTIVE, PL_ALLREDUCE},
		{"nccl:all_reduce", PL_OPERATION_COLLECTIVE, PL_ALLREDUCE},
		{"AllReduce", PL_OPERATION_COLLECTIVE, PL_ALLREDUCE},
		{"allreduce_coalesced", PL_OPERATION_COLLECTIVE, PL_ALLREDUCE},
		{"nccl:all_reduce_barrier", PL_OPERATION_COLLECTIVE, PL_BARRIER},
		{"_allgather_base", PL_OPERATION_COLLECTIVE, PL_ALLGATHER},
		{"nccl:_all_gather_base", PL_OPERATION_COLLECTIVE, PL_ALLGATHER},
		{"_reduce_scatter_base", PL_OPERATION_COLLECTIVE, PL_REDUCE_SCATTER},
		{"ReduceScatter", PL_OPERATION_COLLECTIVE, PL_REDUCE_SCATTER},
		{"_reduce_oop", PL_OPERATION_COLLECTIVE, PL_REDUCE},
		{"broadcast", PL_OPERATION_COLLECTIVE, PL_BROADCAST},
		{"barrier", PL_OPERATION_COLLECTIVE, PL_BARRIER},
		{"nccl:all_to_all", PL_OPERATION_COLLECTIVE, PL_ALLTOALL},
		{"all_to_allv", PL_OPERATION_COLLECTIVE, PL_ALLTOALL},
		{"AlltoAll", PL_OPERATION_COLLECTIVE, PL_ALLTOALL},
		{"nccl:send 0->1", PL_OPERATION_SEND, 0},
		{"recv", PL_OPERATION_RECEIVE, 0},
		{"wait", PL_OPERATION_NONE, 0},
		{"gather", PL_OPERATION_LOST, 0},
		{"", PL_OPERATION_LOST, 0},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct pl_operation op = pl_operation_parse(cases[i].name);

		ok(op.form == cases[i].form && op.collective == cases[i].collective,
		   "operation \"%s\"", cases[i].name);
	}
}

static void guess(const char *lines, const char *want)
{
	struct pl_job job = {0};
	struct pl_text text;
	char mesh[PL_GUESS_CHARS];

	if (pl_text_copy(&text, "job", lines, strlen(lines), NULL) ||
	    pl_job_parse(&job, &text, NULL))
		ok(false, "a job");
	ok(pl_job_guess_mesh(&job, mesh) == (*want != '\0') && strcmp(mesh, want) == 0,
	   "guessed: \"%s\"", want);
	pl_text_fini(&text);
	pl_job_fini(&job);
}

#define HEAD "# plink-job 1\nranks 24\n"
#define TENSOR HEAD "kind tensor barrier\ngroup 0 1\n"

static void test_guess(void)
{
	guess(TENSOR, "x1=12,tensor=2");
	guess(TENSOR "kind pipe barrier\ngroup 1 13\n", "pipe=2,x1=6,tensor=2");
	guess(TENSOR "kind both barrier\ngroup 0 1 2 3 4 5\n", "x1=4,x2=3,tensor=2");
	guess(HEAD "kind a barrier\ngroup 0 5\n", "");
	guess(HEAD "kind a barrier\ngroup 0 1 3\n", "");
	guess(HEAD "kind a barrier\ngroup 1 0\n", "");
	guess(TENSOR "kind b barrier\ngroup 0 3\n", "");
	guess(HEAD "mesh a=24\nkind a barrier along=a\n", "");
	guess(HEAD "kind t traffic\nsend 0 1 8\n", "");
}

#define MEMBER(r)                                                                                  \
	"# plink-stats 1\n# ranks 2\n# rank " r "\n# member 1 a " r " 2 1 dp\n"                    \
	"collective kind ranks size_min size_max calls bytes processes "                           \
	"seconds_mean communicator\n"
#define ROW "allreduce nonblocking 2 4 7 3 12 1 - 1\n"

#define EXECUTION(r, split)                                                                        \
	"{\"nodes\":[{\"name\":\"## process_group:init ##\",\"inputs\":{"                          \
	"\"values\":[\"[{\\\"pg_name\\\":\\\"1\\\",\\\"group_size\\\":"                            \
	"2}]\"]}},{\"name\":\"record_param_comms\",\"inputs\":{\"values\":[" r                     \
	",\"all_to_allv\"]},\"attrs\":[{\"name\":\"collective_name\","                             \
	"\"value\":\"all_to_allv\"},{\"name\":\"dtype\",\"value\":"                                \
	"\"Half\"},{\"name\":\"in_msg_nelems\",\"value\":10},{\"name\":"                           \
	"\"in_split_size\",\"value\":\"" split "\"},{\"name\":\"pg_name\","                        \
	"\"value\":\"1\"}]}]}"

static const char *const files[] = {
	"{\"distributedInfo\":{\"rank\":0,\"world_size\":4,\"pg_config\":[{\"pg_name\":\"1\","
	"\"ranks\":[0,1]}]},\"traceEvents\":[{\"name\":\"record_param_comms\",\"ts\":1,\"dur\":1,"
	"\"args\":{\"Collective name\":\"allreduce\",\"Process Group "
	"Name\":\"1\",\"dtype\":\"Half\",\"In msg "
	"nelems\":10}},{\"name\":\"record_param_comms\",\"ts\":1,\"dur\":1,\"args\":{\"Collective "
	"name\":\"gather\",\"Process Group "
	"Name\":\"1\"}},{\"name\":\"ProfilerStep#1\",\"ts\":0,\"dur\":9}]}",
	"{\"entries\":[{\"process_group\":[\"1\",\"x\"],\"profiling_name\":\"nccl:broadcast\","
	"\"input_sizes\":[[2,3]],\"input_dtypes\":[\"Float\"]},{\"process_group\":[\"1\",\"x\"],"
	"\"profiling_name\":\"nccl:send 0->1\"}],\"pg_config\":{\"1\":{\"ranks\":\"[0, 1]\"}}}",
	"{\"communicators\":[{\"hash\":\"a\",\"size\":2,\"ranks\":[{\"rank\":0,\"host\":\"h\","
	"\"pid\":1,\"cuda_dev\":0,\"collective_counts\":{\"Reduce\":2}},{\"rank\":1,\"host\":\"h\","
	"\"pid\":2,\"cuda_dev\":0}]}]}",
	"# POINT TO POINT\nE\t0\t1\t8 bytes\t1 msgs sent\t0\n",
	MEMBER("0") "# sent 1 1 2 80\n" ROW "\f" MEMBER("1") ROW,
	"{\"plink_stats\":1,\"ranks\":2,\"rank\":0,\"members\":[{\"id\":\"a\",\"rank\":0,\"sent\":["
	"[1,2,80]]}],\"rows\":[]}\f" MEMBER("1"),
	EXECUTION("0", "[1, 9]") "\f" EXECUTION("1", "[5, 5]"),
};

/* Reads files, with a form feed between them, and makes a job of them. */
static int import(const char *text, struct pl_job *job, struct pl_err *err)
{
	struct pl_recording r = {0};
	const int fd = memfd_create("import", MFD_CLOEXEC);
	char path[64];
	size_t len;
	int rc = 0;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	for (; rc == 0 && *text; text += len + (text[len] == '\f')) {
		len = strcspn(text, "\f");
		if (ftruncate(fd, 0) || pwrite(fd, text, len, 0) != (ssize_t)len)
			abort();
		rc = pl_import(&r, path, 0, err);
	}
	if (rc == 0)
		rc = pl_import_end(&r, err);
	if (rc == 0)
		rc = pl_recording_job(&r, (struct pl_place){.file = path}, NULL, job, err);
	pl_recording_fini(&r);
	close(fd);
	return rc;
}

static void test_memory(void)
{
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		bool refused = true, clean = true;
		struct pl_job job = {0};
		struct pl_err err = {0};

		ok(import(files[i], &job, &err) == 0 && job.n_kinds > 0, "file %zu is read %s", i,
		   err.text);
		pl_job_fini(&job);
		for (size_t k = 0; refused; k++) {
			size_t live;

			err = (struct pl_err){0};
			failalloc_begin(k);
			if (import(files[i], &job, &err) && err.code != PL_ESYSTEM)
				clean = false;
			pl_job_fini(&job);
			refused = failalloc_end(&live);
			clean = clean && live == 0;
		}
		ok(clean, "any allocation may fail");
	}
}

/* A group whose ranks are no numbers beside one that has some. */
static void test_ranks(void)
{
	struct pl_job job = {0};
	struct pl_err err = {0};

	ok(import("{\"entries\":[{\"process_group\":[\"1\",\"x\"],\"profiling_name\":\"nccl:"
		  "broadcast\",\"input_sizes\":[[2]],\"input_dtypes\":[\"Float\"]}],\"pg_config\":{"
		  "\"1\":{\"ranks\":\"[0, 1]\"},\"2\":{\"ranks\":\"[0, 5, 0.5]\"}}}",
		  &job, &err) == 0 &&
		   job.n_ranks == 2,
	   "ranks that are none: the group is left out %s", err.text);
	pl_job_fini(&job);
}

int main(void)
{
	test_operations();
	test_ranks();
	test_guess();
	test_memory();
	return done_testing();
}
