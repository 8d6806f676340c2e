/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-matrix-import.c - CSV and bare squares, and which form is taken for which */
#include "config.h"

#include "tests/base/matrix-text.h"

#include <math.h>

static void test_bad_squares(void)
{
	refused("", "1:1: there is no matrix here", "an empty file");
	refused("\n# nothing\n \n", "4:1: there is no matrix here", "remarks only");
	refused("0 1 2\n1 0 2\n", "3:1: 2 rows of 3 values: not a square", "a row missing");
	refused("0 1\n1 0\n2 2\n", "3:1: a row more than the 2 columns", "a row more");
	refused("0 1\n1\n", "2:1: 1 values in this row, 2 in the first: not a square",
		"a value missing");
	refused("0 1\n1 b\n", "2:3: \"b\" is not a number", "even the diagonal is a number");
	refused("0 -3\n1 0\n", "1:3: \"-3\" is negative", "negative");
	refused("h0 0 1\nh1 1 0\n", "3:1: 2 rows of 3 values: not a square",
		"plink's rows without its head");
	refused("\x01\x02\x03\n", "1:1: \"???\" is not a number", "binary");
}

static void test_bad_csv(void)
{
	refused("0,1\n1,0,2\n", "3:1: 2 lines of 3 values: neither a square nor one with names",
		"ragged");
	refused("0,1,2\n1,0,2\n1,2\n", "3:1: 2 values in this line, 3 in the one before",
		"too short");
	refused("a,b,b\na,0,1\nb,1,0\n", "1:5: host \"b\" is there twice", "a host twice");
	refused("a,a:7\n0,1\n1,0\n",
		"2:1: host \"a\" is there twice: the rows of a matrix need names or ports of their "
		"own",
		"a name with and without port");
	refused("a,0,1\na,1,0\n", "2:1: host \"a\" is there twice", "a host twice in the column");
	refused(",a,b\na,0,1\nc,1,0\n", "3:1: rows out of order: this must be the row of \"b\"",
		"another order");
	refused(",a:1,a:2\na:1,0,1\na:1,1,0\n",
		"3:1: rows out of order: this must be the row of \"a\"", "another port");
	refused(",a,b\na,0,\"1\nb,1,0\n", "2:5: this quote is never closed", "an open quote");
	refused(",a,b\na,0,\"1\"2\nb,1,0\n", "2:8: text after a quoted value", "half a quote");
	refused(",a,b\na,0,x\nb,1,0\n", "2:5: \"x\" is not a number", "a word");
	refused(",a,b\na,0,-1\nb,1,0\n", "2:5: \"-1\" is negative", "negative");
	refused(",\"a b\",c\n\"a b\",0,1\nc,1,0\n",
		"1:4: host name: a host name holds letters, digits, '.', '-' and '_' only",
		"a name of two words");
	refused(",1,2,3\n1,,5,9\n2,5,,9\n3,9,9,\n",
		"1:1: are these names or values? Write the diagonal, or a word in front of the "
		"names",
		"symmetric, the diagonal left out, or numbers for names");
	refused(",8,9\n1,0,5\n2,7,0\n", "2:1: rows out of order: this must be the row of \"8\"",
		"numbers for names, others in the rows");
	refused("0,1,\n0,5,\n7,0,\n",
		"1:1: does each line end in a comma, or is a value missing there? Write nan for "
		"what is missing",
		"numbers for names, or values missing");
	refused("0;0,5\n0,5;0\n",
		"1:4: host name: a host name holds letters, digits, '.', '-' and '_' only",
		"decimal commas");
	refused("host\n", "1:1: \"host\" is not a number", "a word alone");
	refused("host,a\n", "1:6: \"a\" is not a number", "a header alone");
}

/* All that is said here is over hosts named @a and @b, with 5 from a to b, 7 back. */
static void means(const char *input, const char *a, const char *b, const char *what)
{
	struct pl_err err;
	struct pl_matrix *m = matrix_from(input, strlen(input), &err);

	if (!m)
		printf("# %ld:%ld: %s\n", err.line, err.col, err.text);
	ok(m && m->hosts.n == 2 && !strcmp(m->hosts.v[0].name, a) &&
		   !strcmp(m->hosts.v[1].name, b) && m->layer[0].cell[0] == 0 &&
		   m->layer[0].cell[1] == 5 && m->layer[0].cell[2] == 7 && m->layer[0].cell[3] == 0,
	   "%s", what);
	pl_matrix_destroy(m);
}

static void test_forms(void)
{
	means("0 5\n7 0\n", "1", "2", "square");
	means("# ms\n 0\t5 \r\n\n7 0.01", "1", "2", "square with all sorts of ends");
	means("0,5\n7,0\n", "1", "2", "CSV: bare");
	means(",5\n7,\n", "1", "2", "CSV: bare, the diagonal left out");
	means("a,b\n0,5\n7,0\n", "a", "b", "CSV: names above");
	means("a,0,5\nb,7,0\n", "a", "b", "CSV: names at the left");
	means(",a,b\na,0,5\nb,7,0\n", "a", "b", "CSV: names above and left");
	means("host,8,9\n8,0,5\n9,7,0\n", "8", "9", "CSV: numbers for names");
	means(",0,1\n0,0.0,5\n1,7,0.0\n", "0", "1", "CSV: as pandas writes it");
	means(",0,1\r\n0,,5\r\n1,7,\r\n", "0", "1", "CSV: the same, the diagonal left out");
	means("\"\",\"8\",\"9\"\n\"8\",\"0\",\"5\"\n\"9\",\"7\",\"0\"\n", "8", "9",
	      "CSV: the same, all in quotes");
	means(",8,9,\n8,0,5,\n9,7,0,\n", "8", "9", "CSV: commas at the ends");
	means("0,5,\n7,0,\n", "1", "2", "CSV: bare, commas at the ends");
	means(";a;b\na;0;5\nb;7;0\n", "a", "b", "CSV: semicolons");
	means("a,b\na,0,5\nb,7,0\n", "a", "b", "CSV: no corner");
	means(",a:1,a:2\na:1,0,5\na:2,7,0\n", "a", "a", "CSV: ports, above and left");
	means("[::1]:1,0,5\n[::2]:1,7,0\n", "::1", "::2", "CSV: addresses and ports at the left");
	means("\xef\xbb\xbf"
	      "\"\", \"a\" ,b\r\n\"a\",0,\"5\"\r\n b , 7,0.5\r\n",
	      "a", "b", "CSV: quotes, blanks, a byte order mark");
	means("# plink-matrix 1\n# unit s # quantity rtt\na 0 5\nb 7 0\n", "a", "b", "plink's own");
	means("# unit s\n# plink-matrix 1\n# quantity rtt\na 0 5\nb 7 0\n", "a", "b",
	      "plink's own, its name not first");
}

static void test_missing(void)
{
	static const char input[] = "a,b,c\n0,,3\nnan,0,4\n1,2,\n";
	struct pl_err err;
	struct pl_matrix *m = matrix_from(input, strlen(input), &err);

	if (!ok(m != NULL, "CSV with gaps"))
		return;
	ok(isnan(m->layer[0].cell[1]) && isnan(m->layer[0].cell[3]), "empty and nan are missing");
	is_int((int64_t)pl_matrix_missing(m), 2, "the diagonal is not");
	pl_matrix_destroy(m);
}

static struct pl_matrix *read_as(enum pl_unit unit, struct pl_err *err)
{
	const struct pl_matrix_options options = {.unit = unit};
	struct pl_text text;
	struct pl_matrix *m;

	if (pl_text_copy(&text, "m", "0 5\n7 0\n", 8, err))
		return NULL;
	m = pl_matrix_parse(&text, &options, err);
	pl_text_fini(&text);
	return m;
}

static void test_units(void)
{
	struct pl_err err;
	struct pl_matrix *m = read_as(PL_MS, &err);

	ok(m && m->layer[0].unit == PL_MS && m->layer[0].quantity == PL_RTT,
	   "a time is a round trip");
	pl_matrix_destroy(m);
	m = read_as(PL_BYTES_PER_S, &err);
	ok(m && m->layer[0].unit == PL_BYTES_PER_S && m->layer[0].quantity == PL_BANDWIDTH,
	   "bytes per second are bandwidth");
	pl_matrix_destroy(m);
	m = read_as(PL_PROBES, &err);
	ok(!m && err.code == PL_EUSAGE, "probes are no matrix");
	pl_matrix_destroy(m);
}

static void test_files(void)
{
	struct pl_err err;

	ok(!pl_matrix_read("/nonexistent/m", NULL, &err) && err.code == PL_ESYSTEM, "no such file");
	has_str(err.text, "/nonexistent/m", "and which");
	ok(!pl_matrix_read("/dev/null", NULL, &err) && err.code == PL_EINPUT, "an empty file");
}

int main(void)
{
	test_bad_squares();
	test_bad_csv();
	test_forms();
	test_missing();
	test_units();
	test_files();
	return done_testing();
}
