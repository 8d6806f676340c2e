/* SPDX-License-Identifier: BSD-3-Clause */
/* session.c - one command inside a host, on behalf of an `exec` outside */
#include "config.h"

#include "tests/testbed/session.h"

#include "base/mem.h"
#include "tests/testbed/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* What to run; strings point into text. */
struct command {
	char *text;
	const char *cwd;
	char **argv, **envp; /* both end in NULL */
	mode_t umask;
	int fd[TB_FDS];
	struct tb_user user;
};

/* Cuts @n strings off the text; NULL when it ends before. */
static char **cut(char **s, const char *end, size_t n)
{
	char **v = pl_array_create(n + 1, sizeof(*v));

	for (size_t i = 0; v && i < n; i++) {
		if (*s >= end) {
			free(v);
			return NULL;
		}
		v[i] = *s;
		*s += strlen(*s) + 1;
	}
	return v;
}

static bool is_root(int conn)
{
	struct ucred peer;
	socklen_t len = sizeof(peer);

	return !getsockopt(conn, SOL_SOCKET, SO_PEERCRED, &peer, &len) && peer.uid == 0;
}

static int receive(int conn, struct command *cmd)
{
	struct tb_request request;
	char *s, *end;

	if (tb_wire_receive_fds(conn, &request, sizeof(request), cmd->fd, TB_FDS) !=
	    (ssize_t)sizeof(request))
		return -1;
	if (request.bytes < 2 || request.bytes > TB_REQUEST_MAX || request.n_args < 1 ||
	    request.n_args > request.bytes || request.n_env > request.bytes)
		return -1;
	cmd->text = malloc(request.bytes);
	if (!cmd->text || tb_wire_receive(conn, cmd->text, request.bytes))
		return -1;
	end = cmd->text + request.bytes;
	if (end[-1] != '\0')
		return -1;
	cmd->umask = request.umask;
	if (request.as_root && is_root(conn))
		cmd->user = (struct tb_user){0};
	cmd->cwd = cmd->text;
	s = cmd->text + strlen(cmd->text) + 1;
	cmd->argv = cut(&s, end, request.n_args);
	cmd->envp = cut(&s, end, request.n_env);
	return cmd->argv && cmd->envp ? 0 : -1;
}

/* For good: no program run later gets anything back. 0, or -1. */
static int become(struct tb_user user)
{
	if (user.uid == 0)
		return 0;
	return setgroups(0, NULL) || setresgid(user.gid, user.gid, user.gid) ||
			       setresuid(user.uid, user.uid, user.uid) ||
			       prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
		       ? -1
		       : 0;
}

/* In the child; the exit statuses are the shell's. */
static void run_command(const struct command *cmd)
{
	sigset_t none;

	setsid();
	for (int i = 0; i < TB_FDS; i++)
		if (dup2(cmd->fd[i], i) < 0)
			_exit(126);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	umask(cmd->umask);
	if (become(cmd->user)) {
		fprintf(stderr, "plink-testbed: cannot be user %lu: %s\n",
			(unsigned long)cmd->user.uid, strerror(errno));
		_exit(126);
	}
	if (chdir(cmd->cwd)) {
		fprintf(stderr, "plink-testbed: cannot go to %s: %s\n", cmd->cwd, strerror(errno));
		_exit(126);
	}
	environ = cmd->envp;
	execvp(cmd->argv[0], cmd->argv);
	fprintf(stderr, "plink-testbed: cannot run %s: %s\n", cmd->argv[0], strerror(errno));
	_exit(errno == ENOENT ? 127 : 126);
}

/* Starts the command and waits until it leads a session of its own, so that signals to its group
 * reach it. */
static pid_t start(const struct command *cmd)
{
	int gate[2];
	char byte;
	pid_t pid;

	if (pipe2(gate, O_CLOEXEC))
		return -1;
	pid = fork();
	if (pid == 0)
		run_command(cmd);
	close(gate[1]);
	if (pid > 0)
		while (read(gate[0], &byte, 1) < 0 && errno == EINTR)
			;
	close(gate[0]);
	return pid;
}

/* Passes on what the client sends; false when it is gone. */
static bool relay(int conn, pid_t pid)
{
	unsigned char sig;
	const ssize_t n = read(conn, &sig, 1);

	if (n == 1) {
		kill(-pid, sig);
		return true;
	}
	return n < 0 && errno == EINTR;
}

/* Until the command has ended. */
static void watch(int conn, int signals, pid_t pid)
{
	struct pollfd p[] = {
		{.fd = conn, .events = POLLIN},
		{.fd = signals, .events = POLLIN},
	};
	struct signalfd_siginfo info;
	int status;

	for (;;) {
		if (poll(p, 2, -1) < 0 && errno != EINTR)
			break;
		if (p[1].revents && read(signals, &info, sizeof(info)) > 0 &&
		    waitpid(pid, &status, WNOHANG) == pid) {
			tb_wire_send(conn, &status, sizeof(status), NULL, 0);
			return;
		}
		if (p[0].revents && !relay(conn, pid))
			break;
	}
	kill(-pid, SIGKILL);
}

int tb_session_run(int conn, struct tb_user user)
{
	struct command cmd = {.user = user};
	sigset_t chld;
	int signals;
	pid_t pid;

	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	sigprocmask(SIG_BLOCK, &chld, NULL);
	signals = signalfd(-1, &chld, SFD_CLOEXEC);
	if (signals < 0 || receive(conn, &cmd))
		return 1;
	pid = start(&cmd);
	if (pid < 0)
		return 1;
	for (int i = 0; i < TB_FDS; i++)
		close(cmd.fd[i]);
	watch(conn, signals, pid);
	free(cmd.argv);
	free(cmd.envp);
	free(cmd.text);
	return 0;
}
