/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-tiers.c - racks, wider groups and rates, read from a matrix and written back */
#include "config.h"

#include "base/matrix/tiers.h"
#include "tests/base/matrix-text.h"

#define US "# plink-matrix 1\n# quantity one-way\n# unit us\n"
#define ROWS "a 0 1 9 9\nb 1 0 9 9\nc 9 9 0 1\nd 9 9 1 0\n"

static int read_tiers(struct pl_tiers *t, const char *lines, struct pl_err *err)
{
	char text[1024];
	struct pl_matrix *m;
	int rc;

	snprintf(text, sizeof(text), "%s%s%s", US, lines, ROWS);
	m = matrix_from(text, strlen(text), err);
	rc = m ? pl_tiers_read(t, m, err) : -1;
	pl_matrix_destroy(m);
	return rc;
}

static void refuses(const char *lines, const char *want)
{
	struct pl_tiers t;
	struct pl_err err;

	ok(read_tiers(&t, lines, &err) < 0 && err.code == PL_EINPUT && !t.card, "refused: %.*s",
	   (int)strcspn(lines, "\n"), lines);
	has_str(err.text, want, "because");
}

/* Errors have the place of the value. */
static void test_place(void)
{
	struct pl_tiers t;
	struct pl_err err;

	read_tiers(&t, "# rack a 1\n#  card a 1G\n", &err);
	ok(err.line == 5 && err.col == 9, "line %ld, column %ld", err.line, err.col);
}

#define TREE                                                                                       \
	"# rack a 7\n# rack b 7\n# rack c 3\n# rack d 5\n"                                         \
	"# within 7 9\n# within 5 8\n# within 3 8\n"                                               \
	"# card a 200Mbit 1.5Gbit\n# card d - 64k\n"                                               \
	"# uplink 8 10M -\n# uplink 7 1G 2G\n"

static void check_tree(const struct pl_tiers *t, const char *what)
{
	size_t leave[5], enter[5];
	struct pl_tiers_way way = {.leave = leave, .enter = enter};

	ok(t->n_groups == 5 && t->rack[0] == t->rack[1] && t->rack[2] == 0 && t->rack[3] == 1 &&
		   t->rack[0] == 2 && t->within[0] == 3 && t->within[2] == 4 &&
		   t->within[3] == PL_NO_GROUP,
	   "%s: groups by their numbers", what);
	ok(t->card[0].out_bps == 200e6 && t->card[0].in_bps == 1.5e9 && t->card[1].out_bps == 0 &&
		   t->card[3].out_bps == 0 && t->card[3].in_bps == 64e3 &&
		   t->uplink[3].out_bps == 10e6 && t->uplink[3].in_bps == 0 &&
		   t->uplink[2].in_bps == 2e9,
	   "%s: rates", what);
	pl_tiers_cross(t, 0, 2, &way);
	ok(way.n_leave == 2 && leave[0] == 2 && leave[1] == 4 && way.n_enter == 2 &&
		   enter[0] == 3 && enter[1] == 0,
	   "%s: from rack to rack, through both rows", what);
	pl_tiers_cross(t, 2, 3, &way);
	ok(way.n_leave == 1 && leave[0] == 0 && way.n_enter == 1 && enter[0] == 1,
	   "%s: within a row its own uplink is not passed", what);
	pl_tiers_cross(t, 0, 1, &way);
	ok(way.n_leave == 0 && way.n_enter == 0, "%s: within a rack", what);
	ok(pl_tiers_have_rates(t), "%s: rates are known", what);
	ok(pl_tiers_lone(t, 3, 0, &way) == 10e6 && pl_tiers_lone(t, 0, 3, &way) == 64e3 &&
		   pl_tiers_lone(t, 2, 1, &way) == 10e6 && pl_tiers_lone(t, 0, 1, &way) == 200e6 &&
		   pl_tiers_lone(t, 3, 2, &way) == 0,
	   "%s: what a lone flow gets", what);
}

/* Read, written over other lines, and read again. */
static void test_tree(void)
{
	static const char other[] = US "# rack a 1\n# uplink 1 9M 9M\n" ROWS;
	struct pl_matrix *m;
	struct pl_tiers t, again;
	struct pl_err err = {0};

	if (!ok(read_tiers(&t, TREE, &err) == 0, "a tree is read")) {
		printf("# %s\n", err.text);
		return;
	}
	check_tree(&t, "read");
	m = matrix_from(other, strlen(other), &err);
	ok(pl_tiers_write(&t, m, &err) == 0 && pl_tiers_read(&again, m, &err) == 0,
	   "written and read again");
	check_tree(&again, "again");
	pl_tiers_fini(&again);
	pl_tiers_fini(&t);
	pl_matrix_destroy(m);
}

/* Hosts c and a, in that order: the group of b and d's rack are left out. */
static void test_subset(void)
{
	static const size_t host[] = {2, 0};
	struct pl_tiers t, two;
	struct pl_err err;

	read_tiers(&t, TREE, &err);
	ok(pl_tiers_subset(&two, &t, host, 2, &err) == 0 && two.n_groups == 4 && two.rack[0] == 0 &&
		   two.rack[1] == 1 && two.within[0] == 2 && two.within[1] == 3 &&
		   two.within[2] == PL_NO_GROUP,
	   "a subset keeps the groups of its hosts, and what is around them");
	ok(two.card[1].in_bps == 1.5e9 && two.card[0].out_bps == 0 && two.uplink[1].in_bps == 2e9 &&
		   two.uplink[2].out_bps == 10e6,
	   "with their rates");
	is_int((int64_t)pl_tiers_racks(&two), 2, "two of them are racks");
	pl_tiers_set_uplinks(&two, 5e6);
	ok(two.uplink[0].out_bps == 5e6 && two.uplink[1].in_bps == 5e6 &&
		   two.uplink[2].out_bps == 10e6,
	   "whose uplinks can be set, not those of what is around them");
	pl_tiers_fini(&two);
	pl_tiers_fini(&t);
}

static void test_nothing(void)
{
	struct pl_tiers t;
	struct pl_err err;

	ok(read_tiers(&t, "", &err) == 0 && t.n_groups == 0 && t.rack[0] == PL_NO_GROUP &&
		   !pl_tiers_have_rates(&t),
	   "no lines: nothing is known");
	pl_tiers_fini(&t);
	ok(read_tiers(&t, "# card b 1G 1G\n", &err) == 0 && t.n_groups == 0 &&
		   t.card[1].in_bps == 1e9,
	   "cards without racks");
	pl_tiers_fini(&t);
}

static void test_refused(void)
{
	refuses("# rack a\n", "not a host and a number");
	refuses("# rack z 1\n", "not a host and a number");
	refuses("# rack a 1 2\n", "not a host and a number");
	refuses("# rack a -1\n", "not a host and a number");
	refuses("# rack a 1\n# rack a 2\n", "a second rack");
	refuses("# rack a 1\n", "no rack for host b");
	refuses("# within 1 2\n", "no rack for host");
	refuses(TREE "# within 8 7\n# within 9 8\n", "within itself");
	refuses(TREE "# within 8 8\n", "within itself");
	refuses(TREE "# within 7 8\n", "a second group around it");
	refuses(TREE "# within 10 11\n", "2 groups without hosts");
	refuses(TREE "# uplink 6 1G 1G\n", "not a group and two rates");
	refuses(TREE "# uplink 7 1G 1G\n", "given twice");
	refuses("# card a 1G\n", "not a host and two rates");
	refuses("# card a 1G fast\n", "a rate is a number");
}

int main(void)
{
	test_tree();
	test_subset();
	test_nothing();
	test_refused();
	test_place();
	return done_testing();
}
