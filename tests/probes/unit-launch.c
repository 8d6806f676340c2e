/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-launch.c - launch templates become commands, commands processes */
#include "config.h"

#include "base/text/shell.h"
#include "probes/launch/fault.h"
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

/* Lines of ssh and of shells, and what they mean; NULL: nothing that is
 * known. */
static const char *const lines[][2] = {
	{"Host key verification failed.", "no known host key for %H"},
	{"ED25519 host key for h0 has changed and you have requested strict checking.",
	 "another host key than the known one on %H"},
	{"Host key for 10.0.0.1 has changed and you have requested strict checking.",
	 "another host key than the known one on %H"},
	{"me@h0: Permission denied (publickey,password).", "the login is refused on %H"},
	{"bash: line 1: /opt/x: Permission denied", NULL},
	{"Received disconnect from 10.0.0.1 port 22:2: Too many authentication failures",
	 "too many keys were offered to %H"},
	{"ssh: Could not resolve hostname h0: Name or service not known",
	 "no address is known for %H, or for the jump host"},
	{"channel 0: open failed: connect failed: Name or service not known",
	 "no address is known for %H, or for the jump host"},
	{"channel 0: open failed: connect failed: Temporary failure in name resolution",
	 "no address is known for %H, or for the jump host"},
	{"channel 0: open failed: administratively prohibited: open failed",
	 "the jump host does not forward to %H"},
	{"sh: 1: exec: plink-agent: not found", "plink-agent is missing on %H"},
	{"bash: line 1: /opt/plink-agent: No such file or directory",
	 "plink-agent is missing on %H"},
	{"zsh:1: command not found: plink-agent", "plink-agent is missing on %H"},
	{"plink-agent: Command not found.", "plink-agent is missing on %H"},
	{"fish: Unknown command: plink-agent", "plink-agent is missing on %H"},
	{"sh: 1: ls: not found", NULL},
	{"sh: line 1: /opt/plink-agent: cannot execute binary file: Exec format error",
	 "plink-agent cannot be run on %H"},
	{"sh: 1: /opt/plink-agent: Permission denied", "plink-agent cannot be run on %H"},
	{"ssh: connect to host h0 port 22: Connection refused", "no ssh server listens on %H"},
	{"ssh: connect to host h0 port 22: No route to host", "no answer from %H"},
	{"ssh: connect to host h0 port 22: Connection timed out", "no answer from %H"},
	{"Connection timed out during banner exchange", "no answer from %H"},
	{"kex_exchange_identification: read: Connection reset by peer",
	 "the ssh server drops connections to %H"},
	{"ssh_exchange_identification: Connection closed by remote host",
	 "the ssh server drops connections to %H"},
	{"Connection closed by UNKNOWN port 65535", "the ssh server drops connections to %H"},
	{"Connection to h0 closed.", NULL},
	{"Warning: Permanently added 'h0' (ED25519) to the list of known hosts.", NULL},
	{"Welcome to h0", NULL},
	{"", NULL},
};

static void test_faults(void)
{
	static const char *const hosts[] = {"h1", "h4", "h7"};
	const char *many[25];
	const struct pl_launch_fault *f;
	char *text;

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		f = pl_launch_fault_of(lines[i][0]);
		is_str(f ? f->means : NULL, lines[i][1], lines[i][0]);
	}
	ok(pl_launch_fault_of(
		   "Host key for h0 has changed and you have requested strict checking.") <
		   pl_launch_fault_of("Host key verification failed."),
	   "a changed key says more than a key that is not accepted");
	ok(pl_launch_fault_of("me@jump: Permission denied (publickey).") <
		   pl_launch_fault_of(
			   "kex_exchange_identification: Connection closed by remote host"),
	   "and why the jump host refuses more than that it has closed");
	f = pl_launch_fault_status(127, "bash: Zeile 1: plink-agent: Kommando nicht gefunden");
	is_str(f ? f->means : NULL, "plink-agent is missing on %H", "in any language");
	f = pl_launch_fault_status(255, "");
	is_str(f ? f->means : NULL, "the login failed without a message on %H", "not a word");
	f = pl_launch_fault_status(0, "");
	is_str(f ? f->means : NULL, "the shell ends before it starts plink-agent on %H",
	       "nor a fault");
	ok(!pl_launch_fault_status(1, "plink-agent: x") &&
		   !pl_launch_fault_status(127, "sh: 1: srun: not found"),
	   "but not of another program");
	text = pl_launch_fault_text("%H: ssh %h, or scan %L > f", hosts, 3);
	is_str(text, "h1, h4, h7: ssh h1, or scan h1 h4 h7 > f",
	       "hosts, the first one, and all as words");
	free(text);
	for (size_t i = 0; i < 25; i++)
		many[i] = "x";
	text = pl_launch_fault_text("%H", many, 25);
	has_str(text, "x, x and 5 more", "not more than 20");
	free(text);
}

int main(void)
{
	test_split();
	test_refused();
	test_quote();
	test_templates();
	test_spawn();
	test_ports();
	test_faults();
	return done_testing();
}
