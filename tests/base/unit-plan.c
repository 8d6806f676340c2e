/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-plan.c - plan files: nonsense, the contract's forms, bit-equal copies */
#include "config.h"

#include "base/plan/plan.h"
#include "base/rng.h"
#include "tests/failalloc.h"
#include "tests/tap.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static int parse(struct pl_plan *plan, const char *s, size_t len, struct pl_err *err)
{
	struct pl_text text;
	int rc;

	*plan = (struct pl_plan){0};
	*err = (struct pl_err){0};
	if (pl_text_copy(&text, "f.plan", s, len, err))
		return -1;
	rc = pl_plan_parse(plan, &text, err);
	pl_text_fini(&text);
	return rc;
}

/* The plan as text, to be freed; NULL where it was refused. */
static char *written(const struct pl_plan *plan, struct pl_err *err)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);
	int rc;

	if (!f)
		return NULL;
	rc = pl_plan_write(plan, f, err);
	fclose(f);
	if (rc == 0)
		return text;
	ok(len == 0, "refused before the first byte");
	free(text);
	return NULL;
}

#define V "# plink-plan 1\n"
#define H2 V "host 0 a\nhost 1 b\n"
#define O "order x y z 0- : "

static const struct {
	const char *text;
	long line, col;
	const char *part;
} bad[] = {
	{"", 0, 0, "no order"},
	{V, 0, 0, "no order"},
	{H2, 0, 0, "no order"},
	{"host 0 a\n", 1, 1, "starts with \"# plink-plan 1\""},
	{"# seed 1\n" V, 1, 3, "starts with \"# plink-plan 1\""},
	{"\x7f"
	 "ELF\n",
	 1, 1, "this is a program, not a plan"},
	{"# plink-plan\n", 1, 13, "version"},
	{"# plink-plan 2\n", 1, 14, "version"},
	{"# plink-plan 1.0\n", 1, 14, "version"},
	{"# plink-plan 1 x\n", 1, 14, "version"},
	{V V, 2, 14, "twice"},
	{V "# created\n", 2, 10, "a date"},
	{V "# created yesterday\n", 2, 11, "a date"},
	{V "# created 2026-02-30T00:00:00Z\n", 2, 11, "a date"},
	{V "# created 2026-11-20T24:00:00Z\n", 2, 11, "a date"},
	{V "# created 2026-11-20T14:00:00\n", 2, 11, "a date"},
	{V "# created 2026-11-20T14:00:00Z on x\n", 2, 32, "only \"by\""},
	{V "# created 2026-11-20T14:00:00Z by\n", 2, 34, "a program"},
	{V "# created 2026-11-20T14:00:00Z by a\n# by b\n", 3, 6, "twice"},
	{V "# matrix\n", 2, 9, "digest"},
	{V "# matrix a b\n", 2, 10, "digest"},
	{V "# seed\n", 2, 7, "a seed"},
	{V "# seed -1\n", 2, 8, "a seed"},
	{V "# seed 18446744073709551616\n", 2, 8, "a seed"},
	{V "# seed nan\n", 2, 8, "a seed"},
	{V "# seed 1   # seed 2\n", 2, 19, "twice"},
	{V "hosts 0 a\n", 2, 1, "a line of a plan"},
	{V "host\n", 2, 5, "host number 0"},
	{V "host a\n", 2, 6, "host number 0"},
	{V "host 1 a\n", 2, 6, "host number 0"},
	{V "host -1 a\n", 2, 6, "host number 0"},
	{V "host 99999999999999999999 a\n", 2, 6, "host number 0"},
	{V "host 0 a\nhost 0 b\n", 3, 6, "host number 1"},
	{V "host 0\n", 2, 7, "must stand here"},
	{V "host 0 a;b\n", 2, 9, "letters, digits"},
	{V "host 0 slots=2\n", 2, 13, "letters, digits"},
	{V "host 0 a speed=2\n", 2, 10, "not known"},
	{V "host 0 a 2\n", 2, 10, "not known"},
	{V "host 0 a =2\n", 2, 10, "not known"},
	{V "host 0 a slots=0\n", 2, 16, "1 to 4096"},
	{V "host 0 a slots=\n", 2, 16, "1 to 4096"},
	{V "host 0 a slots=-1\n", 2, 16, "1 to 4096"},
	{V "host 0 a slots=4097\n", 2, 16, "1 to 4096"},
	{V "host 0 a slots=2 slots=2\n", 2, 18, "twice"},
	{V "host 0 a port=65536\n", 2, 15, "1 to 65535"},
	{V "host 0 a node=\n", 2, 15, "printable"},
	{V "host 0 a node=a#b\n", 2, 15, "printable"},
	{V "host 0 a addr=\x01\n", 2, 15, "printable"},
	{V "host 0 a type=\n", 2, 15, "printable"},
	{V "host 0 a\nhost 1 a\n" O "0 1\n", 3, 8, "duplicate host \"a\""},
	{H2 O "0 1\nhost 2 c\n", 5, 5, "before the first order"},
	{V O "\n", 2, 6, "before any host"},
	{H2 "order\n", 4, 6, "printable"},
	{H2 "order x\n", 4, 8, "printable"},
	{H2 "order x y\n", 4, 10, "printable"},
	{H2 "order x y z\n", 4, 12, "sizes"},
	{H2 "order x y z : 0 1\n", 4, 13, "sizes"},
	{H2 "order x y z 5 : 0 1\n", 4, 13, "sizes"},
	{H2 "order x y z - : 0 1\n", 4, 13, "sizes"},
	{H2 "order x y z -5 : 0 1\n", 4, 13, "sizes"},
	{H2 "order x y z 5-4 : 0 1\n", 4, 13, "sizes"},
	{H2 "order x y z 0-1k : 0 1\n", 4, 13, "sizes"},
	{H2 "order x y z 0-18446744073709551616 : 0 1\n", 4, 13, "sizes"},
	{H2 "order x y z 0- cost=5\n", 4, 22, "are missing"},
	{H2 "order x y z 0- 0 1\n", 4, 16, "not known"},
	{H2 "order x y z 0- price=5 : 0 1\n", 4, 16, "not known"},
	{H2 "order x y z 0- cost=inf : 0 1\n", 4, 21, "finite"},
	{H2 "order x y z 0- cost=1e999 : 0 1\n", 4, 21, "finite"},
	{H2 "order x y z 0- cost= : 0 1\n", 4, 21, "finite"},
	{H2 "order x y z 0- cost=0x1p3 : 0 1\n", 4, 21, "finite"},
	{H2 "order x y z 0- cost=1 cost=1 : 0 1\n", 4, 23, "twice"},
	{H2 "order x y z 0- root=2 : 0 1\n", 4, 21, "from 0 to 1"},
	{H2 "order x y z 0- root=-1 : 0 1\n", 4, 21, "from 0 to 1"},
	{H2 "order x y z 0- root= : 0 1\n", 4, 21, "from 0 to 1"},
	{H2 O "\n", 4, 18, "ends after 0 of 2 hosts"},
	{H2 O "0\n", 4, 19, "ends after 1 of 2 hosts"},
	{H2 O "0 0\n", 4, 20, "comes twice"},
	{H2 O "0 2\n", 4, 20, "number from 0 to 1"},
	{H2 O "0 -1\n", 4, 20, "number from 0 to 1"},
	{H2 O "0 x\n", 4, 20, "number from 0 to 1"},
	{H2 O "0 1 0\n", 4, 22, "after all 2 hosts"},
	{H2 O "1 0\n# identity\n", 5, 3, "not the identity"},
	{H2 "# identity\n" O "0 1\n", 4, 3, "not the identity"},
};

static void test_nonsense(void)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct pl_plan plan;
		struct pl_err err;
		const int rc = parse(&plan, bad[i].text, strlen(bad[i].text), &err);

		if (!ok(rc == -1 && err.code == PL_EINPUT && plan.hosts.n == 0 && !plan.order &&
				err.line == bad[i].line && err.col == bad[i].col &&
				strstr(err.text, bad[i].part) && strcmp(err.file, "f.plan") == 0,
			"refused, case %zu", i))
			printf("# got %d, %ld:%ld: %s\n", rc, err.line, err.col, err.text);
		pl_plan_fini(&plan);
	}
}

static const char contract[] =
	"# plink-plan 1\n"
	"# created 2026-11-20T14:00:00Z by plink-order 0.1   # matrix sha256:00ff   # seed 1\n"
	"\n"
	"# colour blue\n"
	"host 0 h0 slots=8 node=ip-10-0-0-7 addr=10.0.0.7\n"
	"host 1 ::1 slots=4\taddr=fe80::1%eth0 type=a2-x port=7 \r\n"
	"order allreduce ring openmpi 0- cost=1.5 given=nan bound=-0 : 1 0\n"
	"order allreduce double-binary-tree nccl 0-65535 : 0 1\n"
	"# identity";

static void test_contract(void)
{
	struct pl_plan plan;
	struct pl_err err;

	if (!ok(parse(&plan, contract, strlen(contract), &err) == 0,
		"the form of the contract is read")) {
		printf("# %ld:%ld: %s\n", err.line, err.col, err.text);
		return;
	}
	is_str(plan.created, "2026-11-20T14:00:00Z", "date");
	is_str(plan.by, "plink-order 0.1", "by whom");
	is_str(plan.matrix, "sha256:00ff", "digest");
	ok(plan.has_seed && plan.seed == 1, "seed");
	is_int((int64_t)plan.hosts.n, 2, "hosts");
	is_str(plan.hosts.v[0].node, "ip-10-0-0-7", "node");
	is_int(plan.hosts.v[0].slots, 8, "slots");
	is_str(plan.hosts.v[1].name, "::1", "an IPv6 address as a name");
	is_str(plan.hosts.v[1].addr, "fe80::1%eth0", "address");
	is_int(plan.hosts.v[1].port, 7, "port");
	is_str(plan.hosts.v[1].type, "a2-x", "type");
	ok(!plan.hosts.v[1].node, "a node that was not said");
	is_int((int64_t)plan.n_orders, 2, "orders");
	is_str(plan.order[0].impl, "openmpi", "the first is the default one");
	ok(plan.order[0].size_max == UINT64_MAX && plan.order[0].cost == 1.5 &&
		   isnan(plan.order[0].given) && plan.order[0].bound == 0 &&
		   signbit(plan.order[0].bound),
	   "sizes and costs");
	ok(plan.order[0].host_at[0] == 1 && plan.order[0].host_at[1] == 0, "hosts by position");
	ok(!pl_order_is_identity(&plan.order[0], 2) && pl_order_is_identity(&plan.order[1], 2),
	   "identity");
	ok(plan.order[1].size_max == 65535 && isnan(plan.order[1].bound),
	   "what was not said is missing");
	pl_plan_fini(&plan);
}

static void test_golden(void)
{
	struct pl_plan plan;
	struct pl_err err;
	char *text;

	if (parse(&plan, contract, strlen(contract), &err))
		return;
	text = written(&plan, &err);
	is_str(text,
	       "# plink-plan 1\n"
	       "# created 2026-11-20T14:00:00Z by plink-order 0.1\n"
	       "# matrix sha256:00ff\n"
	       "# seed 1\n"
	       "host 0 h0 slots=8 node=ip-10-0-0-7 addr=10.0.0.7\n"
	       "host 1 ::1 slots=4 port=7 addr=fe80::1%eth0 type=a2-x\n"
	       "order allreduce ring openmpi 0- cost=1.5 bound=-0 : 1 0\n"
	       "order allreduce double-binary-tree nccl 0-65535 : 0 1\n"
	       "# identity\n",
	       "as it is written");
	free(text);
	pl_plan_fini(&plan);
}

static void test_time(void)
{
	int64_t t = -1;

	ok(pl_plan_time("1970-01-01T00:00:00Z", &t) == 0 && t == 0, "epoch");
	ok(pl_plan_time("2024-02-29T12:34:56Z", &t) == 0 && t == 1709210096, "a leap day");
	ok(pl_plan_time("2023-02-29T12:34:56Z", &t) == -1 && t == 1709210096, "none");
	ok(pl_plan_time("2023-02-29T12:34:56+01:00", &t) == -1, "UTC only");
	ok(pl_plan_time("", &t) == -1, "nothing");
}

/* A plan of two hosts and one order to be spoilt. */
static void make_small(struct pl_plan *plan)
{
	struct pl_host a = {.name = (char *)"a", .slots = 1};
	struct pl_host b = {.name = (char *)"b", .slots = 1};
	size_t host_at[] = {1, 0};
	struct pl_order order = {.collective = (char *)"allreduce",
				 .algorithm = (char *)"ring",
				 .impl = (char *)"thesis",
				 .size_max = UINT64_MAX,
				 .cost = NAN,
				 .given = NAN,
				 .bound = NAN,
				 .host_at = host_at};

	*plan = (struct pl_plan){0};
	if (pl_hosts_add(&plan->hosts, &a) || pl_hosts_add(&plan->hosts, &b) ||
	    pl_plan_add(plan, &order, NULL))
		abort();
}

/* Is the plan refused as PL_EINPUT once *slot holds @value? */
static void refuses(struct pl_plan *plan, char **slot, const char *value, const char *what)
{
	char *const was = *slot;
	struct pl_err err = {0};
	char *text;

	*slot = (char *)value;
	text = written(plan, &err);
	ok(!text && err.code == PL_EINPUT, "refused: %s", what);
	free(text);
	*slot = was;
}

static void test_writer_refuses(void)
{
	struct pl_plan plan;
	struct pl_err err = {0};
	char *text;

	make_small(&plan);
	refuses(&plan, &plan.created, "now", "date");
	refuses(&plan, &plan.by, "x\nhost 0 y", "a program with a line end");
	refuses(&plan, &plan.by, "x # seed 3", "a program with a mark");
	refuses(&plan, &plan.by, "", "an empty program");
	refuses(&plan, &plan.matrix, "a b", "digest of two words");
	refuses(&plan, &plan.hosts.v[0].name, "a b", "name with a blank");
	refuses(&plan, &plan.hosts.v[0].name, "b", "a host twice");
	refuses(&plan, &plan.hosts.v[0].node, "a b", "node with a blank");
	refuses(&plan, &plan.hosts.v[0].node, "", "empty node");
	refuses(&plan, &plan.hosts.v[0].addr, "::1\n", "address with a line");
	refuses(&plan, &plan.order[0].algorithm, "a b", "algorithm");
	refuses(&plan, &plan.order[0].collective, NULL, "no collective");
	plan.order[0].host_at[0] = 0;
	ok(!(text = written(&plan, &err)) && err.code == PL_EINPUT, "refused: no permutation");
	plan.order[0].host_at[0] = 1;
	plan.order[0].cost = INFINITY;
	ok(!written(&plan, &err), "refused: an infinite cost");
	plan.order[0].cost = 1;
	plan.hosts.v[1].slots = 0;
	ok(!written(&plan, &err), "refused: no slots");
	plan.hosts.v[1].slots = 1;
	text = written(&plan, &err);
	ok(text, "and then written");
	free(text);
	pl_plan_fini(&plan);
	ok(!written(&plan, &err), "refused: an empty plan");
}

static void test_full_device(void)
{
	struct pl_plan plan;
	struct pl_err err = {0};
	FILE *f = fopen("/dev/full", "w");

	if (!f) {
		ok(true, "a full device # SKIP no /dev/full");
		return;
	}
	setvbuf(f, NULL, _IONBF, 0);
	make_small(&plan);
	ok(pl_plan_write(&plan, f, &err) == -1 && err.code == PL_ESYSTEM, "a full device");
	fclose(f);
	pl_plan_fini(&plan);
}

static void test_add_refuses(void)
{
	struct pl_plan plan;
	struct pl_err err = {0};
	size_t twice[] = {0, 0}, far[] = {0, 2}, good[] = {0, 1};
	struct pl_order order;

	make_small(&plan);
	order = plan.order[0];
	order.host_at = twice;
	ok(pl_plan_add(&plan, &order, &err) == -1 && err.code == PL_EINPUT, "a host twice");
	order.host_at = far;
	ok(pl_plan_add(&plan, &order, &err) == -1, "a host that is not there");
	order.host_at = good;
	order.size_min = 2;
	order.size_max = 1;
	ok(pl_plan_add(&plan, &order, &err) == -1, "sizes run backwards");
	order.size_max = 2;
	order.root = 2;
	ok(pl_plan_add(&plan, &order, &err) == -1, "a root that is no rank");
	order.root = 1;
	is_int((int64_t)plan.n_orders, 1, "the plan is as it was");
	is_int(pl_plan_add(&plan, &order, &err), 0, "a good one");
	pl_plan_fini(&plan);
}

/* Any finite double, by its bits. */
static double random_double(struct pl_rng *rng)
{
	double x;

	do {
		const uint64_t bits = pl_rng_u64(rng);

		memcpy(&x, &bits, sizeof(x));
	} while (!isfinite(x));
	return pl_rng_below(rng, 4) ? x : NAN;
}

static void random_word(struct pl_rng *rng, char buf[24])
{
	const size_t len = 1 + pl_rng_below(rng, 20);

	for (size_t i = 0; i < len; i++) {
		do
			buf[i] = (char)('!' + pl_rng_below(rng, '~' - '!' + 1));
		while (buf[i] == '#');
	}
	buf[len] = '\0';
}

static void random_host(struct pl_rng *rng, struct pl_plan *plan)
{
	char name[32], node[24], addr[24];
	struct pl_host host = {.name = name};

	snprintf(name, sizeof(name), "h%zu", plan->hosts.n);
	random_word(rng, node);
	random_word(rng, addr);
	host.node = pl_rng_below(rng, 2) ? node : NULL;
	host.addr = pl_rng_below(rng, 2) ? addr : NULL;
	host.slots = 1 + (int)pl_rng_below(rng, PL_HOST_SLOTS_MAX);
	host.port = (int)pl_rng_below(rng, 2) * (1 + (int)pl_rng_below(rng, 65535));
	if (pl_hosts_add(&plan->hosts, &host))
		abort();
}

static void random_order(struct pl_rng *rng, struct pl_plan *plan)
{
	char word[3][24];
	struct pl_order order = {.collective = word[0], .algorithm = word[1], .impl = word[2]};
	size_t host_at[64];

	for (size_t i = 0; i < 3; i++)
		random_word(rng, word[i]);
	order.size_min = pl_rng_u64(rng) >> pl_rng_below(rng, 64);
	order.size_max = UINT64_MAX - pl_rng_below(rng, 2) * pl_rng_below(rng, 1000);
	if (order.size_max < order.size_min)
		order.size_max = order.size_min;
	order.root = pl_rng_below(rng, pl_hosts_ranks(&plan->hosts));
	order.cost = random_double(rng);
	order.given = random_double(rng);
	order.bound = random_double(rng);
	for (size_t i = 0; i < plan->hosts.n; i++)
		host_at[i] = i;
	if (pl_rng_below(rng, 4))
		pl_rng_shuffle(rng, host_at, plan->hosts.n);
	order.host_at = host_at;
	if (pl_plan_add(plan, &order, NULL))
		abort();
}

static void random_plan(struct pl_rng *rng, struct pl_plan *plan)
{
	const size_t n = 1 + pl_rng_below(rng, 64);
	const size_t n_orders = 1 + pl_rng_below(rng, 4);
	char word[24];

	*plan = (struct pl_plan){0};
	for (size_t i = 0; i < n; i++)
		random_host(rng, plan);
	for (size_t i = 0; i < n_orders; i++)
		random_order(rng, plan);
	if (pl_rng_below(rng, 2))
		plan->created = strdup("2026-11-20T14:00:00Z");
	random_word(rng, word);
	if (pl_rng_below(rng, 2))
		plan->by = strdup(word);
	random_word(rng, word);
	if (pl_rng_below(rng, 2))
		plan->matrix = strdup(word);
	plan->has_seed = pl_rng_below(rng, 2);
	plan->seed = plan->has_seed ? pl_rng_u64(rng) : 0;
}

static bool same_string(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_double(double a, double b)
{
	return isnan(a) ? isnan(b) : memcmp(&a, &b, sizeof(a)) == 0;
}

static bool same_order(const struct pl_order *a, const struct pl_order *b, size_t n)
{
	return same_string(a->collective, b->collective) &&
	       same_string(a->algorithm, b->algorithm) && same_string(a->impl, b->impl) &&
	       a->size_min == b->size_min && a->size_max == b->size_max && a->root == b->root &&
	       same_double(a->cost, b->cost) && same_double(a->given, b->given) &&
	       same_double(a->bound, b->bound) &&
	       memcmp(a->host_at, b->host_at, n * sizeof(*a->host_at)) == 0;
}

static bool same_plan(const struct pl_plan *a, const struct pl_plan *b)
{
	if (!same_string(a->created, b->created) || !same_string(a->by, b->by) ||
	    !same_string(a->matrix, b->matrix) || a->has_seed != b->has_seed ||
	    a->seed != b->seed || a->hosts.n != b->hosts.n || a->n_orders != b->n_orders)
		return false;
	for (size_t i = 0; i < a->hosts.n; i++) {
		const struct pl_host *x = &a->hosts.v[i], *y = &b->hosts.v[i];

		if (!same_string(x->name, y->name) || !same_string(x->node, y->node) ||
		    !same_string(x->addr, y->addr) || !same_string(x->type, y->type) ||
		    x->slots != y->slots || x->port != y->port)
			return false;
	}
	for (size_t i = 0; i < a->n_orders; i++)
		if (!same_order(&a->order[i], &b->order[i], a->hosts.n))
			return false;
	return true;
}

static void test_random(uint64_t seed)
{
	struct pl_rng rng;
	int wrong = 0;

	printf("# seed %" PRIu64 "\n", seed);
	pl_rng_init(&rng, seed, 0);
	for (int i = 0; i < 300; i++) {
		struct pl_plan plan, again = {0};
		struct pl_err err = {0};
		char *text;

		random_plan(&rng, &plan);
		text = written(&plan, &err);
		if (!text || parse(&again, text, strlen(text), &err) || !same_plan(&plan, &again)) {
			printf("# plan %d: %ld:%ld: %s\n", i, err.line, err.col, err.text);
			wrong++;
		}
		free(text);
		pl_plan_fini(&plan);
		pl_plan_fini(&again);
	}
	is_int(wrong, 0, "300 random plans come back bit for bit");
}

/* A plan cut within its last order is never taken for a whole one. */
static void test_truncated(void)
{
	static const char text[] = V "host 0 a slots=2\nhost 1 b node=b\n"
				     "order x y z 0- cost=12 bound=1.25 : 1 0\n";
	struct pl_plan plan;
	struct pl_err err;
	int wrong = 0;

	for (size_t len = 0; len < sizeof(text) - 2; len++) {
		wrong += parse(&plan, text, len, &err) == 0;
		wrong += err.code != PL_EINPUT || plan.hosts.v != NULL;
	}
	is_int(wrong, 0, "cut anywhere: an error");
	ok(parse(&plan, text, sizeof(text) - 2, &err) == 0, "but for the last line end");
	pl_plan_fini(&plan);
}

static void test_no_memory(void)
{
	int wrong = 0;
	size_t live, k = 0;
	bool refused;

	do {
		struct pl_plan plan;
		struct pl_err err;
		int rc;

		failalloc_begin(k);
		rc = parse(&plan, contract, strlen(contract), &err);
		wrong += rc == -1 && (err.code != PL_ESYSTEM || plan.order);
		pl_plan_fini(&plan);
		refused = failalloc_end(&live);
		wrong += (rc == -1) != refused || live > 0;
		k++;
	} while (refused);
	ok(k > 30, "%zu allocations, each refused once", k - 1);
	is_int(wrong, 0, "refused memory: PL_ESYSTEM, and nothing leaks");
}

int main(void)
{
	test_nonsense();
	test_contract();
	test_golden();
	test_time();
	test_writer_refuses();
	test_full_device();
	test_add_refuses();
	test_random(20261120);
	test_truncated();
	test_no_memory();
	return done_testing();
}
