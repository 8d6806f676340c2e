/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-report-alloc.c - a report that memory runs out for: an error, nothing lost */
#include "config.h"

#include "report/report.h"
#include "report/text.h"
#include "tests/base/matrix-text.h"
#include "tests/failalloc.h"
#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define N 6

static const char text[] = "# plink-matrix 1\n# quantity rtt\n# unit us\n"
			   "a 0 1 9 9 1 9\nb 1 0 9 9 1 9\nc 9 9 0 1 9 1\n"
			   "d 9 9 1 0 9 nan\ne 1 1 9 9 0 9\nf 9 9 1 1 9 0\n"
			   "# cell d f no <b>reply</b>\n"
			   "# layer p50 rtt us\n"
			   "a 0 1 9 9 1 9\nb 1 0 9 9 1 9\nc 9 9 0 1 9 1\n"
			   "d 9 9 1 0 9 9\ne 1 1 9 9 0 9\nf 9 9 1 1 9 0\n";

static const size_t at[N] = {0, 1, 4, 2, 3, 5};

/* What all reports here are of. */
static struct {
	struct pl_matrix *m;
	struct pl_report_source from;
	double c[N * N];
	struct pl_shape ring, tree;
} given;

static void prepare(void)
{
	static size_t cell_of[N] = {0, 1, 2, 3, 4, 5};
	const struct pl_hop hop = {.times = 1, .bytes = 4};
	struct pl_err err;

	given.m = matrix_from(text, strlen(text), &err);
	if (!given.m) {
		printf("Bail out! no matrix: %s\n", err.text);
		exit(1);
	}
	for (size_t i = 0; i < N * N; i++)
		given.c[i] = isnan(given.m->layer[0].cell[i]) ? 9 : given.m->layer[0].cell[i];
	given.from = (struct pl_report_source){.matrix = given.m,
					       .hosts = &given.m->hosts,
					       .cell_of = cell_of,
					       .c = given.c,
					       .tool = "unit-report-alloc"};
	given.ring.kind = PL_SUM;
	given.ring.n_pos = N;
	given.tree.kind = PL_LONGEST_PATH;
	given.tree.n_pos = N;
	pl_shape_add_ring(&given.ring, N, 1, hop, NULL);
	for (uint32_t p = 1; p < N; p++)
		pl_shape_add(&given.tree,
			     (struct pl_hop){.src = (p - 1) / 2, .dst = p, .times = 1, .bytes = 4},
			     NULL);
}

static int add_order(struct pl_report *r, const char *title, const struct pl_shape *shape,
		     struct pl_err *err)
{
	const struct pl_report_call call = {.title = title, .shape = shape, .by_host = true};
	struct pl_report_order *o = pl_report_add_order(r, &call, at, N, err);

	if (!o)
		return -1;
	o->given = 44;
	o->cost = 22;
	o->bound = NAN;
	return 0;
}

/* Of two orders and a time; on failure nothing is left. */
static int gather(struct pl_report *r, struct pl_err *err)
{
	const struct pl_report_time time = {
		.collective = "allreduce",
		.name = "ring",
		.given_s = 2,
		.found_s = 1,
		.best = true,
	};

	if (pl_report_init(r, &given.from, err))
		return -1;
	if (add_order(r, "allreduce ring", &given.ring, err) == 0 &&
	    add_order(r, "bcast tree", &given.tree, err) == 0) {
		if (pl_report_add_time(r, &time) == 0)
			return 0;
		pl_err_nomem(err);
	}
	pl_report_fini(r);
	return -1;
}

static void test_gather(void)
{
	size_t k = 0, live, wrong = 0;
	bool refused;

	do {
		struct pl_report r;
		struct pl_err err = {0};
		int rc;

		failalloc_begin(k++);
		rc = gather(&r, &err);
		if (rc == 0)
			pl_report_fini(&r);
		refused = failalloc_end(&live);
		wrong += (rc == -1) != refused || live > 0 || (rc == -1 && err.code != PL_ESYSTEM);
	} while (refused);
	ok(k > 15, "gathered: %zu allocations, each refused once", k - 1);
	is_int((int64_t)wrong, 0, "PL_ESYSTEM, and nothing is lost");
}

static void test_facts(void)
{
	size_t k = 0, live, wrong = 0;
	bool refused;

	do {
		struct pl_report r;
		int rc;

		if (gather(&r, NULL)) {
			ok(false, "no report");
			return;
		}
		failalloc_begin(k++);
		rc = pl_report_add(&r, PL_REPORT_ASKED, "seed", "%d", 7);
		refused = failalloc_end(&live);
		wrong += (rc == -1) != refused || r.n_facts != (rc == 0);
		pl_report_fini(&r);
	} while (refused);
	ok(k > 2, "a fact: %zu allocations, each refused once", k - 1);
	is_int((int64_t)wrong, 0, "it is there in full or not at all");
}

static int write_text(const struct pl_report *r, FILE *out, struct pl_err *err)
{
	const struct pl_terminal terminal = {.color = true, .blocks = true, .width = 70};

	return pl_report_write_text(r, &terminal, out, err);
}

/* What libc allocates itself is not counted, but where we release it, which makes less than
 * nothing. */
static void check_writer(const char *name, pl_report_write_fn *write)
{
	FILE *out = fopen("/dev/null", "w");
	size_t k = 0, live, wrong = 0;
	struct pl_report r;
	bool refused;

	if (!out || gather(&r, NULL)) {
		ok(false, "%s: no report", name);
		return;
	}
	pl_report_add(&r, PL_REPORT_COMMAND, "for <you>", "run %s", "a & b");
	do {
		struct pl_err err = {0};
		int rc;

		failalloc_begin(k++);
		rc = write(&r, out, &err);
		refused = failalloc_end(&live);
		wrong += (rc == -1) != refused || (ptrdiff_t)live > 0 ||
			 (rc == -1 && err.code != PL_ESYSTEM);
	} while (refused);
	ok(k > 1, "%s: %zu allocations, each refused once", name, k - 1);
	is_int((int64_t)wrong, 0, name);
	pl_report_fini(&r);
	fclose(out);
}

int main(void)
{
	prepare();
	test_gather();
	test_facts();
	check_writer("page", pl_report_write_html);
	check_writer("SVG", pl_report_write_svg);
	check_writer("text", write_text);
	pl_shape_fini(&given.ring);
	pl_shape_fini(&given.tree);
	pl_matrix_destroy(given.m);
	return done_testing();
}
