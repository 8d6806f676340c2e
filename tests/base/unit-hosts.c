/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-hosts.c - the reader of host lists: nonsense, every syntax, round
 * trips */
#include "config.h"

#include "base/hosts/hosts.h"
#include "base/rng.h"
#include "tests/failalloc.h"
#include "tests/tap.h"

#include <stdlib.h>

static int parse(struct pl_hosts *hosts, const char *list, enum pl_hosts_form form,
		 struct pl_err *err)
{
	struct pl_text text;
	int rc;

	*hosts = (struct pl_hosts){0};
	*err = (struct pl_err){0};
	if (pl_text_copy(&text, "hosts.txt", list, strlen(list), err))
		return -1;
	rc = pl_hosts_parse(hosts, &text, form, err);
	pl_text_fini(&text);
	return rc;
}

/* "name:slots:port" of every entry, separated by blanks. */
static void show(const struct pl_hosts *hosts, char *buf, size_t room)
{
	size_t used = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < hosts->n && used < room; i++)
		used += (size_t)snprintf(buf + used, room - used, "%s%s/%d/%d", i ? " " : "",
					 hosts->v[i].name, hosts->v[i].slots, hosts->v[i].port);
}

static const struct {
	const char *list;
	long line, col;
	const char *part;
} bad[] = {
	{"", 0, 0, "no host"},
	{"\n\n# nothing\n  \t\n", 0, 0, "no host"},
	{"a\nb\n-v\n", 3, 1, "starts with"},
	{".a\n", 1, 1, "starts with"},
	{"a b\n", 1, 3, "can follow a name"},
	{"a;reboot\n", 1, 2, "letters, digits"},
	{"  a$(x)\n", 1, 4, "letters, digits"},
	{"a\"b\n", 1, 2, "letters, digits"},
	{"a'b\n", 1, 2, "letters, digits"},
	{"a%h\n", 1, 2, "letters, digits"},
	{"a/b\n", 1, 2, "letters, digits"},
	{"user@\n", 1, 6, "must stand here"},
	{"user@a@b\n", 1, 7, "letters, digits"},
	{"-oX@a\n", 1, 4, "letters, digits"},
	{"user@a\nb\n", 2, 1, "another user"},
	{"a,user@b\n", 1, 3, "another user"},
	{"@a\n", 1, 1, "letters, digits"},
	{"h\xc3\xb6he\n", 1, 2, "letters, digits"},
	{"a\x1b[2J\n", 1, 2, "letters, digits"},
	{"a,,b\n", 1, 3, "must stand here"},
	{"a,\n", 1, 3, "must stand here"},
	{",a\n", 1, 1, "must stand here"},
	{":4\n", 1, 1, "must stand here"},
	{"a:\n", 1, 3, "1 to 4096"},
	{"a:0\n", 1, 3, "1 to 4096"},
	{"a:-1\n", 1, 3, "1 to 4096"},
	{"a:4097\n", 1, 3, "1 to 4096"},
	{"a:12345\n", 1, 3, "1 to 4096"},
	{"a:x\n", 1, 3, "1 to 4096"},
	{"a:4x\n", 1, 3, "1 to 4096"},
	{"a:99999999999999999999999\n", 1, 3, "1 to 4096"},
	{"a slots=\n", 1, 9, "1 to 4096"},
	{"a slots=0\n", 1, 9, "1 to 4096"},
	{"a slots=-2\n", 1, 9, "1 to 4096"},
	{"a slots=+2\n", 1, 9, "1 to 4096"},
	{"a slots=2.5\n", 1, 9, "1 to 4096"},
	{"a slots=inf\n", 1, 9, "1 to 4096"},
	{"a slots=0x10\n", 1, 9, "1 to 4096"},
	{"a slots = 2\n", 1, 3, "can follow a name"},
	{"a slots=2 slots=2\n", 1, 11, "twice"},
	{"a:2 slots=2\n", 1, 1, "already"},
	{"a max_slots=0\n", 1, 13, "1 to 4096"},
	{"a slots=4 max_slots=2\n", 1, 1, "max_slots"},
	{"a type=\n", 1, 3, "1 to 255"},
	{"a type=b$\n", 1, 9, "letters"},
	{"a type=b type=b\n", 1, 10, "twice"},
	{"a max-slots=2 max_slots=2\n", 1, 15, "twice"},
	{"a user=root\n", 1, 3, "can follow a name"},
	{"a 0\n", 1, 3, "1 to 65535"},
	{"a 65536\n", 1, 3, "1 to 65535"},
	{"a -1\n", 1, 3, "1 to 65535"},
	{"a 12x\n", 1, 3, "1 to 65535"},
	{"a 1 2\n", 1, 5, "second port"},
	{"a 1 2 3\n", 1, 5, "second port"},
	{"a\nb\na\n", 3, 1, "duplicate host \"a\" (first in line 1)"},
	{"a 8\nb 16\n", 1, 1, "is 8 the port of a or, as in LSF's files, the number of its slots"},
	{"a 5\na\n", 2, 1, "duplicate"},
	{"a\na 5\n", 2, 1, "duplicate"},
	{"a 5\na 6\na 5\n", 3, 1, "duplicate"},
	{"b\nn[1-3]\nn2\nb\n", 3, 1, "duplicate host \"n2\""},
	{"n1,n[1-2]\n", 1, 4, "duplicate host \"n1\""},
	{"n[1\n", 1, 2, "not closed"},
	{"n[1,b\n", 1, 2, "not closed"},
	{"n[1, 2]\n", 1, 2, "not closed"},
	{"n]\n", 1, 2, "no bracket is open"},
	{"n[]\n", 1, 3, "a number"},
	{"n[1-]\n", 1, 5, "a number"},
	{"n[-1]\n", 1, 3, "a number"},
	{"n[a-b]\n", 1, 3, "a number"},
	{"n[1,]\n", 1, 4, "as in [1-4,7]"},
	{"n[1-2-3]\n", 1, 6, "as in [1-4,7]"},
	{"n[[1]]\n", 1, 3, "a number"},
	{"n[3-1]\n", 1, 3, "backwards"},
	{"n[1-04]\n", 1, 3, "same number of digits"},
	{"n[001-04]\n", 1, 3, "same number of digits"},
	{"n[1-9999999]\n", 1, 3, "more than 65536"},
	{"n[0-999999999999999999]\n", 1, 3, "more than 65536"},
	{"n[1-99999999999999999999]\n", 1, 5, "18 digits"},
	{"n[0-65535,7]\n", 1, 11, "more than 65536"},
	{"n[1-300]m[1-300]\n", 1, 1, "more than 65536"},
	{"a\nn[1-65536]\n", 2, 1, "more than 65536"},
	{"n[1-65536]\na\n", 2, 1, "more than 65536"},
	{"a[1]b[1]c[1]d[1]e[1]f[1]g[1]h[1]i[1]\n", 1, 34, "brackets"},
	{"::1\n", 1, 1, "two colons"},
	{"fe80::1\n", 1, 5, "two colons"},
	{"a:1:2\n", 1, 2, "two colons"},
	{"[::1\n", 1, 1, "not closed"},
	{"[::1]x\n", 1, 6, "can follow"},
	{"[::g]\n", 1, 2, "not an IPv6"},
	{"[::1%eth0]\n", 1, 2, "not an IPv6"},
	{"[::1]:\n", 1, 7, "1 to 4096"},
	{"[::1]:0\n", 1, 7, "1 to 4096"},
	{"[::1]:2:3\n", 1, 7, "1 to 4096"},
};

static void test_nonsense(void)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct pl_hosts hosts;
		struct pl_err err;
		const int rc = parse(&hosts, bad[i].list, PL_HOSTS_LIST, &err);

		if (!ok(rc == -1 && err.code == PL_EINPUT && !hosts.v && err.line == bad[i].line &&
				err.col == bad[i].col && strstr(err.text, bad[i].part) &&
				strcmp(err.file, "hosts.txt") == 0,
			"refused, case %zu", i))
			printf("# got %d, %ld:%ld: %s\n", rc, err.line, err.col, err.text);
		pl_hosts_fini(&hosts);
	}
}

static void test_zero_byte(void)
{
	struct pl_text text;
	struct pl_err err = {0};

	ok(pl_text_copy(&text, "h", "a\nb\0c\n", 6, &err) == -1 && err.code == PL_EINPUT &&
		   err.line == 2 && err.col == 2,
	   "a zero byte is refused with its place");
}

static const struct {
	const char *list, *want;
} good[] = {
	{"a", "a/1/0"},
	{"a\r\nb\r\n", "a/1/0 b/1/0"},
	{"\xef\xbb\xbf"
	 "a\r\nb\r\n",
	 "a/1/0 b/1/0"},
	{"zz\naa\nmm\n", "zz/1/0 aa/1/0 mm/1/0"},
	{"a # one\n#b\nc#two\n", "a/1/0 c/1/0"},
	{"\t a \t slots=2 \n", "a/2/0"},
	{"a slots=4096\n", "a/4096/0"},
	{"a:4\n", "a/4/0"},
	{"a:004\n", "a/4/0"},
	{"a 12345\n", "a/1/12345"},
	{"a:2 12345\n", "a/2/12345"},
	{"a slots=2 80\n", "a/2/80"},
	{"a 80 slots=2\n", "a/2/80"},
	{"a 1\na 2\n", "a/1/1 a/1/2"},
	{"a 22\nb 22\n", "a/1/22 b/1/22"},
	{"a 8\nb\n", "a/1/8 b/1/0"},
	{"a slots=2 max_slots=4\n", "a/2/0"},
	{"a max-slots=4\n", "a/1/0"},
	{"a,b:3,c slots=2\n", NULL},
	{"a,b:3,c\n", "a/1/0 b/3/0 c/1/0"},
	{"a,b slots=2\n", "a/2/0 b/2/0"},
	{"node[01-04,7]\n", "node01/1/0 node02/1/0 node03/1/0 node04/1/0 node7/1/0"},
	{"n[8-11]\n", "n8/1/0 n9/1/0 n10/1/0 n11/1/0"},
	{"n[098-101]\n", "n098/1/0 n099/1/0 n100/1/0 n101/1/0"},
	{"n[00-01]\n", "n00/1/0 n01/1/0"},
	{"n[0-1]\n", "n0/1/0 n1/1/0"},
	{"n[3,1,2]\n", "n3/1/0 n1/1/0 n2/1/0"},
	{"foo[0-1]-eth0\n", "foo0-eth0/1/0 foo1-eth0/1/0"},
	{"dc[1-2]n[1-2,9]\n", "dc1n1/1/0 dc1n2/1/0 dc1n9/1/0 dc2n1/1/0 dc2n2/1/0 dc2n9/1/0"},
	{"[1-2]a\n", "1a/1/0 2a/1/0"},
	{"a,b[1-2],c\n", "a/1/0 b1/1/0 b2/1/0 c/1/0"},
	{"n[1-2]:8\n", "n1/8/0 n2/8/0"},
	{"n[1-2] 99 slots=8\n", "n1/8/99 n2/8/99"},
	{"[::1]\n", "::1/1/0"},
	{"[::1]:7\n", "::1/7/0"},
	{"[fe80::1:2]:7,[::2] 80\n", "fe80::1:2/7/80 ::2/1/80"},
	{"[::ffff:10.0.0.1]\n", "::ffff:10.0.0.1/1/0"},
	{"10.0.0.1\n_x.y-z_1\n", "10.0.0.1/1/0 _x.y-z_1/1/0"},
};

static void test_syntaxes(void)
{
	char buf[512];

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		struct pl_hosts hosts;
		struct pl_err err;
		const int rc = parse(&hosts, good[i].list, PL_HOSTS_LIST, &err);

		show(&hosts, buf, sizeof(buf));
		if (!good[i].want)
			ok(rc == -1 && strstr(err.text, "already"),
			   "slots said for one of the hosts of a line only");
		else if (!ok(rc == 0 && strcmp(buf, good[i].want) == 0, "read, case %zu", i))
			printf("# got %s (%s)\n", buf, err.text);
		pl_hosts_fini(&hosts);
	}
}

static void test_seq(void)
{
	struct pl_hosts hosts;
	struct pl_err err;
	char buf[64];

	is_int(parse(&hosts, "a\nb\na\n", PL_HOSTS_SEQ, &err), 0, "seq: a host may come again");
	show(&hosts, buf, sizeof(buf));
	is_str(buf, "a/1/0 b/1/0 a/1/0", "seq: each entry kept, in order");
	pl_hosts_fini(&hosts);
	ok(parse(&hosts, "a\nb 3\n", PL_HOSTS_SEQ, &err) == -1 && err.line == 2 && err.col == 3,
	   "seq: what Open MPI takes for cores is not taken for a port");
	ok(parse(&hosts, "a slots=1\nb:2\n", PL_HOSTS_SEQ, &err) == -1 && err.line == 2 &&
		   strstr(err.text, "2 slots"),
	   "seq: a line is one rank");
	is_int(parse(&hosts, "::1\nfe80::1:2\n[::1]\n", PL_HOSTS_SEQ, &err), 0,
	       "seq: an IPv6 address needs no brackets");
	show(&hosts, buf, sizeof(buf));
	is_str(buf, "::1/1/0 fe80::1:2/1/0 ::1/1/0", "seq: nor has it slots");
	pl_hosts_fini(&hosts);
	ok(parse(&hosts, "a:1:2\n", PL_HOSTS_SEQ, &err) == -1 && err.col == 1 &&
		   strstr(err.text, "not an IPv6"),
	   "seq: but it must be one");
	is_int(parse(&hosts, "a:2\nb 80\na\n", PL_HOSTS_ANY, &err), 0,
	       "any: slots, ports and a host again");
	show(&hosts, buf, sizeof(buf));
	is_str(buf, "a/2/0 b/1/80 a/1/0", "any: each entry kept, in order");
	pl_hosts_fini(&hosts);
}

static void test_size(void)
{
	struct pl_hosts hosts;
	struct pl_err err;

	is_int(parse(&hosts, "n[1-65536]", PL_HOSTS_LIST, &err), 0,
	       "as many hosts as a list may have");
	is_int((int64_t)hosts.n, PL_HOSTS_MAX, "all of them");
	is_str(hosts.v[65535].name, "n65536", "the last one");
	is_int((int64_t)pl_hosts_ranks(&hosts), PL_HOSTS_MAX, "ranks");
	is_int(pl_hosts_find(&hosts, "n70"), 69, "found by name");
	is_int(pl_hosts_find(&hosts, "n0"), -1, "not there");
	pl_hosts_fini(&hosts);
}

static void test_long_names(void)
{
	struct pl_hosts hosts;
	struct pl_err err;
	char list[300];

	memset(list, 'a', sizeof(list));
	list[255] = '\0';
	is_int(parse(&hosts, list, PL_HOSTS_LIST, &err), 0, "255 bytes");
	pl_hosts_fini(&hosts);
	list[255] = 'a';
	list[256] = '\0';
	is_int(parse(&hosts, list, PL_HOSTS_LIST, &err), -1, "not 256");
	memcpy(list + 250, "[1-10]", 7);
	is_int(parse(&hosts, list, PL_HOSTS_LIST, &err), 0, "nor by brackets:");
	pl_hosts_fini(&hosts);
	memcpy(list + 254, "[1-10]", 7);
	is_int(parse(&hosts, list, PL_HOSTS_LIST, &err), -1, "the longest number counts");
}

static void test_files(void)
{
	struct pl_hosts hosts = {0};
	struct pl_err err = {0};

	ok(pl_hosts_read(&hosts, "/nonexistent/x", PL_HOSTS_LIST, &err) == -1 &&
		   err.code == PL_ESYSTEM,
	   "a file that is not there");
	ok(pl_hosts_read(&hosts, "/", PL_HOSTS_LIST, &err) == -1, "a directory");
	ok(pl_hosts_read(&hosts, "/dev/null", PL_HOSTS_LIST, &err) == -1 && err.code == PL_EINPUT,
	   "an empty one");
}

/* One line of a random list in one of the forms that the reader knows. */
static size_t random_line(struct pl_rng *rng, size_t i, char *buf, size_t room,
			  struct pl_host *host)
{
	static const char *const forms[] = {"%s slots=%d %d\n", "%s:%d %d\n", "\t%s:%d %d #x\n",
					    "%s max_slots=4096 slots=%d %d\r\n"};

	snprintf(host->name, PL_HOST_NAME_MAX + 1, "h%zu-%llx", i,
		 (unsigned long long)pl_rng_u64(rng));
	host->slots = 1 + (int)pl_rng_below(rng, PL_HOST_SLOTS_MAX);
	host->port = 1 + (int)pl_rng_below(rng, 65535);
	return (size_t)snprintf(buf, room, forms[pl_rng_below(rng, 4)], host->name, host->slots,
				host->port);
}

static void test_random(uint64_t seed)
{
	enum { N = 200 };
	static char list[N * 128];
	static char names[N][PL_HOST_NAME_MAX + 1];
	struct pl_host want[N];
	struct pl_hosts hosts, copy = {0};
	struct pl_err err;
	struct pl_rng rng;
	size_t used = 0;
	int wrong = 0;

	printf("# seed %llu\n", (unsigned long long)seed);
	pl_rng_init(&rng, seed, 0);
	for (size_t i = 0; i < N; i++) {
		want[i] = (struct pl_host){.name = names[i]};
		used += random_line(&rng, i, list + used, sizeof(list) - used, &want[i]);
	}
	ok(parse(&hosts, list, PL_HOSTS_LIST, &err) == 0 && hosts.n == N, "a random list is read");
	ok(pl_hosts_copy(&copy, &hosts) == 0 && copy.n == N, "and copied");
	pl_hosts_fini(&hosts);
	for (size_t i = 0; i < copy.n; i++)
		wrong += strcmp(copy.v[i].name, want[i].name) != 0 ||
			 copy.v[i].slots != want[i].slots || copy.v[i].port != want[i].port;
	is_int(wrong, 0, "to what was written");
	pl_hosts_fini(&copy);
}

/* Cutting a good list anywhere gives hosts or an error with a place. */
static void test_truncated(void)
{
	static const char list[] = "a slots=2\nn[01-03]-x:2,b 80 # c\n[::1]:4\n";
	int wrong = 0;

	for (size_t len = 0; len < sizeof(list); len++) {
		char cut[sizeof(list)];
		struct pl_hosts hosts;
		struct pl_err err;

		memcpy(cut, list, len);
		cut[len] = '\0';
		if (parse(&hosts, cut, PL_HOSTS_LIST, &err) == 0)
			wrong += hosts.n == 0;
		else
			wrong += err.code != PL_EINPUT || hosts.n != 0 || (len > 0 && err.line < 1);
		pl_hosts_fini(&hosts);
	}
	is_int(wrong, 0, "cut anywhere: hosts, or an error with a place");
}

static void test_no_memory(void)
{
	static const char list[] = "a slots=2\nn[01-30]-x:2,b 80\n[::1]:4\n";
	int wrong = 0;
	size_t live, k = 0;
	bool refused;

	do {
		struct pl_hosts hosts;
		struct pl_err err;
		int rc;

		failalloc_begin(k);
		rc = parse(&hosts, list, PL_HOSTS_LIST, &err);
		wrong += rc == -1 && (err.code != PL_ESYSTEM || hosts.v);
		pl_hosts_fini(&hosts);
		refused = failalloc_end(&live);
		wrong += (rc == -1) != refused || live > 0;
		k++;
	} while (refused);
	ok(k > 33, "%zu allocations, each refused once", k - 1);
	is_int(wrong, 0, "refused memory: PL_ESYSTEM, and nothing leaks");
}

static void test_users(void)
{
	struct pl_hosts hosts, copy = {0};
	struct pl_err err;

	is_int(parse(&hosts, "me@a:2\nme@n[1-2],me@[::1] slots=3\n", PL_HOSTS_LIST, &err), 0,
	       "a list with a user");
	is_int(pl_hosts_copy(&copy, &hosts), 0, "copied");
	ok(copy.n == 4 && !strcmp(copy.v[0].name, "a") && copy.v[0].slots == 2 &&
		   !strcmp(copy.v[3].name, "::1") && !strcmp(copy.v[2].user, "me"),
	   "names, and the user");
	pl_hosts_fini(&copy);
	pl_hosts_fini(&hosts);
}

static void test_alike(void)
{
	static const struct {
		const char *a, *b;
		enum pl_alike alike;
	} pairs[] = {
		{"n1", "N1", PL_ALIKE_SAME},
		{"n1.a", "n1.A", PL_ALIKE_SAME},
		{"10.0.0.1", "10.0.0.1", PL_ALIKE_SAME},
		{"n1", "n1.a", PL_ALIKE_DOMAIN},
		{"n1.a.b", "n1.a", PL_ALIKE_DOMAIN},
		{"n1.a", "n1.b", PL_ALIKE_SHORT},
		{"n1.a.c", "n1.ab", PL_ALIKE_SHORT},
		{"n1", "n10", PL_ALIKE_NO},
		{"n1.a", "n10.a", PL_ALIKE_NO},
		{"10", "10.0.0.1", PL_ALIKE_NO},
		{"10.0.0.1", "10.0.0.2", PL_ALIKE_NO},
		{"", "n1", PL_ALIKE_NO},
	};
	struct pl_hosts hosts;
	struct pl_err err;

	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
		ok(pl_host_names_alike(pairs[i].a, pairs[i].b) == pairs[i].alike &&
			   pl_host_names_alike(pairs[i].b, pairs[i].a) == pairs[i].alike,
		   "\"%s\" and \"%s\"", pairs[i].a, pairs[i].b);
	parse(&hosts, "n1.a\nn2.a\n10.0.0.1\n10.0.0.2\n", PL_HOSTS_LIST, &err);
	is_int(pl_hosts_share_short(&hosts), 0, "no two hosts with one short name");
	pl_hosts_fini(&hosts);
	parse(&hosts, "n1.a\nn1.a\nn2.a\n", PL_HOSTS_SEQ, &err);
	is_int(pl_hosts_share_short(&hosts), 0, "nor if one is there twice");
	pl_hosts_fini(&hosts);
	parse(&hosts, "n1.a\nn2.a\nn1.b\n", PL_HOSTS_LIST, &err);
	is_int(pl_hosts_share_short(&hosts), 1, "n1.a and n1.b");
	pl_hosts_fini(&hosts);
}

int main(void)
{
	test_nonsense();
	test_zero_byte();
	test_syntaxes();
	test_seq();
	test_size();
	test_long_names();
	test_files();
	test_random(20261120);
	test_truncated();
	test_no_memory();
	test_users();
	test_alike();
	return done_testing();
}
