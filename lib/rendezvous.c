/* SPDX-License-Identifier: BSD-3-Clause */
/* rendezvous.c - the processes of a job meet at an address that all know */
#include "config.h"

#include "lib/rendezvous.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/socket.h"
#include "base/visitors.h"
#include "lib/parts.h"
#include "lib/proof.h"

#include <arpa/inet.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAGIC 0x706c6d32U /* "plm2" */
#define SECOND_NS ((int64_t)1000 * 1000 * 1000)
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

/* Who has connected, and is heard. */
struct visit {
	struct pl_visitor visitor;
	struct pl_nonces nonces;
};

/* What rank 0 knows of the others. */
struct host {
	const struct pl_rendezvous *r;
	struct guest {
		int fd; /* -1: not there */
		struct hello hello;
		struct pl_nonces nonces;
	} * guest;          /* [n] by rank; n_here of them are there */
	unsigned char *all; /* [n * bytes] by rank */
	size_t n_here, bytes;
};

static void answer(const struct host *h, const struct guest *guest, enum status status,
		   size_t about)
{
	const struct pl_proof proof = of(h->r, &guest->hello, rank_0_answers, &guest->nonces);
	struct answer a = {
		.magic = htonl(MAGIC), .status = htonl(status), .about = htonl((uint32_t)about)};
	const int64_t until_ns = pl_clock_ns() + GRACE_NS / 2;

	pl_proof_make(&proof, a.proof);
	if (pl_socket_write(guest->fd, &a, sizeof(a), until_ns) && status == ALL_ARE_HERE)
		pl_socket_write(guest->fd, h->all, h->r->n * h->bytes, until_ns);
}

/* The hello is there: who knows the secret is to prove it by a new nonce. */
static enum pl_visit challenge(const struct host *h, struct visit *visit)
{
	struct pl_visitor *v = &visit->visitor;
	const struct hello *hello = (const struct hello *)v->said;
	const struct pl_proof asked = of(h->r, hello, rank_asks, &visit->nonces);
	const struct pl_proof mine = of(h->r, hello, rank_0_challenges, &visit->nonces);

	visit->nonces = nonces_of(hello);
	if (hello->magic != htonl(MAGIC) || !pl_proof_is(&asked, hello->proof))
		return PL_VISIT_ENDS;
	v->is_known = true;
	v->want += PL_PROOF_BYTES;
	return pl_proof_challenge(v->fd, &mine, &visit->nonces) ? PL_VISIT_GOES_ON : PL_VISIT_ENDS;
}

/* Does it know the secret, now and not only once? */
static enum pl_visit prove(const struct host *h, struct visit *visit)
{
	struct pl_visitor *v = &visit->visitor;
	const struct hello *hello = (const struct hello *)v->said;
	const struct pl_proof proved = of(h->r, hello, rank_proves, &visit->nonces);

	v->want += h->bytes;
	return pl_proof_is(&proved, v->said + sizeof(*hello)) && ntohl(hello->bytes) == h->bytes
		       ? PL_VISIT_GOES_ON
		       : PL_VISIT_ENDS;
}

/* All is there: takes who belongs here. What it has sent has been read in any case: closing would
 * take the answer away from it otherwise. */
static enum pl_visit take(struct host *h, const struct visit *visit)
{
	const struct pl_visitor *v = &visit->visitor;
	struct guest guest = {.fd = v->fd, .nonces = visit->nonces};
	size_t rank, n;

	memcpy(&guest.hello, v->said, sizeof(guest.hello));
	rank = ntohl(guest.hello.rank);
	n = ntohl(guest.hello.n);
	if (n == h->r->n && rank > 0 && rank < n && h->guest[rank].fd < 0) {
		memcpy(h->all + rank * h->bytes, v->said + v->want - h->bytes, h->bytes);
		h->guest[rank] = guest;
		h->n_here++;
		return PL_VISIT_IS_TAKEN;
	}
	if (n != h->r->n)
		answer(h, &guest, OTHER_NUMBER, h->r->n);
	else
		answer(h, &guest, CAME_TWICE, rank);
	return PL_VISIT_ENDS;
}

static enum pl_visit hear(void *with, struct pl_visitor *v)
{
	struct visit *visit = (struct visit *)v;

	if (v->want == sizeof(struct hello))
		return challenge(with, visit);
	if (v->want == sizeof(struct hello) + PL_PROOF_BYTES)
		return prove(with, visit);
	return take(with, visit);
}

/* The first rank that is not there; n: all are. */
static size_t first_missing(const struct host *h)
{
	size_t rank = 1;

	while (rank < h->r->n && h->guest[rank].fd >= 0)
		rank++;
	return rank;
}

/* @trouble: why it may not have been let in, if that is known. */
static int missing(const struct pl_rendezvous *r, size_t rank, const struct pl_err *trouble,
		   struct pl_err *err)
{
	const char *why = trouble && trouble->code ? trouble->text : "";
	const char *colon = *why ? ": " : "";

	if (r->hub && rank > 0)
		return pl_err_set(err, PL_ESYSTEM, "hub %s has not come to %s within %.3g s%s%s",
				  r->hub[rank - 1], r->meeting.address, r->timeout_s, colon, why);
	return pl_err_set(err, PL_ESYSTEM, "rank %zu has not come to %s within %.3g s%s%s", rank,
			  r->meeting.address, r->timeout_s, colon, why);
}

/* Lets all come; answers all. */
static int serve(struct host *h, struct pl_visitors *visitors, int64_t deadline_ns,
		 struct pl_err *err)
{
	size_t rank;

	while (h->n_here + 1 < h->r->n && pl_clock_ns() < deadline_ns && !visitors->has_lost)
		pl_visitors_hear(visitors, -1, 0, deadline_ns);
	rank = first_missing(h);
	for (size_t i = 1; i < h->r->n; i++)
		if (h->guest[i].fd >= 0)
			answer(h, &h->guest[i], rank < h->r->n ? IS_MISSING : ALL_ARE_HERE, rank);
	if (rank == h->r->n)
		return 0;
	missing(h->r, rank, &visitors->trouble, err);
	if (visitors->has_lost)
		*err = visitors->trouble;
	return -1;
}

static int listen_and_serve(struct host *h, int64_t deadline_ns, struct pl_err *err)
{
	const struct pl_hearer hearer = {.size = sizeof(struct visit),
					 .first = sizeof(struct hello),
					 .patience_ns = PL_VISITOR_NS,
					 .hear = hear,
					 .with = h};
	const int listener = pl_socket_listen(h->r->meeting.address, err);
	struct pl_visitors visitors;
	int rc;

	if (listener < 0)
		return -1;
	rc = pl_visitors_init(&visitors, listener, &hearer, err);
	if (rc == 0) {
		rc = serve(h, &visitors, deadline_ns, err);
		pl_visitors_fini(&visitors);
	}
	close(listener);
	return rc;
}

static int gather_here(const struct pl_rendezvous *r, void *all, size_t bytes, int64_t deadline_ns,
		       struct pl_err *err)
{
	struct host h = {.r = r,
			 .guest = pl_array_create(r->n, sizeof(*h.guest)),
			 .all = all,
			 .bytes = bytes};
	int rc;

	if (!h.guest)
		return pl_err_nomem(err);
	for (size_t i = 0; i < r->n; i++)
		h.guest[i].fd = -1;
	rc = listen_and_serve(&h, deadline_ns, err);
	for (size_t i = 0; i < r->n; i++)
		if (h.guest[i].fd >= 0)
			close(h.guest[i].fd);
	free(h.guest);
	return rc;
}

static int understand(const struct pl_rendezvous *r, const struct answer *a, struct pl_err *err)
{
	const size_t about = ntohl(a->about);

	switch ((enum status)ntohl(a->status)) {
	case ALL_ARE_HERE:
		return 0;
	case IS_MISSING:
		return missing(r, about, NULL, err);
	case CAME_TWICE:
		return r->hub && about > 0 && about < r->n
			       ? pl_err_set(err, PL_EUSAGE, "hub %s is at %s already",
					    r->hub[about - 1], r->meeting.address)
			       : pl_err_set(err, PL_EUSAGE, "rank %zu is at %s already", about,
					    r->meeting.address);
	default:
		return pl_err_set(err, PL_EUSAGE, "rank %zu of %zu came to a job of %zu processes",
				  r->rank, r->n, about);
	}
}

/* Says who it is, proves it when rank 0 has, and brings the bytes; then waits for the answer. */
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
		return err->code == PL_EPARTIAL ? missing(r, 0, NULL, err) : -1;
	deadline_ns += GRACE_NS;
	if (!pl_nonce_draw(hello.nonce))
		pl_err_errno(err, "no random bytes");
	else if (!is_answered(r, fd, asks(r, &hello), mine, &a, deadline_ns))
		pl_err_set(err, PL_ESYSTEM,
			   "no answer from %s: is rank 0 there, of the same version and with the "
			   "same secret?",
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
