/* SPDX-License-Identifier: BSD-3-Clause */
/* holder.c - the first process of a host: its namespaces, its network card */
#include "config.h"

#include "tests/testbed/holder.h"

#include "tests/testbed/session.h"
#include "tests/testbed/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define HOLDER_FD 3 /* the socket to the daemon; nothing above stays open */

/* Windows of 4 MiB from the start: what 10 ms at 3 Gbit/s need. Congestion control is the one that
 * every kernel lets a namespace choose. Nothing learnt from one connection is kept for the next, so
 * that runs can be compared. */
static const struct {
	const char *path, *value;
} settings[] = {
	{"/proc/sys/net/ipv4/tcp_rmem", "4096 4194304 4194304"},
	{"/proc/sys/net/ipv4/tcp_wmem", "4096 4194304 4194304"},
	{"/proc/sys/net/ipv4/tcp_congestion_control", "reno"},
	{"/proc/sys/net/ipv4/tcp_no_metrics_save", "1"},
};

static int write_file(const char *path, const char *text, struct pl_err *err)
{
	const size_t len = strlen(text);
	const int fd = open(path, O_WRONLY | O_CLOEXEC);
	int ret = 0;

	if (fd < 0)
		return pl_err_errno(err, "cannot open %s", path);
	if (write(fd, text, len) != (ssize_t)len)
		ret = pl_err_errno(err, "cannot write %s", path);
	close(fd);
	return ret;
}

static int set_mounts(const struct tb_holder_options *opt, struct pl_err *err)
{
	/* nothing mounted here is to be seen outside */
	if (mount("none", "/", NULL, MS_REC | MS_SLAVE, NULL))
		return pl_err_errno(err, "cannot part with the mounts outside");
	if (mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL))
		return pl_err_errno(err, "cannot mount /proc");
	if (mount("sysfs", "/sys", "sysfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL))
		return pl_err_errno(err, "cannot mount /sys");
	/* hosts do not share memory */
	if (mount("tmpfs", "/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777"))
		return pl_err_errno(err, "cannot mount /dev/shm");
	if (mount(opt->hosts_file, "/etc/hosts", NULL, MS_BIND, NULL))
		return pl_err_errno(err, "cannot mount /etc/hosts");
	return 0;
}

static int set_network(const struct tb_holder_options *opt, int *tun, struct pl_err *err)
{
	const struct tb_address local = {INADDR_LOOPBACK, 8};

	for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++)
		if (write_file(settings[i].path, settings[i].value, err))
			return -1;
	if (tb_link_up("lo", local, err))
		return -1;
	*tun = tb_tun_open(err);
	if (*tun < 0)
		return -1;
	/* router solicitations would be noise in the counters */
	if (access("/proc/sys/net/ipv6", F_OK) == 0 &&
	    write_file("/proc/sys/net/ipv6/conf/" TB_DEVICE "/disable_ipv6", "1", err))
		return -1;
	return tb_link_up(TB_DEVICE, opt->addr, err);
}

static int listen_at(const char *path, struct tb_user user, struct pl_err *err)
{
	struct sockaddr_un un = {.sun_family = AF_UNIX};
	const mode_t mask = umask(0177);
	int fd;

	strncpy(un.sun_path, path, sizeof(un.sun_path) - 1);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0 || bind(fd, (struct sockaddr *)&un, sizeof(un)) ||
	    chown(path, user.uid, user.gid) || listen(fd, SOMAXCONN)) {
		pl_err_errno(err, "cannot listen at %s", path);
		if (fd >= 0)
			close(fd);
		fd = -1;
	}
	umask(mask);
	return fd;
}

/* Collects the children and the orphans of this host. */
static void reap(int signals)
{
	struct signalfd_siginfo info;

	while (read(signals, &info, sizeof(info)) == sizeof(info))
		;
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
}

static void take_session(int listener, int signals, const sigset_t *old, struct tb_user user)
{
	const int conn = accept4(listener, NULL, NULL, SOCK_CLOEXEC);

	if (conn < 0)
		return;
	if (fork() == 0) {
		close(listener);
		close(signals);
		close(HOLDER_FD);
		sigprocmask(SIG_SETMASK, old, NULL);
		_exit(tb_session_run(conn, user));
	}
	close(conn); /* a failed fork shows as a closed connection */
}

/* Serves until the daemon goes. */
static void serve(int listener, int signals, const sigset_t *old, struct tb_user user)
{
	struct pollfd p[] = {
		{.fd = HOLDER_FD, .events = POLLIN},
		{.fd = signals, .events = POLLIN},
		{.fd = listener, .events = POLLIN},
	};

	for (;;) {
		if (poll(p, sizeof(p) / sizeof(*p), -1) < 0 && errno != EINTR)
			return;
		if (p[0].revents)
			return;
		if (p[1].revents)
			reap(signals);
		if (p[2].revents)
			take_session(listener, signals, old, user);
	}
}

/* The host's first process, from here to its end. */
static void hold(const struct tb_holder_options *opt)
{
	struct pl_err err = {0};
	sigset_t chld, old;
	int tun = -1, listener = -1, signals;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, "plink-host");
	setsid();
	/* commands start with what a login would give them */
	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	sigemptyset(&old);
	sigprocmask(SIG_SETMASK, &chld, NULL);
	signals = signalfd(-1, &chld, SFD_CLOEXEC | SFD_NONBLOCK);
	if (signals < 0)
		pl_err_errno(&err, "cannot make a signal descriptor");
	else if (sethostname(opt->name, strlen(opt->name)))
		pl_err_errno(&err, "cannot set the host name");
	else if (set_mounts(opt, &err) == 0 && set_network(opt, &tun, &err) == 0)
		listener = listen_at(opt->socket, opt->user, &err);
	if (tb_wire_send(HOLDER_FD, &err, sizeof(err), &tun, listener >= 0 ? 1 : 0) || listener < 0)
		_exit(1);
	/* the card stays open here too: were the daemon the last to close all cards, its end would
	 * take long, and with it the end of the hosts */
	serve(listener, signals, &old, opt->user);
	_exit(0);
}

/* As fork(), but the child is the first process of new namespaces. */
static pid_t fork_host(void)
{
	struct clone_args args = {
		.flags = CLONE_NEWNET | CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWPID,
		.exit_signal = SIGCHLD,
	};

	return (pid_t)syscall(SYS_clone3, &args, sizeof(args));
}

int tb_holder_start(struct tb_holder *holder, const struct tb_holder_options *opt,
		    struct pl_err *err)
{
	int pair[2];

	holder->pid = -1;
	holder->sock = -1;
	holder->tun = -1;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		return pl_err_errno(err, "cannot make a socket pair");
	holder->pid = fork_host();
	if (holder->pid == 0) {
		if (dup2(pair[1], HOLDER_FD) < 0)
			_exit(1);
		close_range(HOLDER_FD + 1, ~0u, 0);
		hold(opt);
	}
	close(pair[1]);
	if (holder->pid < 0) {
		close(pair[0]);
		return pl_err_errno(err, "cannot make namespaces");
	}
	holder->sock = pair[0];
	return 0;
}

int tb_holder_ready(struct tb_holder *holder, struct pl_err *err)
{
	struct pl_err theirs = {0};
	const ssize_t n =
		tb_wire_receive_fds(holder->sock, &theirs, sizeof(theirs), &holder->tun, 1);

	/* without a descriptor it is an error that it sends */
	if (n == (ssize_t)sizeof(theirs))
		return 0;
	if (n < 0 && errno == EPROTO && theirs.code != PL_OK) {
		if (err)
			*err = theirs;
		return -1;
	}
	if (n < 0)
		return pl_err_errno(err, "cannot take over a host's card");
	return pl_err_set(err, PL_ESYSTEM, "a host died as it was set up");
}

void tb_holder_end(struct tb_holder *holder)
{
	if (holder->pid > 0) {
		kill(holder->pid, SIGKILL);
		while (waitpid(holder->pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	if (holder->tun >= 0)
		close(holder->tun);
	if (holder->sock >= 0)
		close(holder->sock);
	holder->pid = -1;
	holder->tun = -1;
	holder->sock = -1;
}
