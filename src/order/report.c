/* SPDX-License-Identifier: BSD-3-Clause */
/* report.c - what plink-order says on stderr about its answer */
#include "config.h"

#include "src/order/report.h"

#include "src/order/format/format.h"
#include "src/order/job.h"
#include "src/order/schedules.h"
#include "src/order/setting.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Hosts named before the rest is only counted. */
#define NAMED_MAX 20

static void say_pairs(const struct pl_reorder_answer *a)
{
	if (pl_reorder_report_told_pairs(a))
		return;
	pl_reorder_say("%zu hosts, %zu ranks; pairs: %zu measured, %zu missing", a->given->n,
		       pl_hosts_ranks(a->given), a->in->pairs_measured, a->in->pairs_missing);
}

static void say_choice(const struct pl_reorder_answer *a)
{
	const size_t n = a->left_out->n;
	char label[PL_HOST_LABEL], *names = NULL;
	size_t len;
	FILE *f = open_memstream(&names, &len);

	for (size_t i = 0; f && i < n && i < NAMED_MAX; i++)
		fprintf(f, "%s%s", i ? ", " : "", pl_order_label(label, &a->left_out->v[i]));
	if (f && n > NAMED_MAX)
		fprintf(f, " and %zu more", n - NAMED_MAX);
	if (f && fclose(f) == 0 && n > 0)
		pl_reorder_say("%zu chosen, %zu left out: %s", a->in->hosts.n, n, names);
	else if (n == 0)
		pl_reorder_say("all %zu chosen", a->in->hosts.n);
	free(names);
}

/* Explains why the order is more expensive than the given one. */
static void say_price(const struct pl_reorder_answer *a)
{
	if (a->left_out && a->left_out->n > 0)
		pl_reorder_say("that is what %s costs: the given order is of other hosts, or "
			       "begins with another one",
			       a->o->request.pin ? "--pin" : "--not-first");
	else if (a->o->request.pin)
		pl_reorder_say(
			"that is what --pin=%s costs: the given order begins with another host",
			a->o->request.pin);
	else
		pl_reorder_say("that is what --not-first costs: the given order begins with %s",
			       a->given->v[0].name);
}

/* The unit of costs, such as " ms"; empty for several kinds of calls, whose costs are relative to
 * those of the given order. */
static const char *cost_unit(const struct pl_reorder_answer *a)
{
	static const char *const unit[] = {
		[PL_NS] = " ns", [PL_US] = " us",         [PL_MS] = " ms",
		[PL_S] = " s",   [PL_LEVELS] = " levels",
	};

	return a->promise && a->promise->blended ? "" : unit[a->in->unit];
}

static void say_costs(const struct pl_reorder_answer *a)
{
	const struct pl_order_result *r = a->r;
	const double gain = pl_order_gain(r->cost_given, r->cost);
	const char *unit = cost_unit(a);
	const bool mixed = a->promise && pl_order_workload_is_mixed(&a->promise->w);
	char title[PL_ORDER_TITLE];

	if (!a->promise)
		pl_reorder_report_taken(a);
	if (r->kept && !a->promise)
		pl_reorder_say("only %.2f %% could be gained, less than the %.4g %% asked for: the "
			       "given order is kept%s",
			       r->gain_missed, a->o->request.min_gain,
			       r->unchanged ? "" : ", but for who comes first");
	pl_reorder_say("%s%s: given %.12g%s, found %.12g%s (%.2f %% %s)",
		       !a->promise ? ""
		       : mixed     ? "by hops, all calls"
				   : "by hops, all calls of ",
		       mixed ? "" : pl_order_title(title, &a->o->request.what), r->cost_given, unit,
		       r->cost, unit, fabs(gain), gain < 0 ? "more" : "less");
	if (gain < 0 && !a->promise)
		say_price(a);
	if (!isnan(r->hops))
		pl_reorder_say("only the slowest hop counts; of orders that cost the same, by the "
			       "sum of hops: given %.12g%s, found %.12g%s",
			       r->hops_given, unit, r->hops, unit);
	if (r->unchanged)
		pl_reorder_say("the order is the given one, unchanged");
}

/* Reports what Z3 and GLPK contributed, or why they did not; what Z3 did not change if @always. */
static void say_refined(const struct pl_order_result *r, bool always)
{
	const struct pl_order_refined *z3 = &r->refined;

	if (z3->lack & PL_ORDER_LACKS_GLPK)
		pl_reorder_say("not built with GLPK: the bound stays as it is");
	if (z3->lack & PL_ORDER_LACKS_Z3)
		pl_reorder_say("not built with Z3: the order is not refined");
	if (z3->lack & PL_ORDER_UNEVEN_SLOTS)
		pl_reorder_say("hosts differ in slots: Z3 is not asked");
	if (z3->found > 0 || (z3->asked > 0 && always))
		pl_reorder_say("Z3: %llu questions for an order%s whose hops cost less, %llu "
			       "answers, %.4g %% less%s%s",
			       (unsigned long long)z3->asked, z3->whole ? "" : " of 8 hosts",
			       (unsigned long long)z3->found, z3->gain,
			       isnan(z3->slack) ? "" : ": no order's hops cost less",
			       z3->slack > 0 ? " by more than a millionth" : "");
}

void pl_reorder_report_bound(const struct pl_reorder_answer *a)
{
	const struct pl_order_result *r = a->r;

	if (isnan(r->bound))
		return;
	if (r->exact)
		pl_reorder_say("best possible: %.12g%s, gap 0 %%: no order%s%s%s is cheaper",
			       r->cost, cost_unit(a), a->left_out ? " of as many hosts" : "",
			       !r->narrowed        ? ""
			       : a->o->request.pin ? " that begins with "
						   : " that --not-first allows",
			       r->narrowed && a->o->request.pin ? a->o->request.pin : "");
	else if (r->bound > 0)
		pl_reorder_say("best possible: not below %.12g%s%s%s, gap %.3f %%", r->bound,
			       cost_unit(a), r->proof ? ", by " : "", r->proof ? r->proof : "",
			       100 * pl_order_gap(r));
	else
		pl_reorder_say("best possible: no bound above 0");
}

void pl_reorder_report(const struct pl_reorder_answer *a)
{
	const struct pl_order_result *r = a->r;

	say_pairs(a);
	pl_reorder_report_told(a);
	if (a->left_out)
		say_choice(a);
	if (r->stopped)
		pl_reorder_warn("interrupted: this is the best order so far");
	say_refined(r, a->o->verbose || a->o->request.method != PL_METHOD_SEARCH);
	if (a->promise)
		pl_reorder_report_promise(a);
	if (a->schedules)
		pl_reorder_report_schedules(a);
	if (a->job)
		pl_reorder_report_job(a);
	else if (!a->promise || a->o->verbose)
		say_costs(a);
	if (!a->job && !a->left_out)
		pl_reorder_report_pairs(a);
	if (a->in->window_bytes > 0)
		pl_reorder_say("LightGBM's sockets are taken to pass %g bytes in a round trip; its "
			       "version for MPI knows no such limit",
			       a->in->window_bytes);
	if (!a->job && (!a->promise || a->o->verbose))
		pl_reorder_report_bound(a);
	if (!a->job)
		pl_reorder_report_nccl(a);
	pl_reorder_say("seconds: probe %.3f, solve %.3f, bound %.3f; seed %llu, moves %llu",
		       a->from->probe.seconds, r->solve_seconds, r->bound_seconds,
		       (unsigned long long)a->o->request.seed, (unsigned long long)r->moves);
}

/* Does a file of @size bytes hold nothing but the order? A launcher would take earlier contents
 * (>>) for ranks, too. */
static bool is_all(const struct pl_reorder_answer *a, off_t size)
{
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);
	bool all = f && pl_reorder_write(a, a->o->format, f, NULL) == 0;

	if (f && fclose(f))
		all = false;
	free(text);
	return all && (off_t)len == size;
}

/* The file that standard output goes to, if it has a name and will hold nothing but the order. */
static const char *stdout_name(const struct pl_reorder_answer *a, bool written, char buf[PATH_MAX])
{
	struct stat open_file, named;
	ssize_t len;

	if (fstat(STDOUT_FILENO, &open_file) || !S_ISREG(open_file.st_mode))
		return NULL;
	len = readlink("/proc/self/fd/1", buf, PATH_MAX - 1);
	if (len <= 0)
		return NULL;
	buf[len] = '\0';
	if (stat(buf, &named) || named.st_ino != open_file.st_ino ||
	    named.st_dev != open_file.st_dev)
		return NULL;
	if (!written)
		return named.st_size == 0 ? buf : NULL;
	return is_all(a, named.st_size) ? buf : NULL;
}

/* The file's name, if the file can be read again. */
static const char *regular(const char *file)
{
	struct stat st;

	return stat(file, &st) == 0 && S_ISREG(st.st_mode) ? file : NULL;
}

/* A line per host is also a line per rank if no host has several. */
static bool launchable(const struct pl_reorder_answer *a)
{
	const struct pl_reorder_form *form = pl_reorder_form(a->o->format);

	return form->launcher || form->flags & PL_FORM_MPIRUN ||
	       (a->o->format == PL_FORMAT_NAMES && pl_hosts_ranks(&a->in->hosts) == a->in->hosts.n);
}

/* Host files contain names only. */
static void say_ports(const struct pl_reorder_answer *a)
{
	size_t n_ports = 0;

	for (size_t h = 0; h < a->in->hosts.n; h++)
		n_ports += a->in->hosts.v[h].port != 0;
	if (n_ports > 0)
		pl_reorder_warn("the ports of %zu hosts are not in the output: the launcher must "
				"know them by itself",
				n_ports);
}

/* The output holds the order, or the rules for it. */
static void name_files(struct pl_mpi_job *job, const char *output)
{
	if (job->format == PL_FORMAT_OMPI_RULES)
		job->rules = output ? output : "rules";
	else
		job->file = output;
	if (!job->file)
		job->file = pl_reorder_form(job->format)->file;
}

/* Slurm numbers tasks by this file only. */
static void say_srun(const struct pl_reorder_answer *a, const char *command)
{
	const char *first = pl_reorder_host(a, 0)->name;

	pl_reorder_say("for srun, within the job: %s", command);
	pl_reorder_say("SLURM_PROCID follows this order; SLURM_NODEID and the node lists do not: "
		       "rank 0 is on %s, as MASTER_ADDR must say",
		       first);
}

static const char *name_mpirun(const struct pl_reorder_answer *a, const struct pl_mpi *mpi)
{
	if (mpi->kind != PL_MPI_NONE)
		return mpi->name;
	return a->o->format == PL_FORMAT_MPICH ? "MPICH's Hydra" : "Open MPI 4.1";
}

/* Open MPI 4's daemons end with a segmentation fault where a host is an IPv6 address. */
static bool lacks_name(const struct pl_reorder_answer *a, const struct pl_mpi *mpi)
{
	if (mpi->kind != PL_MPI_OPENMPI_4)
		return false;
	for (size_t h = 0; h < a->in->hosts.n; h++)
		if (strchr(a->in->hosts.v[h].name, ':'))
			return true;
	return false;
}

static void say_mpirun(const struct pl_reorder_answer *a, const struct pl_mpi *mpi,
		       const char *command)
{
	if (!command && lacks_name(a, mpi))
		pl_reorder_warn("%s knows no hosts by IPv6 addresses: list names, which are "
				"under Host and HostName in ~/.ssh/config",
				mpi->name);
	else if (!command)
		pl_reorder_warn(
			"mpirun is %s: no way known to make it follow this file; Intel MPI has one "
			"of its own (--format=intelmpi), --plan=FILE and plink-exec need none",
			mpi->name);
	else
		pl_reorder_say("%s %s: %s",
			       mpi->kind == PL_MPI_NONE ? "no mpirun here; with" : "for",
			       name_mpirun(a, mpi), command);
	if (command && a->from->ways.launch &&
	    !(a->from->ways.agent && pl_mpi_takes_logins(mpi, a->o->format)))
		pl_reorder_warn("this mpirun does not log in by \"%s\": what its options say can "
				"stand in ~/.ssh/config",
				a->from->ways.launch);
	if (command && a->from->ways.logins && !pl_mpi_takes_logins(mpi, a->o->format))
		pl_reorder_warn("this mpirun logs in to all %zu hosts at once: raise MaxStartups "
				"in the sshd_config of the server that dropped logins",
				a->in->hosts.n);
}

/* The options of mpirun that make the library use the named algorithm; empty: there are none, or
 * rules are written. Returns @buf. */
static const char *named_setting(char buf[PL_SETTING_CHARS], const struct pl_reorder_answer *a)
{
	buf[0] = '\0';
	if (a->o->request.names.algorithm && !pl_reorder_writes_rules(a->o))
		pl_algorithm_setting(buf, a->o->request.what.a, a->o->request.what.radix,
				     a->o->request.what.segment_bytes);
	return buf;
}

/* The command for an order that is no schedule. */
static char *order_command(const struct pl_reorder_answer *a, const struct pl_mpi *mpi,
			   const char *mpirun, const char *file)
{
	static const char *const app[] = {"./app", NULL};
	char setting[PL_SETTING_CHARS];
	char *hosts = pl_reorder_list_hosts(a);
	struct pl_words words = {0};
	struct pl_mpi_job job = {
		.hosts = a->o->format == PL_FORMAT_RANKFILE ? hosts : NULL,
		.setting = named_setting(setting, a),
		.ways = &a->from->ways,
		.mpirun = mpirun,
		.format = a->o->format,
		.n_ranks = pl_hosts_ranks(&a->in->hosts),
		.rules = a->o->rules,
		.app = app,
	};
	int rc = -1;

	name_files(&job, file);
	if (hosts)
		rc = pl_mpi_command(mpi, &job, &words);
	free(hosts);
	return rc ? NULL : pl_reorder_command(&words);
}

/* The command for the order in @file; NULL: there is none, or no memory. */
static char *find_command(const struct pl_reorder_answer *a, const struct pl_mpi *mpi,
			  const char *mpirun, const char *file)
{
	if (lacks_name(a, mpi))
		return NULL;
	return a->o->format == PL_FORMAT_SCHEDULE
		       ? pl_reorder_schedule_command(a, mpi, mpirun, file)
		       : order_command(a, mpi, mpirun, file);
}

static char *form_command(const struct pl_reorder_form *form, const struct pl_reorder_answer *a,
			  const char *file, char who[PL_REORDER_WHO])
{
	const char *name;
	char *line = form->command(a, file ? file : form->file, &name);

	snprintf(who, PL_REORDER_WHO, "%s", name);
	return line;
}

static bool has_hubs(const struct pl_reorder_answer *a)
{
	return a->schedules && a->schedules->file.n_aggregators > 0;
}

/* Programs over libplink and PyTorch run such schedules, libplink-mpi not. */
static void say_hubs(const struct pl_reorder_answer *a, const char *file)
{
	const struct pl_schedules *s = &a->schedules->file;
	struct pl_words words = {0};
	char *command;

	pl_words_add(&words, "plink-hub");
	pl_words_add_pair(&words, "--meet", "HOST:PORT");
	pl_words_add_pair(&words, "--secret", "FILE");
	pl_words_add(&words, file ? file : "schedule");
	command = pl_reorder_command(&words);
	if (command)
		pl_reorder_say("on each of the %zu aggregators, with the host of rank 0 and a free "
			       "port: %s",
			       s->n_aggregators, command);
	free(command);
	pl_reorder_say("and for the job (plink_c10d, or a program over libplink): "
		       "PLINK_HUB_MEET=HOST:PORT and PLINK_HUB_SECRET=FILE");
}

char *pl_reorder_launch_command(const struct pl_reorder_answer *a, const struct pl_mpi *mpi,
				const char *mpirun, const char *file, char who[PL_REORDER_WHO])
{
	const struct pl_reorder_form *form = pl_reorder_form(a->o->format);
	char found[PATH_MAX];

	if (!launchable(a) || a->o->predict || has_hubs(a))
		return NULL;
	if (!file)
		file = stdout_name(a, false, found);
	if (form->command)
		return form_command(form, a, file, who);
	snprintf(who, PL_REORDER_WHO, "%s",
		 a->o->format == PL_FORMAT_SLURM ? "srun, within the job" : name_mpirun(a, mpi));
	return find_command(a, mpi, mpirun, file);
}

/* No launcher reads this format: says how it is used. */
static void say_plan(const char *file)
{
	struct pl_words words = {0};
	char *command;

	pl_words_add(&words, "plink-exec");
	pl_words_add_pair(&words, "--plan", file ? file : "plan");
	pl_words_add(&words, "./app");
	command = pl_reorder_command(&words);
	if (command)
		pl_reorder_say("on each host, before the job's command: %s", command);
	free(command);
}

void pl_reorder_report_launch(const struct pl_reorder_answer *a, const struct pl_mpi *mpi,
			      const char *mpirun, const char *file)
{
	const struct pl_reorder_form *form = pl_reorder_form(a->o->format);
	char found[PATH_MAX], who[PL_REORDER_WHO], *command;

	if (a->o->format == PL_FORMAT_PLAN) {
		say_plan(file ? regular(file) : stdout_name(a, true, found));
		return;
	}
	if (has_hubs(a)) {
		say_hubs(a, file ? regular(file) : stdout_name(a, true, found));
		return;
	}
	if (!launchable(a)) {
		pl_reorder_say(
			"no launcher reads this format; for mpirun, write --format=hostfile");
		return;
	}
	file = file ? regular(file) : stdout_name(a, true, found);
	if (!(form->flags & PL_FORM_HOST_PORTS))
		say_ports(a);
	if (form->command)
		command = form_command(form, a, file, who);
	else
		command = find_command(a, mpi, mpirun, file);
	if (form->command && command)
		pl_reorder_say("for %s: %s", who, command);
	else if (!form->command && form != &pl_form_slurm)
		say_mpirun(a, mpi, command);
	else if (!form->command && command)
		say_srun(a, command);
	free(command);
}
