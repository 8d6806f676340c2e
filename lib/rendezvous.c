/* SPDX-License-Identifier: BSD-3-Clause */
/* rendezvous.c - the processes of a job meet at an address that all know */
#include "config.h"

#include "lib/rendezvous.h"

#include "base/clock.h"
#include "base/mem.h"
#include "lib/parts.h"
#include "lib/socket.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <netdb.h>
#include <poll.h>
#include <sodium.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define MAGIC 0x706c6d74U /* "plmt" */
#define SECOND_NS ((int64_t)1000 * 1000 * 1000)
/* who has connected must say who it is within this time */
#define HELLO_NS SECOND_NS
/* how much longer than rank 0 the others wait for its answer */
#define GRACE_NS (2 * SECOND_NS)

/* What comes before the bytes, in network order. */
struct hello {
	uint32_t magic, rank, n, bytes;
	unsigned char proof[crypto_generichash_BYTES]; /* of the secret */
};

enum status { ALL_ARE_HERE, IS_MISSING, CAME_TWICE, OTHER_NUMBER };

/* What comes before all bytes. */
struct answer {
	uint32_t magic, status, about;
	unsigned char proof[crypto_generichash_BYTES];
};

/* Who answers proves it in another way than who asks, who would be answered by
 * its own proof otherwise. */
static const char to_rank_0[] = "plink: to rank 0 of the job";
static const char from_rank_0[] = "plink: from rank 0 of the job";

static void prove(const struct pl_rendezvous *r, const char *way,
		  unsigned char *proof)
{
	const char *secret = r->meeting.secret;

	crypto_generichash(proof, crypto_generichash_BYTES,
			   (const unsigned char *)secret, strlen(secret),
			   (const unsigned char *)way, strlen(way));
}

static bool is_proved(const struct pl_rendezvous *r, const char *way,
		      const unsigned char *proof)
{
	unsigned char want[crypto_generichash_BYTES];

	prove(r, way, want);
	return sodium_memcmp(proof, want, sizeof(want)) == 0;
}

/* What rank 0 knows of the others. */
struct host {
	const struct pl_rendezvous *r;
	int *fd;                      /* [n] by rank; -1: not there */
	unsigned char *all, *brought; /* [n * bytes] by rank, [bytes] */
	size_t bytes;
	int64_t deadline_ns;
};

static void answer(const struct host *h, int fd, enum status status,
		   size_t about)
{
	struct answer a = {.magic = htonl(MAGIC),
			   .status = htonl(status),
			   .about = htonl((uint32_t)about)};
	const int64_t until_ns = pl_clock_ns() + GRACE_NS / 2;

	prove(h->r, from_rank_0, a.proof);
	if (pl_socket_write(fd, &a, sizeof(a), until_ns) &&
	    status == ALL_ARE_HERE)
		pl_socket_write(fd, h->all, h->r->n * h->bytes, until_ns);
}

/* Takes who has connected if it belongs here. What it has sent is read in any
 * case: closing would take the answer away from it otherwise. */
static void take(struct host *h, int fd)
{
	const int64_t patience_ns = pl_clock_ns() + HELLO_NS;
	const int64_t until_ns =
		patience_ns < h->deadline_ns ? patience_ns : h->deadline_ns;
	struct hello hello;
	size_t rank;

	if (!pl_socket_read(fd, &hello, sizeof(hello), until_ns) ||
	    hello.magic != htonl(MAGIC) ||
	    !is_proved(h->r, to_rank_0, hello.proof) ||
	    ntohl(hello.bytes) != h->bytes ||
	    !pl_socket_read(fd, h->brought, h->bytes, until_ns)) {
		close(fd);
		return;
	}
	rank = ntohl(hello.rank);
	if (ntohl(hello.n) == h->r->n && rank > 0 && rank < h->r->n &&
	    h->fd[rank] < 0) {
		memcpy(h->all + rank * h->bytes, h->brought, h->bytes);
		h->fd[rank] = fd;
		return;
	}
	if (ntohl(hello.n) != h->r->n)
		answer(h, fd, OTHER_NUMBER, h->r->n);
	else
		answer(h, fd, CAME_TWICE, rank);
	close(fd);
}

/* The first rank that is not there; n: all are. */
static size_t first_missing(const struct host *h)
{
	size_t rank = 1;

	while (rank < h->r->n && h->fd[rank] >= 0)
		rank++;
	return rank;
}

static int missing(const struct pl_rendezvous *r, size_t rank,
		   struct pl_err *err)
{
	if (r->hub && rank > 0)
		return pl_err_set(err, PL_ESYSTEM,
				  "hub %s has not come to %s within %.3g s",
				  r->hub[rank - 1], r->meeting.address,
				  r->timeout_s);
	return pl_err_set(err, PL_ESYSTEM,
			  "rank %zu has not come to %s within %.3g s", rank,
			  r->meeting.address, r->timeout_s);
}

/* Lets all come; answers all. */
static int serve(struct host *h, int listener, struct pl_err *err)
{
	size_t rank;

	while (first_missing(h) < h->r->n &&
	       pl_socket_is_ready(listener, POLLIN, h->deadline_ns)) {
		const int fd = accept4(listener, NULL, NULL,
				       SOCK_CLOEXEC | SOCK_NONBLOCK);

		if (fd >= 0)
			take(h, fd);
	}
	rank = first_missing(h);
	for (size_t i = 1; i < h->r->n; i++)
		if (h->fd[i] >= 0)
			answer(h, h->fd[i],
			       rank < h->r->n ? IS_MISSING : ALL_ARE_HERE,
			       rank);
	return rank < h->r->n ? missing(h->r, rank, err) : 0;
}

static int gather_here(const struct pl_rendezvous *r, void *all, size_t bytes,
		       int64_t deadline_ns, struct pl_err *err)
{
	struct host h = {.r = r,
			 .fd = pl_array_create(r->n, sizeof(*h.fd)),
			 .all = all,
			 .brought = malloc(bytes),
			 .bytes = bytes,
			 .deadline_ns = deadline_ns};
	int listener = -1, rc = -1;

	if (!h.fd || !h.brought) {
		pl_err_nomem(err);
		goto out;
	}
	for (size_t i = 0; i < r->n; i++)
		h.fd[i] = -1;
	listener = pl_socket_listen(r->meeting.address, err);
	if (listener >= 0) {
		rc = serve(&h, listener, err);
		close(listener);
	}
	for (size_t i = 0; i < r->n; i++)
		if (h.fd[i] >= 0)
			close(h.fd[i]);
out:
	free(h.brought);
	free(h.fd);
	return rc;
}

static int understand(const struct pl_rendezvous *r, const struct answer *a,
		      struct pl_err *err)
{
	const size_t about = ntohl(a->about);

	switch ((enum status)ntohl(a->status)) {
	case ALL_ARE_HERE:
		return 0;
	case IS_MISSING:
		return missing(r, about, err);
	case CAME_TWICE:
		return r->hub && about > 0 && about < r->n
			       ? pl_err_set(err, PL_EUSAGE,
					    "hub %s is at %s already",
					    r->hub[about - 1],
					    r->meeting.address)
			       : pl_err_set(err, PL_EUSAGE,
					    "rank %zu is at %s already", about,
					    r->meeting.address);
	default:
		return pl_err_set(err, PL_EUSAGE,
				  "rank %zu of %zu came to a job of %zu "
				  "processes",
				  r->rank, r->n, about);
	}
}

static int gather_there(const struct pl_rendezvous *r, const void *mine,
			size_t bytes, void *all, int64_t deadline_ns,
			struct pl_err *err)
{
	struct hello hello = {.magic = htonl(MAGIC),
			      .rank = htonl((uint32_t)r->rank),
			      .n = htonl((uint32_t)r->n),
			      .bytes = htonl((uint32_t)bytes)};
	const int fd = pl_socket_connect(r->meeting.address, deadline_ns, err);
	struct answer a;
	int rc = -1;

	if (fd < 0)
		return err->code == PL_EPARTIAL ? missing(r, 0, err) : -1;
	prove(r, to_rank_0, hello.proof);
	deadline_ns += GRACE_NS;
	if (!pl_socket_write(fd, &hello, sizeof(hello), deadline_ns) ||
	    !pl_socket_write(fd, mine, bytes, deadline_ns) ||
	    !pl_socket_read(fd, &a, sizeof(a), deadline_ns) ||
	    a.magic != htonl(MAGIC) || !is_proved(r, from_rank_0, a.proof))
		pl_err_set(err, PL_ESYSTEM,
			   "no answer from %s: is rank 0 there, of the same "
			   "version and with the same secret?",
			   r->meeting.address);
	else if (understand(r, &a, err) == 0)
		rc = pl_socket_read(fd, all, r->n * bytes, deadline_ns)
			     ? 0
			     : pl_err_set(err, PL_ESYSTEM, "rank 0 has gone");
	close(fd);
	return rc;
}

int pl_rendezvous_gather(void *with, const void *mine, size_t bytes, void *all,
			 struct pl_error *error)
{
	const struct pl_rendezvous *r = with;
	const int64_t deadline_ns =
		pl_clock_ns() + (int64_t)(r->timeout_s * 1e9);
	struct pl_err err;
	int rc;

	if (r->rank == 0) {
		memcpy(all, mine, bytes);
		rc = gather_here(r, all, bytes, deadline_ns, &err);
	} else {
		rc = gather_there(r, mine, bytes, all, deadline_ns, &err);
	}
	return rc ? pl_lib_fail(error, &err) : 0;
}
