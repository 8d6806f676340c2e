/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-srift-profile.c - profiles: nonsense with its place, times, memory */
#include "config.h"

#include "base/rng.h"
#include "planner/srift/profile/profile.h"
#include "tests/failalloc.h"
#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>

static int parse(struct pl_profile *p, const char *s, struct pl_err *err)
{
	struct pl_text text;
	int rc;

	*p = (struct pl_profile){0};
	*err = (struct pl_err){0};
	if (pl_text_copy(&text, "p.json", s, strlen(s), err))
		return -1;
	rc = pl_profile_parse(p, &text, err);
	pl_text_fini(&text);
	return rc;
}

#define HEAD "{\"plink-profile\": 1, \"model\": \"m\",\n \"layers\": "
#define LAYERS HEAD "[{\"name\": \"a\", \"bytes\": 8}],\n"
#define INSTANCE LAYERS " \"instances\": [{\"name\": \"i\", \"batches\": [1, 4],\n"
#define TIMES INSTANCE "  \"forward_s\": [1, 2], \"backward_s\": [2, 4],\n"
#define GOOD TIMES "  \"finish\": [0.5]}]}"

static const struct {
	const char *text;
	long line, col;
	const char *part;
} bad[] = {
	{"", 1, 1, "expected near"},
	{"{\n \"a\": 1,\n \"a\": 2}", 3, 4, "duplicate"},
	{"{\"a\": [1, 2", 1, 11, "expected"},
	{" [1]", 1, 2, "this is not a profile"},
	{"{\"layers\": []}", 1, 1, "this is not a profile"},
	{"{\"plink-profile\": 3}", 1, 19, "3 is not from 1 to 2"},
	{"{\"plink-profile\": 1,\n \"numbers\": []}", 2, 13, "\"numbers\""},
	{"{\"plink-profile\": \"1\"}", 1, 19, "a whole number is wanted"},
	{"{\"plink-profile\": 1,\n \"x\": [1, {}],\n \"model\": \"m\"}", 2, 7,
	 "\"x\": there is no such member"},
	{"{\"plink-profile\": 1}", 1, 1, "\"model\": it is missing"},
	{"{\"plink-profile\": 1, \"model\": \"\"}", 1, 31, "1 to 255 bytes"},
	{"{\"plink-profile\": 1, \"model\": \"a\\n\"}", 1, 31, "control"},
	{"{\"plink-profile\": 1, \"model\": \"m\"}", 1, 1, "\"layers\""},
	{HEAD "[]}", 2, 12, "0 elements"},
	{HEAD "[7]}", 2, 13, "element 1 of \"layers\": an object"},
	{HEAD "[{\"name\": \"a\"}]}", 2, 13, "\"bytes\": it is missing"},
	{HEAD "[{\"name\": \"a\", \"bytes\": 1.5}]}", 2, 36, "whole number"},
	{HEAD "[{\"name\": \"a\", \"bytes\": -1}]}", 2, 36, "-1 is not"},
	{HEAD "[{\"name\": \"a\", \"bytes\": 1},\n{\"name\": \"b\", \"bytes\": 1, \"probability\": "
	      "1.1}]}",
	 3, 42, "1.1 is not from 0 to 1"},
	{LAYERS "\"instances\": [{\"name\": \"i\"}]}", 3, 15, "\"batches\""},
	{LAYERS "\"instances\": [{\"name\": \"i\", \"batches\": [4, 4]}]}", 3, 44,
	 "batches must ascend: 4 comes after 4"},
	{LAYERS "\"instances\": [{\"name\": \"i\", \"batches\": [0, 4]}]}", 3, 41,
	 "element 1 of \"batches\": 0 is not"},
	{INSTANCE "\"forward_s\": [1]}]}", 4, 14, "1 elements, not 2"},
	{INSTANCE "\"forward_s\": [1, 0]}]}", 4, 18, "0 is not from 1e-09"},
	{INSTANCE "\"forward_s\": [1, \"\\\"],}\"]}]}", 4, 18, "a number"},
	{TIMES "\"ranks\": 1}]}", 3, 16, "\"finish\": it is missing"},
	{TIMES "\"finish\": [0.5, 1]}]}", 5, 11, "2 elements, not 1"},
	{TIMES "\"finish\": [1.5]}]}", 5, 12, "1.5 is not from 0 to 1"},
	{TIMES "\"finish\": [1], \"straggler\": -0.1}]}", 5, 29, "-0.1 is not"},
	{TIMES "\"finish\": [1], \"ranks\": 0}]}", 5, 25, "0 is not from 1"},
	{TIMES "\"finish\": [1]}, {\"name\": \"i\", \"batches\": [1],\n"
	       "\"forward_s\": [1], \"backward_s\": [1], \"finish\": [1]}]}",
	 5, 26, "\"i\" comes again"},
	/* a key with escapes: the place is that of the object */
	{"{\"plink-profil\\u0065\": 3}", 1, 1, "3 is not from 1 to 2"},
	{TIMES "\"origin\": \"measured\", \"finish\": [1]}]}", 5, 11,
	 "\"origin\": there is no such member"},
	{GOOD " x", 5, 22, "end of file expected"},
};

static void test_nonsense(void)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct pl_profile p;
		struct pl_err err;
		const int rc = parse(&p, bad[i].text, &err);
		const bool good = rc == -1 && err.code == PL_EINPUT && err.line == bad[i].line &&
				  err.col == bad[i].col && strstr(err.text, bad[i].part) &&
				  !p.layer && !p.instance && !p.model;

		if (!good)
			printf("# rc %d, %ld:%ld: %s\n", rc, err.line, err.col, err.text);
		ok(good, "refused: %s", bad[i].part);
		pl_profile_fini(&p);
	}
}

static const char full[] = "{\"comment\": [\"any\"], \"plink-profile\": 1, \"model\": \"two\",\n"
			   "\"layers\": [{\"name\": \"a\", \"bytes\": 0},\n"
			   "{\"name\": \"b\", \"bytes\": 4096, \"probability\": 0.25}],\n"
			   "\"instances\": [{\"name\": \"x\", \"batches\": [1, 3, 5, 8],\n"
			   "\"forward_s\": [0.1, 0.2, 0.5, 0.6],\n"
			   "\"backward_s\": [0.2, 0.4, 1.0, 1.2], \"finish\": [1, 0]},\n"
			   "{\"name\": \"y\", \"ranks\": 4, \"batches\": [2], \"forward_s\": [7],\n"
			   "\"backward_s\": [8], \"straggler\": 0.036, \"finish\": [1, 0.5]}]}\n";

static void test_good(void)
{
	const struct pl_profile_instance *y;
	struct pl_profile p;
	struct pl_err err;

	is_int(parse(&p, full, &err), 0, "a profile with all it may have");
	is_str(p.model, "two", "its model");
	ok(p.n_layers == 2 && p.layer[0].bytes == 0 && p.layer[1].bytes == 4096 &&
		   p.layer[0].probability == 1 && p.layer[1].probability == 0.25,
	   "its layers");
	y = pl_profile_find(&p, "y@3", 1);
	ok(y == &p.instance[1] && y->ranks == 4 && y->straggler == 0.036 && y->finish[1] == 0.5 &&
		   p.instance[0].ranks == 1 && p.instance[0].straggler == 0,
	   "its instances");
	ok(!pl_profile_find(&p, "xx", 2) && !pl_profile_find(&p, "", 0), "no other instance");
	ok(pl_profile_seconds(&y->forward, 2) == 7 && pl_profile_seconds(&y->forward, 9) == 7,
	   "one point: its time");
	pl_profile_fini(&p);
}

static const char numbered[] =
	"{\"plink-profile\": 2, \"model\": \"two\",\n"
	"\"layers\": [{\"name\": \"a\", \"bytes\": 4}],\n"
	"\"instances\": [{\"name\": \"x\", \"batches\": [1, 3],\n"
	"\"forward_s\": [0.1, 0.2], \"backward_s\": [1, 2],\n"
	"\"finish\": [1], \"origin\": \"simulated\", \"with\": \"w\"}],\n"
	"\"numbers\": [{\"name\": \"prep_s\", \"value\": 0.25, \"instance\": \"x\", \"batch\": 2, "
	"\"origin\": \"measured\"},\n"
	"{\"name\": \"fetch_s\", \"value\": -1, \"instance\": \"x\", \"batch\": 2},\n"
	"{\"name\": \"flops\", \"value\": 3e9, \"origin\": \"given\", \"when\": \"today\"}]}";

/* Numbers and origins come back as they were written. */
static void test_numbers(void)
{
	const struct pl_profile_number *flops;
	struct pl_profile p, again;
	struct pl_err err;
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	is_int(parse(&p, numbered, &err), 0, "a profile with numbers");
	is_int(pl_profile_write(&p, out, &err), 0, "it is written");
	fclose(out);
	is_int(parse(&again, text, &err), 0, "and read");
	flops = pl_profile_number_find(&again.numbers, "flops", NULL);
	ok(again.numbers.n == 3 && flops && flops->value == 3e9 &&
		   flops->origin.kind == PL_ORIGIN_GIVEN &&
		   strcmp(flops->origin.when, "today") == 0 && !flops->origin.with,
	   "a number and its origin");
	ok(again.instance[0].origin.kind == PL_ORIGIN_SIMULATED &&
		   strcmp(again.instance[0].origin.with, "w") == 0,
	   "the origin of times");
	pl_profile_add_data(&again, PL_DATA_STORAGE);
	ok(again.instance[0].forward.t_s[0] == 0.1 + 0.125 &&
		   again.instance[0].forward.t_s[1] == 0.2 + 0.375,
	   "waiting for data, in proportion to the samples; none below 0");
	pl_profile_fini(&p);
	pl_profile_fini(&again);
	free(text);
}

/* srift 4.1: three segments through four points; the last one goes on. */
static void test_segments(void)
{
	double b[] = {1, 3, 5, 8}, t[] = {0.1, 0.2, 0.5, 0.6};
	const struct pl_profile_curve curve = {4, b, t};
	bool through = true;

	for (size_t i = 0; i < 4; i++)
		through &= fabs(pl_profile_seconds(&curve, b[i]) - t[i]) <= 1e-12 * t[i];
	ok(through, "passes through the four points");
	ok(fabs(pl_profile_seconds(&curve, 2) - 0.15) < 1e-12 &&
		   fabs(pl_profile_seconds(&curve, 4) - 0.35) < 1e-12 &&
		   fabs(pl_profile_seconds(&curve, 6.5) - 0.55) < 1e-12,
	   "linear within each segment");
	ok(fabs(pl_profile_seconds(&curve, 11) - 0.7) < 1e-12, "the last segment goes on");
}

/* Any law t = alpha B + beta comes back, wherever it was sampled. */
static void test_linear_law(void)
{
	struct pl_rng rng;
	double worst = 0;

	pl_rng_init(&rng, 7, 0);
	for (int k = 0; k < 1000; k++) {
		const double alpha = pl_rng_double(&rng) + 1e-6;
		const double beta = pl_rng_double(&rng);
		double b[4] = {1}, t[4], at;
		const struct pl_profile_curve curve = {4, b, t};

		for (int i = 1; i < 4; i++)
			b[i] = b[i - 1] + 1 + (double)pl_rng_below(&rng, 1000);
		for (int i = 0; i < 4; i++)
			t[i] = alpha * b[i] + beta;
		at = 1 + pl_rng_double(&rng) * 2 * b[3];
		worst = fmax(worst, fabs(pl_profile_seconds(&curve, at) / (alpha * at + beta) - 1));
	}
	if (!ok(worst < 1e-12, "a linear law is recovered"))
		printf("# off by %g\n", worst);
}

static void test_memory(const char *s)
{
	bool failed = true, clean = true;
	size_t k;

	for (k = 0; failed; k++) {
		struct pl_profile p = {0};
		struct pl_err err = {0};
		struct pl_text text;
		size_t live;
		int rc;

		pl_text_copy(&text, "p", s, strlen(s), &err);
		failalloc_begin(k);
		rc = pl_profile_parse(&p, &text, &err);
		if (rc == 0)
			pl_profile_fini(&p);
		failed = failalloc_end(&live);
		clean &= live == 0 && (rc == 0) == !failed && (rc == 0 || err.code == PL_ESYSTEM);
		pl_text_fini(&text);
	}
	ok(clean && k > 10, "no memory: told, nothing left (%zu places)", k);
}

int main(void)
{
	test_nonsense();
	test_good();
	test_segments();
	test_linear_law();
	test_numbers();
	test_memory(full);
	test_memory(numbered);
	return done_testing();
}
