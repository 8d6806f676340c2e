/* SPDX-License-Identifier: BSD-3-Clause */
/* record.c - what the file of a process' live statistics says */
#include "config.h"

#include "engine/live/record.h"

#include "base/text/number.h"

#include <inttypes.h>
#include <stdbool.h>

#define NS_PER_S 1e9
#define US_PER_S 1e6

/* With a point in any locale. */
static void write_double(FILE *out, double value)
{
	char text[PL_DOUBLE_CHARS];

	fputs(pl_double_format(text, value), out);
}

/* Hosts' names and our own words: no quotes, nothing that is not ASCII is made of them. */
static void write_string(FILE *out, const char *s)
{
	putc('"', out);
	for (; *s; s++)
		putc(*s == '"' || *s == '\\' || (unsigned char)*s < ' ' ? '?' : *s, out);
	putc('"', out);
}

static bool is_silent(const struct pl_live_peer *p)
{
	return p->bytes == 0 && p->waited_ns == 0;
}

static void json_field(FILE *out, const char *name, double value)
{
	fprintf(out, ", \"%s\": ", name);
	write_double(out, value);
}

static void json_peer(FILE *out, uint32_t process, const char *host, const struct pl_live_peer *p)
{
	fprintf(out, "{\"process\": %" PRIu32 ", \"host\": ", process);
	write_string(out, host);
	fprintf(out, ", \"sent_bytes\": %" PRIu64, p->bytes);
	json_field(out, "busy_seconds", (double)p->busy_us / US_PER_S);
	json_field(out, "waited_seconds", (double)p->waited_ns / NS_PER_S);
	json_field(out, "rtt_seconds", p->rtt_us / US_PER_S);
	json_field(out, "bytes_per_second", (double)p->bytes_per_s);
	putc('}', out);
}

void pl_live_write_json(FILE *out, const struct pl_live_head *head, const struct pl_live_record *r)
{
	bool is_first = true;

	fprintf(out, "{\"plink_live\": 1, \"process\": %" PRIu32 ", \"host\": ", head->process);
	write_string(out, head->host[head->process]);
	json_field(out, "time", head->time);
	json_field(out, "seconds", head->seconds);
	fprintf(out, ", \"calls\": %" PRIu64 ", \"bytes\": %" PRIu64, r->calls, r->bytes);
	json_field(out, "call_seconds", (double)r->called_ns / NS_PER_S);
	fprintf(out, ", \"changes\": %" PRIu64 ", \"why\": ", r->changes);
	if (r->changes > 0)
		write_string(out, r->why);
	else
		fputs("null", out);
	fputs(", \"peers\": [", out);
	for (uint32_t p = 0; p < head->n; p++) {
		if (is_silent(&r->peer[p]))
			continue;
		fputs(is_first ? "" : ", ", out);
		json_peer(out, p, head->host[p], &r->peer[p]);
		is_first = false;
	}
	fputs("]}\n", out);
}

/* What is known of each peer: a family of samples. */
struct family {
	const char *name, *type, *help;
	double (*value)(const struct pl_live_peer *p);
};

static double sent_bytes(const struct pl_live_peer *p)
{
	return (double)p->bytes;
}

static double busy_s(const struct pl_live_peer *p)
{
	return (double)p->busy_us / US_PER_S;
}

static double waited_s(const struct pl_live_peer *p)
{
	return (double)p->waited_ns / NS_PER_S;
}

static double rtt_s(const struct pl_live_peer *p)
{
	return p->rtt_us / US_PER_S;
}

static double rate(const struct pl_live_peer *p)
{
	return (double)p->bytes_per_s;
}

static const struct family families[] = {
	{"plink_sent_bytes_total", "counter", "Bytes that the peer has acknowledged.", sent_bytes},
	{"plink_busy_seconds_total", "counter",
	 "Time in which bytes to the peer were not acknowledged.", busy_s},
	{"plink_waited_seconds_total", "counter",
	 "Time in which nothing came and the peer was waited for.", waited_s},
	{"plink_rtt_seconds", "gauge", "Round trip to the peer.", rtt_s},
	{"plink_delivery_bytes_per_second", "gauge",
	 "Rate at which bytes were last delivered to the peer.", rate},
};

static void name_family(FILE *out, const char *name, const char *type, const char *help)
{
	fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void write_family(FILE *out, const struct pl_live_head *head, const struct pl_live_record *r,
			 const struct family *f)
{
	name_family(out, f->name, f->type, f->help);
	for (uint32_t p = 0; p < head->n; p++) {
		if (is_silent(&r->peer[p]))
			continue;
		fprintf(out, "%s{process=\"%" PRIu32 "\",peer=\"%" PRIu32 "\",", f->name,
			head->process, p);
		fputs("peer_host=", out);
		write_string(out, head->host[p]);
		fputs("} ", out);
		write_double(out, f->value(&r->peer[p]));
		putc('\n', out);
	}
}

static void write_total(FILE *out, const struct pl_live_head *head, const char *name,
			const char *help, double value)
{
	name_family(out, name, "counter", help);
	fprintf(out, "%s{process=\"%" PRIu32 "\"} ", name, head->process);
	write_double(out, value);
	putc('\n', out);
}

void pl_live_write_prometheus(FILE *out, const struct pl_live_head *head,
			      const struct pl_live_record *r)
{
	write_total(out, head, "plink_allreduces_total", "All-reduces by schedules.",
		    (double)r->calls);
	write_total(out, head, "plink_allreduce_bytes_total", "Bytes of their buffers.",
		    (double)r->bytes);
	write_total(out, head, "plink_allreduce_seconds_total", "Time in them.",
		    (double)r->called_ns / NS_PER_S);
	write_total(out, head, "plink_schedule_changes_total", "Changes of the schedules.",
		    (double)r->changes);
	for (size_t i = 0; i < sizeof(families) / sizeof(*families); i++)
		write_family(out, head, r, &families[i]);
}
