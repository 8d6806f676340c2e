/* SPDX-License-Identifier: BSD-3-Clause */
/* service.c - how a job asks for a hub that runs already, for several jobs */
#include "config.h"

#include "lib/service.h"

#include "base/clock.h"
#include "base/mem.h"
#include "lib/socket.h"

#include <arpa/inet.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAGIC 0x706c6862U /* "plhb" */
#define SECOND_NS ((int64_t)1000 * 1000 * 1000)
#define WHY_CHARS 400

_Static_assert(PL_SERVICE_PROOF_BYTES == crypto_generichash_BYTES,
	       "a proof is a hash");

/* Before the cards and the schedules; in network order. */
struct head {
	uint32_t aggregator, n;
};

struct answer {
	uint32_t magic, refused;
	unsigned char proof[PL_SERVICE_PROOF_BYTES];
	char why[WHY_CHARS];
};

/* Who answers proves it in another way than who asks. */
static const char to_hub[] = "plink: to a hub of several jobs";
static const char from_hub[] = "plink: from a hub of several jobs";

static void prove(const struct pl_service_hello *h, const char *secret,
		  const char *way, unsigned char *proof)
{
	crypto_generichash_state state;

	crypto_generichash_init(&state, (const unsigned char *)way, strlen(way),
				PL_SERVICE_PROOF_BYTES);
	crypto_generichash_update(&state, (const unsigned char *)h->job,
				  sizeof(h->job));
	crypto_generichash_update(&state, (const unsigned char *)&h->bytes,
				  sizeof(h->bytes));
	crypto_generichash_update(&state, (const unsigned char *)secret,
				  strlen(secret));
	crypto_generichash_final(&state, proof, PL_SERVICE_PROOF_BYTES);
}

int pl_service_check(const struct pl_service_hello *h, struct pl_err *err)
{
	const size_t bytes = ntohl(h->bytes);

	if (h->magic != htonl(MAGIC))
		return pl_err_set(err, PL_EINPUT,
				  "no job, or one of another version");
	if (!h->job[0] || !memchr(h->job, 0, sizeof(h->job)))
		return pl_err_set(err, PL_EINPUT, "a job without a name");
	if (bytes >= sizeof(struct head) && bytes <= PL_SERVICE_BYTES_MAX)
		return 0;
	return pl_err_set(err, PL_EINPUT,
			  "job \"%s\": no schedules have %zu bytes", h->job,
			  bytes);
}

bool pl_service_is_proved(const struct pl_service_hello *h, const char *secret)
{
	unsigned char want[PL_SERVICE_PROOF_BYTES];

	prove(h, secret, to_hub, want);
	return sodium_memcmp(h->proof, want, sizeof(want)) == 0;
}

/* The schedules as a file; the caller frees it. NULL with @err set. */
static char *write_schedules(const struct pl_schedules *s, size_t *len,
			     struct pl_err *err)
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

static int hear(int fd, const struct pl_service_hello *h,
		const struct pl_service_name *name, int64_t deadline_ns,
		struct pl_err *err)
{
	unsigned char want[PL_SERVICE_PROOF_BYTES];
	struct answer a;

	prove(h, name->secret, from_hub, want);
	if (!pl_socket_read(fd, &a, sizeof(a), deadline_ns) ||
	    a.magic != htonl(MAGIC) ||
	    sodium_memcmp(a.proof, want, sizeof(want)) != 0)
		return pl_err_set(err, PL_ESYSTEM,
				  "no answer from the hub at %s: has it a job "
				  "\"%s\" with the same secret, and is it of "
				  "the same version?",
				  name->address, name->job);
	a.why[WHY_CHARS - 1] = '\0';
	return a.refused ? pl_err_set(err, PL_ESYSTEM, "hub at %s: %s",
				      name->address, a.why)
			 : 0;
}

int pl_service_ask(const struct pl_service_name *name,
		   const struct pl_service *service,
		   const struct pl_schedules *schedules, double timeout_s,
		   struct pl_err *err)
{
	const int64_t deadline_ns = pl_clock_ns() + (int64_t)(timeout_s * 1e9);
	const struct head head = {.aggregator =
					  htonl((uint32_t)service->aggregator),
				  .n = htonl((uint32_t)service->n)};
	const size_t cards = service->n * sizeof(*service->card);
	struct pl_service_hello h = {.magic = htonl(MAGIC)};
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
	if (len > PL_SERVICE_BYTES_MAX / 2 ||
	    cards > PL_SERVICE_BYTES_MAX / 2) {
		free(text);
		return pl_err_set(err, PL_EUSAGE,
				  "schedules of %zu bytes: too many for a hub",
				  len);
	}
	snprintf(h.job, sizeof(h.job), "%s", name->job);
	h.bytes = htonl((uint32_t)(sizeof(head) + cards + len));
	prove(&h, name->secret, to_hub, h.proof);
	fd = pl_socket_connect(name->address, deadline_ns, err);
	if (fd >= 0) {
		if (pl_socket_write(fd, &h, sizeof(h), deadline_ns) &&
		    pl_socket_write(fd, &head, sizeof(head), deadline_ns) &&
		    pl_socket_write(fd, service->card, cards, deadline_ns))
			pl_socket_write(fd, text, len, deadline_ns);
		rc = hear(fd, &h, name, deadline_ns, err);
		close(fd);
	} else if (err->code == PL_EPARTIAL) {
		err->code = PL_ESYSTEM;
	}
	free(text);
	return rc;
}

int pl_service_read(int fd, const struct pl_service_hello *h,
		    int64_t deadline_ns, struct pl_service *service,
		    struct pl_text *text, struct pl_err *err)
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
		pl_err_set(err, PL_EINPUT, "%zu processes: not so many come",
			   service->n);
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

void pl_service_answer(int fd, const struct pl_service_hello *h,
		       const char *secret, const char *why)
{
	struct answer a = {.magic = htonl(MAGIC), .refused = htonl(!!why)};

	snprintf(a.why, sizeof(a.why), "%s", why ? why : "");
	prove(h, secret, from_hub, a.proof);
	pl_socket_write(fd, &a, sizeof(a), pl_clock_ns() + SECOND_NS);
}
