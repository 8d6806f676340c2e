/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-matrix-write.c - what is written reads back the same, or is not
 * written */
#include "config.h"

#include "base/rng.h"
#include "tests/base/matrix-text.h"

#include <math.h>

#define SEED 20261120

static struct pl_matrix *pair(void)
{
	static const char input[] = "# plink-matrix 1\n# quantity rtt\n"
				    "# unit ns\na 0 1\nb 2 0\n";
	struct pl_err err;

	return matrix_from(input, strlen(input), &err);
}

static void replace(char **to, const char *s)
{
	free(*to);
	*to = strdup(s);
}

/* Writes @m, which must be refused with @want, and destroys it. */
static void not_written(struct pl_matrix *m, const char *want, const char *what)
{
	struct pl_err err = {0};
	size_t len = 0;
	char *s = matrix_text(m, &len, &err);

	ok(!s && err.code == PL_EINPUT, "not written: %s", what);
	has_str(err.text, want, what);
	free(s);
	pl_matrix_destroy(m);
}

static void test_bad_cells(void)
{
	struct pl_matrix *m = pair();

	m->layer[0].cell[1] = -1;
	not_written(m, "-1 is no value", "a negative value");
	m = pair();
	m->layer[0].cell[2] = INFINITY;
	not_written(m, "inf is no value of a cell (from \"b\" to \"a\")", "an infinite value");
	m = pair();
	m->layer[0].cell[3] = 1;
	not_written(m, "1 is no value", "a diagonal");
	m = pair();
	m->layer[0].cell[0] = NAN;
	not_written(m, "nan is no value", "a missing diagonal");
}

static void test_bad_words(void)
{
	struct pl_matrix *m = pair();

	replace(&m->hosts.v[1].name, "a");
	not_written(m, "host \"a\" is there twice", "a host twice");
	m = pair();
	replace(&m->hosts.v[1].name, "b c");
	not_written(m, "host name \"b c\"", "a name of two words");
	m = pair();
	replace(&m->hosts.v[1].node, "b\nc");
	not_written(m, "node name \"b?c\"", "a node name of two lines");
	m = pair();
	replace(&m->hosts.v[1].addr, "");
	not_written(m, "address \"\"", "an empty address");
	m = pair();
	replace(&m->hosts.v[1].addr, "$(id)");
	not_written(m, "address \"$(id)\"", "a command for an address");
	m = pair();
	replace(&m->layer[0].statistic, "two words");
	not_written(m, "statistic \"two words\"", "a statistic of two words");
	m = pair();
	replace(&m->method, "udp # unit s");
	not_written(m, "method \"udp # unit s\"", "a method with a header");
	m = pair();
	replace(&m->created, "today\n");
	not_written(m, "date \"today?\"", "a date with a line end");
	m = pair();
	ok(!pl_matrix_add_header(m, "unit", "us"), "a header");
	not_written(m, "header key \"unit\"", "a header of plink's own");
	m = pair();
	ok(!pl_matrix_add_header(m, "rack", "1 #"), "a header");
	not_written(m, "header value \"1 #\"", "a value with an end mark");
}

static void test_ports(void)
{
	static const char input[] = "# plink-matrix 1\n# quantity rtt\n# unit ns\n"
				    "# host a:22 slots=2\n"
				    "a:22 0 1 2 3\n[::1]:7 4 0 5 6\na:23 7 8 0 9\n"
				    "[::1]:8 1 2 3 0\n"
				    "# cell a:23 [::1]:7 late\n";
	struct pl_err err;
	struct pl_matrix *m = matrix_from(input, strlen(input), &err);
	size_t len = 0;
	char *s;

	if (!ok(m != NULL, "one name with several ports"))
		return;
	is_str(m->hosts.v[2].name, "a", "the name is without its port");
	is_int(m->hosts.v[2].port, 23, "the port is the host's");
	is_str(m->hosts.v[1].name, "::1", "an address is without brackets");
	is_int(m->hosts.v[1].port, 7, "and its port");
	s = matrix_text(m, &len, &err);
	is_str(s,
	       "# plink-matrix 1\n# quantity rtt\n# unit ns\n"
	       "# statistic value\n# symmetrize none\n"
	       "# host a:22 slots=2\n"
	       "a:22 0 1 2 3\n[::1]:7 4 0 5 6\na:23 7 8 0 9\n"
	       "[::1]:8 1 2 3 0\n# cell a:23 [::1]:7 late\n",
	       "rows say the port where names do not suffice");
	free(s);
	m->hosts.v[3].port = 0;
	not_written(m, "host \"::1\" is there twice", "one name with and without a port");
}

static void test_full_device(void)
{
	FILE *f = fopen("/dev/full", "w");
	struct pl_matrix *m = pair();
	struct pl_err err = {0};
	int rc;

	if (!f) {
		ok(true, "full device # SKIP no /dev/full");
	} else {
		setvbuf(f, NULL, _IONBF, 0);
		rc = pl_matrix_write(m, f, &err);
		ok(rc == -1 && err.code == PL_ESYSTEM, "a full device is said");
		has_str(err.text, "cannot write the matrix: ", "and why");
		fclose(f);
	}
	pl_matrix_destroy(m);
}

static char *random_text(struct pl_rng *rng, const char *chars)
{
	char buf[16];
	const size_t len = 1 + pl_rng_below(rng, sizeof(buf) - 1);

	for (size_t i = 0; i < len; i++)
		buf[i] = chars[pl_rng_below(rng, strlen(chars))];
	return strndup(buf, len);
}

static double random_value(struct pl_rng *rng)
{
	double v;
	uint64_t bits;

	switch (pl_rng_below(rng, 6)) {
	case 0:
		return NAN;
	case 1:
		return (double)pl_rng_below(rng, 1000000000);
	case 2:
		return (double)pl_rng_below(rng, 1000000000) / 1000;
	case 3:
		return pl_rng_double(rng);
	case 4:
		return (double)pl_rng_below(rng, 2);
	default: /* any bits at all: from subnormal to the largest */
		bits = pl_rng_u64(rng) >> 1;
		memcpy(&v, &bits, sizeof(v));
		return isfinite(v) ? v : 1e308;
	}
}

static void random_cells(struct pl_rng *rng, double *cell, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			if (i != j)
				cell[i * n + j] = random_value(rng);
}

/* Names of their own, or few names with ports of their own. */
static char *random_address(struct pl_rng *rng)
{
	static const char *const forms[] = {"10.0.%u.%u", "fd00::%x:%x", "fe80::%x%%eth%u"};
	char text[64];

	snprintf(text, sizeof(text), forms[pl_rng_below(rng, 3)], (unsigned)pl_rng_below(rng, 256),
		 (unsigned)pl_rng_below(rng, 256));
	return strdup(text);
}

static void random_hosts(struct pl_rng *rng, struct pl_hosts *hosts, size_t n)
{
	const uint64_t n_names = pl_rng_below(rng, 2) ? 3 : UINT64_MAX;
	char name[32];

	for (size_t i = 0; i < n; i++) {
		struct pl_host host = {.name = name, .slots = 1};

		snprintf(name, sizeof(name), "h%llu",
			 (unsigned long long)pl_rng_below(rng, n_names));
		if (pl_rng_below(rng, 2))
			host.node = random_text(rng, PL_HOST_NAME_CHARS "#=:");
		if (host.node && host.node[0] == '#')
			host.node[0] = 'x';
		if (pl_rng_below(rng, 2))
			host.addr = random_address(rng);
		if (pl_rng_below(rng, 2))
			host.slots = 1 + (int)pl_rng_below(rng, 4096);
		if (n_names == 3 || pl_rng_below(rng, 2))
			host.port = 60000 + (int)i;
		pl_hosts_add(hosts, &host);
		free(host.node);
		free(host.addr);
	}
}

static void random_rest(struct pl_rng *rng, struct pl_matrix *m)
{
	static const char chars[] = "abc ,;\"#%\\~\303\244\t\n\r ";
	static const enum pl_unit times[] = {PL_NS, PL_US, PL_MS, PL_S};
	const size_t n = m->hosts.n;
	char *text;

	m->layer[0].quantity = pl_rng_below(rng, 2) ? PL_RTT : PL_ONE_WAY;
	m->layer[0].unit = times[pl_rng_below(rng, 4)];
	m->symmetrize = (enum pl_symmetrize)pl_rng_below(rng, 3);
	replace(&m->layer[0].statistic, "p10");
	if (pl_rng_below(rng, 2))
		m->method = random_text(rng, "udpkernel,-#");
	if (m->method && m->method[0] == '#')
		m->method[0] = 'x';
	if (pl_rng_below(rng, 2))
		replace(&m->created, "2026-11-20T14:00:00Z");
	for (size_t i = pl_rng_below(rng, 5); i > 0; i--) {
		text = random_text(rng, chars);
		pl_matrix_add_note(m, pl_rng_below(rng, n), pl_rng_below(rng, n), text);
		free(text);
	}
	for (size_t i = pl_rng_below(rng, 4); i > 0; i--) {
		text = random_text(rng, "abc d");
		pl_matrix_add_header(m, "rack", text);
		free(text);
	}
}

static struct pl_matrix *random_matrix(struct pl_rng *rng)
{
	static const char *const names[] = {"p50", "p90", "min"};
	const size_t n = 1 + pl_rng_below(rng, 9);
	struct pl_hosts hosts = {0};
	struct pl_err err;
	struct pl_matrix *m;

	random_hosts(rng, &hosts, n);
	m = pl_matrix_create(&hosts, &err);
	pl_hosts_fini(&hosts);
	random_rest(rng, m);
	for (size_t i = pl_rng_below(rng, 4); i > 0; i--)
		pl_matrix_add_layer(m, names[i - 1], PL_BANDWIDTH, PL_BYTES_PER_S);
	for (size_t i = 0; i < m->n_layers; i++)
		random_cells(rng, m->layer[i].cell, n);
	return m;
}

static bool same_string(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool same_layers(const struct pl_matrix *a, const struct pl_matrix *b)
{
	const size_t bytes = a->hosts.n * a->hosts.n * sizeof(double);

	if (a->n_layers != b->n_layers)
		return false;
	for (size_t i = 0; i < a->n_layers; i++)
		if (!same_string(a->layer[i].statistic, b->layer[i].statistic) ||
		    a->layer[i].quantity != b->layer[i].quantity ||
		    a->layer[i].unit != b->layer[i].unit ||
		    memcmp(a->layer[i].cell, b->layer[i].cell, bytes))
			return false;
	return true;
}

static bool same_hosts(const struct pl_hosts *a, const struct pl_hosts *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (!same_string(a->v[i].name, b->v[i].name) ||
		    !same_string(a->v[i].node, b->v[i].node) ||
		    !same_string(a->v[i].addr, b->v[i].addr) || a->v[i].slots != b->v[i].slots ||
		    a->v[i].port != b->v[i].port)
			return false;
	return true;
}

static bool same_rest(const struct pl_matrix *a, const struct pl_matrix *b)
{
	if (a->n_notes != b->n_notes || a->n_headers != b->n_headers ||
	    a->symmetrize != b->symmetrize || !same_string(a->method, b->method) ||
	    !same_string(a->created, b->created))
		return false;
	for (size_t i = 0; i < a->n_notes; i++)
		if (a->note[i].src != b->note[i].src || a->note[i].dst != b->note[i].dst ||
		    !same_string(a->note[i].text, b->note[i].text))
			return false;
	for (size_t i = 0; i < a->n_headers; i++)
		if (!same_string(a->header[i].key, b->header[i].key) ||
		    !same_string(a->header[i].value, b->header[i].value))
			return false;
	return true;
}

static void test_round_trips(void)
{
	struct pl_rng rng;
	int wrong = 0;

	printf("# seed %d\n", SEED);
	pl_rng_init(&rng, SEED, 0);
	for (int round = 0; round < 2000; round++) {
		struct pl_matrix *m = random_matrix(&rng), *back = NULL;
		struct pl_err err = {0};
		size_t len = 0;
		char *s = matrix_text(m, &len, &err);

		if (s)
			back = matrix_from(s, len, &err);
		if (!back || !same_hosts(&m->hosts, &back->hosts) || !same_layers(m, back) ||
		    !same_rest(m, back)) {
			if (wrong++ == 0)
				printf("# round %d: %ld:%ld: %s\n", round, err.line, err.col,
				       err.text);
		}
		free(s);
		pl_matrix_destroy(m);
		pl_matrix_destroy(back);
	}
	is_int(wrong, 0, "2000 random matrices come back bit by bit");
}

static void test_digest(void)
{
	struct pl_matrix *m = pair();
	char digest[PL_DIGEST_CHARS] = "";
	struct pl_err err;

	/* printf '# plink-matrix 1\n# quantity rtt\n# unit ns\n# statistic value\n # symmetrize
	 * none\na 0 1\nb 2 0\n' | sha256sum */
	is_int(pl_matrix_digest(m, digest, &err), 0, "a digest");
	is_str(digest, "sha256:98f5a04ac355ae776bce171ab33eba610af059c9db17ebcb5066d0bb9cb4bee7",
	       "is what sha256sum says of the file");
	m->layer[0].cell[1] = nextafter(1, 2);
	pl_matrix_digest(m, digest, &err);
	ok(strcmp(digest,
		  "sha256:98f5a04ac355ae776bce171ab33eba610af059c9db17ebcb5066d0bb9cb4bee7") != 0,
	   "one bit more is another");
	m->layer[0].cell[1] = -1;
	ok(pl_matrix_digest(m, digest, &err) == -1 && err.code == PL_EINPUT,
	   "no digest of what cannot be written");
	pl_matrix_destroy(m);
}

/* Most cells missing: a line for each that is there, one for each host. */
static void test_sparse(void)
{
	struct pl_hosts hosts = {0};
	struct pl_matrix *m, *back = NULL;
	struct pl_err err = {0};
	char name[16];
	size_t len = 0, n = 100;
	char *s;

	for (size_t i = 0; i < n; i++) {
		const struct pl_host host = {.name = name, .slots = 1};

		snprintf(name, sizeof(name), "h%zu", i);
		pl_hosts_add(&hosts, &host);
	}
	m = pl_matrix_create(&hosts, &err);
	pl_matrix_add_layer(m, "sent", PL_COUNT, PL_PROBES);
	for (size_t i = 1; i < n; i++) {
		m->layer[0].cell[i] = (double)i;
		m->layer[1].cell[i * n + i / 2] = i == i / 2 ? 0 : 7;
	}
	s = matrix_text(m, &len, &err);
	ok(s && strstr(s, "# form sparse\n") && len < 5000,
	   "most cells missing: the sparse form, %zu bytes", len);
	has_str(s, "\n# host h99\n", "with all hosts");
	has_str(s, "\nh0 h3 3\n", "and cells one by one");
	if (s)
		back = matrix_from(s, len, &err);
	ok(back && same_hosts(&m->hosts, &back->hosts) && same_layers(m, back) &&
		   same_rest(m, back),
	   "it comes back bit by bit");
	for (size_t i = 1; i < n / 2; i++)
		for (size_t j = 0; j < i; j++)
			for (size_t k = 0; k < 2; k++)
				m->layer[k].cell[i * n + j] = m->layer[k].cell[j * n + i] = 1;
	m->layer[1].cell[n - 1] = 1;
	for (size_t j = 0; j < n; j++)
		if (j != 1)
			m->layer[0].cell[n + j] = 2;
	free(s);
	s = matrix_text(m, &len, &err);
	ok(s && !strstr(s, "# form"), "a fourth of them there: rows");
	free(s);
	pl_matrix_destroy(m);
	pl_matrix_destroy(back);
	pl_hosts_fini(&hosts);
}

int main(void)
{
	test_bad_cells();
	test_bad_words();
	test_ports();
	test_full_device();
	test_round_trips();
	test_digest();
	test_sparse();
	return done_testing();
}
