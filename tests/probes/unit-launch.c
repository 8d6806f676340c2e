/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-launch.c - launch templates become commands, commands processes */
#include "config.h"

#include "base/text/shell.h"
#include "probes/launch/launch.h"
#include "probes/launch/spawn.h"
#include "probes/protocol/address.h"
#include "tests/tap.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Words joined by '|'; the host is h7, the command "agent -x". */
struct split {
	const char *template, *words;
};

static const struct split good[] = {
	{"ssh -oBatchMode=yes %h", "ssh|-oBatchMode=yes|h7|agent -x"},
	{"  ssh\t%h\n", "ssh|h7|agent -x"},
	{"sh -c", "sh|-c|agent -x"},
	{"a 'b c' d", "a|b c|d|agent -x"},
	{"a \"b c\" d", "a|b c|d|agent -x"},
	{"a b\\ c", "a|b c|agent -x"},
	{"a ''", "a||agent -x"},
	{"a \"\" b", "a||b|agent -x"},
	{"a'b'\"c\"d", "abcd|agent -x"},
	{"a '\\'", "a|\\|agent -x"},
	{"a \"\\\"\\\\\\$\\x\"", "a|\"\\$\\x|agent -x"},
	{"a \\'b\\\"", "a|'b\"|agent -x"},
	{"a 'x-%h-%%' \"%h\"", "a|x-h7-%|h7|agent -x"},
	{"user@%h.net", "user@h7.net|agent -x"},
	{"a \\%h", "a|%h|agent -x"},
	{"a $HOME `b` *", "a|$HOME|`b`|*|agent -x"},
	{"a b\\", "a|b\\|agent -x"},
};

static const char *const bad[] = {"",     "  ",   "a 'b",  "a \"b",    "a %",
				  "a %x", "a %H", "a '%'", "a \"\\\"", "a %h%"};

static void join(char **argv, char *out, size_t size)
{
	size_t used = 0;

	out[0] = '\0';
	for (size_t i = 0; argv[i] && used < size; i++)
		used += (size_t)snprintf(out + used, size - used, "%s%s", i ? "|" : "", argv[i]);
}

static void test_split(void)
{
	char got[512];

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		char **argv = pl_launch_argv(good[i].template, "h7", "agent -x", NULL);

		if (ok(argv != NULL, "read: %s", good[i].template)) {
			join(argv, got, sizeof(got));
			is_str(got, good[i].words, "its words");
		}
		free(argv);
	}
}

static void test_refused(void)
{
	char many[2 * PL_LAUNCH_WORDS_MAX + 1];
	struct pl_err err = {0};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ok(!pl_launch_argv(bad[i], "h7", "agent", &err) && err.code == PL_EUSAGE,
		   "refused: %s", bad[i]);
	ok(!pl_launch_argv("ssh %h", "-oProxyCommand=reboot", "agent", &err) &&
		   err.code == PL_EUSAGE,
	   "a host that would be an option");
	for (size_t i = 0; i < 2 * PL_LAUNCH_WORDS_MAX; i++)
		many[i] = i % 2 ? ' ' : 'a';
	many[2 * PL_LAUNCH_WORDS_MAX] = '\0';
	ok(!pl_launch_argv(many, "h7", "agent", &err), "too many words");
	has_str(err.text, "more than", "is said");
}

/* What a shell makes of the quoted word. */
static void test_quote(void)
{
	static const char *const words[] = {"/usr/bin/plink-agent", "a b", "", "it's",
					    "$HOME `x` \\ \"",      "'"};
	char command[256], line[256];

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		char *quoted = pl_shell_quote(words[i]);
		FILE *f;

		snprintf(command, sizeof(command), "printf %%s %s", quoted);
		free(quoted);
		f = popen(command, "r");
		line[0] = '\0';
		if (!f || !fgets(line, sizeof(line), f))
			line[0] = '\0';
		if (f)
			pclose(f);
		is_str(line, words[i], "a shell gives it back");
	}
}

/* Reads until @n bytes or the end came. */
static size_t read_some(int fd, char *out, size_t n)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	size_t len = 0;
	ssize_t got = 1;

	while (len < n && got > 0 && poll(&p, 1, 10000) > 0) {
		got = read(fd, out + len, n - len);
		len += got > 0 ? (size_t)got : 0;
	}
	out[len] = '\0';
	return len;
}

static void test_templates(void)
{
	static const char *const names[] = {"ssh", "srun", "mpirun", "kubectl"};
	struct pl_err err = {0};
	char **argv;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *template = pl_launch_template(names[i]);

		argv = pl_launch_argv(template, "h7", "agent", NULL);
		ok(argv && !strcmp(argv[0], names[i]) && pl_launch_names_host(template),
		   "%s is known by name", names[i]);
		free(argv);
	}
	is_str(pl_launch_template("ssh %h"), "ssh %h", "a template stays");
	ok(pl_launch_names_host("a%%%h"), "a percent sign, then the host");
	ok(!pl_launch_names_host("sh -c %%h %"), "a percent sign, then an h");
	argv = pl_launch_argv("pdsh -w %h", "h7", "agent", &err);
	ok(!argv, "pdsh is refused");
	has_str(err.text, "no standard input", "and why");
}

static void test_spawn(void)
{
	char *cat[] = {"sh", "-c", "echo oops >&2; cat; exit 7", NULL};
	char *none[] = {"/no/such/command", NULL};
	struct pl_child child = {0};
	struct pl_err err = {0};
	char out[64];
	int status = 0;

	is_int(pl_launch_spawn(&child, none, &err), -1, "no such command");
	has_str(err.text, "/no/such/command", "is named");
	is_int(pl_launch_spawn(&child, cat, &err), 0, "a command starts");
	ok(getpgid(child.pid) == child.pid, "in a group of its own");
	ok(write(child.in, "hello", 5) == 5, "takes input");
	read_some(child.out, out, 5);
	is_str(out, "hello", "gives output");
	read_some(child.err, out, 5);
	is_str(out, "oops\n", "and errors, apart");
	ok(read(child.out, out, 1) < 0 && errno == EAGAIN, "does not block");
	close(child.in);
	is_int((int64_t)read_some(child.out, out, 1), 0, "ends with its input");
	waitpid(child.pid, &status, 0);
	is_int(WEXITSTATUS(status), 7, "with its status");
	close(child.out);
	close(child.err);
}

static void test_ports(void)
{
	static const char *const none[] = {"",   "0",   "65536",   "5-4",   "-5",
					   "5-", "a-b", "5-65536", "5 - 6", "1-2-3"};
	struct pl_ports ports = {.min = 1, .max = 2};

	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		ok(pl_ports_parse(&ports, none[i]) == -1 && ports.min == 1 && ports.max == 2,
		   "no ports: \"%s\"", none[i]);
	ok(!pl_ports_parse(&ports, "40000-40010") && ports.min == 40000 && ports.max == 40010,
	   "a range");
	ok(!pl_ports_parse(&ports, "7") && ports.min == 7 && ports.max == 7, "one");
}

int main(void)
{
	test_split();
	test_refused();
	test_quote();
	test_templates();
	test_spawn();
	test_ports();
	return done_testing();
}
