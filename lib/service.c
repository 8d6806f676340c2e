/* SPDX-License-Identifier: BSD-3-Clause */
/* service.c - how a job asks for a hub that runs already, for several jobs */
#include "config.h"

#include "lib/service.h"

#include "base/clock.h"
#include "base/mem.h"
#include "lib/socket.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define MAGIC 0x706c6832U /* "plh2" */
#define SECOND_NS ((int64_t)1000 * 1000 * 1000)
#define WHY_CHARS 400

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

int pl_service_check(const struct pl_service_hello *h, struct pl_err *err)
{
	const size_t bytes = ntohl(h->bytes);

	if (h->magic != htonl(MAGIC))
		return pl_err_set(err, PL_EINPUT, "no job, or one of another version");
	if (!h->job[0] || !memchr(h->job, 0, sizeof(h->job)))
		return pl_err_set(err, PL_EINPUT, "a job without a name");
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
	const struct pl_proof proof = of(h, hub_challenges, nonces, secret);
	struct pl_challenge c;

	*nonces = nonces_of(h);
	if (!pl_nonce_draw(nonces->listens))
		return false;
	memcpy(c.nonce, nonces->listens, sizeof(c.nonce));
	pl_proof_make(&proof, c.proof);
	return send(fd, &c, sizeof(c), MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)sizeof(c);
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

static int no_answer(const struct pl_service_name *name, struct pl_err *err)
{
	return pl_err_set(err, PL_ESYSTEM,
			  "no answer from the hub at %s: has it a job \"%s\" "
			  "with the same secret, and is it of the same "
			  "version?",
			  name->address, name->job);
}

/* Says who it is, and proves it when the hub has. */
static int greet(int fd, const struct pl_service_hello *h, const struct pl_service_name *name,
		 struct pl_nonces *nonces, int64_t deadline_ns, struct pl_err *err)
{
	const struct pl_proof theirs = of(h, hub_challenges, nonces, name->secret);
	const struct pl_proof mine = of(h, job_proves, nonces, name->secret);
	unsigned char proof[PL_PROOF_BYTES];
	struct pl_challenge c;

	*nonces = nonces_of(h);
	if (!pl_socket_write(fd, h, sizeof(*h), deadline_ns) ||
	    !pl_socket_read(fd, &c, sizeof(c), deadline_ns))
		return no_answer(name, err);
	memcpy(nonces->listens, c.nonce, sizeof(c.nonce));
	if (!pl_proof_is(&theirs, c.proof))
		return no_answer(name, err);
	pl_proof_make(&mine, proof);
	return pl_socket_write(fd, proof, sizeof(proof), deadline_ns) ? 0 : no_answer(name, err);
}

static int hear(int fd, const struct pl_service_hello *h, const struct pl_service_name *name,
		const struct pl_nonces *nonces, int64_t deadline_ns, struct pl_err *err)
{
	const struct pl_proof want = of(h, hub_answers, nonces, name->secret);
	struct answer a;

	if (!pl_socket_read(fd, &a, sizeof(a), deadline_ns) || a.magic != htonl(MAGIC) ||
	    !pl_proof_is(&want, a.proof))
		return no_answer(name, err);
	a.why[WHY_CHARS - 1] = '\0';
	return a.refused ? pl_err_set(err, PL_ESYSTEM, "hub at %s: %s", name->address, a.why) : 0;
}

int pl_service_ask(const struct pl_service_name *name, const struct pl_service *service,
		   const struct pl_schedules *schedules, double timeout_s, struct pl_err *err)
{
	const int64_t deadline_ns = pl_clock_ns() + (int64_t)(timeout_s * 1e9);
	const struct head head = {.aggregator = htonl((uint32_t)service->aggregator),
				  .n = htonl((uint32_t)service->n)};
	const size_t cards = service->n * sizeof(*service->card);
	struct pl_service_hello h = {.magic = htonl(MAGIC)};
	struct pl_nonces nonces;
	struct pl_proof proof;
	size_t len;
	char *text;
	int fd, rc = -1;

	if (!*name->job || strlen(name->job) >= sizeof(h.job))
		return pl_err_set(err, PL_EUSAGE,
				  "\"%s\": the name of a job has 1 to %zu "
				  "characters",
				  name->job, sizeof(h.job) - 1);
	text = write_schedules(schedules, &len, err);
	if (!text)
		return -1;
	if (len > PL_SERVICE_BYTES_MAX / 2 || cards > PL_SERVICE_BYTES_MAX / 2) {
		free(text);
		return pl_err_set(err, PL_EUSAGE, "schedules of %zu bytes: too many for a hub",
				  len);
	}
	snprintf(h.job, sizeof(h.job), "%s", name->job);
	h.bytes = htonl((uint32_t)(sizeof(head) + cards + len));
	if (!pl_nonce_draw(h.nonce)) {
		free(text);
		return pl_err_errno(err, "no random bytes");
	}
	nonces = nonces_of(&h);
	proof = of(&h, job_asks, &nonces, name->secret);
	pl_proof_make(&proof, h.proof);
	fd = pl_socket_connect(name->address, deadline_ns, err);
	if (fd >= 0) {
		rc = greet(fd, &h, name, &nonces, deadline_ns, err);
		if (rc == 0 && pl_socket_write(fd, &head, sizeof(head), deadline_ns) &&
		    pl_socket_write(fd, service->card, cards, deadline_ns))
			pl_socket_write(fd, text, len, deadline_ns);
		if (rc == 0)
			rc = hear(fd, &h, name, &nonces, deadline_ns, err);
		close(fd);
	} else if (err->code == PL_EPARTIAL) {
		err->code = PL_ESYSTEM;
	}
	free(text);
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
