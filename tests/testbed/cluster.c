/* SPDX-License-Identifier: BSD-3-Clause */
/* cluster.c - all hosts of one testbed and the daemon that carries packets */
#include "config.h"

#include "tests/testbed/cluster.h"

#include "base/clock.h"
#include "base/mem.h"
#include "tests/testbed/change.h"
#include "tests/testbed/cpu.h"
#include "tests/testbed/holder.h"
#include "tests/testbed/network/calibrate.h"
#include "tests/testbed/network/rates.h"
#include "tests/testbed/wire.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <syslog.h>
#include <unistd.h>

#define PRIORITY 10 /* of SCHED_FIFO: above what is not real-time */
#define KEEP_FD 3   /* the daemon's first descriptor that is not /dev/null */
#define ADDRESS_LINE (INET_ADDRSTRLEN + TB_NAME_MAX + 3)

/* What the daemon owns. */
struct cluster {
	const struct tb_state *state;
	const struct tb_topology *t;
	struct tb_shape shape;
	struct tb_user user;
	struct tb_holder *holder;
	size_t n_holders; /* started */
	int *tun;         /* borrowed from the holders */
	struct tb_ledger *ledger;
	struct tb_rates rates;
	struct tb_trace *trace; /* NULL: none asked for */
	int awake;              /* see stay_awake; -1: refused */
	struct tb_engine engine;
	int change; /* socket; -1: not yet */
	/* by host: what shows its end; then the signals, and the changes */
	int *stop_fd;
};

static int put_etc_hosts(const struct cluster *c, struct pl_err *err)
{
	static const char head[] = "127.0.0.1\tlocalhost\n";
	char *text = pl_array_create(c->t->n + 1, ADDRESS_LINE);
	size_t len;
	int ret;

	if (!text)
		return pl_err_nomem(err);
	len = (size_t)sprintf(text, "%s", head);
	for (size_t i = 0; i < c->t->n; i++) {
		struct in_addr in = {htonl(TB_FIRST_ADDR + (uint32_t)i)};

		len += (size_t)snprintf(text + len, ADDRESS_LINE, "%s\t%s\n", inet_ntoa(in),
					c->t->name[i]);
	}
	ret = tb_state_put(c->state, "etc-hosts", text, err);
	free(text);
	return ret;
}

static int put_hosts(const struct cluster *c, struct pl_err *err)
{
	struct tb_host *host = pl_array_create(c->t->n, sizeof(*host));
	int ret;

	if (!host)
		return pl_err_nomem(err);
	for (size_t i = 0; i < c->t->n; i++) {
		memcpy(host[i].name, c->t->name[i], sizeof(host[i].name));
		host[i].rack = c->t->tiers.rack[i];
		host[i].addr = TB_FIRST_ADDR + (uint32_t)i;
		host[i].init.pid = c->holder[i].pid;
		host[i].init.start = tb_proc_start(c->holder[i].pid);
	}
	ret = tb_state_put_hosts(c->state, host, c->t->n, err);
	free(host);
	return ret;
}

static int start_host(struct cluster *c, size_t i, const char *hosts_file, struct pl_err *err)
{
	char socket_path[TB_SOCKET_PATH_MAX];
	const struct tb_holder_options opt = {
		.name = c->t->name[i],
		.addr = {TB_FIRST_ADDR + (uint32_t)i, TB_ADDR_BITS},
		.hosts_file = hosts_file,
		.socket = tb_state_socket(c->state, i, socket_path),
		.user = c->user,
	};

	if (tb_holder_start(&c->holder[i], &opt, err))
		return -1;
	c->n_holders++;
	if (c->shape.cpu > 0)
		return tb_cpu_hold(tb_state_prefix(c->state), i, c->holder[i].pid, c->shape.cpu,
				   err);
	return 0;
}

static int start_hosts(struct cluster *c, struct pl_err *err)
{
	char hosts_file[sizeof(c->state->path) + 16];

	snprintf(hosts_file, sizeof(hosts_file), "%s/etc-hosts", c->state->path);
	if (put_etc_hosts(c, err))
		return -1;
	for (size_t i = 0; i < c->t->n; i++)
		if (start_host(c, i, hosts_file, err))
			return -1;
	/* known before they are ready, so that nothing can be left behind */
	if (put_hosts(c, err))
		return -1;
	for (size_t i = 0; i < c->t->n; i++) {
		if (tb_holder_ready(&c->holder[i], err))
			return -1;
		c->tun[i] = c->holder[i].tun;
	}
	return 0;
}

static int make_ledger(struct cluster *c, struct pl_err *err)
{
	const struct pl_tiers *tiers = &c->t->tiers;

	c->ledger = tb_ledger_create(c->state->dirfd, c->t->n, err);
	if (!c->ledger)
		return -1;
	c->ledger->started_ns = pl_clock_ns();
	c->ledger->jitter_ns = c->shape.odds.jitter_ns;
	c->ledger->behind_ns = c->shape.odds.behind_ns;
	c->ledger->loss = c->shape.odds.loss;
	c->ledger->duplicate = c->shape.odds.duplicate;
	c->ledger->reorder = c->shape.odds.reorder;
	c->ledger->cpu = c->shape.cpu;
	c->ledger->n_groups = tiers->n_groups;
	memcpy(c->ledger->within, tiers->within, tiers->n_groups * sizeof(*tiers->within));
	memcpy(c->ledger->uplink, tiers->uplink, tiers->n_groups * sizeof(*tiers->uplink));
	memcpy(c->ledger->card, tiers->card, tiers->n * sizeof(*tiers->card));
	for (size_t i = 0; i < c->t->n * c->t->n; i++)
		c->ledger->pair[i].asked_ns = c->t->delay_ns[i];
	return 0;
}

static int make_trace(struct cluster *c, struct pl_err *err)
{
	if (c->shape.trace == 0)
		return 0;
	c->trace = tb_trace_create(c->state->dirfd, c->shape.trace, err);
	return c->trace ? 0 : -1;
}

static int prepare(struct cluster *c, struct pl_err *err)
{
	const struct tb_proc self = {getpid(), tb_proc_start(getpid())};

	c->holder = pl_array_create(c->t->n, sizeof(*c->holder));
	c->tun = pl_array_create(c->t->n, sizeof(*c->tun));
	if (!c->holder || !c->tun)
		return pl_err_nomem(err);
	if (c->user.uid && tb_state_share(c->state, err))
		return -1;
	if (tb_rates_init(&c->rates, &c->t->tiers, err) || make_ledger(c, err) ||
	    make_trace(c, err) || tb_state_put_daemon(c->state, self, err))
		return -1;
	if (start_hosts(c, err))
		return -1;
	c->change = tb_change_listen(c->state, err);
	return c->change < 0 ? -1 : 0;
}

/* Keeps idle processors from sleeping, for as long as the descriptor is open: waking one takes as
 * long as a short delay. */
static int stay_awake(void)
{
	const int32_t latency_us = 0;
	const int fd = open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC);

	if (fd >= 0 && write(fd, &latency_us, sizeof(latency_us)) != sizeof(latency_us)) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Delays are only as good as our turn on a processor. All of this is refused
 * in some places; `status` tells. */
static void get_fast(struct cluster *c)
{
	const struct sched_param param = {.sched_priority = PRIORITY};

	c->awake = stay_awake();
	c->ledger->awake = c->awake >= 0;
	mallopt(M_TRIM_THRESHOLD, 1 << 30);
	mallopt(M_TOP_PAD, 16 << 20);
	mlockall(MCL_CURRENT | MCL_FUTURE);
	prctl(PR_SET_TIMERSLACK, 1);
	if (sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &param) == 0)
		c->ledger->realtime = 1;
}

/* A host whose first process is dead is to answer nothing: only its card would keep its network
 * alive. */
static void lose_host(struct cluster *c, size_t i)
{
	tb_engine_drop_host(&c->engine, i);
	close(c->holder[i].tun);
	c->holder[i].tun = -1;
}

/* What is left to do before the hosts can be used. */
static int make_engine(struct cluster *c, int signals, struct pl_err *err)
{
	const struct tb_engine_options opt = {
		.n = c->t->n,
		.tun = c->tun,
		.ledger = c->ledger,
		.rates = &c->rates,
		.trace = c->trace,
		.odds = c->shape.odds,
	};

	c->stop_fd = pl_array_create(c->t->n + 2, sizeof(*c->stop_fd));
	if (!c->stop_fd)
		return pl_err_nomem(err);
	for (size_t i = 0; i < c->t->n; i++)
		c->stop_fd[i] = c->holder[i].sock;
	c->stop_fd[c->t->n] = signals;
	c->stop_fd[c->t->n + 1] = c->change;
	if (tb_calibrate(c->holder[0].pid, c->tun[0], &c->ledger->compensation_ns, err))
		return -1;
	return tb_engine_init(&c->engine, &opt, err);
}

/* Until a signal comes; a host's end shows on its socket. */
static void serve(struct cluster *c)
{
	const struct tb_stops stops = {c->stop_fd, c->t->n + 2};
	struct pl_err err = {0};

	for (;;) {
		const int stop = tb_engine_run(&c->engine, stops, &err);

		if (stop < 0)
			syslog(LOG_DAEMON | LOG_ERR, "plink-testbed: %s", err.text);
		if (stop < 0 || (size_t)stop == c->t->n)
			return;
		if ((size_t)stop > c->t->n) {
			tb_change_take(c->change, c->ledger, &c->rates);
			continue;
		}
		lose_host(c, (size_t)stop);
		c->stop_fd[stop] = -1;
	}
}

static void cleanup(struct cluster *c)
{
	/* all get the signal first, and are the last to hold their cards, so that hosts die side by
	 * side */
	for (size_t i = 0; i < c->n_holders; i++) {
		if (c->holder[i].tun >= 0)
			close(c->holder[i].tun);
		c->holder[i].tun = -1;
		kill(c->holder[i].pid, SIGKILL);
	}
	for (size_t i = 0; i < c->n_holders; i++)
		tb_holder_end(&c->holder[i]);
	if (c->awake >= 0)
		close(c->awake);
	if (c->change >= 0)
		close(c->change);
	tb_ledger_close(c->ledger);
	tb_trace_close(c->trace);
	tb_rates_fini(&c->rates);
	free(c->holder);
	free(c->tun);
	free(c->stop_fd);
}

/* Own session, no descriptor of whoever called us but the two. */
static void detach(int *report, int *dirfd)
{
	const int null = open("/dev/null", O_RDWR);
	/* above where they have to be, so that neither overwrites the other */
	const int a = fcntl(*report, F_DUPFD, KEEP_FD + 2);
	const int b = fcntl(*dirfd, F_DUPFD, KEEP_FD + 2);

	*report = KEEP_FD;
	*dirfd = KEEP_FD + 1;
	if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0 ||
	    dup3(a, *report, O_CLOEXEC) < 0 || dup3(b, *dirfd, O_CLOEXEC) < 0 || chdir("/"))
		_exit(1);
	close_range(KEEP_FD + 2, ~0u, 0);
	setsid();
}

/* The daemon, from here to its end. */
static void daemon_main(struct cluster *c, int report)
{
	struct pl_err err = {0};
	struct tb_state state = *c->state;
	sigset_t stop;
	int signals;

	detach(&report, &state.dirfd);
	c->state = &state;
	sigemptyset(&stop);
	sigaddset(&stop, SIGTERM);
	sigaddset(&stop, SIGINT);
	sigaddset(&stop, SIGHUP);
	sigprocmask(SIG_SETMASK, &stop, NULL);
	signals = signalfd(-1, &stop, SFD_CLOEXEC | SFD_NONBLOCK);
	if (signals < 0)
		pl_err_errno(&err, "cannot make a signal descriptor");
	else if (prepare(c, &err) == 0) {
		get_fast(c);
		make_engine(c, signals, &err);
	}
	if (tb_wire_send(report, &err, sizeof(err), NULL, 0) == 0 && err.code == PL_OK) {
		close(report);
		serve(c);
		tb_engine_fini(&c->engine);
	}
	cleanup(c);
	tb_state_remove(&state);
	_exit(0);
}

int tb_cluster_up(const struct tb_state *state, const struct tb_topology *t,
		  const struct tb_shape *shape, struct tb_user user, struct pl_err *err)
{
	struct cluster c = {
		.state = state, .t = t, .shape = *shape, .user = user, .awake = -1, .change = -1};
	struct pl_err theirs;
	int pair[2], ret = -1;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		return pl_err_errno(err, "cannot make a socket pair");
	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		close(pair[0]);
		daemon_main(&c, pair[1]);
	}
	close(pair[1]);
	if (pid < 0)
		pl_err_errno(err, "cannot start the daemon");
	else if (tb_wire_receive(pair[0], &theirs, sizeof(theirs)))
		pl_err_set(err, PL_ESYSTEM, "the daemon died as it started");
	else if (theirs.code != PL_OK && err)
		*err = theirs;
	else if (theirs.code == PL_OK)
		ret = 0;
	if (ret && pid > 0)
		waitpid(pid, NULL, 0);
	close(pair[0]);
	return ret;
}
