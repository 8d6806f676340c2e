/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-tsplib.c - TSPLIB instances: every format, distances worked by hand */
#include "config.h"

#include "tests/base/matrix-text.h"

#include <math.h>

#define EXPLICIT(n, format)                                                                        \
	"NAME: t\nTYPE: TSP\nDIMENSION: " n "\nEDGE_WEIGHT_TYPE: EXPLICIT\n"                       \
	"EDGE_WEIGHT_FORMAT: " format "\nEDGE_WEIGHT_SECTION\n"
#define PLACES(n, type)                                                                            \
	"NAME : t\nTYPE : TSP\nDIMENSION : " n "\nEDGE_WEIGHT_TYPE : " type "\nNODE_COORD_"        \
									    "SECTION\n"

static void test_bad_head(void)
{
	refused("NAME: t\nTYPE: CVRP\n", "2:7: TYPE \"CVRP\" cannot be read", "a routing problem");
	refused("NAME: t\nDIMENSION: 0\n", "2:12: DIMENSION \"0\" is not a number from 1 to 16384",
		"no places");
	refused("NAME: t\nDIMENSION: 99999999999999999999\n",
		"2:12: DIMENSION \"99999999999999999999\" is not a number "
		"from 1 to 16384",
		"a huge dimension");
	refused("NAME: t\nDIMENSION: 3\nDIMENSION: 4\n", "3:12: DIMENSION is given twice",
		"two dimensions");
	refused("NAME: t\nEDGE_WEIGHT_TYPE: XRAY1\n",
		"2:19: EDGE_WEIGHT_TYPE \"XRAY1\" cannot be read", "unknown metric");
	refused("NAME: t\nEDGE_WEIGHT_FORMAT: SPIRAL\n",
		"2:21: EDGE_WEIGHT_FORMAT \"SPIRAL\" cannot be read", "unknown format");
	refused("NAME: t\nEDGE_WEIGHT_SECTION\n1\n", "2:1: DIMENSION must come before",
		"weights of how many?");
	refused("NAME: t\nDIMENSION: 2\nEDGE_WEIGHT_SECTION\n",
		"3:1: EDGE_WEIGHT_TYPE must come before", "weights of a kind");
	refused("NAME: t\nDIMENSION: 2\nEDGE_WEIGHT_TYPE: EXPLICIT\n"
		"EDGE_WEIGHT_SECTION\n1\n",
		"4:1: EDGE_WEIGHT_FORMAT must come before", "unordered weights");
	refused("NAME: t\nDIMENSION: 2\nEDGE_WEIGHT_TYPE: GEO\n"
		"EDGE_WEIGHT_FORMAT: UPPER_ROW\nEDGE_WEIGHT_SECTION\n1\n",
		"5:1: EDGE_WEIGHT_TYPE GEO lists no weights", "weights where there are none");
	refused("NAME: t\nDIMENSION: 3\nEOF\n", "4:1: no section of weights or coordinates",
		"no data");
	refused("NAME: t\n5 5\n",
		"2:1: values outside of a section, or more than DIMENSION asks "
		"for",
		"data without a section");
}

static void test_bad_weights(void)
{
	refused(EXPLICIT("16384", "FULL_MATRIX") "0 1 2\n",
		"6:1: the file is too short for DIMENSION 16384",
		"a dimension the file cannot hold");
	refused(EXPLICIT("2", "FULL_MATRIX") "0 1\n1\n\n\n\nEOF\n", "12:1: \"EOF\" is not a number",
		"weights missing");
	refused(EXPLICIT("2", "FULL_MATRIX") "0 1000\n1", "9:1: the file ends within a section",
		"cut short");
	refused(EXPLICIT("2", "FULL_MATRIX") "0 1 1 0 5\n",
		"7:9: more values than DIMENSION 2 asks for", "one too many");
	refused(EXPLICIT("2", "FULL_MATRIX") "0 1 1 0\n5\n",
		"8:1: values outside of a section, or more than DIMENSION asks "
		"for",
		"one too many on a line of its own");
	refused(EXPLICIT("2", "FULL_MATRIX") "0 -1 1 0\n",
		"7:3: \"-1\" is "
		"negative",
		"negative");
	refused(EXPLICIT("2", "UPPER_ROW") "inf\n",
		"7:1: \"inf\" is not a "
		"number",
		"infinite");
	refused(EXPLICIT("2", "UPPER_ROW") "1\nEDGE_WEIGHT_SECTION\n1\n", "8:1: a second matrix",
		"two sections");
}

static void test_bad_places(void)
{
	refused(PLACES("2", "EUC_2D") "1 0 0\n",
		"5:1: the file is too short for "
		"DIMENSION 2",
		"a place missing");
	refused(PLACES("2", "EUC_2D") "1 0 0\n3 1 1\n", "7:1: \"3\" is not a number from 1 to 2",
		"a stranger");
	refused(PLACES("2", "EUC_2D") "1 0 0\n1 1 1\n", "7:1: number 1 is there twice",
		"a place twice");
	refused(PLACES("2", "EUC_2D") "1 0 0\n2 1 nan\n", "7:5: \"nan\" is not a coordinate",
		"nowhere");
	refused(PLACES("2", "EUC_2D") "1 0 0\n2 1 1e16\n", "7:5: \"1e16\" is not a coordinate",
		"too far");
	refused(PLACES("2", "EUC_2D") "1 0 0 0\n2 1 1 0\n",
		"6:7: more values than DIMENSION 2 asks for", "three dimensions");
}

/* Distances 12, 13, 14, 23, 24, 34 between 1, 2, 3, 4: the number says which.
 * The diagonal holds 99, which must not matter. */
static const struct {
	const char *format, *weights;
} orders[] = {
	{"FULL_MATRIX", "99 12 13 14 12 99 23 24 13 23 99 34 14 24 34 99"},
	{"UPPER_ROW", "12 13 14 23 24 34"},
	{"LOWER_ROW", "12 13 23 14 24 34"},
	{"UPPER_DIAG_ROW", "99 12 13 14 99 23 24 99 34 99"},
	{"LOWER_DIAG_ROW", "99 12 99 13 23 99 14 24 34 99"},
	{"UPPER_COL", "12 13 23 14 24 34"},
	{"LOWER_COL", "12 13 14 23 24 34"},
	{"UPPER_DIAG_COL", "99 12 99 13 23 99 14 24 34 99"},
	{"LOWER_DIAG_COL", "99 12 13 14 99 23 24 99 34 99"},
};

static bool is_named_by_cell(const struct pl_matrix *m)
{
	for (size_t i = 0; i < 4; i++)
		for (size_t j = 0; j < 4; j++) {
			const size_t low = i < j ? i : j, high = i + j - low;
			const double want = i == j ? 0 : (double)(10 * low + high + 11);

			if (m->layer[0].cell[4 * i + j] != want)
				return false;
		}
	return true;
}

static void test_formats(void)
{
	char input[400];
	struct pl_err err;

	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
		struct pl_matrix *m;

		snprintf(input, sizeof(input), EXPLICIT("4", "%s") "%s\nEOF\n", orders[i].format,
			 orders[i].weights);
		m = matrix_from(input, strlen(input), &err);
		ok(m && m->hosts.n == 4 && is_named_by_cell(m), "%s", orders[i].format);
		pl_matrix_destroy(m);
	}
}

static const char asymmetric[] = "NAME: t\nTYPE: ATSP\nCOMMENT: TYPE: CVRP\nDIMENSION:2\n"
				 "EDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: FULL_MATRIX \n"
				 "NODE_COORD_SECTION\n1 0 0\n2 1 1\n"
				 "EDGE_WEIGHT_SECTION \n 100000000\n5 7\n\n 100000000\n"
				 "DISPLAY_DATA_SECTION\n1 0 0\n2 1 1\n";

static void test_asymmetric(void)
{
	struct pl_err err;
	struct pl_matrix *m = matrix_from(asymmetric, strlen(asymmetric), &err);

	if (!ok(m != NULL, "ATSP, broken lines, sections for display, no EOF"))
		return;
	is_str(m->hosts.v[1].name, "2", "hosts are numbered");
	ok(m->layer[0].cell[0] == 0 && m->layer[0].cell[3] == 0, "the diagonal's big values are 0");
	ok(m->layer[0].cell[1] == 5 && m->layer[0].cell[2] == 7, "directions differ");
	ok(m->layer[0].quantity == PL_RTT && m->layer[0].unit == PL_NS &&
		   m->symmetrize == PL_SYM_NONE,
	   "round trips, in the unit asked for, no symmetry");
	is_str(m->layer[0].statistic, "value", "statistic");
	pl_matrix_destroy(m);
}

/* The distance between two places, each "x y". */
static double between(const char *type, const char *a, const char *b)
{
	char input[300];
	struct pl_err err;
	struct pl_matrix *m;
	double got = NAN;

	snprintf(input, sizeof(input), PLACES("2", "%s") " 2 %s\n 1 %s\nEOF\n", type, b, a);
	m = matrix_from(input, strlen(input), &err);
	if (m && m->layer[0].cell[1] == m->layer[0].cell[2])
		got = m->layer[0].cell[1];
	pl_matrix_destroy(m);
	return got;
}

static void test_plane(void)
{
	ok(between("EUC_2D", "0 0", "3 4") == 5, "EUC_2D: 3, 4, 5");
	/* sqrt(2) = 1.41 */
	ok(between("EUC_2D", "0 0", "1 1") == 1, "EUC_2D: to the nearest");
	ok(between("EUC_2D", "0 0", "1.5e+00 0") == 2, "EUC_2D: halves up");
	ok(between("EUC_2D", "-7 2", "-7 2") == 0, "EUC_2D: the same place");
	ok(between("CEIL_2D", "0 0", "3 4") == 5, "CEIL_2D: 3, 4, 5");
	ok(between("CEIL_2D", "0 0", "1 1") == 2, "CEIL_2D: up");
	/* sqrt(100 / 10) = 3.16: nearest is 3, which is less: 4 */
	ok(between("ATT", "0 0", "10 0") == 4, "ATT: never less");
	/* sqrt(2500 / 10) = 15.81: nearest is 16 */
	ok(between("ATT", "0 0", "30 40") == 16, "ATT: to the nearest");
	/* sqrt(1000 / 10) = 10 */
	ok(between("ATT", "0 0", "10 30") == 10, "ATT: exact");
}

static void test_earth(void)
{
	/* 10 degrees 30 minutes along the equator: 10.5 * 3.141592 / 180 =
	 * 0.18325953; times 6378.388 km = 1168.90; plus 1, cut: 1169. Taken for
	 * 10.3 degrees it would be 1146.63 km: 1147. */
	ok(between("GEO", "0 0", "0 10.30") == 1169, "GEO: minutes, equator");
	ok(between("GEO", "0 0", "0 -10.30") == 1169, "GEO: west");
	/* the same angle along a meridian, across the equator: 5.15 + 5.15 */
	ok(between("GEO", "5.15 7", "-5.15 7") == 1169, "GEO: meridian");
	/* a quarter: 90 * 3.141592 / 180 = 1.570796; 10019.15 km: 10020 */
	ok(between("GEO", "90 0", "0 33") == 10020, "GEO: pole to equator");
	/* acos(1) = 0, plus 1 */
	ok(between("GEO", "48.08 11.35", "48.08 11.35") == 1, "GEO: the same place is 1 away");
	/* 83 13/60 degrees: with 3.141592 it is 9263.9996 km: 9264; with pi in
	 * full it would be 9264.0015 km: 9265 */
	ok(between("GEO", "0 0", "0 83.13") == 9264, "GEO: TSPLIB's pi");
}

int main(void)
{
	test_bad_head();
	test_bad_weights();
	test_bad_places();
	test_formats();
	test_asymmetric();
	test_plane();
	test_earth();
	return done_testing();
}
