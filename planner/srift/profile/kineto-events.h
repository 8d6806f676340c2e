/* SPDX-License-Identifier: BSD-3-Clause */
/* kineto-events.h - the events of a training iteration in a trace of PyTorch's profiler */
#ifndef PLINK_PLANNER_SRIFT_PROFILE_KINETO_EVENTS_H
#define PLINK_PLANNER_SRIFT_PROFILE_KINETO_EVENTS_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

enum pl_kineto_kind {
	PL_KINETO_STEP,      /* ProfilerStep#N */
	PL_KINETO_OPTIMIZER, /* Optimizer.step#... */
	PL_KINETO_ZERO,      /* Optimizer.zero_grad#... */
	PL_KINETO_LOADER,    /* enumerate(DataLoader)#... */
	PL_KINETO_FORWARD,   /* the model is called */
	PL_KINETO_BACKWARD,  /* autograd runs a function */
	PL_KINETO_GRADIENT,  /* a gradient is added to that of a parameter */
	PL_KINETO_ALL_REDUCE,
	/* the same as an older PyTorch records it, instead of the former or within it */
	PL_KINETO_ALL_REDUCE_NOTE,
	PL_KINETO_COLLECTIVE, /* others that could carry gradients */
	PL_KINETO_OP,         /* any other on the processor */
};

/* An event on the processor; times in microseconds of the trace. */
struct pl_kineto_event {
	enum pl_kineto_kind kind;
	double begin_us, end_us;
	uint64_t bytes; /* of its operand; 0: not in the trace */
};

/* The end of a kernel on the accelerator, or the begin of its launch. */
struct pl_kineto_link {
	int64_t correlation; /* the same for both */
	double us;
};
struct pl_kineto_links {
	struct pl_kineto_link *v;
	size_t n, room;
};

/* Events in order of their begin, kernels and launches of their correlation; kernels without
 * all-reduces and other collectives. Start with {0}, end with fini. */
struct pl_kineto_events {
	struct pl_kineto_event *event;
	size_t n_events, event_room;
	struct pl_kineto_links kernels, launches;
	size_t n_read;        /* number of all events in the trace */
	char unknown[64];     /* the first type whose elements have no known size; "": none */
	struct pl_err damage; /* of those left out; code PL_OK: none was */
};

/*
 * Reads a trace (also compressed with gzip; "-": standard input): an object with the array
 * "traceEvents", as Kineto writes it, or that array alone, as a PyTorch without Kineto writes it.
 * Memory: 40 bytes for each operation or kernel. 0, or -1 with @e empty and @err set: PL_EINPUT
 * with the place if the file is not a trace or is cut off, or PL_ESYSTEM.
 */
int pl_kineto_events_read(struct pl_kineto_events *e, const char *path, struct pl_err *err);
void pl_kineto_events_fini(struct pl_kineto_events *e);

#endif
