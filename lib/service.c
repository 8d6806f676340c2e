/* SPDX-License-Identifier: BSD-3-Clause */
/* service.c - how a job asks for a hub that runs already, for several jobs */
#include "config.h"

#include "lib/service.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/socket.h"

#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAGIC 0x706c6832U /* "plh2" */
#define SECOND_NS ((int64_t)1000 * 1000 * 1000)
#define WHY_CHARS 400
#define RETRY_MS 200

/* Before the cards and the schedules; in network order. */
struct head {
	uint32_t aggregator, n;
};

struct answer {
	uint32_t magic, refused;
	unsigned char proof[PL_PROOF_BYTES];
	char why[WHY_CHARS];
};

static const char job_asks[] = "plink: a job asks for a hub";
static const char hub_challenges[] = "plink: a hub asks the job to prove it";
static const char job_proves[] = "plink: a job proves it to a hub";
static const char hub_answers[] = "plink: a hub answers a job";

/* What the proofs are of; @nonces NULL: before the hub has said anything. */
static struct pl_proof of(const struct pl_service_hello *h, const char *way,
			  const struct pl_nonces *nonces, const char *secret)
{
	return (struct pl_proof){.way = way,
				 .said = h,
				 .bytes = offsetof(struct pl_service_hello, nonce),
				 .nonces = nonces,
				 .secret = secret};
}

static struct pl_nonces nonces_of(const struct pl_service_hello *h)
{
	struct pl_nonces nonces = {.listens = {0}};

	memcpy(nonces.connects, h->nonce, sizeof(h->nonce));
	return nonces;
}

const char *pl_service_name_fault(const char *s, size_t len)
{
	_Static_assert(PL_SERVICE_JOB_CHARS == 64, "the text says so");
	if (len == 0)
		return "the name of a job must stand here";
	if (len >= PL_SERVICE_JOB_CHARS)
		return "the name of a job has at most 63 characters";
	return pl_plan_is_word(s, len) ? NULL
				       : "the name of a job is made of ASCII letters, digits and "
					 "signs but for '#', without blanks";
}

int pl_service_check(const struct pl_service_hello *h, struct pl_err *err)
{
	const size_t bytes = ntohl(h->bytes);

	if (h->magic != htonl(MAGIC))
		return pl_err_set(err, PL_EINPUT, "no job, or one of another version");
	if (pl_service_name_fault(h->job, strnlen(h->job, sizeof(h->job))))
		return pl_err_set(err, PL_EINPUT, "\"%.*s\": no job has such a name",
				  (int)sizeof(h->job), h->job);
	if (bytes >= sizeof(struct head) && bytes <= PL_SERVICE_BYTES_MAX)
		return 0;
	return pl_err_set(err, PL_EINPUT, "job \"%s\": no schedules have %zu bytes", h->job, bytes);
}

bool pl_service_is_proved(const struct pl_service_hello *h, const char *secret)
{
	const struct pl_nonces nonces = nonces_of(h);
	const struct pl_proof proof = of(h, job_asks, &nonces, secret);

	return pl_proof_is(&proof, h->proof);
}

bool pl_service_challenge(int fd, const struct pl_service_hello *h, const char *secret,
			  struct pl_nonces *nonces)
{
	const struct pl_proof mine = of(h, hub_challenges, nonces, secret);

	*nonces = nonces_of(h);
	return pl_proof_challenge(fd, &mine, nonces);
}

bool pl_service_is_answered(const struct pl_service_hello *h, const struct pl_nonces *nonces,
			    const char *secret, const unsigned char proof[PL_PROOF_BYTES])
{
	const struct pl_proof want = of(h, job_proves, nonces, secret);

	return pl_proof_is(&want, proof);
}

/* The schedules as a file; the caller frees it. NULL with @err set. */
static char *write_schedules(const struct pl_schedules *s, size_t *len, struct pl_err *err)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, len);
	int rc = out ? pl_schedules_write(s, out, err) : pl_err_nomem(err);

	if (out && fclose(out) && rc == 0)
		rc = pl_err_nomem(err);
	if (rc == 0)
		return text;
	free(text);
	return NULL;
}

/* What rank 0 asks of a hub. */
struct question {
	const struct pl_service_name *name;
	struct pl_service_hello hello;
	struct head head;
	const struct pl_card *card;
	char *text; /* the schedules */
	size_t cards_bytes, text_bytes;
	int64_t deadline_ns;
};

static int no_answer(const struct pl_service_name *name, struct pl_err *err)
{
	return pl_err_set(err, PL_ESYSTEM,
			  "no answer from the hub at %s: has it a job \"%s\" with the same secret, "
			  "and is it of the same version?",
			  name->address, name->job);
}

/* Says who it is, and proves it when the hub has. */
static int greet(int fd, const struct question *q, struct pl_nonces *nonces, struct pl_err *err)
{
	const struct pl_proof theirs = of(&q->hello, hub_challenges, nonces, q->name->secret);
	const struct pl_proof mine = of(&q->hello, job_proves, nonces, q->name->secret);
	unsigned char proof[PL_PROOF_BYTES];
	struct pl_challenge c;

	if (!pl_socket_write(fd, &q->hello, sizeof(q->hello), q->deadline_ns) ||
	    !pl_socket_read(fd, &c, sizeof(c), q->deadline_ns))
		return no_answer(q->name, err);
	memcpy(nonces->listens, c.nonce, sizeof(c.nonce));
	if (!pl_proof_is(&theirs, c.proof))
		return no_answer(q->name, err);
	pl_proof_make(&mine, proof);
	pl_socket_write(fd, proof, sizeof(proof), q->deadline_ns);
	return 0;
}

/* Brings all, and hears the answer: 0, or -1; 1: none, @err is set. */
static int bring(int fd, const struct question *q, const struct pl_nonces *nonces,
		 struct pl_err *err)
{
	const struct pl_proof want = of(&q->hello, hub_answers, nonces, q->name->secret);
	struct answer a;

	/* (a hub that refuses does not read all, but answers) */
	if (pl_socket_write(fd, &q->head, sizeof(q->head), q->deadline_ns) &&
	    pl_socket_write(fd, q->card, q->cards_bytes, q->deadline_ns))
		pl_socket_write(fd, q->text, q->text_bytes, q->deadline_ns);
	if (!pl_socket_read(fd, &a, sizeof(a), q->deadline_ns) || a.magic != htonl(MAGIC) ||
	    !pl_proof_is(&want, a.proof)) {
		pl_err_set(err, PL_ESYSTEM,
			   "the hub at %s has taken job \"%s\" and then closed the connection",
			   q->name->address, q->name->job);
		return 1;
	}
	a.why[WHY_CHARS - 1] = '\0';
	return a.refused ? pl_err_set(err, PL_ESYSTEM, "hub at %s: %s", q->name->address, a.why)
			 : 0;
}

/* As bring(). */
static int ask_once(struct question *q, struct pl_err *err)
{
	struct pl_nonces nonces;
	struct pl_proof proof;
	int fd, rc;

	if (!pl_nonce_draw(q->hello.nonce))
		return pl_err_errno(err, "no random bytes");
	nonces = nonces_of(&q->hello);
	proof = of(&q->hello, job_asks, &nonces, q->name->secret);
	pl_proof_make(&proof, q->hello.proof);
	fd = pl_socket_connect(q->name->address, q->deadline_ns, err);
	if (fd < 0) {
		err->code = err->code == PL_EPARTIAL ? PL_ESYSTEM : err->code;
		return -1;
	}
	rc = greet(fd, q, &nonces, err) ? -1 : bring(fd, q, &nonces, err);
	close(fd);
	return rc;
}

/* A hub that knows the secret, but is ended or cannot serve, may do so soon. */
static int ask_again(struct question *q, struct pl_err *err)
{
	int rc = ask_once(q, err);

	while (rc > 0 && pl_clock_ns() < q->deadline_ns) {
		poll(NULL, 0, RETRY_MS);
		rc = ask_once(q, err);
	}
	return rc ? -1 : 0;
}

int pl_service_ask(const struct pl_service_name *name, const struct pl_service *service,
		   const struct pl_schedules *schedules, double timeout_s, struct pl_err *err)
{
	struct question q = {.name = name,
			     .hello = {.magic = htonl(MAGIC)},
			     .head = {.aggregator = htonl((uint32_t)service->aggregator),
				      .n = htonl((uint32_t)service->n)},
			     .card = service->card,
			     .cards_bytes = service->n * sizeof(*service->card),
			     .deadline_ns = pl_clock_ns() + (int64_t)(timeout_s * 1e9)};
	const char *fault = pl_service_name_fault(name->job, strlen(name->job));
	int rc;

	if (fault)
		return pl_err_set(err, PL_EUSAGE, "PLINK_HUB_JOB=%s: %s", name->job, fault);
	q.text = write_schedules(schedules, &q.text_bytes, err);
	if (!q.text)
		return -1;
	if (q.text_bytes > PL_SERVICE_BYTES_MAX / 2 || q.cards_bytes > PL_SERVICE_BYTES_MAX / 2) {
		rc = pl_err_set(err, PL_EUSAGE, "schedules of %zu bytes: too many for a hub",
				q.text_bytes);
	} else {
		snprintf(q.hello.job, sizeof(q.hello.job), "%s", name->job);
		q.hello.bytes = htonl((uint32_t)(sizeof(q.head) + q.cards_bytes + q.text_bytes));
		rc = ask_again(&q, err);
	}
	free(q.text);
	return rc;
}

int pl_service_read(int fd, const struct pl_service_hello *h, int64_t deadline_ns,
		    struct pl_service *service, struct pl_text *text, struct pl_err *err)
{
	const size_t bytes = ntohl(h->bytes);
	unsigned char *body = malloc(bytes);
	struct head head;
	size_t cards;
	int rc = -1;

	*service = (struct pl_service){.card = NULL};
	if (!body)
		return pl_err_nomem(err);
	if (!pl_socket_read(fd, body, bytes, deadline_ns)) {
		pl_err_set(err, PL_ESYSTEM, "not all has come of what it says");
		goto out;
	}
	memcpy(&head, body, sizeof(head));
	service->aggregator = ntohl(head.aggregator);
	service->n = ntohl(head.n);
	cards = service->n * sizeof(*service->card);
	if (service->n == 0 || cards > bytes - sizeof(head)) {
		pl_err_set(err, PL_EINPUT, "%zu processes: not so many come", service->n);
		goto out;
	}
	service->card = (const struct pl_card *)(body + sizeof(head));
	rc = pl_text_copy(text, "the schedules", body + sizeof(head) + cards,
			  bytes - sizeof(head) - cards, err);
out:
	if (rc)
		free(body);
	else
		service->body = body;
	return rc;
}

void pl_service_answer(int fd, const struct pl_service_hello *h, const struct pl_nonces *nonces,
		       const char *secret, const char *why)
{
	const struct pl_proof proof = of(h, hub_answers, nonces, secret);
	struct answer a = {.magic = htonl(MAGIC), .refused = htonl(!!why)};

	snprintf(a.why, sizeof(a.why), "%s", why ? why : "");
	pl_proof_make(&proof, a.proof);
	pl_socket_write(fd, &a, sizeof(a), pl_clock_ns() + SECOND_NS);
}
