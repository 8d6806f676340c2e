/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-stalls.c - stalls of measured steps: nonsense with its place, the papers' numbers,
 * what-ifs */
#include "config.h"

#include "base/rng.h"
#include "planner/stalls/advice.h"
#include "planner/stalls/law.h"
#include "planner/stalls/parts.h"
#include "planner/stalls/whatif.h"
#include "tests/tap.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define HEAD "# plink-stalls 1\n"
#define RUN HEAD "run m a\n"

static int parse(struct pl_stall_runs *runs, const char *s, struct pl_err *err)
{
	struct pl_text text;
	int rc;

	*err = (struct pl_err){0};
	if (pl_text_copy(&text, "s", s, strlen(s), err))
		return -1;
	rc = pl_stall_runs_parse(runs, &text, err);
	pl_text_fini(&text);
	return rc;
}

static const struct {
	const char *text;
	long line, col;
	const char *part;
} bad[] = {
	{"", 1, 1, "the first line must be"},
	{"# plink-stalls 2\nrun m a\n", 1, 1, "the first line must be"},
	{HEAD, 1, 1, "there is no line \"run MODEL MACHINE\""},
	{HEAD "gpus 4\n", 2, 1, "must come first"},
	{HEAD "run\n", 2, 4, "the name of a model must stand here"},
	{HEAD "run m\n", 2, 6, "the type of a machine must stand here"},
	{HEAD "run m a b\n", 2, 9, "not known"},
	{RUN "run m a\n", 3, 5, "m on a is on line 2 already"},
	{RUN "gpus 0\n", 3, 6, "a whole number from 1 to 1024"},
	{RUN "gpus\n", 3, 5, "a whole number"},
	{RUN "batch -1\n", 3, 7, "a whole number"},
	{RUN "gradients 1.5MB\n", 3, 11, "bytes must stand here"},
	{RUN "speed 4\n", 3, 1, "\"speed\" is not known here"},
	{RUN "t1 0\n", 3, 4, "seconds of an iteration"},
	{RUN "t1 nan\n", 3, 4, "seconds of an iteration"},
	{RUN "t1 1e7\n", 3, 4, "seconds of an iteration"},
	{RUN "t1 1\nt1 2\n", 4, 4, "given twice"},
	{RUN "t1 1 machines=2\n", 3, 6, "not known here"},
	{RUN "t1 1 iterations=0\n", 3, 17, "a whole number"},
	{RUN "t1 1 error=-1\n", 3, 12, "a standard error in seconds"},
	{RUN "t5 1 machines=1\n", 3, 15, "a whole number from 2"},
	{RUN "t5 1 instance=\n", 3, 15, "the type of a machine"},
	{RUN "gpus 2\nt5 1 machines=4\n", 2, 1, "t5 is of 4 machines"},
	{RUN "script\n", 3, 7, "the name of a script"},
};

static void test_nonsense(void)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct pl_stall_runs runs = {0};
		struct pl_err err;
		const int rc = parse(&runs, bad[i].text, &err);

		if (!ok(rc == -1 && err.code == PL_EINPUT && !runs.n && err.line == bad[i].line &&
				err.col == bad[i].col && strstr(err.text, bad[i].part),
			"refused: %s", bad[i].part))
			printf("# %d %ld:%ld: %s\n", rc, err.line, err.col, err.text);
		pl_stall_runs_fini(&runs);
	}
}

static char *written(const struct pl_stall_runs *runs)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	if (!out || pl_stall_runs_write(runs, out, NULL) || fclose(out))
		return NULL;
	return text;
}

static void test_file(void)
{
	static const char full[] =
		HEAD "run resnet50 p3.16xlarge\ngpus 8\nbatch 32\nsamples 1281167\n"
		     "data-bytes 133000000000\nlayers 161\ngradients 94400000\n"
		     "workers 3\nscript train.py\nt1 10 iterations=50 error=0.5\nt2 19\nt3 40\n"
		     "t4 25\nt5 114 machines=2 instance=p3.8xlarge\n"
		     "run none a\ngpus 1\n";
	struct pl_stall_runs runs = {0};
	struct pl_err err;
	char *text;

	ok(parse(&runs, full, &err) == 0, "a file of two runs");
	text = written(&runs);
	is_str(text, full, "is written as it is read");
	free(text);
	ok(parse(&runs, RUN "t1 x\n", &err) == -1 && runs.n == 2,
	   "a bad file leaves the runs before it");
	pl_stall_runs_fini(&runs);
}

static bool is_near(double got, double want)
{
	return fabs(got - want) <= 1e-9 * fabs(want);
}

/* t = 10, 19, 40, 25, 114 */
static void test_definitions(void)
{
	struct pl_stall_runs runs = {0};
	struct pl_stall_run *run = pl_stall_runs_add(&runs, "m", "a");
	struct pl_stall_parts p;
	const double t[] = {10, 19, 40, 25, 114};

	run->gpus = 4;
	memcpy(run->t_s, t, sizeof(t));
	p = pl_stall_parts_of(run);
	ok(is_near(p.share[PL_STALL_INTERCONNECT], 0.9), "interconnect 90 %%");
	ok(is_near(p.share[PL_STALL_NETWORK], 5), "network 500 %%");
	ok(is_near(p.s[PL_STALL_PREP], 6) && is_near(p.s[PL_STALL_FETCH], 15), "prep 6, fetch 15");
	ok(is_near(p.share[PL_STALL_PREP], 6.0 / 40) && is_near(p.share[PL_STALL_FETCH], 15.0 / 40),
	   "both are shares of t3");
	run->t_s[PL_STALL_T5] = 9.5;
	p = pl_stall_parts_of(run);
	ok(is_near(p.share[PL_STALL_NETWORK], -0.5), "a negative stall stays");
	run->t_s[PL_STALL_T3] = NAN;
	p = pl_stall_parts_of(run);
	ok(isnan(p.s[PL_STALL_FETCH]) && is_near(p.share[PL_STALL_PREP], 6.0 / 25),
	   "without t3: no fetch, prep of t4");
	run->t_s[PL_STALL_T2] = NAN;
	run->gpus = 1;
	ok(pl_stall_seconds(run, PL_STALL_T2) == 10, "of a single GPU t2 is t1");
	pl_stall_runs_fini(&runs);
}

/* stash, VI-A, with the gradients of its Table II */
static void test_law(void)
{
	const struct pl_stall_link network = {0, 10e9 / 8};
	const struct pl_stall_model vgg11 = {11, 531e6};
	const struct pl_stall_model resnet50 = {54, 94.4e6};
	const struct pl_stall_model both_more = {60, 600e6};
	const double cross = pl_stall_crossover(&vgg11, &resnet50, 1e-3);
	const struct pl_stall_link at = {1e-3, cross};

	ok(fabs(pl_stall_exchange_s(&network, &vgg11) - 0.425) < 5e-4,
	   "531 MB at 10 Gbit/s: 0.425 s");
	ok(fabs(pl_stall_exchange_s(&network, &resnet50) - 0.076) < 5e-4, "94.4 MB: 0.076 s");
	ok(is_near(cross, (531e6 - 94.4e6) / (1e-3 * (54 - 11))) &&
		   is_near(pl_stall_exchange_s(&at, &vgg11), pl_stall_exchange_s(&at, &resnet50)),
	   "at the crossover both take equally long");
	ok(isnan(pl_stall_crossover(&vgg11, &both_more, 1e-3)), "more layers and more bytes: none");
}

static void test_fit(void)
{
	const struct pl_stall_link link = {2e-4, 3e9};
	struct pl_stall_runs runs = {0};
	struct pl_stall_link found;
	struct pl_err err = {0};
	const uint64_t seed = 7;
	struct pl_rng rng;

	printf("# seed %" PRIu64 "\n", seed);
	pl_rng_init(&rng, seed, 0);
	for (int i = 0; i < 5; i++) {
		char name[] = {(char)('a' + i), 0};
		struct pl_stall_run *run = pl_stall_runs_add(&runs, name, "x");
		struct pl_stall_model model;

		run->gpus = 4;
		run->layers = 1 + pl_rng_below(&rng, 200);
		run->gradients = 1 + pl_rng_below(&rng, 1000000000);
		model = (struct pl_stall_model){(double)run->layers, (double)run->gradients};
		run->t_s[PL_STALL_T1] = 0.25;
		run->t_s[PL_STALL_T2] = 0.25 + pl_stall_exchange_s(&link, &model);
	}
	ok(pl_stall_link_fit(&found, &runs, PL_STALL_INTERCONNECT, &err) == 0 &&
		   fabs(found.latency_s / link.latency_s - 1) < 1e-6 &&
		   fabs(found.bytes_per_s / link.bytes_per_s - 1) < 1e-6,
	   "a link is found again from its stalls");
	ok(pl_stall_link_fit(&found, &runs, PL_STALL_NETWORK, &err) == -1 && err.code == PL_EINPUT,
	   "none from stalls that were not measured");
	pl_stall_runs_cut(&runs, 1);
	ok(pl_stall_link_fit(&found, &runs, PL_STALL_INTERCONNECT, &err) == -1,
	   "none from a single run");
	pl_stall_runs_fini(&runs);
}

static void test_cost(void)
{
	static const char prices[] = /* stash, Table I */
		"instance,price,region\np3.2xlarge,3.06,r\n"
		"p3.8xlarge,12.24,r\np3.16xlarge,24.48,r\n"
		"p2.8xlarge,7.20,r\np2.16xlarge,14.40,r\n"
		"p2.16xlarge,1,other\n";
	struct pl_catalogue c = {0};
	struct pl_stall_runs runs = {0};
	struct pl_stall_run *run = pl_stall_runs_add(&runs, "m", "p3.16xlarge");
	struct pl_stall_epoch e;
	struct pl_text text;
	struct pl_err err;

	pl_text_copy(&text, "c", prices, strlen(prices), &err);
	ok(pl_catalogue_parse(&c, &text, &err) == 0, "prices of Table I");
	ok(is_near(pl_stall_price(&c, "p3.8xlarge", "r", PL_ON_DEMAND) /
			   pl_stall_price(&c, "p3.2xlarge", "r", PL_ON_DEMAND),
		   4) &&
		   is_near(pl_stall_price(&c, "p3.16xlarge", "r", PL_ON_DEMAND) /
				   pl_stall_price(&c, "p3.8xlarge", "r", PL_ON_DEMAND),
			   2) &&
		   is_near(pl_stall_price(&c, "p2.16xlarge", "r", PL_ON_DEMAND) /
				   pl_stall_price(&c, "p2.8xlarge", "r", PL_ON_DEMAND),
			   2),
	   "their ratios: 4, 2, 2");
	ok(pl_stall_price(&c, "p2.16xlarge", NULL, PL_ON_DEMAND) == 1,
	   "the cheapest of all regions");
	ok(isnan(pl_stall_price(&c, "p2.16xlarge", "r", PL_SPOT)), "no price, no number");
	run->gpus = 8;
	run->batch = 32;
	run->samples = 1025; /* 5 iterations: the last one is not full */
	run->t_s[PL_STALL_T2] = 360;
	run->t_s[PL_STALL_T4] = 720;
	run->t_s[PL_STALL_T5] = 1080;
	run->machines = 2;
	e = pl_stall_epoch_of(run, false, 24.48);
	ok(is_near(e.s, 3600) && is_near(e.dollars, 24.48) && e.step == PL_STALL_T4,
	   "an epoch of t4");
	e = pl_stall_epoch_of(run, true, 12.24);
	ok(is_near(e.s, 7200) && is_near(e.dollars, 48.96) && e.added,
	   "an epoch on two machines, with what real data adds on one");
	pl_stall_runs_fini(&runs);
	pl_catalogue_fini(&c);
	pl_text_fini(&text);
}

static char *advised(const struct pl_stall_run *run)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	pl_stall_advise(run, "", out);
	fclose(out);
	return text;
}

static void test_advice(void)
{
	struct pl_stall_runs runs = {0};
	struct pl_stall_run *run = pl_stall_runs_add(&runs, "m", "a");
	const double t[] = {0.1, 0.101, 0.18, 0.175, 0.08};
	char *text;

	run->gpus = 4;
	run->machines = 2;
	run->workers = 4;
	memcpy(run->t_s, t, sizeof(t));
	text = advised(run);
	has_str(text, "prep-bound (41 % of a step); remedy: 3 more loader workers",
		"4 workers, 0.175 s for 0.101 s: 3 more");
	has_str(text, "2 x a take 21 % less time than one a", "a better network");
	ok(!strstr(text, "fetch") && !strstr(text, "interconnect"),
	   "what takes 3 %% is no bottleneck");
	free(text);
	run->error_s[PL_STALL_T2] = 0.015;
	run->error_s[PL_STALL_T4] = 0.02;
	text = advised(run);
	has_str(text, "prep: not certain: +74 ms, with a standard error of 25 ms",
		"less than 3 standard errors");
	ok(!strstr(text, "prep-bound"), "that is no advice");
	free(text);
	run->error_s[PL_STALL_T2] = run->error_s[PL_STALL_T4] = 0;
	run->workers = 0;
	run->t_s[PL_STALL_T4] = 0.32; /* 0.219 s between iterations */
	ok(pl_stall_workers_wanted(run) == 3, "from none to three workers");
	for (int i = 1; i < PL_STALL_STEPS; i++)
		run->t_s[i] = 0.1;
	text = advised(run);
	is_str(text, "no measured stall takes 5 % of a step or more\n", "nothing to do");
	free(text);
	pl_stall_runs_fini(&runs);
}

static void test_what_if(void)
{
	static const char model[] = "{\"SPEED_INGESTION\": 2000, \"SPEED_CACHED\": 1500, "
				    "\"DISK_THR\": 102.4, \"MEM_THR\": 10, \"AVG_SAMPLE_SIZE\": "
				    "100, \"TOTAL_SAMPLES\": 1000000, \"RUN1\": {\"SPEED\": 1}}";
	struct pl_stall_store s, again;
	enum pl_stall_bound bound;
	struct pl_text text;
	struct pl_err err = {0};
	char *out_text = NULL;
	size_t len;
	FILE *out = open_memstream(&out_text, &len);

	pl_text_copy(&text, "m", model, strlen(model), &err);
	ok(pl_stall_store_is(&text) && pl_stall_store_parse(&s, &text, &err) == 0, "a MODEL.json");
	pl_text_fini(&text);
	ok(is_near(pl_stall_fetch_per_s(&s, 0), 1000) &&
		   is_near(pl_stall_fetch_per_s(&s, 0.5), 1e6 / 505) &&
		   is_near(pl_stall_fetch_per_s(&s, 1), 100000),
	   "fetched from storage, from both, from memory");
	ok(pl_stall_trained_per_s(&s, 0, &bound) == 1000 && bound == PL_BOUND_FETCH,
	   "nothing in memory: bound by fetching");
	ok(pl_stall_trained_per_s(&s, 0.5, &bound) == 1500 && bound == PL_BOUND_PREP,
	   "half of it: bound by preparing");
	ok(is_near(pl_stall_fetch_per_s(&s, pl_stall_cache_wanted(&s)), 1500),
	   "with the share that is enough, fetching keeps up");
	ok(pl_stall_store_write(&s, out, &err) == 0 && fclose(out) == 0 &&
		   pl_text_copy(&text, "m", out_text, len, &err) == 0 &&
		   pl_stall_store_parse(&again, &text, &err) == 0 &&
		   memcmp(&s, &again, sizeof(s)) == 0,
	   "written and read again");
	pl_text_fini(&text);
	free(out_text);
	pl_text_copy(&text, "m", "{\"DISK_THR\": 0}", 15, &err);
	ok(pl_stall_store_parse(&s, &text, &err) == -1 && err.code == PL_EINPUT && err.line == 1,
	   "one without speeds is refused");
	pl_text_fini(&text);
}

/* Of the steps of a run, the MODEL.json that says the same. */
static void test_store_of(void)
{
	struct pl_stall_runs runs = {0};
	struct pl_stall_run *run = pl_stall_runs_add(&runs, "m", "a");
	struct pl_stall_store s;
	struct pl_err err = {0};

	run->gpus = 2;
	run->batch = 50;
	run->samples = 10240;
	run->data_bytes = (uint64_t)10 << 30; /* 1 MiB a sample */
	run->t_s[PL_STALL_T2] = 0.1;
	run->t_s[PL_STALL_T3] = 1;
	ok(pl_stall_store_of(&s, run, 10, &err) == -1 && err.code == PL_EINPUT, "t4 is missing");
	run->t_s[PL_STALL_T4] = 0.2;
	ok(pl_stall_store_of(&s, run, 10, &err) == 0 && is_near(s.ingestion_per_s, 1000) &&
		   is_near(s.cached_per_s, 500) && is_near(s.disk_mib_per_s, 100) &&
		   is_near(s.data_gib, 10) && is_near(pl_stall_fetch_per_s(&s, 0), 100),
	   "speeds, disk and data of measured steps");
	run->gpus = 1;
	run->t_s[PL_STALL_T1] = 0.05;
	run->t_s[PL_STALL_T2] = NAN;
	ok(pl_stall_store_of(&s, run, 10, &err) == 0 && is_near(s.ingestion_per_s, 1000),
	   "of a single GPU t2 is t1");
	pl_stall_runs_fini(&runs);
}

int main(void)
{
	test_nonsense();
	test_file();
	test_definitions();
	test_law();
	test_fit();
	test_cost();
	test_advice();
	test_what_if();
	test_store_of();
	return done_testing();
}
