/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-message-cost.c - what messages cost, as header lines of a matrix */
#include "config.h"

#include "base/matrix/message-cost.h"
#include "tests/base/matrix-text.h"

#include <math.h>

#define ROWS "# plink-matrix 1\n# quantity rtt\n# unit ns\n"
#define CELLS "a 0 1 1\nb 1 0 1\nc 1 1 0\n"
#define COST                                                                                       \
	"send-ns=3000 recv-ns=2900 wake-ns=1500 spread-ns=700 probe-ns=1700 share-ppm=250000 "     \
	"cores=4"

static int read_costs(struct pl_message_cost cost[3], const char *lines, struct pl_err *err)
{
	char text[1024];
	struct pl_matrix *m;
	int rc;

	snprintf(text, sizeof(text), "%s%s%s", ROWS, lines, CELLS);
	m = matrix_from(text, strlen(text), err);
	rc = m ? pl_message_costs_read(cost, m, err) : -1;
	pl_matrix_destroy(m);
	return rc;
}

static void refuses(const char *line, const char *want)
{
	struct pl_message_cost cost[3];
	struct pl_err err;
	char lines[512];

	snprintf(lines, sizeof(lines), "# message %s\n", line);
	ok(read_costs(cost, lines, &err) < 0 && err.code == PL_EINPUT && err.line >= 4,
	   "refused: %s", line);
	has_str(err.text, want, "because");
}

static void test_refused(void)
{
	refuses("", "not a host");
	refuses("a", "not a host");
	refuses("d 1 " COST, "no such host");
	refuses("a 2 " COST, "another version");
	refuses("a 1", "send-ns=");
	refuses("a 1 send-ns=3000", "send-ns=");
	refuses("a 1 " COST " more=1", "send-ns=");
	refuses("a 1 send-ns=-1 recv-ns=0 wake-ns=0 spread-ns=0 probe-ns=1700 share-ppm=1 cores=1",
		"whole");
	refuses("a 1 send-ns=1e3 recv-ns=0 wake-ns=0 spread-ns=0 probe-ns=1700 share-ppm=1 cores=1",
		"whole");
	refuses("a 1 send-ns=1 recv-ns=0 wake-ns=0 spread-ns=0 probe-ns=1700 share-ppm=0 cores=1",
		"whole");
	refuses("a 1 send-ns=1 recv-ns=0 wake-ns=0 spread-ns=0 probe-ns=1700 share-ppm=1 cores=0",
		"whole");
	refuses("a 1 " COST "\n# message a 1 " COST, "second line");
}

static bool is_usual(const struct pl_message_cost *cost)
{
	return cost->cores == 0 && cost->send_s == PL_MESSAGE_COST_DEFAULT.send_s &&
	       cost->share == 1;
}

static bool is_cost(const struct pl_message_cost *cost)
{
	return fabs(cost->send_s - 3e-6) < 1e-15 && fabs(cost->recv_s - 2.9e-6) < 1e-15 &&
	       fabs(cost->wake_s - 1.5e-6) < 1e-15 && fabs(cost->spread_s - 0.7e-6) < 1e-15 &&
	       fabs(cost->probe_s - 1.7e-6) < 1e-15 && cost->share == 0.25 && cost->cores == 4;
}

static void test_read(void)
{
	struct pl_message_cost cost[3];
	struct pl_err err;

	ok(!read_costs(cost, "", &err) && is_usual(&cost[0]) && is_usual(&cost[2]),
	   "no lines: what is usual");
	ok(!read_costs(cost, "# message b 1 " COST "\n", &err) && is_cost(&cost[1]) &&
		   is_usual(&cost[0]) && is_usual(&cost[2]),
	   "a line of one host");
}

/* Written, read, and those of some hosts copied. */
static void test_write(void)
{
	static const size_t host[] = {2, 0, 1};
	const struct pl_message_cost want = {.send_s = 3e-6,
					     .recv_s = 2.9e-6,
					     .wake_s = 1.5e-6,
					     .spread_s = 0.7e-6,
					     .probe_s = 1.7e-6,
					     .share = 0.25,
					     .cores = 4};
	struct pl_err err;
	struct pl_matrix *m = matrix_from(ROWS CELLS, strlen(ROWS CELLS), &err);
	struct pl_matrix *to = matrix_from(ROWS CELLS, strlen(ROWS CELLS), &err);
	struct pl_message_cost cost[3];

	ok(m && to && !pl_message_cost_add(m, "c", &want), "a line is added");
	is_str(pl_matrix_header(m, "message"), "c 1 " COST, "as it is read");
	ok(!pl_message_costs_copy(to, m, host, &err) && !pl_message_costs_read(cost, to, &err) &&
		   is_cost(&cost[0]) && is_usual(&cost[1]) && is_usual(&cost[2]),
	   "the line of a host goes with it");
	pl_matrix_destroy(m);
	pl_matrix_destroy(to);
}

int main(void)
{
	test_refused();
	test_read();
	test_write();
	return done_testing();
}
