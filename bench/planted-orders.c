/* SPDX-License-Identifier: BSD-3-Clause */
/* planted-orders.c - orders to compare: best, worst, between them, random */
#include "config.h"

#include "base/matrix/matrix.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/text/number.h"
#include "base/text/outfile.h"
#include "src/common/tool.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOOL "planted-orders"
#define ORDERS_MAX 99    /* of one kind */
#define SWAPS_MAX 200000 /* tried for one graded order */

static const char help[] = "usage: planted-orders [OPTION]... MATRIX DIR\n"
			   "Reads which host is in which rack (lines \"# rack HOST NUMBER\") and\n"
			   "writes orders, a host a line, to\n"
			   "  DIR/given\n"
			   "  DIR/best           rack by rack: the cheapest ring\n"
			   "  DIR/worst          racks in turn: every hop leaves its rack\n"
			   "  DIR/graded-01 ...  left to chance, but with a number of hops\n"
			   "                     between racks that rises evenly from best to\n"
			   "                     worst\n"
			   "  DIR/random-01 ...  left to chance\n"
			   "\n"
			   "  --graded=N    graded orders, 0 to 99 (default 10)\n"
			   "  --random=N    random orders, 0 to 99 (default 10)\n"
			   "  --seed=N      of all that is left to chance (default 1)\n"
			   "  --help, --version\n"
			   "Exit: 0 done, 2 usage, 3 bad input, 4 system.\n";

struct args {
	int64_t n_graded, n_random;
	uint64_t seed;
	const char *matrix, *dir;
};

/* One host in its rack; place is its number among the rack's hosts. */
struct seat {
	int64_t rack;
	size_t place, host;
};

/* "# rack h3 2": the host's index and the rack's number. */
static int parse_rack(const struct pl_matrix *m, const struct pl_header *h, struct seat *seat,
		      struct pl_err *err)
{
	const char *blank = strrchr(h->value, ' ');
	char *name = blank ? pl_string_copy(h->value, (size_t)(blank - h->value)) : NULL;
	ptrdiff_t host = name ? pl_hosts_find(&m->hosts, name) : -1;

	free(name);
	if (host < 0 || pl_int_parse(blank + 1, strlen(blank + 1), 0, INT32_MAX, &seat->rack))
		return pl_err_set(err, PL_EINPUT, "bad line \"# rack %s\"", h->value);
	seat->host = (size_t)host;
	return 0;
}

/* seat[n], indexed by host, with places in the order given. */
static int read_seats(const struct pl_matrix *m, struct seat *seat, struct pl_err *err)
{
	const size_t n = m->hosts.n;
	struct seat one;

	for (size_t i = 0; i < n; i++)
		seat[i] = (struct seat){.rack = -1, .host = i};
	for (size_t i = 0; i < m->n_headers; i++) {
		if (strcmp(m->header[i].key, "rack"))
			continue;
		if (parse_rack(m, &m->header[i], &one, err))
			return -1;
		seat[one.host].rack = one.rack;
	}
	for (size_t i = 0; i < n; i++) {
		if (seat[i].rack < 0)
			return pl_err_set(err, PL_EINPUT, "no rack for host %s",
					  m->hosts.v[i].name);
		for (size_t j = 0; j < i; j++)
			seat[i].place += seat[j].rack == seat[i].rack;
	}
	return 0;
}

static int by_number(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int by_rack(const void *a, const void *b)
{
	const struct seat *x = a, *y = b;
	const int racks = by_number(x->rack, y->rack);

	return racks ? racks : by_number((int64_t)x->place, (int64_t)y->place);
}

static int by_place(const void *a, const void *b)
{
	const struct seat *x = a, *y = b;
	const int places = by_number((int64_t)x->place, (int64_t)y->place);

	return places ? places : by_number(x->rack, y->rack);
}

/* What every step below works on. */
struct scene {
	const struct args *args;
	const struct pl_matrix *m;
	struct seat *seat;   /* by host */
	struct seat *sorted; /* room for as many */
	size_t *host;        /* the order in hand, by pos */
	size_t n;
};

static int write_order(const struct scene *s, const char *name, struct pl_err *err)
{
	struct pl_outfile out = {0};
	char path[4096];
	const int len = snprintf(path, sizeof(path), "%s/%s", s->args->dir, name);

	if (len < 0 || (size_t)len >= sizeof(path))
		return pl_err_set(err, PL_EUSAGE, "path too long: %s", s->args->dir);
	if (pl_outfile_open(&out, path, err))
		return -1;
	for (size_t pos = 0; pos < s->n; pos++)
		fprintf(out.f, "%s\n", s->m->hosts.v[s->host[pos]].name);
	return pl_outfile_commit(&out, err);
}

static int write_random(struct scene *s, struct pl_err *err)
{
	char name[32];

	for (int64_t k = 1; k <= s->args->n_random; k++) {
		struct pl_rng rng;

		pl_rng_init(&rng, s->args->seed, (uint64_t)k);
		pl_rng_shuffle(&rng, s->host, s->n);
		snprintf(name, sizeof(name), "random-%02" PRId64, k);
		if (write_order(s, name, err))
			return -1;
	}
	return 0;
}

/* Hops of the ring that leave a rack. */
static size_t crossings(const struct scene *s)
{
	size_t count = 0;

	for (size_t pos = 0; pos < s->n; pos++) {
		const size_t from = s->host[pos];
		const size_t to = s->host[(pos + 1) % s->n];

		count += s->seat[from].rack != s->seat[to].rack;
	}
	return count;
}

static size_t distance(size_t a, size_t b)
{
	return a > b ? a - b : b - a;
}

static void swap(size_t *host, size_t i, size_t j)
{
	const size_t kept = host[i];

	host[i] = host[j];
	host[j] = kept;
}

/* Swaps hosts at random as long as that does not lead away from @target crossings, until they are
 * that many (or as near as chance came). */
static void approach(struct scene *s, struct pl_rng *rng, size_t target)
{
	size_t now = distance(crossings(s), target);

	for (int tries = 0; now && tries < SWAPS_MAX; tries++) {
		const size_t i = pl_rng_below(rng, s->n);
		const size_t j = pl_rng_below(rng, s->n);
		size_t next;

		swap(s->host, i, j);
		next = distance(crossings(s), target);
		if (next > now)
			swap(s->host, i, j);
		else
			now = next;
	}
}

/* Crossings of best and of worst. */
struct extremes {
	size_t least, most;
};

static int write_graded(struct scene *s, struct extremes ends, struct pl_err *err)
{
	const size_t steps = (size_t)s->args->n_graded + 1;
	const size_t range = ends.most - ends.least;
	char name[32];

	for (size_t k = 1; k < steps; k++) {
		struct pl_rng rng;

		pl_rng_init(&rng, s->args->seed, ORDERS_MAX + k);
		pl_rng_shuffle(&rng, s->host, s->n);
		approach(s, &rng, ends.least + (range * k + steps / 2) / steps);
		snprintf(name, sizeof(name), "graded-%02zu", k);
		if (write_order(s, name, err))
			return -1;
	}
	return 0;
}

/* The hosts sorted in that way are the order in hand; gives its crossings. */
static size_t sort_hosts(struct scene *s, int (*compare)(const void *, const void *))
{
	memcpy(s->sorted, s->seat, s->n * sizeof(*s->seat));
	qsort(s->sorted, s->n, sizeof(*s->sorted), compare);
	for (size_t pos = 0; pos < s->n; pos++)
		s->host[pos] = s->sorted[pos].host;
	return crossings(s);
}

static int write_all(struct scene *s, struct pl_err *err)
{
	struct extremes ends;

	for (size_t i = 0; i < s->n; i++)
		s->host[i] = i;
	if (read_seats(s->m, s->seat, err) || write_order(s, "given", err) || write_random(s, err))
		return -1;
	ends.least = sort_hosts(s, by_rack);
	if (write_order(s, "best", err))
		return -1;
	ends.most = sort_hosts(s, by_place);
	if (write_order(s, "worst", err))
		return -1;
	return write_graded(s, ends, err);
}

static int run(const struct args *args, struct pl_err *err)
{
	const struct pl_matrix_options options = {.unit = PL_US};
	struct pl_matrix *m = pl_matrix_read(args->matrix, &options, err);
	struct scene s = {.args = args, .m = m};
	int rc = -1;

	if (!m)
		return -1;
	s.n = m->hosts.n;
	s.seat = pl_array_create(s.n, sizeof(*s.seat));
	s.sorted = pl_array_create(s.n, sizeof(*s.sorted));
	s.host = pl_array_create(s.n, sizeof(*s.host));
	if (s.seat && s.sorted && s.host)
		rc = write_all(&s, err);
	else
		pl_err_nomem(err);
	free(s.host);
	free(s.sorted);
	free(s.seat);
	pl_matrix_destroy(m);
	return rc;
}

static int parse_number(const char *s, int64_t max, int64_t *out)
{
	return pl_int_parse(s, strlen(s), 0, max, out);
}

/* -1 to go on, or an exit status. */
static int parse_args(struct args *args, int argc, char **argv)
{
	static const struct option options[] = {
		{"graded", required_argument, NULL, 'g'}, {"random", required_argument, NULL, 'r'},
		{"seed", required_argument, NULL, 's'},   {"help", no_argument, NULL, 'h'},
		{"version", no_argument, NULL, 'V'},      {NULL, 0, NULL, 0},
	};
	int64_t seed = 1;
	int option;

	*args = (struct args){.n_graded = 10, .n_random = 10};
	opterr = 0;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'h')
			return pl_tool_help(TOOL, help);
		if (option == 'V')
			return pl_tool_version(TOOL);
		if (option == '?' ||
		    (option == 'g' && parse_number(optarg, ORDERS_MAX, &args->n_graded)) ||
		    (option == 'r' && parse_number(optarg, ORDERS_MAX, &args->n_random)) ||
		    (option == 's' && parse_number(optarg, INT64_MAX, &seed)))
			return pl_tool_usage(TOOL, "bad option %s", argv[optind - 1]);
	}
	if (argc - optind != 2)
		return pl_tool_usage(TOOL, "a matrix and a folder are needed");
	args->seed = (uint64_t)seed;
	args->matrix = argv[optind];
	args->dir = argv[optind + 1];
	return -1;
}

int main(int argc, char **argv)
{
	struct pl_err err = {0};
	struct args args;
	const int status = parse_args(&args, argc, argv);

	if (status >= 0)
		return status;
	if (run(&args, &err))
		return pl_tool_fail(TOOL, &err);
	return PL_EXIT_DONE;
}
