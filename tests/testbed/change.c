/* SPDX-License-Identifier: BSD-3-Clause */
/* change.c - how `change` gives new delays and rates to a running daemon */
#include "config.h"

#include "tests/testbed/change.h"

#include "base/clock.h"
#include "tests/testbed/wire.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define SOCKET_FILE "change"

/* One datagram, and with it two descriptors: a file of n * n delays and the rates of cards and
 * uplinks, and a stream socket for the answer, a struct pl_err. */
struct message {
	uint64_t n, n_groups;
};
enum { FILE_OF_ALL, ANSWER, N_FDS };

static size_t delay_bytes(uint64_t n)
{
	return n * n * sizeof(int64_t);
}

static size_t all_bytes(const struct message *m)
{
	return delay_bytes(m->n) + (m->n + m->n_groups) * sizeof(struct pl_link_rate);
}

static struct sockaddr_un address(const struct tb_state *state)
{
	struct sockaddr_un un = {.sun_family = AF_UNIX};

	snprintf(un.sun_path, sizeof(un.sun_path), "%s/" SOCKET_FILE, state->path);
	return un;
}

int tb_change_listen(const struct tb_state *state, struct pl_err *err)
{
	const struct sockaddr_un un = address(state);
	const int sock = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (sock >= 0 && !bind(sock, (const struct sockaddr *)&un, sizeof(un)))
		return sock;
	pl_err_errno(err, "cannot listen at %s", un.sun_path);
	if (sock >= 0)
		close(sock);
	return -1;
}

/* What is in the file. */
static struct tb_asked lay_out(const char *bytes, const struct message *m)
{
	struct tb_asked asked = {.delay_ns = (const int64_t *)(const void *)bytes};

	asked.card = (const void *)(bytes + delay_bytes(m->n));
	asked.uplink = asked.card + m->n;
	return asked;
}

/* Whose changes these are: the daemon's. */
struct running {
	struct tb_ledger *ledger;
	struct tb_rates *rates;
};

static int apply(const struct running *r, const struct message *m, int file, struct pl_err *err)
{
	struct tb_asked asked;
	size_t bytes;
	char *all;
	int ret = 0;

	if (m->n != r->ledger->n || m->n_groups != r->ledger->n_groups)
		return pl_err_set(err, PL_EINPUT, "delays of other hosts or racks");
	bytes = all_bytes(m);
	all = malloc(bytes);
	if (!all)
		return pl_err_nomem(err);
	if (pread(file, all, bytes, 0) == (ssize_t)bytes) {
		asked = lay_out(all, m);
		tb_ledger_change(r->ledger, &asked, pl_clock_ns());
		tb_rates_change(r->rates, asked.card, asked.uplink);
	} else {
		ret = pl_err_set(err, PL_ESYSTEM, "cannot read the delays");
	}
	free(all);
	return ret;
}

void tb_change_take(int sock, struct tb_ledger *ledger, struct tb_rates *rates)
{
	const struct running running = {ledger, rates};
	struct message message;
	struct pl_err err = {0};
	int fd[N_FDS];
	const ssize_t len = tb_wire_receive_fds(sock, &message, sizeof(message), fd, N_FDS);

	if (len < 0)
		return;
	if (len == (ssize_t)sizeof(message)) {
		apply(&running, &message, fd[FILE_OF_ALL], &err);
		tb_wire_send(fd[ANSWER], &err, sizeof(err), NULL, 0);
	}
	close(fd[FILE_OF_ALL]);
	close(fd[ANSWER]);
}

static bool put(int fd, const void *data, size_t bytes)
{
	return write(fd, data, bytes) == (ssize_t)bytes;
}

/* A file in memory; its descriptor, or -1 with @err set. */
static int put_all(const struct tb_topology *t, struct pl_err *err)
{
	const struct pl_tiers *tiers = &t->tiers;
	const int fd = memfd_create("plink-testbed-change", MFD_CLOEXEC);

	if (fd >= 0 && put(fd, t->delay_ns, delay_bytes(t->n)) &&
	    put(fd, tiers->card, t->n * sizeof(*tiers->card)) &&
	    put(fd, tiers->uplink, tiers->n_groups * sizeof(*tiers->uplink)))
		return fd;
	pl_err_errno(err, "cannot keep the delays");
	if (fd >= 0)
		close(fd);
	return -1;
}

static int send_message(const struct tb_state *state, struct message message, const int fd[N_FDS],
			struct pl_err *err)
{
	const struct sockaddr_un un = address(state);
	const int sock = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	int ret = 0;

	if (sock < 0 || connect(sock, (const struct sockaddr *)&un, sizeof(un)) ||
	    tb_wire_send(sock, &message, sizeof(message), fd, N_FDS))
		ret = pl_err_errno(err, "cannot reach the daemon");
	if (sock >= 0)
		close(sock);
	return ret;
}

int tb_change_ask(const struct tb_state *state, const struct tb_topology *t, struct pl_err *err)
{
	const struct message message = {t->n, t->tiers.n_groups};
	struct pl_err theirs;
	int pair[2], ret = -1;
	int fd[N_FDS];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		return pl_err_errno(err, "cannot make a socket pair");
	fd[ANSWER] = pair[1];
	fd[FILE_OF_ALL] = put_all(t, err);
	if (fd[FILE_OF_ALL] >= 0) {
		ret = send_message(state, message, fd, err);
		close(fd[FILE_OF_ALL]);
	}
	close(pair[1]); /* the daemon's end shows when it is closed there */
	if (ret == 0 && tb_wire_receive(pair[0], &theirs, sizeof(theirs))) {
		ret = pl_err_set(err, PL_ESYSTEM, "the daemon gave no answer");
	} else if (ret == 0 && theirs.code != PL_OK) {
		ret = -1;
		if (err)
			*err = theirs;
	}
	close(pair[0]);
	return ret;
}
