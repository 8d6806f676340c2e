/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd-exec.c - plink-testbed exec, rsh: runs a command in a host */
#include "config.h"

#include "base/mem.h"
#include "src/common/tool.h"
#include "tests/testbed/commands.h"
#include "tests/testbed/options.h"
#include "tests/testbed/state.h"
#include "tests/testbed/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

/* What a user or a launcher sends to the command it believes to have
 * started. */
static const int passed_on[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGWINCH};

static const struct option longs[] = {
	{"prefix", required_argument, NULL, 'p'},
	{"root", no_argument, NULL, 'R'},
	{0},
};

static int find_host(const struct tb_state *state, const char *name, size_t *index,
		     struct pl_err *err)
{
	struct tb_host *host = NULL;
	size_t n, i;

	if (tb_state_get_hosts(state, &host, &n, err))
		return -1;
	for (i = 0; i < n && strcmp(host[i].name, name); i++)
		;
	free(host);
	if (i == n)
		return pl_err_set(err, PL_EINPUT, "no host is named \"%s\"", name);
	*index = i;
	return 0;
}

/* A connection to the host's first process, or -1 with @err set. */
static int connect_host(const char *prefix, const char *name, struct pl_err *err)
{
	struct sockaddr_un un = {.sun_family = AF_UNIX};
	struct tb_state state;
	size_t host = 0;
	int sock = -1;

	if (tb_state_open(&state, prefix, err))
		return -1;
	if (find_host(&state, name, &host, err))
		goto out;
	tb_state_socket(&state, host, un.sun_path);
	sock = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (sock >= 0 && connect(sock, (struct sockaddr *)&un, sizeof(un))) {
		close(sock);
		sock = -1;
	}
	if (sock < 0)
		pl_err_errno(err, "cannot reach host %s", name);
out:
	tb_state_close(&state);
	return sock;
}

static size_t strings_bytes(char *const *v, uint32_t *n)
{
	size_t bytes = 0;

	for (*n = 0; v[*n]; (*n)++)
		bytes += strlen(v[*n]) + 1;
	return bytes;
}

static char *put_strings(char *s, char *const *v)
{
	for (; *v; v++)
		s = stpcpy(s, *v) + 1;
	return s;
}

/* Descriptors that the caller closed are as good as empty. */
static void fill_stdio(void)
{
	for (int fd = 0; fd < TB_FDS; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			(void)!open("/dev/null", O_RDWR);
}

static int send_request(int sock, char *const *argv, bool as_root, struct pl_err *err)
{
	static const int stdio[TB_FDS] = {0, 1, 2};
	struct tb_request request = {.as_root = as_root};
	char *cwd = getcwd(NULL, 0);
	char *text = NULL;
	size_t bytes;
	int ret = -1;

	if (!cwd)
		return pl_err_errno(err, "cannot tell the working directory");
	bytes = strlen(cwd) + 1 + strings_bytes(argv, &request.n_args) +
		strings_bytes(environ, &request.n_env);
	if (bytes > TB_REQUEST_MAX) {
		pl_err_set(err, PL_ESYSTEM, "command too long");
		goto out;
	}
	text = malloc(bytes);
	if (!text) {
		pl_err_nomem(err);
		goto out;
	}
	put_strings(put_strings(stpcpy(text, cwd) + 1, argv), environ);
	request.bytes = (uint32_t)bytes;
	request.umask = umask(0);
	umask((mode_t)request.umask);
	ret = 0;
	if (tb_wire_send(sock, &request, sizeof(request), stdio, TB_FDS) ||
	    tb_wire_send(sock, text, bytes, NULL, 0))
		ret = pl_err_errno(err, "cannot reach the host");
out:
	free(text);
	free(cwd);
	return ret;
}

/* Passes signals on until the wait status comes. */
static int wait_status(int sock, int signals, int *status, struct pl_err *err)
{
	struct pollfd p[] = {
		{.fd = sock, .events = POLLIN},
		{.fd = signals, .events = POLLIN},
	};
	struct signalfd_siginfo info;

	for (;;) {
		if (poll(p, 2, -1) < 0 && errno != EINTR)
			return pl_err_errno(err, "cannot wait");
		if (p[1].revents && read(signals, &info, sizeof(info)) == sizeof(info)) {
			const unsigned char sig = (unsigned char)info.ssi_signo;

			tb_wire_send(sock, &sig, 1, NULL, 0);
		}
		if (p[0].revents)
			break;
	}
	if (tb_wire_receive(sock, status, sizeof(*status)))
		return pl_err_set(err, PL_ESYSTEM, "the host went away under the command");
	return 0;
}

/* Ends as the command did. */
static int end_like(int status)
{
	const struct rlimit no_core = {0};
	sigset_t set;
	int sig;

	if (!WIFSIGNALED(status))
		return WEXITSTATUS(status);
	sig = WTERMSIG(status);
	setrlimit(RLIMIT_CORE, &no_core);
	signal(sig, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, sig);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(sig);
	return 128 + sig;
}

struct target {
	const char *prefix, *host;
	bool as_root;
};

static int run(struct target target, char *const *argv)
{
	struct pl_err err = {0};
	sigset_t set;
	int sock, signals, status = 0;

	fill_stdio();
	sock = connect_host(target.prefix, target.host, &err);
	if (sock < 0)
		return pl_tool_fail(TB_TOOL, &err);
	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(passed_on) / sizeof(*passed_on); i++)
		sigaddset(&set, passed_on[i]);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signals = signalfd(-1, &set, SFD_CLOEXEC);
	if (signals < 0) {
		pl_err_errno(&err, "cannot make a signal descriptor");
		return pl_tool_fail(TB_TOOL, &err);
	}
	if (send_request(sock, argv, target.as_root, &err) ||
	    wait_status(sock, signals, &status, &err))
		return pl_tool_fail(TB_TOOL, &err);
	return end_like(status);
}

/* Options end at the host's name, so that the command keeps its own. */
static int parse(int argc, char **argv, const char *shorts, struct target *target,
		 struct pl_err *err)
{
	int c;

	while ((c = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		if (c == 'R')
			target->as_root = true;
		else if (c == 'p' && tb_option_prefix(optarg, &target->prefix, err))
			return -1;
		else if (c == '?')
			return pl_err_set(err, PL_EUSAGE, "%s: see --help", argv[0]);
	}
	if (argc - optind < 2)
		return pl_err_set(err, PL_EUSAGE, "%s needs a host and a command", argv[0]);
	target->host = argv[optind];
	return 0;
}

int tb_exec_main(int argc, char **argv)
{
	struct target target = {.prefix = TB_DEFAULT_PREFIX};
	struct pl_err err = {0};
	char **command;

	if (parse(argc, argv, "+", &target, &err))
		return pl_tool_fail(TB_TOOL, &err);
	command = argv + optind + 1;
	if (!strcmp(*command, "--"))
		command++;
	if (!*command)
		return pl_tool_usage(TB_TOOL, "exec needs a command");
	return run(target, command);
}

/* All words, with a blank between, as ssh hands them to a shell. */
static char *join(char *const *v)
{
	uint32_t n;
	const size_t bytes = strings_bytes(v, &n);
	char *text = malloc(bytes + 1);
	char *s = text;

	if (!text)
		return NULL;
	for (; *v; v++) {
		s = stpcpy(s, *v);
		*s++ = ' ';
	}
	s[-1] = '\0';
	return text;
}

int tb_rsh_main(int argc, char **argv)
{
	static char sh[] = "/bin/sh", dash_c[] = "-c";
	struct target target = {.prefix = TB_DEFAULT_PREFIX};
	struct pl_err err = {0};
	char *command[4] = {sh, dash_c};
	int ret;

	/* MPICH's mpirun gives -x to whatever stands for ssh */
	if (parse(argc, argv, "+x", &target, &err))
		return pl_tool_fail(TB_TOOL, &err);
	command[2] = join(argv + optind + 1);
	if (!command[2]) {
		pl_err_nomem(&err);
		return pl_tool_fail(TB_TOOL, &err);
	}
	ret = run(target, command);
	free(command[2]);
	return ret;
}
