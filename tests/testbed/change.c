/* SPDX-License-Identifier: BSD-3-Clause */
/* change.c - how `change` gives new delays to a running daemon */
#include "config.h"

#include "tests/testbed/change.h"

#include "src/tool.h"
#include "tests/testbed/wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define SOCKET_FILE "change"

/* One datagram, and with it two descriptors: a file of n * n delays, and a stream
 * socket for the answer, a struct pl_err. */
struct message {
	uint64_t n; /* hosts */
};
enum { DELAYS, ANSWER, N_FDS };

static struct sockaddr_un address(const struct tb_state *state)
{
	struct sockaddr_un un = {.sun_family = AF_UNIX};

	snprintf(un.sun_path, sizeof(un.sun_path), "%s/" SOCKET_FILE,
		 state->path);
	return un;
}

int tb_change_listen(const struct tb_state *state, struct pl_err *err)
{
	const struct sockaddr_un un = address(state);
	const int sock =
		socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (sock >= 0 && !bind(sock, (const struct sockaddr *)&un, sizeof(un)))
		return sock;
	pl_err_errno(err, "cannot listen at %s", un.sun_path);
	if (sock >= 0)
		close(sock);
	return -1;
}

static int apply(struct tb_ledger *ledger, uint64_t n, int file,
		 struct pl_err *err)
{
	const size_t bytes = ledger->n * ledger->n * sizeof(int64_t);
	int64_t *delay_ns;
	int ret = 0;

	if (n != ledger->n)
		return pl_err_set(err, PL_EINPUT, "delays of other hosts");
	delay_ns = malloc(bytes);
	if (!delay_ns)
		return pl_err_nomem(err);
	if (pread(file, delay_ns, bytes, 0) == (ssize_t)bytes)
		tb_ledger_change(ledger, delay_ns, pl_tool_clock_ns());
	else
		ret = pl_err_set(err, PL_ESYSTEM, "cannot read the delays");
	free(delay_ns);
	return ret;
}

void tb_change_take(int sock, struct tb_ledger *ledger)
{
	struct message message;
	struct pl_err err = {0};
	int fd[N_FDS];
	const ssize_t len =
		tb_wire_receive_fds(sock, &message, sizeof(message), fd, N_FDS);

	if (len < 0)
		return;
	if (len == (ssize_t)sizeof(message)) {
		apply(ledger, message.n, fd[DELAYS], &err);
		tb_wire_send(fd[ANSWER], &err, sizeof(err), NULL, 0);
	}
	close(fd[DELAYS]);
	close(fd[ANSWER]);
}

/* A file in memory; its descriptor, or -1 with @err set. */
static int put_delays(const int64_t *delay_ns, size_t n, struct pl_err *err)
{
	const size_t bytes = n * n * sizeof(*delay_ns);
	const int fd = memfd_create("plink-testbed-delays", MFD_CLOEXEC);

	if (fd >= 0 && write(fd, delay_ns, bytes) == (ssize_t)bytes)
		return fd;
	pl_err_errno(err, "cannot keep the delays");
	if (fd >= 0)
		close(fd);
	return -1;
}

static int send_message(const struct tb_state *state, uint64_t n,
			const int fd[N_FDS], struct pl_err *err)
{
	const struct message message = {n};
	const struct sockaddr_un un = address(state);
	const int sock = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	int ret = 0;

	if (sock < 0 ||
	    connect(sock, (const struct sockaddr *)&un, sizeof(un)) ||
	    tb_wire_send(sock, &message, sizeof(message), fd, N_FDS))
		ret = pl_err_errno(err, "cannot reach the daemon");
	if (sock >= 0)
		close(sock);
	return ret;
}

int tb_change_ask(const struct tb_state *state, const int64_t *delay_ns,
		  size_t n, struct pl_err *err)
{
	struct pl_err theirs;
	int pair[2], ret = -1;
	int fd[N_FDS];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		return pl_err_errno(err, "cannot make a socket pair");
	fd[ANSWER] = pair[1];
	fd[DELAYS] = put_delays(delay_ns, n, err);
	if (fd[DELAYS] >= 0) {
		ret = send_message(state, n, fd, err);
		close(fd[DELAYS]);
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
