/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-live.c - the file of a process' live statistics: lines of JSON, and Prometheus' text */
#include "config.h"

#include "base/clock.h"
#include "engine/live/live.h"
#include "tests/tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define S_NS INT64_C(1000000000)

static const char line_1[] =
	", \"calls\": 2, \"bytes\": 300, \"call_seconds\": 4, \"changes\": 1, \"why\": \"slow\", "
	"\"peers\": [{\"process\": 0, \"host\": \"a\", \"sent_bytes\": 70, \"busy_seconds\": "
	"0.5, \"waited_seconds\": 0, \"rtt_seconds\": 0.0002, \"bytes_per_second\": 9000}, "
	"{\"process\": 2, \"host\": \"b\", \"sent_bytes\": 0, \"busy_seconds\": 0, "
	"\"waited_seconds\": 2, \"rtt_seconds\": 0, \"bytes_per_second\": 0}]}\n";
static const char line_2[] =
	", \"calls\": 1, \"bytes\": 50, \"call_seconds\": 1, \"changes\": 0, \"why\": null, "
	"\"peers\": [{\"process\": 0, \"host\": \"a\", \"sent_bytes\": 5, \"busy_seconds\": "
	"0.25, \"waited_seconds\": 1, \"rtt_seconds\": 0.0003, \"bytes_per_second\": 9000}]}\n";
static const char *const totals[] = {
	"plink_sent_bytes_total{process=\"1\",peer=\"0\",peer_host=\"a\"} 75\n",
	"plink_busy_seconds_total{process=\"1\",peer=\"0\",peer_host=\"a\"} 0.75\n",
	"plink_waited_seconds_total{process=\"1\",peer=\"0\",peer_host=\"a\"} 1\n",
	"plink_rtt_seconds{process=\"1\",peer=\"0\",peer_host=\"a\"} 0.0003\n",
	"plink_waited_seconds_total{process=\"1\",peer=\"2\",peer_host=\"b\"} 2\n",
};

/* Two intervals of process 1 of three, the second of them longer by what is written at the end. */
static void happen(const char *setting)
{
	const struct pl_host a = {.name = (char *)"a", .slots = 2},
			     b = {.name = (char *)"b", .slots = 1};
	struct pl_hosts hosts = {0};
	struct pl_live *live;
	const int64_t now = pl_clock_ns();

	pl_hosts_add(&hosts, &a);
	pl_hosts_add(&hosts, &b);
	live = pl_live_create(setting, 1, &hosts, NULL, NULL);
	ok(live && pl_live_interval_ns(live) == 100 * S_NS, "%s", setting);
	pl_live_called(live, 100, S_NS);
	pl_live_called(live, 200, 3 * S_NS);
	pl_live_changed(live, "slow");
	pl_live_sent(live, 0,
		     &(struct pl_live_peer){
			     .bytes = 70, .busy_us = 500000, .rtt_us = 200, .bytes_per_s = 9000});
	pl_live_waited(live, 2, 2 * S_NS);
	pl_live_write(live, now + 90 * S_NS);
	pl_live_write(live, now + 101 * S_NS);
	pl_live_write(live, now + 300 * S_NS / 2);
	pl_live_called(live, 50, S_NS);
	pl_live_sent(live, 0, &(struct pl_live_peer){.bytes = 5, .busy_us = 250000, .rtt_us = 300});
	pl_live_waited(live, 0, S_NS);
	pl_live_destroy(live);
	pl_hosts_fini(&hosts);
}

/* Reads, and removes, the file. */
static void take(const char *path, char *text, size_t size)
{
	FILE *f = fopen(path, "r");

	text[f ? fread(text, 1, size - 1, f) : 0] = 0;
	if (f)
		fclose(f);
	unlink(path);
}

int main(void)
{
	char dir[] = "/tmp/plink-live-XXXXXX", path[64], text[8192];
	const char *first, *second;

	if (!mkdtemp(dir))
		return 1;
	snprintf(path, sizeof(path), "%s/l.jsonl,interval=100", dir);
	happen(path);
	snprintf(path, sizeof(path), "%s/l.1.jsonl", dir);
	take(path, text, sizeof(text));
	first = strstr(text, ", \"calls\"");
	second = first ? strstr(first + 1, ", \"calls\"") : NULL;
	ok(strstr(text, "{\"plink_live\": 1, \"process\": 1, \"host\": \"a\", \"time\": ") == text,
	   "a line says whose it is");
	ok(first && !strncmp(first, line_1, strlen(line_1)), "an interval's line");
	ok(second && !strcmp(second, line_2), "what was left comes at the end: %s",
	   second ? second : text);
	snprintf(path, sizeof(path), "%s/l.prom,interval=100", dir);
	happen(path);
	snprintf(path, sizeof(path), "%s/l.1.prom", dir);
	take(path, text, sizeof(text));
	for (size_t k = 0; k < sizeof(totals) / sizeof(*totals); k++)
		ok(strstr(text, totals[k]) != NULL, "in Prometheus' text: %.40s", totals[k]);
	rmdir(dir);
	return done_testing();
}
