/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-matrix.c - plink's own matrix form: nonsense, good cases, properties */
#include "config.h"

#include "tests/base/matrix-text.h"

#include <math.h>
#include <stdlib.h>

#define HEAD "# plink-matrix 1\n# quantity rtt\n# unit ns\n"

static void test_bad_header(void)
{
	refused("# plink-matrix 2\n", "1:16: unknown version \"2\": only version 1 can be read",
		"a version of the future");
	refused("# plink-matrix\n", "1:15: the version is missing", "no version");
	refused("# plink-matrix 1\n", "1:1: no line \"# quantity ...\"", "no quantity");
	refused("# plink-matrix 1\n# quantity rtt\n", "1:1: no line \"# unit ...\"", "no unit");
	refused("# plink-matrix 1\n# quantity speed\n",
		"2:12: unknown quantity \"speed\": rtt, one-way, bandwidth or, for layers, count",
		"unknown quantity");
	refused("# plink-matrix 1\n# quantity count\n# unit probes\n",
		"2:12: only further layers may hold counts", "a matrix of counts");
	refused("# plink-matrix 1\n# quantity rtt # unit min\n",
		"2:23: unknown unit \"min\": ns, us, ms, s, bytes-per-s or, for counts, probes",
		"unknown unit");
	refused("# plink-matrix 1\n# quantity rtt\n# unit bytes-per-s\n",
		"1:1: rtt cannot be in bytes-per-s: times are in ns, us, ms or s, bandwidths in "
		"bytes-per-s",
		"unit of another quantity");
	refused(HEAD "# symmetrize twice\n",
		"4:14: cannot symmetrize by \"twice\": none, max or mean", "unknown symmetry");
	refused(HEAD "# form round\n", "4:8: unknown form \"round\": dense or sparse",
		"unknown form");
	refused(HEAD "# unit us\n", "4:3: \"unit\" is given twice", "unit said twice");
	refused(HEAD "# statistic\n", "4:12: the statistic is missing", "key without a value");
}

static void test_odd_header(void)
{
	static const char input[] =
		HEAD "# statistic #p10\n# method a\tb # #k #v\n# host a node=#\na 0\n";
	struct pl_err err;
	struct pl_matrix *m = matrix_from(input, strlen(input), &err);
	size_t len = 0;
	char *s = m ? matrix_text(m, &len, &err) : NULL;

	has_str(s, "# statistic #p10\n# method a b\n# symmetrize none\n# #k #v\n",
		"a '#' within a word ends nothing, a tab is a blank");
	free(s);
	pl_matrix_destroy(m);
	refused(HEAD "# statistic p\17710\n", "4:14: control character 127 in the header",
		"what could not be written back");
	refused(HEAD "# cell a b no\vreply\n", "4:14: control character 11 in the header",
		"in a note, too");
}

static void test_bad_rows(void)
{
	refused(HEAD, "4:1: a matrix without hosts", "no hosts");
	refused(HEAD "a 0 1\nb 1 0 5\n", "5:7: more values in this row than hosts (2)",
		"too many values");
	refused(HEAD "a 0 1\nb 1\n", "5:4: 1 values in this row, 2 hosts", "too few values");
	refused(HEAD "a 0 1 2\nb 1 0 2\n", "4:7: more values in this row than hosts (2)",
		"fewer rows than columns");
	refused(HEAD "a 0 1\nb 1 0\nc 2 2\n", "4:6: 2 values in this row, 3 hosts",
		"more rows than columns");
	refused(HEAD "a 0 1\na 1 0\n", "5:1: host \"a\" is there twice", "a host twice");
	refused(HEAD "a 0 x\nb 1 0\n", "4:5: \"x\" is not a number", "a word");
	refused(HEAD "a 0 0x1\nb 1 0\n", "4:5: \"0x1\" is not a number", "hex");
	refused(HEAD "a 0 inf\nb 1 0\n", "4:5: \"inf\" is not a number", "infinite");
	refused(HEAD "a 0 1e999\nb 1 0\n", "4:5: \"1e999\" is not a number",
		"too large for a double");
	refused(HEAD "a 0 -1\nb 1 0\n", "4:5: \"-1\" is negative", "negative");
	refused(HEAD "a 0 1\nb 1 7\n", "5:5: 7 from a host to itself: this must be 0",
		"a diagonal");
	refused(HEAD "a;b 0\n",
		"4:2: host name: a host name holds letters, digits, '.', '-' and '_' only",
		"a name for a shell");
	refused(HEAD "# cell a c lost\na 0 1\nb 1 0\n", "4:10: no host \"c\" here",
		"a note on a stranger");
	refused(HEAD "# host c\na 0 1\nb 1 0\n", "4:8: no host \"c\" here", "a host without a row");
	refused(HEAD "# host b\n# host a\na 0 1\nb 1 0\n",
		"5:8: host \"a\" again, or in another order than the rows", "two orders of hosts");
	refused(HEAD "# host a slots=0\na 0 1\nb 1 0\n",
		"4:16: \"0\" is not a number from 1 to 4096", "no slots");
	refused(HEAD "a:0 0 1\nb 1 0\n", "4:2: after a host's name: \":\" and a port",
		"a bad port");
	refused(HEAD "[::1]7 0 1\nb 1 0\n", "4:6: after a host's name: \":\" and a port",
		"a port without its colon");
	refused(HEAD "# host a:7 port=8\na:7 0\n", "4:12: a second port", "two ports");
	refused(HEAD "a:7 0 1\na 1 0\n",
		"6:1: host \"a\" is there twice: the rows of a matrix need names or ports of their "
		"own",
		"a name with and without port");
	refused(HEAD "# host a addr=$(id)\na 0 1\nb 1 0\n",
		"4:15: \"$(id)\" is not a numeric address", "a command");
	refused(HEAD "# host a addr=10.0.0.1%eth0\na 0 1\nb 1 0\n",
		"4:15: \"10.0.0.1%eth0\" is not a numeric address", "an interface of IPv4");
	refused(HEAD "# host a addr=fe80::1%e;id\na 0 1\nb 1 0\n",
		"4:15: \"fe80::1%e;id\" is not a numeric address", "a command for an interface");
	refused(HEAD "# host a color=red\na 0 1\nb 1 0\n",
		"4:10: \"color=red\": a host has node=, addr=, type=, slots= and port=",
		"unknown key of a host");
}

static void test_bad_layers(void)
{
	refused(HEAD "a 0 1\nb 1 0\n# layer p50 rtt\na 0 1\nb 1 0\n", "6:16: the unit is missing",
		"a layer without its unit");
	refused(HEAD "a 0 1\nb 1 0\n# layer p50 rtt probes\na 0 1\nb 1 0\n",
		"6:17: rtt cannot be in probes: times are in ns, us, ms or s, bandwidths in "
		"bytes-per-s",
		"a layer's wrong unit");
	refused(HEAD "a 0 1\nb 1 0\n# layer value rtt ns\na 0 1\nb 1 0\n",
		"6:9: a second layer \"value\"", "a layer again");
	refused(HEAD "a 0 1\nb 1 0\n# layer p50 rtt ns\nb 0 1\na 1 0\n",
		"7:1: rows out of order: this must be the row of \"a\"", "rows out of order");
	refused(HEAD "a 0 1\nb 1 0\n# layer p50 rtt ns\na 0 1\n",
		"8:1: the file ends after 1 of 2 rows", "a layer cut short");
	refused(HEAD "a 0 1\nb 1 0\n# layer p50 rtt ns\na 0 1000000\n",
		"8:1: layer \"p50\" ends after 1 of 2 rows", "a layer cut short with long numbers");
	refused(HEAD "# layer p50 rtt ns\na 0 1\nb 1 0\n", "7:1: a matrix without hosts",
		"a layer before the rows");
}

static void test_bad_sparse(void)
{
	refused(HEAD "# form sparse\na b\n", "5:4: the value is missing", "a pair without value");
	refused(HEAD "# form sparse\na b 1\na b 2\n", "6:5: a second value for this pair",
		"a pair twice");
	refused(HEAD "# form sparse\na b 1 2\n", "5:7: a sparse line must be two hosts and a value",
		"a word too many");
	refused(HEAD "# form sparse\na b 12",
		"6:1: the file is cut short: its last line does not end", "cut within a number");
	refused(HEAD "# form sparse\na\n", "5:2: a sparse line must be two hosts and a value",
		"a word alone");
}

/* 2 GiB of cells for 100 kB of names. */
static void test_huge_sparse(void)
{
	const size_t room = 16384 * sizeof("# host 16383\n") + 100;
	char *s = malloc(room);
	struct pl_err err;
	struct pl_matrix *m;
	size_t len;

	len = (size_t)snprintf(s, room, HEAD "# form sparse\n");
	for (int i = 0; i < 16384; i++)
		len += (size_t)snprintf(s + len, room - len, "# host %d\n", i);
	m = matrix_from(s, len, &err);
	ok(!m && err.code == PL_EINPUT, "refused: hosts without values");
	has_str(err.text, "16384 hosts, 1 layers: the file is too short for",
		"hosts without values");
	pl_matrix_destroy(m);
	free(s);
}

static const char good[] = "# plink-matrix 1\n"
			   "# unit us   # quantity one-way\t# statistic p10 # colour deep blue\n"
			   "# created 2026-11-20T14:00:00Z # method udp, kernel stamps\n"
			   "# symmetrize max\n"
			   "#a remark\n"
			   "# cell h0 h2 no reply # within 5 s\n"
			   "# host h0 node=ip-10-0-0-7 addr=10.0.0.7 type=a-x slots=8\n"
			   "\n"
			   "h0 0 101230 nan\r\n"
			   "h1\t1.5 nan  3e3\n"
			   "# host h2 port=2200\n"
			   "h2 4 5 -0\n"
			   "# layer lost count probes\n"
			   "h0 0 0 5\n"
			   "h1 0 0 0\n"
			   "h2 1 0 0";

static void test_good(void)
{
	struct pl_err err;
	struct pl_matrix *m = matrix_from(good, strlen(good), &err);
	const struct pl_layer *lost;

	if (!ok(m != NULL, "headers in any order, several on a line"))
		return;
	is_int((int64_t)m->hosts.n, 3, "three hosts");
	is_str(m->hosts.v[0].node, "ip-10-0-0-7", "what a host calls itself");
	is_str(m->hosts.v[0].addr, "10.0.0.7", "its address");
	is_int(m->hosts.v[0].slots, 8, "its slots");
	is_int(m->hosts.v[2].port, 2200, "a port");
	is_int(m->layer[0].unit, PL_US, "unit");
	is_int(m->layer[0].quantity, PL_ONE_WAY, "quantity");
	is_str(m->layer[0].statistic, "p10", "statistic");
	is_int(m->symmetrize, PL_SYM_MAX, "symmetry");
	is_str(m->method, "udp, kernel stamps", "method of several words");
	is_str(m->created, "2026-11-20T14:00:00Z", "date");
	is_int((int64_t)m->n_headers, 1, "one unknown header, no remark");
	is_str(m->header[0].key, "colour", "its key");
	is_str(m->header[0].value, "deep blue", "its value");
	ok(m->n_notes == 1 && m->note[0].src == 0 && m->note[0].dst == 2, "a note, of one way");
	is_str(m->note[0].text, "no reply # within 5 s", "is the rest of its line");
	ok(m->layer[0].cell[1] == 101230 && m->layer[0].cell[3] == 1.5 &&
		   m->layer[0].cell[5] == 3000,
	   "cells are row by row");
	is_int((int64_t)pl_matrix_missing(m), 1, "one pair is missing");
	ok(m->layer[0].cell[4] == 0 && !signbit(m->layer[0].cell[8]),
	   "nan and -0 on the diagonal are 0");
	lost = pl_matrix_layer(m, "lost");
	ok(lost && lost->quantity == PL_COUNT && lost->unit == PL_PROBES && lost->cell[2] == 5 &&
		   lost->cell[6] == 1,
	   "a layer of counts");
	ok(!pl_matrix_layer(m, "p99"), "no such layer");
	pl_matrix_destroy(m);
}

static const char sparse[] = HEAD "# form sparse\n"
				  "# host c addr=::1\n"
				  "a b 7\nb a 8\na a 0\n"
				  "# layer p50 rtt ns\nc a 9\n";

static void test_sparse(void)
{
	struct pl_err err;
	struct pl_matrix *m = matrix_from(sparse, strlen(sparse), &err);

	if (!ok(m != NULL, "sparse form"))
		return;
	is_int((int64_t)m->hosts.n, 3, "sparse: three hosts");
	is_str(m->hosts.v[0].name, "c", "in the order they are named");
	is_str(m->hosts.v[0].addr, "::1", "with what is said of them");
	ok(m->layer[0].cell[1 * 3 + 2] == 7 && m->layer[0].cell[2 * 3 + 1] == 8, "both directions");
	is_int((int64_t)pl_matrix_missing(m), 4, "what is not listed is missing");
	ok(m->n_layers == 2 && m->layer[1].cell[1] == 9, "a sparse layer");
	pl_matrix_destroy(m);
}

static void test_write(void)
{
	struct pl_err err;
	struct pl_matrix *m = matrix_from(good, strlen(good), &err);
	size_t len = 0;
	char *s = m ? matrix_text(m, &len, &err) : NULL;

	is_str(s,
	       "# plink-matrix 1\n# quantity one-way\n# unit us\n"
	       "# statistic p10\n# method udp, kernel stamps\n"
	       "# symmetrize max\n# created 2026-11-20T14:00:00Z\n"
	       "# colour deep blue\n"
	       "# host h0 node=ip-10-0-0-7 addr=10.0.0.7 type=a-x slots=8\n"
	       "# host h2 port=2200\n"
	       "h0 0 101230 nan\nh1 1.5 0 3000\nh2 4 5 0\n"
	       "# cell h0 h2 no reply # within 5 s\n"
	       "# layer lost count probes\n"
	       "h0 0 0 5\nh1 0 0 0\nh2 1 0 0\n",
	       "written in one fixed way");
	free(s);
	pl_matrix_destroy(m);
}

int main(void)
{
	test_bad_header();
	test_odd_header();
	test_bad_rows();
	test_bad_layers();
	test_bad_sparse();
	test_huge_sparse();
	test_good();
	test_sparse();
	test_write();
	return done_testing();
}
