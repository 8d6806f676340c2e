/* SPDX-License-Identifier: BSD-3-Clause */
/* visitors.h - who connects to a socket that listens, all heard at once */
/*
 * Where a process listens, strangers come, too, and say nothing, or slowly, or what nobody
 * understands. So each visitor is heard as its bytes come and waits for no other; it has some
 * seconds for all that it has to say. One that has shown that it belongs here is known; of the
 * strangers, the oldest has to go if there are too many of them, or no descriptors left. If all
 * that came are known, the soft limit of descriptors rises towards the hard one, until fini or
 * forget. Only who hears them answers.
 */
#ifndef PLINK_BASE_VISITORS_H
#define PLINK_BASE_VISITORS_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PL_VISITOR_NS ((int64_t)5 * 1000 * 1000 * 1000) /* mostly */
/* Strangers; a quarter of the process's descriptors if that is less. */
#define PL_STRANGERS_MAX 1024

/* The begin of what the hearer knows of each. */
struct pl_visitor {
	int fd;              /* does not block */
	unsigned char *said; /* [got] of the want bytes */
	size_t got, want;
	bool is_known; /* set by the hearer */
	int64_t deadline_ns;
	struct pl_visitor *older, *newer;
};

/* What becomes of a visitor: it goes; it may go on, to more bytes, which the hearer has added to
 * want; or the hearer has taken its descriptor. */
enum pl_visit { PL_VISIT_ENDS, PL_VISIT_GOES_ON, PL_VISIT_IS_TAKEN };

struct pl_hearer {
	size_t size;  /* of what begins with a struct pl_visitor; else zeros */
	size_t first; /* bytes that every visitor has to say */
	int64_t patience_ns;
	/* All that v->want asks for is there. */
	enum pl_visit (*hear)(void *with, struct pl_visitor *v);
	/* Told of each that is sent away unheard, before its descriptor is closed, and why; or
	 * NULL. */
	void (*drop)(void *with, const struct pl_visitor *v, const char *why);
	void *with;
};

/* Start with init, end with fini. */
struct pl_visitors {
	struct pl_hearer hearer;
	int listener, epoll; /* the listener, which does not block, is lent */
	struct pl_visitor *oldest, *newest;
	size_t n_strangers, strangers_max;
	int64_t deaf_until_ns; /* 0: the listener is heard */
	uint64_t descriptors;  /* the soft limit before it was raised; 0: it was not */
	/* why one could not be let in, of all the latest; code 0: none */
	struct pl_err trouble;
	bool has_lost; /* one of them for want of memory: it has gone */
};

/* 0, or -1 with @err set, PL_ESYSTEM, and nothing to end. */
int pl_visitors_init(struct pl_visitors *all, int listener, const struct pl_hearer *hearer,
		     struct pl_err *err);

/* Waits until visitors have something to say, which is heard, the descriptor @also (or -1) is ready
 * for @events (poll(2)), that time has come, or any of them has to go. Is @also ready? */
bool pl_visitors_hear(struct pl_visitors *all, int also, short events, int64_t until_ns);

/* Closes all connections, but not the listener. */
void pl_visitors_fini(struct pl_visitors *all);

/* The same in a child process, without effect on those of the parent. */
void pl_visitors_forget(struct pl_visitors *all);

#endif
