/* SPDX-License-Identifier: BSD-3-Clause */
/* rendezvous.c - the processes of a job meet at an address that all know */
#include "config.h"

#include "lib/rendezvous.h"

#include "base/clock.h"
#include "base/mem.h"
#include "lib/parts.h"
#include "lib/proof.h"
#include "lib/socket.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <netdb.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define MAGIC 0x706c6d32U /* "plm2" */
#define SECOND_NS ((int64_t)1000 * 1000 * 1000)
/* who has connected must say who it is within this time */
#define HELLO_NS SECOND_NS
/* how much longer than rank 0 the others wait for its answer */
#define GRACE_NS (2 * SECOND_NS)

/* What comes before the bytes, in network order. */
struct hello {
	uint32_t magic, rank, n, bytes;
	unsigned char nonce[PL_NONCE_BYTES];
	unsigned char proof[PL_PROOF_BYTES];
};

enum status { ALL_ARE_HERE, IS_MISSING, CAME_TWICE, OTHER_NUMBER };

/* What comes before all bytes. */
struct answer {
	uint32_t magic, status, about;
	unsigned char proof[PL_PROOF_BYTES];
};

static const char rank_asks[] = "plink: a rank comes to rank 0 of the job";
static const char rank_0_challenges[] = "plink: rank 0 asks for a proof";
static const char rank_proves[] = "plink: a rank proves it to rank 0";
static const char rank_0_answers[] = "plink: rank 0 of the job answers";

static struct pl_nonces nonces_of(const struct hello *h)
{
	struct pl_nonces nonces = {.listens = {0}};

	memcpy(nonces.connects, h->nonce, sizeof(h->nonce));
	return nonces;
}

static struct pl_proof of(const struct pl_rendezvous *r, const struct hello *h, const char *way,
			  const struct pl_nonces *nonces)
{
	return (struct pl_proof){.way = way,
				 .said = h,
				 .bytes = offsetof(struct hello, nonce),
				 .nonces = nonces,
				 .secret = r->meeting.secret};
}

/* What rank 0 knows of the others. */
struct host {
	const struct pl_rendezvous *r;
	int *fd; /* [n] by rank; -1: not there */
	struct visit {
		struct hello hello;
		struct pl_nonces nonces;
	} * visit;                    /* [n] by rank */
	unsigned char *all, *brought; /* [n * bytes] by rank, [bytes] */
	size_t bytes;
	int64_t deadline_ns;
};

static void answer(const struct host *h, int fd, const struct visit *v, enum status status,
		   size_t about)
{
	const struct pl_proof proof = of(h->r, &v->hello, rank_0_answers, &v->nonces);
	struct answer a = {
		.magic = htonl(MAGIC), .status = htonl(status), .about = htonl((uint32_t)about)};
	const int64_t until_ns = pl_clock_ns() + GRACE_NS / 2;

	pl_proof_make(&proof, a.proof);
	if (pl_socket_write(fd, &a, sizeof(a), until_ns) && status == ALL_ARE_HERE)
		pl_socket_write(fd, h->all, h->r->n * h->bytes, until_ns);
}

/* Does who has connected know the secret, now and not only once? */
static bool is_proved(const struct host *h, int fd, struct visit *v, int64_t until_ns)
{
	const struct pl_proof asked = of(h->r, &v->hello, rank_asks, &v->nonces);
	const struct pl_proof mine = of(h->r, &v->hello, rank_0_challenges, &v->nonces);
	const struct pl_proof proved = of(h->r, &v->hello, rank_proves, &v->nonces);
	unsigned char proof[PL_PROOF_BYTES];
	struct pl_challenge c;

	if (!pl_socket_read(fd, &v->hello, sizeof(v->hello), until_ns) ||
	    v->hello.magic != htonl(MAGIC))
		return false;
	v->nonces = nonces_of(&v->hello);
	if (!pl_proof_is(&asked, v->hello.proof) || !pl_nonce_draw(v->nonces.listens))
		return false;
	memcpy(c.nonce, v->nonces.listens, sizeof(c.nonce));
	pl_proof_make(&mine, c.proof);
	return pl_socket_write(fd, &c, sizeof(c), until_ns) &&
	       pl_socket_read(fd, proof, sizeof(proof), until_ns) && pl_proof_is(&proved, proof);
}

/* Takes who has connected if it belongs here. What it has sent is read in any
 * case: closing would take the answer away from it otherwise. */
static void take(struct host *h, int fd)
{
	const int64_t patience_ns = pl_clock_ns() + HELLO_NS;
	const int64_t until_ns = patience_ns < h->deadline_ns ? patience_ns : h->deadline_ns;
	struct visit v;
	size_t rank, n;

	if (!is_proved(h, fd, &v, until_ns) || ntohl(v.hello.bytes) != h->bytes ||
	    !pl_socket_read(fd, h->brought, h->bytes, until_ns)) {
		close(fd);
		return;
	}
	rank = ntohl(v.hello.rank);
	n = ntohl(v.hello.n);
	if (n == h->r->n && rank > 0 && rank < h->r->n && h->fd[rank] < 0) {
		memcpy(h->all + rank * h->bytes, h->brought, h->bytes);
		h->fd[rank] = fd;
		h->visit[rank] = v;
		return;
	}
	if (n != h->r->n)
		answer(h, fd, &v, OTHER_NUMBER, h->r->n);
	else
		answer(h, fd, &v, CAME_TWICE, rank);
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

static int missing(const struct pl_rendezvous *r, size_t rank, struct pl_err *err)
{
	if (r->hub && rank > 0)
		return pl_err_set(err, PL_ESYSTEM, "hub %s has not come to %s within %.3g s",
				  r->hub[rank - 1], r->meeting.address, r->timeout_s);
	return pl_err_set(err, PL_ESYSTEM, "rank %zu has not come to %s within %.3g s", rank,
			  r->meeting.address, r->timeout_s);
}

/* Lets all come; answers all. */
static int serve(struct host *h, int listener, struct pl_err *err)
{
	size_t rank;

	while (first_missing(h) < h->r->n && pl_socket_is_ready(listener, POLLIN, h->deadline_ns)) {
		const int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

		if (fd >= 0)
			take(h, fd);
	}
	rank = first_missing(h);
	for (size_t i = 1; i < h->r->n; i++)
		if (h->fd[i] >= 0)
			answer(h, h->fd[i], &h->visit[i],
			       rank < h->r->n ? IS_MISSING : ALL_ARE_HERE, rank);
	return rank < h->r->n ? missing(h->r, rank, err) : 0;
}

static int gather_here(const struct pl_rendezvous *r, void *all, size_t bytes, int64_t deadline_ns,
		       struct pl_err *err)
{
	struct host h = {.r = r,
			 .fd = pl_array_create(r->n, sizeof(*h.fd)),
			 .visit = pl_array_create(r->n, sizeof(*h.visit)),
			 .all = all,
			 .brought = malloc(bytes),
			 .bytes = bytes,
			 .deadline_ns = deadline_ns};
	int listener = -1, rc = -1;

	if (!h.fd || !h.visit || !h.brought) {
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
	free(h.visit);
	free(h.fd);
	return rc;
}

static int understand(const struct pl_rendezvous *r, const struct answer *a, struct pl_err *err)
{
	const size_t about = ntohl(a->about);

	switch ((enum status)ntohl(a->status)) {
	case ALL_ARE_HERE:
		return 0;
	case IS_MISSING:
		return missing(r, about, err);
	case CAME_TWICE:
		return r->hub && about > 0 && about < r->n
			       ? pl_err_set(err, PL_EUSAGE, "hub %s is at %s already",
					    r->hub[about - 1], r->meeting.address)
			       : pl_err_set(err, PL_EUSAGE, "rank %zu is at %s already", about,
					    r->meeting.address);
	default:
		return pl_err_set(err, PL_EUSAGE,
				  "rank %zu of %zu came to a job of %zu "
				  "processes",
				  r->rank, r->n, about);
	}
}

/* Says who it is, proves it when rank 0 has, and brings the bytes; then waits
 * for the answer. */
static bool is_answered(const struct pl_rendezvous *r, int fd, const struct hello *h,
			const void *mine, struct answer *a, int64_t deadline_ns)
{
	struct pl_nonces nonces = nonces_of(h);
	const struct pl_proof asked = of(r, h, rank_0_challenges, &nonces);
	const struct pl_proof proved = of(r, h, rank_proves, &nonces);
	const struct pl_proof answered = of(r, h, rank_0_answers, &nonces);
	unsigned char proof[PL_PROOF_BYTES];
	struct pl_challenge c;

	if (!pl_socket_write(fd, h, sizeof(*h), deadline_ns) ||
	    !pl_socket_read(fd, &c, sizeof(c), deadline_ns))
		return false;
	memcpy(nonces.listens, c.nonce, sizeof(c.nonce));
	if (!pl_proof_is(&asked, c.proof))
		return false;
	pl_proof_make(&proved, proof);
	return pl_socket_write(fd, proof, sizeof(proof), deadline_ns) &&
	       pl_socket_write(fd, mine, ntohl(h->bytes), deadline_ns) &&
	       pl_socket_read(fd, a, sizeof(*a), deadline_ns) && a->magic == htonl(MAGIC) &&
	       pl_proof_is(&answered, a->proof);
}

/* The hello with its proof. */
static const struct hello *asks(const struct pl_rendezvous *r, struct hello *h)
{
	const struct pl_nonces nonces = nonces_of(h);
	const struct pl_proof proof = of(r, h, rank_asks, &nonces);

	pl_proof_make(&proof, h->proof);
	return h;
}

static int gather_there(const struct pl_rendezvous *r, const void *mine, size_t bytes, void *all,
			int64_t deadline_ns, struct pl_err *err)
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
	deadline_ns += GRACE_NS;
	if (!pl_nonce_draw(hello.nonce))
		pl_err_errno(err, "no random bytes");
	else if (!is_answered(r, fd, asks(r, &hello), mine, &a, deadline_ns))
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
	const int64_t deadline_ns = pl_clock_ns() + (int64_t)(r->timeout_s * 1e9);
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
