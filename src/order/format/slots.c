/* SPDX-License-Identifier: BSD-3-Clause */
/* slots.c - launchers that want a line per host with its slots */
/* Hydra of MPICH 4, that of Intel MPI 2021 with -machinefile (with -f it reads names alone),
 * DeepSpeed 0.16 and Horovod 0.28 number ranks host by host, in the order of the file. DeepSpeed
 * passes the hosts to pdsh, which keeps it; Horovod with MPI would pass them to mpirun -H and not
 * keep it. */
#include "config.h"

#include "src/order/format/format.h"

static int write_colon(const struct pl_reorder_answer *a, FILE *out, struct pl_err *err)
{
	(void)err;
	for (size_t k = 0; k < a->in->hosts.n; k++) {
		const struct pl_host *h = pl_reorder_host(a, k);

		fprintf(out, "%s:%d\n", h->name, h->slots);
	}
	return 0;
}

static int write_slots(const struct pl_reorder_answer *a, FILE *out, struct pl_err *err)
{
	(void)err;
	for (size_t k = 0; k < a->in->hosts.n; k++) {
		const struct pl_host *h = pl_reorder_host(a, k);

		fprintf(out, "%s slots=%d\n", h->name, h->slots);
	}
	return 0;
}

/* With users, which pdsh and ssh take so. */
static int write_users(const struct pl_reorder_answer *a, FILE *out, struct pl_err *err)
{
	(void)err;
	for (size_t k = 0; k < a->in->hosts.n; k++) {
		const struct pl_host *h = pl_reorder_host(a, k);

		fprintf(out, "%s%s%s slots=%d\n", h->user ? h->user : "", h->user ? "@" : "",
			h->name, h->slots);
	}
	return 0;
}

/* Within a job of a scheduler, the scheduler's own placement would come before the file without
 * this variable. */
static char *command_intelmpi(const struct pl_reorder_answer *a, const char *file, const char **who)
{
	struct pl_words words = {0};
	char n[32];

	*who = "Intel MPI, which may take other algorithms than MPICH";
	snprintf(n, sizeof(n), "%zu", pl_hosts_ranks(&a->in->hosts));
	pl_words_add(&words, "env");
	pl_words_add_pair(&words, "I_MPI_JOB_RESPECT_PROCESS_PLACEMENT", "0");
	pl_words_add(&words, "mpirun");
	pl_words_add(&words, "-machinefile");
	pl_words_add(&words, file);
	pl_words_add(&words, "-n");
	pl_words_add(&words, n);
	pl_words_add(&words, "./app");
	return pl_reorder_command(&words);
}

static char *command_deepspeed(const struct pl_reorder_answer *a, const char *file,
			       const char **who)
{
	struct pl_words words = {0};

	*who = "DeepSpeed (launcher pdsh, its default)";
	pl_reorder_add_nccl(&words, a, true); /* it passes NCCL_* on */
	pl_words_add(&words, "deepspeed");
	pl_words_add_pair(&words, "--hostfile", file);
	pl_words_add(&words, "train.py");
	return pl_reorder_command(&words);
}

static char *command_horovod(const struct pl_reorder_answer *a, const char *file, const char **who)
{
	struct pl_words words = {0};
	char n[32];

	*who = "Horovod";
	snprintf(n, sizeof(n), "%zu", pl_hosts_ranks(&a->in->hosts));
	pl_words_add(&words, "horovodrun");
	pl_words_add(&words, "--gloo"); /* mpirun -H may move hosts */
	pl_words_add(&words, "-np");
	pl_words_add(&words, n);
	pl_words_add(&words, "--hostfile");
	pl_words_add(&words, file);
	pl_words_add(&words, "python3");
	pl_words_add(&words, "train.py");
	return pl_reorder_command(&words);
}

const struct pl_reorder_form pl_form_mpich = {
	.name = "mpich",
	.launcher = "MPICH's Hydra",
	.file = "hostfile",
	.flags = PL_FORM_NO_IPV6 | PL_FORM_VERIFIED,
	.write = write_colon,
};

const struct pl_reorder_form pl_form_intelmpi = {
	.name = "intelmpi",
	.launcher = "Intel MPI",
	.library = "mpich",
	.file = "machinefile",
	.flags = PL_FORM_NO_IPV6,
	.write = write_colon,
	.command = command_intelmpi,
};

const struct pl_reorder_form pl_form_deepspeed = {
	.name = "deepspeed",
	.launcher = "DeepSpeed",
	.library = "nccl",
	.file = "hostfile",
	.flags = PL_FORM_NO_REPEAT | PL_FORM_NO_IPV6, /* of pdsh */
	.write = write_users,
	.command = command_deepspeed,
};

const struct pl_reorder_form pl_form_horovod = {
	.name = "horovod",
	.launcher = "Horovod",
	.library = "gloo",
	.file = "hostfile",
	.flags = PL_FORM_NO_REPEAT | PL_FORM_NO_IPV6,
	.write = write_slots,
	.command = command_horovod,
};
