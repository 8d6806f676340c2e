/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-layout.c - layouts: Megatron's groups, what it refuses, groups that are completed */
#include "config.h"

#include "base/fnv.h"
#include "base/rng.h"
#include "job/layout.h"
#include "tests/failalloc.h"
#include "tests/tap.h"

#include <stdlib.h>

static int lay(const char *sizes, const char *order, char *call, struct pl_job *job,
	       struct pl_err *err)
{
	struct pl_layout layout;
	struct pl_text text;
	char *lines = NULL;
	size_t len;
	FILE *f = open_memstream(&lines, &len);
	int rc = order ? pl_layout_megatron(&layout, sizes, order, err)
		       : pl_layout_device_mesh(&layout, sizes, err);

	*job = (struct pl_job){0};
	if (rc == 0)
		rc = pl_layout_write(&layout, &call, 1, f, err);
	fclose(f);
	if (rc == 0)
		rc = pl_text_copy(&text, "job", lines, len, err);
	if (rc == 0) {
		rc = pl_job_parse(job, &text, err);
		pl_text_fini(&text);
	}
	free(lines);
	return rc;
}

/* Of "0 1\n2 3\n": the groups, a line each. */
static uint64_t digest(const struct pl_job_kind *kind)
{
	uint64_t hash = PL_FNV_FIRST;
	char rank[16];

	for (size_t g = 0; g < kind->n_groups; g++)
		for (size_t i = kind->first[g]; i < kind->first[g + 1]; i++) {
			const int n =
				snprintf(rank, sizeof(rank), "%u%c", (unsigned)kind->member[i],
					 i + 1 < kind->first[g + 1] ? ' ' : '\n');

			hash = pl_fnv_add(hash, rank, (size_t)n);
		}
	return hash;
}

/* What Megatron-LM's RankGenerator gives for the same sizes and order (commit d98e8a64ddf3); etp,
 * edp and ep are those of its generator for experts. */
static const struct {
	const char *sizes, *order, *name;
	size_t n_groups;
	uint64_t digest;
} megatron[] = {
	{"tp=2,dp=3,pp=2", "tp-cp-ep-dp-pp", "tp", 6, UINT64_C(0x388b5656959065cb)},
	{"tp=2,dp=3,pp=2", "tp-cp-ep-dp-pp", "dp", 4, UINT64_C(0xd75e3e86c9976683)},
	{"tp=2,dp=3,pp=2", "tp-cp-ep-dp-pp", "pp", 6, UINT64_C(0x33e32f8ac4bd7d55)},
	{"tp=2,dp=3,pp=2", "tp-cp-ep-dp-pp", "tp+dp", 2, UINT64_C(0xc76acb143d807dc3)},
	{"tp=8,cp=1,ep=8,dp=16,pp=4,etp=1", "tp-cp-ep-dp-pp", "tp", 64,
	 UINT64_C(0xafda424abbe558b3)},
	{"tp=8,cp=1,ep=8,dp=16,pp=4,etp=1", "tp-cp-ep-dp-pp", "dp", 32,
	 UINT64_C(0xaa3882b25506235f)},
	{"tp=8,cp=1,ep=8,dp=16,pp=4,etp=1", "tp-cp-ep-dp-pp", "pp", 128,
	 UINT64_C(0xd3dd29f1ac2aef95)},
	{"tp=8,cp=1,ep=8,dp=16,pp=4,etp=1", "tp-cp-ep-dp-pp", "dp+cp", 32,
	 UINT64_C(0xaa3882b25506235f)},
	{"tp=8,cp=1,ep=8,dp=16,pp=4,etp=1", "tp-cp-ep-dp-pp", "ep", 64,
	 UINT64_C(0xafda424abbe558b3)},
	{"tp=8,cp=1,ep=8,dp=16,pp=4,etp=1", "tp-cp-ep-dp-pp", "edp", 32,
	 UINT64_C(0xaa3882b25506235f)},
	{"tp=8,cp=1,ep=8,dp=16,pp=4,etp=1", "tp-cp-ep-dp-pp", "etp+ep", 64,
	 UINT64_C(0xafda424abbe558b3)},
	{"tp=2,cp=2,ep=4,dp=4,pp=2,etp=2", "tp-cp-ep-dp-pp", "cp", 16,
	 UINT64_C(0x0abf14756e1ec8d3)},
	{"tp=2,cp=2,ep=4,dp=4,pp=2,etp=2", "tp-cp-ep-dp-pp", "dp+cp", 4,
	 UINT64_C(0x4112c61fb0c9889f)},
	{"tp=2,cp=2,ep=4,dp=4,pp=2,etp=2", "tp-cp-ep-dp-pp", "tp+cp", 8,
	 UINT64_C(0x7b257d3cbf5bc105)},
	{"tp=2,cp=2,ep=4,dp=4,pp=2,etp=2", "tp-cp-ep-dp-pp", "etp", 16,
	 UINT64_C(0xce3f5c8e68c5a7b1)},
	{"tp=2,cp=2,ep=4,dp=4,pp=2,etp=2", "tp-cp-ep-dp-pp", "ep", 8, UINT64_C(0x7aec7d23cad9e2af)},
	{"tp=2,cp=2,ep=4,dp=4,pp=2,etp=2", "tp-cp-ep-dp-pp", "edp", 16,
	 UINT64_C(0xa219490f22e85bbd)},
	{"tp=2,cp=2,ep=4,dp=4,pp=2,etp=2", "tp-cp-ep-dp-pp", "etp+ep+pp", 2,
	 UINT64_C(0xf0480558a157c2c1)},
	{"tp=2,cp=3,dp=4,pp=3", "tp-cp-ep-pp-dp", "tp", 36, UINT64_C(0xb3c0fe85fb34001d)},
	{"tp=2,cp=3,dp=4,pp=3", "tp-cp-ep-pp-dp", "cp", 24, UINT64_C(0xef3a8748bad2c4a5)},
	{"tp=2,cp=3,dp=4,pp=3", "tp-cp-ep-pp-dp", "dp", 18, UINT64_C(0xff18a0bfea1e3e61)},
	{"tp=2,cp=3,dp=4,pp=3", "tp-cp-ep-pp-dp", "pp", 24, UINT64_C(0x86323395f553cb11)},
	{"tp=2,cp=3,dp=4,pp=3", "tp-cp-ep-pp-dp", "dp+cp", 6, UINT64_C(0x7ecc2b849f8f36c9)},
	{"tp=2,cp=3,dp=4,pp=3", "tp-cp-ep-pp-dp", "tp+pp", 12, UINT64_C(0x0b95abfaae714831)},
	{"tp=4,ep=2,dp=8,etp=4", "tp-ep-dp-pp", "tp", 8, UINT64_C(0x7b257d3cbf5bc105)},
	{"tp=4,ep=2,dp=8,etp=4", "tp-ep-dp-pp", "dp", 4, UINT64_C(0x3c8f091e586ee201)},
	{"tp=4,ep=2,dp=8,etp=4", "tp-ep-dp-pp", "etp", 8, UINT64_C(0x7b257d3cbf5bc105)},
	{"tp=4,ep=2,dp=8,etp=4", "tp-ep-dp-pp", "ep", 16, UINT64_C(0xc20da70e11452cdf)},
	{"tp=4,ep=2,dp=8,etp=4", "tp-ep-dp-pp", "edp", 8, UINT64_C(0xe46090faf18859e5)},
	{"tp=4,ep=2,dp=8,etp=4", "tp-ep-dp-pp", "ep+edp", 4, UINT64_C(0x3c8f091e586ee201)},
	{"tp=2,cp=2,ep=2,dp=2,pp=2,etp=1", "cp-tp-dp-ep-pp", "cp", 8, UINT64_C(0x2cb5e52df2dafd23)},
	{"tp=2,cp=2,ep=2,dp=2,pp=2,etp=1", "cp-tp-dp-ep-pp", "tp", 8, UINT64_C(0x4abaf752fb6ef4fb)},
	{"tp=2,cp=2,ep=2,dp=2,pp=2,etp=1", "cp-tp-dp-ep-pp", "dp", 8, UINT64_C(0xab79617f716fd773)},
	{"tp=2,cp=2,ep=2,dp=2,pp=2,etp=1", "cp-tp-dp-ep-pp", "pp", 8, UINT64_C(0x5153cb0c268dadb9)},
	{"tp=2,cp=2,ep=2,dp=2,pp=2,etp=1", "cp-tp-dp-ep-pp", "ep", 8, UINT64_C(0xab79617f716fd773)},
	{"tp=2,cp=2,ep=2,dp=2,pp=2,etp=1", "cp-tp-dp-ep-pp", "edp", 4,
	 UINT64_C(0x6d5e65d538de7b2b)},
	{"tp=4,ep=8,dp=2,pp=4,etp=1", "tp-cp-ep-dp-pp", "ep", 4, UINT64_C(0x2fc006b22d0dd8a1)},
	{"tp=4,ep=8,dp=2,pp=4,etp=1", "tp-cp-ep-dp-pp", "edp", 32, UINT64_C(0xad0e71293269f4e1)},
	{"tp=4,ep=8,dp=2,pp=4,etp=1", "tp-cp-ep-dp-pp", "etp", 32, UINT64_C(0xad0e71293269f4e1)},
	{"tp=4,ep=8,dp=2,pp=4,etp=1", "tp-cp-ep-dp-pp", "ep+pp", 1, UINT64_C(0x1f2e1d4e11f28783)},
};

static void test_megatron(void)
{
	for (size_t i = 0; i < sizeof(megatron) / sizeof(*megatron); i++) {
		struct pl_err err = {0};
		struct pl_job job;
		char call[64];

		snprintf(call, sizeof(call), "%s:barrier", megatron[i].name);
		ok(lay(megatron[i].sizes, megatron[i].order, call, &job, &err) == 0 &&
			   job.kind->n_groups == megatron[i].n_groups &&
			   digest(job.kind) == megatron[i].digest,
		   "%s of %s, %s %s", megatron[i].name, megatron[i].sizes, megatron[i].order,
		   err.text);
		pl_job_fini(&job);
	}
}

static void test_mesh(void)
{
	struct pl_job job;

	is_int(lay("dp=2,shard=3", NULL, (char[]){"dp:barrier"}, &job, NULL), 0, "a DeviceMesh");
	ok(job.n_ranks == 6 && job.kind->n_groups == 3 && job.kind->member[0] == 0 &&
		   job.kind->member[1] == 3,
	   "its last dimension varies fastest");
	pl_job_fini(&job);
}

static void test_faults(void)
{
	static const struct {
		const char *sizes, *order, *call, *why;
	} cases[] = {
		{"", PL_LAYOUT_ORDER, "tp:barrier", "a dimension and its size"},
		{"tp", PL_LAYOUT_ORDER, "tp:barrier", "and its size"},
		{"tp=0", PL_LAYOUT_ORDER, "tp:barrier", "from 1 to 1048576"},
		{"tp=-1", PL_LAYOUT_ORDER, "tp:barrier", "from 1 to 1048576"},
		{"tp=9223372036854775807", PL_LAYOUT_ORDER, "tp:barrier", "from 1 to 1048576"},
		{"tp=1048576,dp=1048576,pp=1048576", PL_LAYOUT_ORDER, "tp:barrier",
		 "exceeds 1048576"},
		{"tp=2,tp=2", PL_LAYOUT_ORDER, "tp:barrier", "twice"},
		{"tp=2,xp=2", PL_LAYOUT_ORDER, "tp:barrier", "not \"xp\""},
		{"tp=2,vpp=2", PL_LAYOUT_ORDER, "tp:barrier", "pp=2 or more"},
		{"pp=2,vpp=1025", PL_LAYOUT_ORDER, "pp:pipeline:1", "at most 1024"},
		{"pp=2,vpp=2", PL_LAYOUT_ORDER, "pp:barrier", "no call is a pipeline"},
		{"pp=2,vpp=2", PL_LAYOUT_ORDER, "vpp:pipeline:1", "has dimension vpp"},
		{"pp=2,vpp=2", PL_LAYOUT_ORDER, "pp:pipeline:1:vpp=2", "twice"},
		{"pp=3,vpp=2", PL_LAYOUT_ORDER, "pp:pipeline:1:microbatches=8",
		 "microbatches=8 must be a multiple of its 3 stages"},
		{"tp=2,", PL_LAYOUT_ORDER, "tp:barrier", "and its size"},
		{"tp=2,dp=3,ep=4", PL_LAYOUT_ORDER, "tp:barrier",
		 "6 ranks (tp x cp x dp x pp) are no multiple"},
		{"tp=2,ep=1048576,etp=1048576", PL_LAYOUT_ORDER, "tp:barrier", "no multiple"},
		{"tp=2,dp=2", "tp-tp", "tp:barrier", "each once"},
		{"tp=2,dp=2", "tp-xp", "tp:barrier", "each once"},
		{"tp=2,dp=2", "", "tp:barrier", "each once"},
		{"tp=2,dp=2", "tp-pp", "tp:barrier", "dp is not in the order"},
		{"tp=2,pp=2,dp=4,ep=2", "tp-pp-ep-dp", "tp:barrier", "with pp last they agree"},
		{"tp=2", PL_LAYOUT_ORDER, "tp", "NAME:COLLECTIVE"},
		{"tp=2", PL_LAYOUT_ORDER, ":barrier", "has dimension"},
		{"tp=2", PL_LAYOUT_ORDER, "tp+:barrier", "has dimensions tp+"},
		{"tp=2,dp=4,ep=4", PL_LAYOUT_ORDER, "tp+ep:barrier", "has dimensions tp+ep"},
		{"tp=2,dp=4", PL_LAYOUT_ORDER, "ep:barrier", "has dimension"},
		{"tp=2", PL_LAYOUT_ORDER, "tp:barrier ranks", "blanks"},
		{"tp=2", PL_LAYOUT_ORDER, "tp:allreduce", "\"tp:allreduce\": the bytes"},
		{"tp=2", PL_LAYOUT_ORDER, "tp:allsum:1", "no collective"},
		{"tp=2", PL_LAYOUT_ORDER, "tp:allreduce:1:along=tp", "twice"},
		{"tp=2", PL_LAYOUT_ORDER, "tp:traffic", "no groups"},
		{"a=2,b+c=2", NULL, "a:barrier", "letters, digits"},
		{"a=2,a=2", NULL, "a:barrier", "twice"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pl_err err = {0};
		struct pl_job job;
		char call[64];

		snprintf(call, sizeof(call), "%s", cases[i].call);
		ok(lay(cases[i].sizes, cases[i].order, call, &job, &err) && err.code == PL_EUSAGE &&
			   strstr(err.text, cases[i].why),
		   "refused: %s, %s (%s)", cases[i].sizes, cases[i].call, err.text);
		pl_job_fini(&job);
	}
}

/* From some of the groups along random dimensions of a mesh, all of them. */
static void test_complete(void)
{
	struct pl_rng rng;
	bool same = true;

	pl_rng_init(&rng, 1, 0);
	for (int round = 0; round < 200; round++) {
		struct pl_layout layout = {.n_meshes = 1};
		struct pl_rank_mesh *mesh = &layout.mesh[0];
		struct pl_job_kind all = {0}, some = {0};
		bool along[PL_RANK_MESH_DIMS_MAX] = {false}, fits;

		for (mesh->n = 0; mesh->n < 4; mesh->n++) {
			mesh->dim[mesh->n].size = 1 + pl_rng_below(&rng, 4);
			along[mesh->n] = pl_rng_below(&rng, 2);
		}
		pl_rank_mesh_groups(mesh, along, &all);
		for (size_t g = 0; g < all.n_groups; g++) {
			if (g > 0 && pl_rng_below(&rng, 2))
				continue;
			pl_job_begin_group(&some);
			for (size_t i = all.first[g]; i < all.first[g + 1]; i++)
				pl_job_add_member(&some, all.member[i]);
		}
		same = same && pl_layout_complete(&layout, &some, &fits) == 0 && fits &&
		       digest(&some) == digest(&all);
		free(all.member);
		free(all.first);
		free(some.member);
		free(some.first);
	}
	ok(same, "groups along any dimensions are completed");
}

/* Blocks that are live are not looked at: those of open_memstream() come from libc. */
static void test_memory(void)
{
	bool refused = true, clean = true;

	for (size_t k = 0; refused; k++) {
		struct pl_err err = {0};
		struct pl_job job;
		size_t live;

		failalloc_begin(k);
		if (lay("tp=2,dp=2,ep=2", PL_LAYOUT_ORDER, (char[]){"ep:allreduce:8"}, &job,
			&err) &&
		    err.code != PL_ESYSTEM)
			clean = false;
		pl_job_fini(&job);
		refused = failalloc_end(&live);
	}
	ok(clean, "any allocation may fail");
}

int main(void)
{
	test_megatron();
	test_mesh();
	test_faults();
	test_complete();
	test_memory();
	return done_testing();
}
