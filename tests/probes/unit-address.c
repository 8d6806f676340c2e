/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-address.c - numeric addresses, and which one a host is measured at */
#include "config.h"

#include "probes/protocol/address.h"
#include "tests/tap.h"

static const char *const bad[] = {
	"",          "host",       "10.0.0",     "10.0.0.256", "10.0.0.7/33",
	"10.0.0.7/", "10.0.0.7/x", "/24",        "::1/129",    "fe80::1%eth0",
	":::1",      "1.2.3.4.5",  "0x7f000001", "10.0.0.7 ",  "10.0.0.7/-1",
};

static struct pl_addr make(const char *s)
{
	struct pl_addr addr = {0};

	pl_addr_parse(s, strlen(s), &addr);
	return addr;
}

static void test_parse(void)
{
	char buf[PL_ADDR_CHARS];
	struct pl_addr a = {.prefix = 77};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ok(pl_addr_parse(bad[i], strlen(bad[i]), &a) == -1 && a.prefix == 77,
		   "no address: \"%s\"", bad[i]);
	a = make("10.1.2.3/24");
	is_str(pl_addr_format(&a, buf), "10.1.2.3", "IPv4");
	is_int(a.prefix, 24, "its prefix");
	a = make("fd00::7");
	is_str(pl_addr_format(&a, buf), "fd00::7", "IPv6");
	is_int(a.prefix, 128, "all bits where none is said");
}

static bool is_in(const char *addr, const char *net)
{
	const struct pl_addr a = make(addr), b = make(net);

	return pl_addr_in(&a, &b);
}

static void test_networks(void)
{
	ok(is_in("10.1.2.3", "10.1.0.0/16"), "/16");
	ok(!is_in("10.2.2.3", "10.1.0.0/16"), "not another /16");
	ok(is_in("10.1.2.3", "10.1.3.0/23"), "/23 splits a byte");
	ok(!is_in("10.1.4.3", "10.1.3.0/23"), "at the right bit");
	ok(is_in("10.1.2.3", "0.0.0.0/0"), "/0 is everything");
	ok(!is_in("::1", "0.0.0.0/0"), "of its family");
	ok(is_in("fd00::7", "fd00::/8"), "IPv6");
	ok(is_in("10.0.0.1", "10.0.0.1"), "an address is in itself");
	ok(!is_in("10.0.0.2", "10.0.0.1"), "and no other is");
}

static void test_global(void)
{
	static const char *const local[] = {"127.0.0.1", "127.9.9.9", "169.254.1.1", "::1",
					    "fe80::1"};
	static const char *const global[] = {"10.0.0.1", "192.0.2.1", "fd00::1", "2001:db8::1",
					     "169.253.0.1"};

	for (size_t i = 0; i < 5; i++) {
		const struct pl_addr l = make(local[i]), g = make(global[i]);

		ok(!pl_addr_is_global(&l), "%s is local", local[i]);
		ok(pl_addr_is_global(&g), "%s is not", global[i]);
	}
}

static void test_list(void)
{
	struct pl_addr addr[PL_ADDRS_MAX];
	struct pl_err err = {0};
	size_t n;

	ok(!pl_addr_list("lo", addr, &n, &err) && n >= 1 && !strcmp(addr[0].iface, "lo"),
	   "the loopback interface, asked for by name");
	ok(!pl_addr_list("127.0.0.0/8", addr, &n, &err) && n == 1, "and by network");
	is_int(addr[0].prefix, 8, "with its prefix");
	ok(pl_addr_list("nosuch0", addr, &n, &err) == -1 && err.code == PL_EUSAGE,
	   "an interface that is not there");
	has_str(err.text, "lo 127.0.0.1", "those that are are named");
}

/* Up to three machines of up to three addresses. */
#define HOSTS 3
#define ADDRS 3

struct choice {
	const char *what;
	const char *addr[HOSTS][ADDRS];
	int shared;
	const char *chosen; /* or what to do where none is */
};

static const struct choice choices[] = {
	{"one network",
	 {{"10.0.0.1/24"}, {"10.0.0.2/24"}, {"10.0.0.3/24"}},
	 0,
	 "10.0.0.1 10.0.0.2 10.0.0.3"},
	{"bridges of the same address do not count",
	 {{"172.17.0.1/16", "10.0.0.1/24"},
	  {"172.17.0.1/16", "10.0.0.2/24"},
	  {"10.0.0.3/24", "172.17.0.1/16"}},
	 0,
	 "10.0.0.1 10.0.0.2 10.0.0.3"},
	{"a common network before the first address",
	 {{"1.1.1.1/24", "10.0.0.1/24"},
	  {"2.2.2.2/24", "10.0.0.2/24"},
	  {"3.3.3.3/24", "10.0.0.3/24"}},
	 0,
	 "10.0.0.1 10.0.0.2 10.0.0.3"},
	{"no network in common: each one's own first",
	 {{"172.17.0.1/16", "10.0.1.1/24"},
	  {"172.17.0.1/16", "10.0.2.2/24"},
	  {"172.17.0.1/16", "10.0.3.3/24"}},
	 0,
	 "10.0.1.1 10.0.2.2 10.0.3.3"},
	{"IPv6 only",
	 {{"fd00:1::1/64"}, {"fd00:2::2/64"}, {"fd00:3::3/64"}},
	 0,
	 "fd00:1::1 fd00:2::2 fd00:3::3"},
	{"IPv6 where one has nothing else",
	 {{"10.0.0.1/24", "fd00::1/64"}, {"10.0.0.2/24", "fd00::2/64"}, {"fd00::3/64"}},
	 0,
	 "fd00::1 fd00::2 fd00::3"},
	{"the same address twice",
	 {{"10.0.0.1/24"}, {"10.0.0.2/24"}, {"10.0.0.1/24"}},
	 0,
	 "if they are one machine, list it once; else name another interface"},
	{"unless an interface was named",
	 {{"127.0.0.1/8"}, {"127.0.0.1/8"}, {"127.0.0.1/8"}},
	 1,
	 "127.0.0.1 127.0.0.1 127.0.0.1"},
	{"no family in common", {{"10.0.0.1/24"}, {"fd00::2/64"}, {"10.0.0.3/24"}}, 0, "--iface"},
};

static void try_choice(const struct choice *c)
{
	static const char *const names[HOSTS] = {"x", "y", "z"};
	struct pl_addr addr[HOSTS][ADDRS];
	struct pl_addr_offer offer[HOSTS];
	struct pl_err err = {0};
	size_t pick[HOSTS], used = 0;
	char got[256] = "", buf[PL_ADDR_CHARS];

	for (size_t i = 0; i < HOSTS; i++) {
		offer[i] = (struct pl_addr_offer){.name = names[i], .addr = addr[i]};
		while (offer[i].n < ADDRS && c->addr[i][offer[i].n]) {
			addr[i][offer[i].n] = make(c->addr[i][offer[i].n]);
			offer[i].n++;
		}
	}
	if (pl_addr_choose(offer, HOSTS, c->shared, pick, &err)) {
		has_str(err.text, c->chosen, c->what);
		return;
	}
	for (size_t i = 0; i < HOSTS; i++)
		used += (size_t)snprintf(got + used, sizeof(got) - used, "%s%s", i ? " " : "",
					 pl_addr_format(&addr[i][pick[i]], buf));
	is_str(got, c->chosen, c->what);
}

/* Two networks of three machines, named and reached by these addresses. */
static const struct description {
	const char *what;
	const char *addr[HOSTS][ADDRS];
	const char *name[HOSTS], *reached[HOSTS]; /* NULL: not known */
	const char *is;
} descriptions[] = {
	{"one network that ssh uses: nothing",
	 {{"10.0.0.1/24"}, {"10.0.0.2/24"}, {"10.0.0.3/24"}},
	 {"x", "y", "z"},
	 {"10.0.0.1/24", "10.0.0.2/24", "10.0.0.3/24"},
	 ""},
	{"a bridge that all have is no other network",
	 {{"10.0.0.1/24", "172.17.0.1/16"},
	  {"10.0.0.2/24", "172.17.0.1/16"},
	  {"10.0.0.3/24", "172.17.0.1/16"}},
	 {"x", "y", "z"},
	 {NULL},
	 ""},
	{"the first of two",
	 {{"10.0.0.1/24", "10.8.0.1/16"},
	  {"10.0.0.2/24", "10.8.0.2/16"},
	  {"10.0.0.3/24", "10.8.0.3/16"}},
	 {"x", "y", "z"},
	 {"10.0.0.1/24", NULL, "10.0.0.3/24"},
	 "10.0.0.0/24 eth7 also=10.8.0.0/16"},
	{"ssh goes by the second",
	 {{"10.0.0.1/24", "10.8.0.1/16"},
	  {"10.0.0.2/24", "10.8.0.2/16"},
	  {"10.0.0.3/24", "10.8.0.3/16"}},
	 {"x", "y", "z"},
	 {NULL, "10.8.0.2/16", "10.8.0.3/16"},
	 "10.0.0.0/24 eth7 ssh=10.8.0.0/16 also=10.8.0.0/16"},
	{"the machines are named by addresses of the second",
	 {{"10.0.0.1/24", "10.8.1.1/22"},
	  {"10.0.0.2/24", "10.8.2.2/22"},
	  {"10.0.0.3/24", "10.8.3.3/22"}},
	 {"10.8.1.1", "10.8.2.2", "10.8.3.3"},
	 {"10.0.0.1/24", "10.0.0.2/24", "10.0.0.3/24"},
	 "10.8.0.0/22 eth7 named ssh=10.0.0.0/24 also=10.0.0.0/24"},
	{"an address that is nobody's counts as a name",
	 {{"10.0.0.1/24"}, {"10.0.0.2/24"}, {"10.0.0.3/24"}},
	 {"10.0.0.1", "192.0.2.2", "10.0.0.3"},
	 {"10.0.0.1/24", NULL, NULL},
	 ""},
	{"ssh by another network that not all share",
	 {{"10.0.0.1/24"}, {"10.0.0.2/24"}, {"10.0.0.3/24"}},
	 {"x", "y", "z"},
	 {"192.0.2.1/24", NULL, NULL},
	 "10.0.0.0/24 eth7 ssh=192.0.2.0/24"},
	{"no network in common",
	 {{"10.0.1.1/24"}, {"10.0.2.2/24"}, {"10.0.3.3/24"}},
	 {"x", "y", "z"},
	 {"192.0.2.1/24", NULL, NULL},
	 ""},
};

static void try_description(const struct description *d)
{
	struct pl_addr addr[HOSTS][ADDRS], reached[HOSTS];
	struct pl_addr_offer offer[HOSTS];
	char text[PL_NETWORK_CHARS];
	size_t pick[HOSTS];

	for (size_t i = 0; i < HOSTS; i++) {
		offer[i] = (struct pl_addr_offer){.name = d->name[i], .addr = addr[i]};
		while (offer[i].n < ADDRS && d->addr[i][offer[i].n]) {
			struct pl_addr *to = &addr[i][offer[i].n];

			*to = make(d->addr[i][offer[i].n++]);
			strcpy(to->iface, "eth7");
		}
		if (!d->reached[i])
			continue;
		reached[i] = make(d->reached[i]);
		offer[i].reached = &reached[i];
	}
	if (!ok(!pl_addr_choose(offer, HOSTS, 0, pick, NULL) &&
			!pl_addr_describe(offer, HOSTS, pick, text),
		"%s: chosen", d->what))
		return;
	is_str(text, d->is, d->what);
}

int main(void)
{
	test_parse();
	test_networks();
	test_global();
	test_list();
	for (size_t i = 0; i < sizeof(choices) / sizeof(choices[0]); i++)
		try_choice(&choices[i]);
	for (size_t i = 0; i < sizeof(descriptions) / sizeof(descriptions[0]); i++)
		try_description(&descriptions[i]);
	return done_testing();
}
