/* SPDX-License-Identifier: BSD-3-Clause */
/* format.c - the table of output formats, and what each can express */
#include "config.h"

#include "src/order/format/format.h"

#include "base/text/names.h"
#include "base/text/shell.h"
#include "costmodels/nccl.h"

#include <stdlib.h>
#include <string.h>

static const struct pl_reorder_form *const forms[PL_REORDER_FORMATS] = {
	[PL_FORMAT_HOSTFILE] = &pl_form_hostfile,
	[PL_FORMAT_SEQ] = &pl_form_seq,
	[PL_FORMAT_RANKFILE] = &pl_form_rankfile,
	[PL_FORMAT_NAMES] = &pl_form_names,
	[PL_FORMAT_PLAN] = &pl_form_plan,
	[PL_FORMAT_JSON] = &pl_form_json,
	[PL_FORMAT_OMPI_RULES] = &pl_form_ompi_rules,
	[PL_FORMAT_MPICH] = &pl_form_mpich,
	[PL_FORMAT_INTELMPI] = &pl_form_intelmpi,
	[PL_FORMAT_SLURM] = &pl_form_slurm,
	[PL_FORMAT_LIGHTGBM] = &pl_form_lightgbm,
	[PL_FORMAT_DEEPSPEED] = &pl_form_deepspeed,
	[PL_FORMAT_TORCHRUN] = &pl_form_torchrun,
	[PL_FORMAT_HOROVOD] = &pl_form_horovod,
	[PL_FORMAT_PDSH] = &pl_form_pdsh,
	[PL_FORMAT_SCHEDULE] = &pl_form_schedule,
};

const struct pl_reorder_form *pl_reorder_form(enum pl_reorder_format format)
{
	return forms[format];
}

const struct pl_host *pl_reorder_host(const struct pl_reorder_answer *a, size_t pos)
{
	return &a->in->hosts.v[a->r->host_at[pos]];
}

char *pl_reorder_list_hosts(const struct pl_reorder_answer *a)
{
	char *list = NULL;
	size_t len;
	FILE *f = open_memstream(&list, &len);

	for (size_t k = 0; f && k < a->in->hosts.n; k++)
		for (int i = 0; i < pl_reorder_host(a, k)->slots; i++)
			fprintf(f, "%s%s", k + (size_t)i > 0 ? "," : "",
				pl_reorder_host(a, k)->name);
	if (f && fclose(f) == 0)
		return list;
	free(list);
	return NULL;
}

char *pl_reorder_command(struct pl_words *words)
{
	char *command = words->failed ? NULL : pl_shell_command(words->v);

	pl_words_fini(words);
	return command;
}

void pl_reorder_add_nccl(struct pl_words *words, const struct pl_reorder_answer *a, bool env)
{
	const struct pl_algorithm *algorithm = a->o->request.what.a;
	char value[64];

	if (algorithm->impl != PL_NCCL || !a->o->request.names.algorithm ||
	    algorithm->collective == PL_ALLTOALL)
		return;
	snprintf(value, sizeof(value), "%s:%s", pl_nccl_function(algorithm->collective),
		 pl_nccl_algo_name(pl_nccl_algo_of(algorithm)));
	if (env)
		pl_words_add(words, "env");
	pl_words_add_pair(words, "NCCL_ALGO", value);
}

static int check_repeats(const struct pl_reorder_form *form, const struct pl_hosts *hosts,
			 struct pl_err *err)
{
	struct pl_names names = {0};
	int rc = 0;

	for (size_t h = 0; rc == 0 && h < hosts->n; h++) {
		const char *name = hosts->v[h].name;
		const int again = pl_names_add(&names, name, strlen(name), h);

		if (again < 0)
			rc = pl_err_nomem(err);
		else if (again)
			rc = pl_err_set(err, PL_EINPUT,
					"host \"%s\" appears again: %s needs each host once, with "
					"its slots",
					name, form->launcher);
	}
	pl_names_fini(&names);
	return rc;
}

static int check_names(const struct pl_reorder_form *form, const struct pl_hosts *hosts,
		       struct pl_err *err)
{
	for (size_t h = 0; h < hosts->n; h++)
		if (strchr(hosts->v[h].name, ':'))
			return pl_err_set(
				err, PL_EINPUT,
				"host \"%s\": %s reads no IPv6 address; give the host a name",
				hosts->v[h].name, form->launcher);
	return 0;
}

static int check_slots(const struct pl_reorder_form *form, const struct pl_hosts *hosts,
		       struct pl_err *err)
{
	for (size_t h = 1; h < hosts->n; h++)
		if (hosts->v[h].slots != hosts->v[0].slots)
			return pl_err_set(err, PL_EINPUT,
					  "%s has %d slots, %s %d: %s wants as many on every host",
					  hosts->v[0].name, hosts->v[0].slots, hosts->v[h].name,
					  hosts->v[h].slots, form->launcher);
	return 0;
}

int pl_reorder_form_check(const struct pl_hosts *hosts, const struct pl_reorder_options *o,
			  struct pl_err *err)
{
	const struct pl_reorder_form *form = pl_reorder_form(o->format);

	if ((form->flags & PL_FORM_NO_IPV6 && check_names(form, hosts, err)) ||
	    (form->flags & PL_FORM_NO_REPEAT && check_repeats(form, hosts, err)) ||
	    (form->flags & PL_FORM_EVEN && check_slots(form, hosts, err)))
		return -1;
	return 0;
}

int pl_reorder_form_check_addresses(const struct pl_hosts *hosts,
				    const struct pl_reorder_options *o, struct pl_err *err)
{
	const struct pl_reorder_form *form = pl_reorder_form(o->format);

	return form->check ? form->check(hosts, o, err) : 0;
}
