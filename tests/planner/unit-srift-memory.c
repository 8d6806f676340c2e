/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-srift-memory.c - no memory: catalogues, searches and watches fail
 * whole */
#include "config.h"

#include "planner/srift/iteration/least.h"
#include "planner/srift/search/boxes.h"
#include "planner/srift/search/program.h"
#include "planner/srift/search/why.h"
#include "planner/srift/watch/watch.h"
#include "tests/failalloc.h"
#include "tests/tap.h"

#include <math.h>
#include <string.h>

static const char own[] = "instance,price,spot,spot_available,price_note\n"
			  "a,2,0.5,3,x\nb,1,,,\n";
static const char sky[] = "InstanceType,Price,SpotPrice,Region,AvailabilityZone\n"
			  "a,2,0.5,r,z\nb,1,,r,z\n";
static const char ec2[] =
	"[{\"instance_type\": \"a\", \"pricing\": {\"r\": {\"linux\": {\"ondemand\": \"2\"}}}},\n"
	"{\"instance_type\": \"mac\", \"pricing\": {}}]";

static int read_text(const char *s, struct pl_catalogue *c, struct pl_err *err)
{
	struct pl_text text;
	int rc;

	if (pl_text_copy(&text, "c", s, strlen(s), err))
		return -1;
	rc = pl_catalogue_parse(c, &text, err);
	pl_text_fini(&text);
	return rc;
}

static int catalogue(const void *text, struct pl_err *err)
{
	struct pl_catalogue c = {0};
	const int rc = read_text(text, &c, err);
	const bool empty = !c.offer && !c.file && !c.unpriced && c.n == 0;

	pl_catalogue_fini(&c);
	return rc && !empty ? -2 : rc;
}

/* Two types of up to four machines. */
static double batch[] = {1, 8}, slow_s[] = {0.1, 0.8}, fast_s[] = {0.1, 0.5};
static double finish[] = {1, 0.5};
static char names[3][2] = {"a", "b", "p"};
static struct pl_profile_layer layers[] = {{names[0], 4000, 1}, {names[1], 9000, 1}};
static struct pl_profile_instance instances[] = {
	{.name = names[0],
	 .ranks = 1,
	 .forward = {2, batch, slow_s},
	 .backward = {2, batch, slow_s},
	 .straggler = 0.1,
	 .finish = finish},
	{.name = names[1],
	 .ranks = 1,
	 .forward = {2, batch, fast_s},
	 .backward = {2, batch, fast_s},
	 .straggler = 0.1,
	 .finish = finish},
};
static const struct pl_profile profile = {
	.model = names[2], .layer = layers, .n_layers = 2, .instance = instances, .n_instances = 2};

static int bandwidth(const void *model, double bytes, size_t n_ranks, double *bytes_per_s,
		     struct pl_err *err)
{
	(void)model, (void)err;
	*bytes_per_s = 1e5 * bytes / (bytes + 100) / (double)n_ranks;
	return 0;
}

static int cap(const void *model, size_t n_ranks, double *bytes_per_s, struct pl_err *err)
{
	return bandwidth(model, 1e9, n_ranks, bytes_per_s, err);
}

enum way { SEARCH, FRONT, EAGER, BOXES, WHY };

static int ask(enum way way, struct pl_sim *sim, const size_t *available, struct pl_err *err)
{
	const struct pl_effort all = {4000, INT64_MAX}, few = {60, INT64_MAX};
	const struct pl_effort some = {300, INT64_MAX}; /* a tenth: not all */
	struct pl_srift_goal goal = {PL_OBJECTIVE_TIME, 24, 10, INFINITY, INFINITY};
	struct pl_srift_answer a = {0};
	struct pl_why why;
	int rc = -1;

	switch (way) {
	case SEARCH:
	case FRONT:
		rc = pl_search(&a, sim, &goal, available, &all, way == FRONT, err);
		break;
	case EAGER:
		rc = pl_search_eager(&a, sim, &goal, 2, &some, err);
		break;
	case BOXES:
		rc = pl_search(&a, sim, &goal, available, &few, false, err) ||
				     pl_boxes_search(&a, sim, &goal, available, &all, err)
			     ? -1
			     : 0;
		break;
	case WHY:
		goal.budget = goal.time_limit_s = 1;
		rc = pl_why_none(&why, sim, &goal, &all, err);
		break;
	}
	if (rc && (a.found || a.front.quote))
		rc = -2;
	pl_answer_fini(&a);
	return rc;
}

static int market(const void *arg, struct pl_err *err)
{
	const struct pl_comm comm = {NULL, bandwidth, cap};
	const struct pl_market_limit four = {NULL, 0, {4, 4}, true};
	const struct pl_market_rule rule = {.limit = &four, .n_limits = 1};
	const struct pl_iteration_options o = {.draws = 5, .seed = 1};
	static struct pl_market m;
	size_t available[PL_MARKET_TYPES_MAX];
	struct pl_catalogue c = {0};
	struct pl_sim sim = {0};
	int rc = -1;

	if (read_text(own, &c, err) == 0 && pl_market_init(&m, &profile, &c, &rule, err) == 0 &&
	    pl_sim_init(&sim, &m, &comm, 1, &o, err) == 0) {
		pl_search_all(&m, available);
		rc = ask(*(const enum way *)arg, &sim, available, err);
	}
	pl_sim_fini(&sim);
	pl_catalogue_fini(&c);
	return rc;
}

static void hear(void *ctx, const struct pl_srift_watch *w, const struct pl_watch_event *event)
{
	(void)w, (void)event;
	++*(size_t *)ctx;
}

static int end(struct pl_srift_watch *w, double at_s, enum pl_act_kind kind,
	       const struct pl_act_result *result, struct pl_err *err)
{
	for (size_t i = 0; i < w->n_acts; i++)
		if (w->act[i].kind == kind)
			return pl_watch_act_ended(w, at_s, w->act[i].id, result, err);
	return pl_err_set(err, PL_EINPUT, "there is no such act");
}

/* Machines are found and launched, and one is lost. */
static int follow(struct pl_srift_watch *w, struct pl_srift_fleet *fleet, struct pl_srift_fleet *up,
		  struct pl_err *err)
{
	static char one[] = "a-1", two[] = "a-2";
	char *const hosts[] = {one, two};
	const struct pl_fleet_part part = {names[0], true, 2, 12, 0.5};
	const struct pl_act_result done = {0}, found = {.fleet = fleet};
	const struct pl_act_result there = {.name = hosts, .n_names = 2};
	const struct pl_said lost = {.kind = PL_PROGRESS_LOST, .host = "a-1"};
	const struct pl_said some = {.kind = PL_PROGRESS_ITERATION, .iterations = 9};
	struct pl_replan q;

	if (pl_fleet_add(fleet, &part))
		return pl_err_nomem(err);
	fleet->iteration_s = 0.5;
	if (pl_watch_begin(w, 0, err) || end(w, 1, PL_ACT_SEARCH, &found, err) ||
	    end(w, 50, PL_ACT_LAUNCH, &there, err) || end(w, 51, PL_ACT_START, &done, err) ||
	    pl_watch_progress(w, 60, &some, err) || pl_watch_progress(w, 61, &lost, err) ||
	    pl_watch_tick(w, 62, err))
		return -1;
	return pl_watch_question(w, 63, &q, up) ? pl_err_nomem(err) : 0;
}

static int watch(const void *arg, struct pl_err *err)
{
	const struct pl_watch_job job = {
		.iterations = 100,
		.time_limit_s = 500,
		.budget = INFINITY,
		.times = {.solve_s = 1, .launch_s = 50, .detach_s = 5},
		.can_checkpoint = true,
		.can_stop = true,
	};
	struct pl_srift_fleet fleet = {0}, up = {0};
	struct pl_srift_watch w;
	size_t told = 0;
	int rc;

	(void)arg;
	pl_watch_init(&w, &job, hear, &told);
	rc = follow(&w, &fleet, &up, err);
	pl_watch_fini(&w);
	pl_srift_fleet_fini(&fleet);
	pl_srift_fleet_fini(&up);
	return rc;
}

/* Each of its allocations is refused once; then none is. */
static void refuse(const char *what, int (*work)(const void *, struct pl_err *), const void *arg)
{
	size_t n = 0, n_faults = 0, live = 0, n_live = 0;
	struct pl_err err;
	bool refused = true;
	int rc = 0;

	for (; refused; n++) {
		err = (struct pl_err){0};
		failalloc_begin(n);
		rc = work(arg, &err);
		refused = failalloc_end(&live);
		n_live += live;
		n_faults += refused && (rc != -1 || err.code != PL_ESYSTEM);
	}
	if (rc)
		printf("# %s\n", err.text);
	printf("# %s: %zu allocations\n", what, n - 1);
	ok(n > 2 && rc == 0, "%s: done where there is memory", what);
	is_int((int64_t)n_faults, 0, "else refused as such, and whole");
	is_int((int64_t)n_live, 0, "and nothing is left over");
}

int main(void)
{
	static const struct {
		const char *name;
		enum way way;
	} ways[] = {{"search", SEARCH},
		    {"front", FRONT},
		    {"eager", EAGER},
		    {"boxes", BOXES},
		    {"why", WHY}};

	refuse("own catalogue", catalogue, own);
	refuse("SkyPilot's", catalogue, sky);
	refuse("ec2instances'", catalogue, ec2);
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++)
		refuse(ways[i].name, market, &ways[i].way);
	refuse("watch", watch, NULL);
	return done_testing();
}
