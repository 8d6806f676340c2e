/* SPDX-License-Identifier: BSD-3-Clause */
/* serve.c - a hub: from the job's rendezvous to its last call */
#include "config.h"

#include "src/hub/serve.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/text/size.h"
#include "engine/hub.h"
#include "engine/keys.h"
#include "engine/reduce.h"
#include "lib/hubs.h"
#include "lib/parts.h"
#include "shim/self.h"
#include "src/common/tool.h"
#include "src/hub/async.h"
#include "src/hub/team.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* for what rank 0 brings to a hub of several jobs */
#define BODY_NS ((int64_t)20 * 1000 * 1000 * 1000)

struct hub {
	const struct hub_options *o;
	struct pl_schedule_file *file;
	size_t k, n_ranks; /* aggregator k, with number n_ranks + k */
	struct pl_rank_part part;
	struct pl_mesh mesh;
	struct hub_team team;
	struct pl_hub_ears ears;
	struct pl_keys keys;
	void *buffer;
	size_t room;   /* bytes */
	bool told_why; /* the ranks, why a call failed */
};

static void hub_fini(struct hub *h)
{
	hub_team_fini(&h->team);
	pl_mesh_fini(&h->mesh);
	pl_hub_ears_fini(&h->ears);
	pl_keys_fini(&h->keys);
	pl_rank_part_fini(&h->part);
	pl_schedule_file_destroy(h->file);
	free(h->buffer);
}

static int read_schedules(struct hub *h, struct pl_err *err)
{
	struct pl_error why;

	h->file = pl_schedule_file_read(h->o->schedule, &why);
	if (!h->file)
		return pl_lib_back(err, &why);
	h->n_ranks = pl_schedule_file_processes(h->file);
	if (h->file->schedules.n_aggregators > 0)
		return 0;
	return pl_err_set(err, PL_EINPUT, "%s: no schedule has an aggregator", h->o->schedule);
}

/* Which aggregator this machine is, by its names and addresses. */
static int find_by_machine(struct hub *h, struct pl_err *err)
{
	const struct pl_schedules *s = &h->file->schedules;
	struct pl_hosts hosts = {0};
	struct pl_self self = {0};
	int rc = pl_self_init(&self, err), found = PL_SELF_UNKNOWN;

	for (size_t i = 0; rc == 0 && i < s->n_aggregators; i++) {
		const struct pl_host host = {.name = s->aggregator[i], .slots = 1};

		if (pl_hosts_add(&hosts, &host))
			rc = pl_err_nomem(err);
	}
	if (rc == 0) {
		found = pl_self_find(&self, &hosts);
		h->k = (size_t)found;
		if (found < 0)
			rc = pl_err_set(err, PL_EUSAGE,
					"this machine (%s) matches none or several of the "
					"aggregators of %s: give --name",
					self.named ? self.named : self.node, h->o->schedule);
	}
	pl_self_fini(&self);
	pl_hosts_fini(&hosts);
	return rc;
}

static int find_itself(struct hub *h, struct pl_err *err)
{
	const struct pl_schedules *s = &h->file->schedules;

	if (!h->o->name)
		return find_by_machine(h, err);
	for (h->k = 0; h->k < s->n_aggregators; h->k++)
		if (strcmp(s->aggregator[h->k], h->o->name) == 0)
			return 0;
	return pl_err_set(err, PL_EUSAGE, "--name=%s: no aggregator of %s", h->o->name,
			  h->o->schedule);
}

/* Meets rank 0, which gives the cards of all ranks and hubs. */
static int meet(const struct hub *h, struct pl_card *card, struct pl_card *hub, struct pl_err *err)
{
	struct pl_meeting meeting = {.address = h->o->meet};
	char *secret = pl_hubs_secret(h->o->secret, err);
	int rc;

	if (!secret)
		return -1;
	meeting.secret = secret;
	rc = pl_hubs_go(&h->file->schedules, h->k, &meeting, card, h->n_ranks, hub, h->o->timeout_s,
			err);
	free(secret);
	return rc;
}

static int check_digest(const struct hub *h, const struct pl_card *card, struct pl_err *err)
{
	struct pl_card mine = {.zero = 0};

	pl_card_digest(&mine, h->file->digest);
	if (memcmp(mine.digest, card->digest, sizeof(mine.digest)) == 0)
		return 0;
	return pl_err_set(err, PL_EINPUT, "%s: the ranks have read other schedules",
			  h->o->schedule);
}

/* Does it exchange chunks with a member from @first to @end - 1? */
static bool meets(const struct pl_program *p, uint32_t first, uint32_t end)
{
	for (size_t k = 0; k < p->first[p->n_slices]; k++)
		if (p->act[k].peer >= first && p->act[k].peer < end)
			return true;
	return false;
}

static bool meets_hubs(const struct hub *h)
{
	bool any = false;

	for (size_t i = 0; i < h->file->schedules.n; i++)
		any |= meets(&h->part.program[i], (uint32_t)h->n_ranks, UINT32_MAX);
	return any;
}

/* Ranks tell a hub what they call: in each schedule it must exchange chunks with some. */
static int find_part(struct hub *h, struct pl_err *err)
{
	const struct pl_schedules *s = &h->file->schedules;

	if (pl_rank_part_init(&h->part, s, (uint32_t)(h->n_ranks + h->k), err))
		return -1;
	for (size_t i = 0; i < s->n; i++) {
		const struct pl_program *p = &h->part.program[i];

		if (meets(p, 0, UINT32_MAX) && !meets(p, 0, (uint32_t)h->n_ranks))
			return pl_err_set(
				err, PL_EINPUT,
				"schedule %s: aggregator %s exchanges chunks with no rank",
				s->schedule[i].algorithm, s->aggregator[h->k]);
	}
	return 0;
}

/* 127.0.0.1, which no other machine reaches; only other hubs connect to a hub.
 */
static int find_address(const struct hub *h, struct in6_addr *address, struct pl_err *err)
{
	const struct pl_host host = {.name = h->file->schedules.aggregator[h->k], .slots = 1};
	struct pl_self self = {0};
	int rc;

	*address = (struct in6_addr){.s6_addr = {[10] = 0xff, [11] = 0xff, [12] = 127, [15] = 1}};
	if (!meets_hubs(h))
		return 0;
	if (pl_self_init(&self, err))
		return -1;
	rc = pl_self_address(&self, &host, address, err);
	pl_self_fini(&self);
	return rc;
}

/* Listens; fills the own card. */
static int listen_here(struct hub *h, struct pl_card *card, struct pl_err *err)
{
	struct pl_mesh_options options = {
		.rank = (uint32_t)(h->n_ranks + h->k),
		.n_ranks = (uint32_t)pl_schedules_members(&h->file->schedules),
		.n_lanes = h->file->schedules.n_connections,
		.shares_memory = pl_self_shares_memory(),
		.digest = h->file->digest,
		.patience_ns = (int64_t)(h->o->timeout_s * 1e9)};
	struct sockaddr_storage own;
	struct in6_addr address;

	pl_hubs_name(&options, &h->file->schedules);
	if (find_address(h, &address, err))
		return -1;
	own = pl_self_sockaddr(&address, 0);
	if (pl_mesh_listen(&h->mesh, &options, &own, err))
		return -1;
	memcpy(card->address, &address, sizeof(card->address));
	card->port = own.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&own)->sin6_port
					       : ((struct sockaddr_in *)&own)->sin_port;
	return 0;
}

static struct sockaddr_storage address_of(const struct pl_card *card)
{
	struct in6_addr from;

	memcpy(&from, card->address, sizeof(from));
	return pl_self_sockaddr(&from, card->port);
}

/* A hub connects to its ranks, and to hubs before it. */
static int connect_all(struct hub *h, const struct pl_card *card, const struct pl_card *hub,
		       struct pl_err *err)
{
	const size_t n = pl_schedules_members(&h->file->schedules);
	struct sockaddr_storage *address = pl_array_create(n, sizeof(*address));
	bool *is_peer = pl_array_create(n, sizeof(*is_peer));
	int rc = address && is_peer ? 0 : pl_err_nomem(err);

	memcpy(h->mesh.options.key, card[0].key, sizeof(card[0].key));
	for (size_t r = 0; rc == 0 && r < n; r++)
		if (r < h->n_ranks || hub)
			address[r] = address_of(r < h->n_ranks ? &card[r] : &hub[r - h->n_ranks]);
	if (rc == 0) {
		pl_rank_part_peers(&h->part, is_peer);
		rc = pl_mesh_connect(&h->mesh, is_peer, address, err);
	}
	free(address);
	free(is_peer);
	return rc;
}

static int join(struct hub *h, const struct pl_card *card, const struct pl_card *hub,
		struct pl_err *err)
{
	return connect_all(h, card, hub, err) ||
			       hub_team_init(&h->team, &h->mesh, &h->part, h->o->threads, err) ||
			       pl_hub_ears_init(&h->ears, &h->mesh, err)
		       ? -1
		       : 0;
}

static int go_to_job(struct hub *h, struct pl_err *err)
{
	struct pl_card *card, *hub;
	int rc;

	if (read_schedules(h, err) || find_itself(h, err) || find_part(h, err))
		return -1;
	card = pl_array_create(h->n_ranks, sizeof(*card));
	hub = pl_array_create(h->file->schedules.n_aggregators, sizeof(*hub));
	rc = card && hub ? 0 : pl_err_nomem(err);
	if (rc == 0)
		rc = listen_here(h, &hub[h->k], err) || meet(h, card, hub, err) ||
				     check_digest(h, card, err) || join(h, card, hub, err)
			     ? -1
			     : 0;
	free(card);
	free(hub);
	return rc;
}

/* Room for the buffer of a call. */
static int make_room(struct hub *h, const struct pl_hub_call *call, size_t element_bytes,
		     struct pl_err *err)
{
	void *buffer;

	if (call->count > SIZE_MAX / element_bytes)
		return pl_err_nomem(err);
	if (call->count * element_bytes <= h->room)
		return 0;
	buffer = realloc(h->buffer, call->count * element_bytes);
	if (!buffer)
		return pl_err_nomem(err);
	h->buffer = buffer;
	h->room = call->count * element_bytes;
	return 0;
}

/* Parameters are in place of the buffer where none are pushed. */
static int prepare(struct hub *h, const struct pl_hub_call *told, struct pl_allreduce_call *call,
		   struct pl_err *err)
{
	const struct pl_schedule *s = &h->file->schedules.schedule[told->schedule];
	struct pl_parameters *p;

	if (told->what == PL_HUB_ALLREDUCE)
		return 0;
	if (pl_program_halve(&h->part.program[told->schedule], &s->slices, err) ||
	    pl_keys_prepare(&h->keys, told, true, call, &p, err))
		return -1;
	if (told->what == PL_HUB_PULL)
		call->buffer = p->value;
	return 0;
}

static int check(const struct hub *h, const struct pl_hub_call *told, struct pl_adder *adder,
		 struct pl_err *err)
{
	const bool exists = told->schedule < h->file->schedules.n && told->what < PL_HUB_WHATS &&
			    told->type < PL_REDUCE_TYPES && told->op < PL_REDUCE_OPS &&
			    (told->what == PL_HUB_ALLREDUCE ||
			     (told->type == PL_REDUCE_FLOAT && told->op == PL_REDUCE_SUM));

	*adder = (struct pl_adder){.add = NULL};
	if (exists)
		*adder = pl_reduce_adder((enum pl_reduce_type)told->type,
					 (enum pl_reduce_op)told->op);
	if (adder->add)
		return 0;
	return pl_err_set(err, PL_EINPUT,
			  "a rank called a schedule, type or operation that does not exist");
}

static int run(struct hub *h, const struct pl_hub_call *told, struct hub_done *done,
	       struct pl_err *err)
{
	struct pl_allreduce_call call = {.count = told->count};

	if (check(h, told, &call.adder, err) || make_room(h, told, call.adder.element_bytes, err))
		return -1;
	call.buffer = h->buffer;
	if (prepare(h, told, &call, err))
		return -1;
	if (hub_team_run(&h->team, told, &call, err)) {
		h->told_why = true;
		return -1;
	}
	done->calls++;
	done->bytes += told->count * call.adder.element_bytes;
	return 0;
}

/* Until all ranks have ended their asynchronous calls. */
static int serve_each(struct hub *h, struct hub_done *done, struct pl_err *err)
{
	const struct hub_async a = {
		.mesh = &h->mesh, .part = &h->part, .keys = &h->keys, .ears = &h->ears};

	if (hub_async_serve(&a, done, err)) {
		h->told_why = true;
		return -1;
	}
	hub_team_resume(&h->team);
	return 0;
}

static int serve(struct hub *h, struct hub_done *done, struct pl_err *err)
{
	const struct pl_hub_call *told = &h->ears.last;
	int rc;

	while ((rc = pl_hub_hear(&h->ears, err)) > 0)
		if (told->what == PL_HUB_ASYNC ? serve_each(h, done, err) : run(h, told, done, err))
			return -1;
	return rc;
}

static void init(struct hub *h, const struct hub_options *o)
{
	*h = (struct hub){.o = o, .mesh = {.listener = -1, .epoll = -1}};
}

/* To the last call, and tells the ranks why it was the last. */
static int serve_all(struct hub *h, struct hub_done *done, struct pl_err *err)
{
	const int rc = serve(h, done, err);

	if (rc && !h->told_why)
		hub_fail(&h->mesh, err);
	return rc;
}

int hub_serve(const struct hub_options *o, struct hub_done *done, struct pl_err *err)
{
	struct hub h;
	int rc;

	init(&h, o);
	rc = go_to_job(&h, err);
	if (rc == 0)
		rc = serve_all(&h, done, err);
	hub_fini(&h);
	return rc;
}

/* What rank 0 asks for: the schedules, and which aggregator. */
static int understand(struct hub *h, const struct pl_service *service, struct pl_text *text,
		      struct pl_err *err)
{
	h->file = pl_schedule_file_parse(text, err);
	if (!h->file)
		return -1;
	h->n_ranks = pl_schedule_file_processes(h->file);
	h->k = service->aggregator;
	if (h->k >= h->file->schedules.n_aggregators || service->n != h->n_ranks)
		return pl_err_set(
			err, PL_EINPUT,
			"aggregator %zu for %zu processes: the schedules have %zu for %zu", h->k,
			service->n, h->file->schedules.n_aggregators, h->n_ranks);
	/* of the file that the ranks have read, not of this text */
	h->file->digest = pl_card_get_digest(&service->card[0]);
	if (find_part(h, err))
		return -1;
	if (meets_hubs(h))
		return pl_err_set(
			err, PL_EUSAGE,
			"aggregators that exchange chunks with one another need PLINK_HUB_MEET");
	return 0;
}

/* A thread that waits to be replaced. */
struct guard {
	pthread_mutex_t lock;
	const struct pl_mesh *mesh; /* NULL: there is no rank to be told */
	sigset_t signal;
};

static void *wait_to_be_replaced(void *arg)
{
	struct guard *g = arg;
	int number;

	if (sigwait(&g->signal, &number))
		return NULL;
	pthread_mutex_lock(&g->lock);
	if (g->mesh)
		pl_hub_tell_why(g->mesh,
				"this job has come anew, and the hub serves its newest run");
	_exit(PL_EXIT_SYSTEM);
}

static int guard_begin(struct guard *g, struct pl_err *err)
{
	pthread_t thread;

	*g = (struct guard){.lock = PTHREAD_MUTEX_INITIALIZER};
	sigemptyset(&g->signal);
	sigaddset(&g->signal, HUB_REPLACED);
	pthread_sigmask(SIG_BLOCK, &g->signal, NULL);
	errno = pthread_create(&thread, NULL, wait_to_be_replaced, g);
	return errno ? pl_err_errno(err, "no thread") : 0;
}

static void guard_watches(struct guard *g, const struct pl_mesh *mesh)
{
	pthread_mutex_lock(&g->lock);
	g->mesh = mesh;
	pthread_mutex_unlock(&g->lock);
}

/* Reads what rank 0 brings, and answers. */
static int hear_job(struct hub *h, int fd, const struct pl_service_hello *hello,
		    const struct pl_nonces *nonces, const char *secret, struct pl_service *service,
		    struct pl_err *err)
{
	const int64_t deadline_ns = pl_clock_ns() + BODY_NS;
	struct pl_text text;
	int rc = pl_service_read(fd, hello, deadline_ns, service, &text, err);

	if (rc == 0) {
		rc = understand(h, service, &text, err);
		pl_text_fini(&text);
	}
	pl_service_answer(fd, hello, nonces, secret, rc ? err->text : NULL);
	return rc;
}

int hub_serve_job(const struct hub_options *o, int fd, const struct pl_service_hello *hello,
		  const struct pl_nonces *nonces, const char *secret, struct hub_done *done,
		  struct pl_err *err)
{
	static struct guard guard; /* its thread lasts as long as the process */
	struct pl_service service = {.card = NULL};
	struct pl_card hub;
	struct hub h;
	int rc;

	init(&h, o);
	rc = guard_begin(&guard, err) || hear_job(&h, fd, hello, nonces, secret, &service, err) ? -1
												: 0;
	close(fd);
	if (rc == 0)
		rc = listen_here(&h, &hub, err) || join(&h, service.card, NULL, err) ? -1 : 0;
	if (rc == 0) {
		guard_watches(&guard, &h.mesh);
		rc = serve_all(&h, done, err);
		guard_watches(&guard, NULL);
	}
	free(service.body);
	hub_fini(&h);
	return rc;
}

void hub_say_done(const char *job, const struct hub_done *done)
{
	char size[PL_SIZE_CHARS];

	pl_tool_say(HUB_TOOL, "%s%" PRIu64 " call%s, %s in all", job, done->calls,
		    done->calls == 1 ? "" : "s", pl_size_format(size, done->bytes));
}
