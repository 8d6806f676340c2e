/* SPDX-License-Identifier: BSD-3-Clause */
/* format.h - launchers other than mpirun: their files, and the commands for them */
#ifndef PLINK_SRC_ORDER_FORMAT_FORMAT_H
#define PLINK_SRC_ORDER_FORMAT_FORMAT_H

#include "src/err.h"
#include "src/hosts.h"
#include "src/order/output.h"
#include "src/words.h"

#include <stdbool.h>
#include <stdio.h>

/* What a launcher cannot be told. */
enum {
	PL_FORM_NO_REPEAT = 1, /* a host that comes again */
	PL_FORM_NO_IPV6 = 2,   /* a colon in a name */
	PL_FORM_EVEN = 4,      /* hosts of different numbers of slots */
};

/* A launcher whose file holds the order. */
struct pl_order_form {
	const char *who;
	const char *file; /* called so in commands where it has no name */
	unsigned refuses; /* PL_FORM_... */
	/* 0, or -1 with @err set: addresses that it needs and are not known.
	 * NULL: it needs none */
	int (*check)(const struct pl_hosts *hosts,
		     const struct pl_order_options *o, struct pl_err *err);
	void (*write)(const struct pl_order_answer *a, FILE *out);
	/* The command that tells it of the file, the caller's to free, and in
	 * *who whom it is for; NULL: no memory. The member NULL: launch.h
	 * knows */
	char *(*command)(const struct pl_order_answer *a, const char *file,
			 const char **who);
};

/* NULL: a format that no such launcher reads. */
const struct pl_order_form *pl_order_form(enum pl_order_format format);

/* Can the format in @o tell these hosts? And their addresses, which may become known
 * by measuring? 0, or -1 with @err set (PL_EINPUT, or memory). */
int pl_order_form_check(const struct pl_hosts *hosts,
			const struct pl_order_options *o, struct pl_err *err);
int pl_order_form_check_addresses(const struct pl_hosts *hosts,
				  const struct pl_order_options *o,
				  struct pl_err *err);

/* The host at a place of the order that was found. */
const struct pl_host *pl_order_host(const struct pl_order_answer *a,
				    size_t pos);

/* The command of these words, which are released; the caller's. NULL: no memory. */
char *pl_order_command(struct pl_words *words);

/* Adds what makes NCCL take the algorithm that was named: "env", if @env, and a
 * variable; nothing where none was, or of another library. */
void pl_order_add_nccl(struct pl_words *words, const struct pl_order_answer *a,
		       bool env);

extern const struct pl_order_form pl_form_mpich, pl_form_slurm;
extern const struct pl_order_form pl_form_lightgbm, pl_form_deepspeed;
extern const struct pl_order_form pl_form_torchrun, pl_form_horovod;
extern const struct pl_order_form pl_form_pdsh;

#endif
