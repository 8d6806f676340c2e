/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-ranks.c - which host a process is on, and the rank an order gives it */
#include "config.h"

#include "base/rng.h"
#include "shim/ranks.h"
#include "shim/self.h"
#include "tests/tap.h"

#include <arpa/inet.h>
#include <stdlib.h>

#define RANKS_MAX 64
#define HOSTS_MAX 8

static void parse(struct pl_plan *plan, const char *s)
{
	struct pl_text text;
	struct pl_err err = {0};

	*plan = (struct pl_plan){0};
	if (pl_text_copy(&text, "plan", s, strlen(s), &err) || pl_plan_parse(plan, &text, &err)) {
		printf("Bail out! %s\n", err.text);
		exit(1);
	}
	pl_text_fini(&text);
}

static struct in6_addr address(const char *s)
{
	struct in6_addr addr;
	char mapped[64];

	snprintf(mapped, sizeof(mapped), "::ffff:%s", s);
	inet_pton(AF_INET6, strchr(s, ':') ? s : mapped, &addr);
	return addr;
}

/* The host found by a process with this PLINK_HOST, node name and address. */
static int find(const struct pl_plan *plan, const char *named, const char *node, const char *addr)
{
	struct in6_addr own = address(addr);
	struct pl_self self = {.named = named, .addr = &own, .n_addrs = 1};

	snprintf(self.node, sizeof(self.node), "%s", node);
	return pl_self_find(&self, &plan->hosts);
}

static void test_find(void)
{
	struct pl_plan plan;

	parse(&plan, "# plink-plan 1\n"
		     "host 0 alpha node=ip-10-0-0-7 addr=10.0.0.7\n"
		     "host 1 beta.example.org addr=2001:db8::1\n"
		     "host 2 10.0.0.9\n"
		     "host 3 twin.a\n"
		     "host 4 twin.b\n"
		     "order allreduce ring openmpi 0- : 0 1 2 3 4\n");
	is_int(find(&plan, "10.0.0.9", "alpha", "10.0.0.7"), 2, "PLINK_HOST comes before all else");
	is_int(find(&plan, "gamma", "alpha", "10.0.0.7"), PL_SELF_UNKNOWN,
	       "a PLINK_HOST that is none is not made up for");
	is_int(find(&plan, NULL, "alpha", "10.0.0.9"), 0, "a node name comes before an address");
	is_int(find(&plan, NULL, "ip-10-0-0-7", "1.2.3.4"), 0, "the name that a host gives itself");
	is_int(find(&plan, NULL, "beta", "1.2.3.4"), 1, "a short name");
	is_int(find(&plan, NULL, "alpha.local", "1.2.3.4"), 0,
	       "a long name where the plan has a short one");
	is_int(find(&plan, NULL, "twin.b", "1.2.3.4"), 4,
	       "a full name where the short one would fit two");
	is_int(find(&plan, NULL, "twin", "1.2.3.4"), PL_SELF_AMBIGUOUS,
	       "a short name that fits two");
	is_int(find(&plan, NULL, "10", "1.2.3.4"), PL_SELF_UNKNOWN, "an address has no short form");
	is_int(find(&plan, NULL, "x", "10.0.0.7"), 0, "addr=");
	is_int(find(&plan, NULL, "x", "10.0.0.9"), 2, "a name that is one");
	is_int(find(&plan, NULL, "x", "2001:db8::1"), 1, "IPv6");
	is_int(find(&plan, NULL, "x", "10.0.0.8"), PL_SELF_UNKNOWN, "another address");
	pl_plan_fini(&plan);
}

static void test_own(void)
{
	struct pl_self self = {0};
	struct pl_err err = {0};
	struct in6_addr loop = address("127.0.0.1");
	bool found = false;

	setenv("PLINK_HOST", "", 1);
	ok(pl_self_init(&self, &err) == 0, "a process knows itself");
	ok(!self.named, "an empty PLINK_HOST is none");
	ok(self.node[0] != '\0', "it has a node name");
	for (size_t i = 0; i < self.n_addrs; i++)
		found |= memcmp(&self.addr[i], &loop, sizeof(loop)) == 0;
	ok(!found, "every machine has the loopback address: it says nothing");
	pl_self_fini(&self);
}

static void test_refused(void)
{
	struct pl_plan plan;
	struct pl_err err = {0};
	int new_rank[3];

	parse(&plan, "# plink-plan 1\n"
		     "host 0 a slots=2\nhost 1 b\n"
		     "order allreduce ring openmpi 0- : 1 0\n");
	ok(pl_shim_ranks(&plan, (int[]){0, 1, 1}, 3, new_rank, &err) == -1 &&
		   err.code == PL_EPARTIAL,
	   "another number of ranks on a host than the plan says");
	has_str(err.text, "1 rank of this job runs on host a", "which host is said");
	ok(pl_shim_ranks(&plan, (int[]){0, 0}, 2, new_rank, &err) == 0 && new_rank[0] == 0 &&
		   new_rank[1] == 1,
	   "a host of the plan that is not in the job");
	ok(pl_shim_check_all(&plan.hosts, (int[]){0, 0}, 2, &err) == -1, "which schedules need");
	has_str(err.text, "on host b", "and that is said");
	ok(pl_shim_ranks(&plan, (int[]){0, 1, 0}, 3, new_rank, &err) == 0 && new_rank[0] == 1 &&
		   new_rank[1] == 0 && new_rank[2] == 2,
	   "ranks that alternate between hosts come together");
	pl_plan_fini(&plan);
}

/* A random job: host_of[], and a plan that fits it. */
static size_t make_job(struct pl_rng *rng, struct pl_plan *plan, int *host_of)
{
	const size_t n_hosts = 1 + pl_rng_below(rng, HOSTS_MAX);
	size_t n = 0, len, host[RANKS_MAX], order[HOSTS_MAX];
	char text[2048] = "# plink-plan 1\n";

	for (size_t h = 0; h < n_hosts; h++) {
		const size_t slots = 1 + pl_rng_below(rng, 8);

		len = strlen(text);
		snprintf(text + len, sizeof(text) - len, "host %zu h%zu slots=%zu\n", h, h, slots);
		for (size_t i = 0; i < slots; i++)
			host[n++] = h;
		order[h] = h;
	}
	pl_rng_shuffle(rng, host, n);
	pl_rng_shuffle(rng, order, n_hosts);
	for (size_t rank = 0; rank < n; rank++)
		host_of[rank] = (int)host[rank];
	strcat(text, "order allreduce ring openmpi 0- :");
	for (size_t pos = 0; pos < n_hosts; pos++) {
		len = strlen(text);
		snprintf(text + len, sizeof(text) - len, " %zu", order[pos]);
	}
	strcat(text, "\n");
	parse(plan, text);
	return n;
}

/* Where a host stands in the order, by looking. */
static size_t pos_of(const struct pl_plan *plan, int host)
{
	size_t pos = 0;

	while (plan->order[0].host_at[pos] != (size_t)host)
		pos++;
	return pos;
}

/* Is rank a to stand before rank b? */
static bool before(const struct pl_plan *plan, const int *host_of, size_t a, size_t b)
{
	const size_t pos_a = pos_of(plan, host_of[a]);
	const size_t pos_b = pos_of(plan, host_of[b]);

	return pos_a != pos_b ? pos_a < pos_b : a < b;
}

static bool is_right(const struct pl_plan *plan, const int *host_of, size_t n, const int *new_rank)
{
	for (size_t a = 0; a < n; a++) {
		int n_before = 0;

		for (size_t b = 0; b < n; b++)
			n_before += b != a && before(plan, host_of, b, a);
		if (new_rank[a] != n_before)
			return false;
	}
	return true;
}

/* Does the rank within the host, from the start of its block, give the same? */
static bool blocks_agree(const struct pl_plan *plan, const int *host_of, size_t n,
			 const int *new_rank)
{
	int n_before[HOSTS_MAX] = {0};

	for (size_t r = 0; r < n; r++) {
		const int host = host_of[r];

		if (pl_shim_block(plan, (size_t)host) + n_before[host]++ != new_rank[r])
			return false;
	}
	return true;
}

static void test_random(void)
{
	struct pl_rng rng;
	int n_wrong = 0, n_same = 0;

	pl_rng_init(&rng, 1, 0);
	for (int i = 0; i < 500; i++) {
		int host_of[RANKS_MAX], new_rank[RANKS_MAX];
		struct pl_plan plan;
		const size_t n = make_job(&rng, &plan, host_of);
		bool same = true;

		n_wrong += pl_shim_ranks(&plan, host_of, n, new_rank, NULL) ||
			   !is_right(&plan, host_of, n, new_rank) ||
			   !blocks_agree(&plan, host_of, n, new_rank);
		for (size_t r = 0; r < n; r++)
			same &= new_rank[r] == (int)r;
		n_wrong += pl_shim_is_identity(new_rank, n) != same;
		n_same += same;
		pl_plan_fini(&plan);
	}
	is_int(n_wrong, 0, "blocks in the plan's order, each in its own");
	ok(n_same > 0 && n_same < 500, "with and without a change");
}

int main(void)
{
	test_find();
	test_own();
	test_refused();
	test_random();
	return done_testing();
}
