/* SPDX-License-Identifier: BSD-3-Clause */
/* agent.c - plink-audit as the one who captures: for others, or for a file */
#include "config.h"

#include "src/audit/agent.h"

#include "audit/capture.h"
#include "audit/placement.h"
#include "audit/watch.h"
#include "base/mem.h"
#include "base/text/outfile.h"
#include "base/text/shell.h"
#include "probes/protocol/address.h"
#include "src/common/tool.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char tool[] = AUDIT_TOOL;

char *audit_agent_command(void)
{
	static const char form[] = "sh -c 'test -x \"$0\" && exec \"$0\" \"$@\"; "
				   "exec plink-audit \"$@\"' %s";
	char path[PATH_MAX], *quoted, *command;
	const ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (len <= 0)
		return pl_string_copy(tool, strlen(tool));
	path[len] = '\0';
	quoted = pl_shell_quote(path);
	if (!quoted)
		return NULL;
	if (asprintf(&command, form, quoted) < 0)
		command = NULL;
	free(quoted);
	return command;
}

/* Hosts on standard input, up to the line that ends them: what follows is not
 * for us to read here. */
static int read_listed(struct pl_placement *job, struct pl_err *err)
{
	char *data = NULL, *line = NULL;
	size_t size, room = 0;
	FILE *all = open_memstream(&data, &size);
	struct pl_text text;
	int rc = -1;

	if (!all)
		return pl_err_nomem(err);
	while (getline(&line, &room, stdin) > 0 && strcmp(line, PL_WATCH_LIST_END "\n") != 0)
		fputs(line, all);
	free(line);
	if (fclose(all))
		pl_err_nomem(err);
	else if (!pl_text_copy(&text, "-", data, size, err)) {
		rc = pl_placement_parse(job, &text, err);
		pl_text_fini(&text);
	}
	free(data);
	return rc;
}

/*
 * Where a name is looked up on its own host, it may be found to be a loopback
 * address (127.0.1.1 in /etc/hosts), at which nobody else calls: the addresses
 * of the interface belong to it, too. One without any has none to add.
 */
static int add_own(struct pl_who *who, size_t node, const char *iface, struct pl_err *err)
{
	struct pl_addr addr[PL_ADDRS_MAX];
	char text[PL_ADDR_CHARS];
	size_t n;

	if (pl_addr_list(strcmp(iface, "any") ? iface : NULL, addr, &n, NULL))
		return 0;
	for (size_t i = 0; i < n; i++)
		if (pl_addr_is_global(&addr[i]) &&
		    pl_who_add_seen(who, pl_addr_format(&addr[i], text), node, err))
			return -1;
	return 0;
}

static int find_addresses(struct pl_who *who, const char *hosts, const char *iface,
			  struct pl_err *err)
{
	struct pl_placement job = {.n_ranks = 0};
	int rc = strcmp(hosts, "-") ? pl_placement_read(&job, hosts, err) : read_listed(&job, err);

	if (!rc)
		rc = pl_who_add_hosts(who, &job.node, err);
	if (!rc)
		rc = add_own(who, job.node.n, iface, err);
	pl_placement_fini(&job);
	return rc;
}

/* Says that packets are being taken: to people, or to who asked. */
static int greet(void *arg, bool nanoseconds, struct pl_err *err)
{
	const struct audit_options *o = arg;
	const char *unit = nanoseconds ? "ns" : "us";
	struct pl_addr addr[PL_ADDRS_MAX];
	char text[PL_ADDR_CHARS];
	size_t n = 0;

	if (!o->announce) {
		pl_tool_say(tool, "capturing on %s, stamps in %s", o->iface, unit);
		return 0;
	}
	if (pl_addr_list(strcmp(o->iface, "any") ? o->iface : NULL, addr, &n, err))
		return -1;
	printf("%s%s", PL_WATCH_GREETING, unit);
	for (size_t i = 0; i < n; i++)
		printf(" %s", pl_addr_format(&addr[i], text));
	putchar('\n');
	return fflush(stdout) ? pl_err_errno(err, "cannot write") : 0;
}

static void say(const struct pl_capture_report *r)
{
	pl_tool_say(tool, "%" PRIu64 " packets captured, %" PRIu64 PL_WATCH_DROPPED, r->packets,
		    r->dropped);
}

/* Standard output is written as it comes; a file whole or not at all. */
static int capture(struct pl_capture_options *c, const struct audit_options *o,
		   struct pl_capture_report *report, struct pl_err *err)
{
	struct pl_outfile out = {.f = NULL};
	int rc;

	if (!strcmp(o->save, "-")) {
		c->out = stdout;
		rc = pl_capture_run(c, report, err);
		if (!rc && fflush(stdout))
			rc = pl_err_errno(err, "cannot write");
		return rc;
	}
	if (pl_outfile_open(&out, o->save, err))
		return -1;
	c->out = out.f;
	rc = pl_capture_run(c, report, err);
	if (!rc)
		rc = pl_outfile_commit(&out, err);
	pl_outfile_abort(&out);
	return rc;
}

int audit_capture(const struct audit_options *o, const volatile sig_atomic_t *stop)
{
	struct pl_who who = {.n = 0};
	struct pl_capture_report report;
	struct pl_capture_options c = {
		.iface = o->iface,
		.filter = o->filter,
		.who = &who,
		.out_name = o->save,
		.until_eof = o->command ? -1 : STDIN_FILENO,
		.command = o->command,
		.stop = stop,
		.ready = greet,
		.arg = (void *)o,
	};
	struct pl_err err = {0};
	int status = PL_EXIT_DONE;

	if (find_addresses(&who, o->hosts, o->iface, &err) || capture(&c, o, &report, &err)) {
		status = pl_tool_fail(tool, &err);
	} else {
		say(&report);
		if (report.dropped || report.stopped || report.status)
			status = PL_EXIT_PARTIAL;
		if (report.status)
			pl_tool_warn(tool, "%s: exit status %d", o->command[0], report.status);
	}
	pl_who_fini(&who);
	return status;
}
