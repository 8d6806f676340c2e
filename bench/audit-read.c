/* SPDX-License-Identifier: BSD-3-Clause */
/* audit-read.c - how fast captures are read, against libpcap alone */
#include "config.h"

#include "audit/savefile.h"
#include "bench/options.h"
#include "base/stats.h"
#include "src/common/tool.h"

#include <pcap.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define TOOL "audit-read"
#define REPEATS_MAX 99
#define HEADERS 40
#define KEPT_MAX 1460

static const char help[] =
	"usage: audit-read [--megabytes=N] [--kept=N] [--flows=N] [--repeats=N]\n"
	"Makes a capture of N * 10^6 bytes and reads it in turns as plink-audit does and\n"
	"by pcap_loop that only counts. Prints packets, MB/s and millions of packets a\n"
	"second of processor time (medians), their ratio, and the memory that was taken.\n"
	"The file is in TMPDIR, or /tmp, and is removed.\n"
	"\n"
	"  --megabytes=N   1 to 65536 (default 256)\n"
	"  --kept=N        payload in the capture, of 1460 bytes a packet (default 0)\n"
	"  --flows=N       1 to 60000 (default 64)\n"
	"  --repeats=N     1 to 99 (default 5)\n"
	"  --help, --version\n"
	"Exit: 0 done, 2 usage, 4 system.\n";

struct args {
	int64_t megabytes, kept, flows, repeats;
};

/* Big-endian, into the header at @p. */
static void put32(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)(v >> 24);
	p[1] = (uint8_t)(v >> 16);
	p[2] = (uint8_t)(v >> 8);
	p[3] = (uint8_t)v;
}

/* Flows take turns, packet by packet: a look-up for each. */
static uint64_t write_packets(pcap_dumper_t *out, const struct args *args)
{
	uint8_t data[HEADERS + KEPT_MAX] = {0x45, 0, 5,  220, 0, 0, 0,  0, 64, 6,
					    0,    0, 10, 0,   0, 1, 10, 0, 0,  2};
	const struct pcap_pkthdr form = {.caplen = (bpf_u_int32)(HEADERS + args->kept),
					 .len = 1500};
	struct pcap_pkthdr h = form;
	const uint64_t n = (uint64_t)args->megabytes * 1000000 / (16 + h.caplen);
	const uint64_t flows = (uint64_t)args->flows;

	data[22] = 8; /* port 2048 */
	data[32] = 0x50;
	data[33] = 0x10;
	for (uint64_t i = 0; i < n; i++) {
		const uint32_t port = (uint32_t)(2000 + i % flows);

		data[20] = (uint8_t)(port >> 8);
		data[21] = (uint8_t)port;
		put32(data + 24, (uint32_t)(1460 * (i / flows)));
		h.ts.tv_sec = (time_t)(i / 1000000);
		h.ts.tv_usec = (suseconds_t)(i % 1000000);
		pcap_dump((u_char *)out, &h, data);
	}
	return n;
}

static int make_file(const char *path, const struct args *args, uint64_t *n, struct pl_err *err)
{
	pcap_t *p = pcap_open_dead(DLT_RAW, 65536);
	pcap_dumper_t *out = p ? pcap_dump_open(p, path) : NULL;
	int rc = 0;

	if (!out) {
		if (p)
			pcap_close(p);
		return pl_err_errno(err, "cannot write %s", path);
	}
	*n = write_packets(out, args);
	if (pcap_dump_flush(out))
		rc = pl_err_errno(err, "cannot write %s", path);
	pcap_dump_close(out);
	pcap_close(p);
	return rc;
}

/* Reads the file; gives the number of packets. 0, or -1 with @err set. */
typedef int reader(const char *path, uint64_t *n, struct pl_err *err);

static int plink_read(const char *path, uint64_t *n, struct pl_err *err)
{
	struct pl_trace t;
	FILE *f = pl_savefile_open(path);
	int rc;

	if (!f)
		return pl_err_errno(err, "cannot read %s", path);
	if (pl_trace_init(&t, path, err)) {
		fclose(f);
		return -1;
	}
	rc = pl_savefile_read(&t, f, err);
	*n = t.n_packets;
	pl_trace_fini(&t);
	return rc;
}

static void count(u_char *arg, const struct pcap_pkthdr *h, const u_char *data)
{
	(void)h;
	(void)data;
	++*(uint64_t *)(void *)arg;
}

static int pcap_read(const char *path, uint64_t *n, struct pl_err *err)
{
	char why[PCAP_ERRBUF_SIZE];
	pcap_t *p = pcap_open_offline(path, why);
	int rc = 0;

	if (!p)
		return pl_err_set(err, PL_ESYSTEM, "%s", why);
	*n = 0;
	if (pcap_loop(p, -1, count, (u_char *)n))
		rc = pl_err_set(err, PL_ESYSTEM, "%s", pcap_geterr(p));
	pcap_close(p);
	return rc;
}

static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int timed(reader *read_file, const char *path, uint64_t n, double *seconds,
		 struct pl_err *err)
{
	const double start = cpu_seconds();
	uint64_t got = 0;

	if (read_file(path, &got, err))
		return -1;
	*seconds = cpu_seconds() - start;
	return got == n ? 0 : pl_err_set(err, PL_ESYSTEM, "other packets read than written");
}

static int measure(const char *path, const struct args *args, struct pl_err *err)
{
	double a[REPEATS_MAX], b[REPEATS_MAX], plink, plain;
	const size_t repeats = (size_t)args->repeats;
	struct rusage use;
	uint64_t n = 0;

	if (make_file(path, args, &n, err))
		return -1;
	for (size_t i = 0; i < repeats; i++)
		if (timed(plink_read, path, n, &a[i], err) || timed(pcap_read, path, n, &b[i], err))
			return -1;
	plink = pl_median(a, repeats);
	plain = pl_median(b, repeats);
	getrusage(RUSAGE_SELF, &use);
	printf("# %llu packets, %lld flows, %lld bytes of payload kept\n", (unsigned long long)n,
	       (long long)args->flows, (long long)args->kept);
	printf("%-8s %10s %10s\n", "", "MB/s", "Mpackets/s");
	printf("%-8s %10.1f %10.2f\n", "plink", (double)args->megabytes / plink,
	       (double)n / 1e6 / plink);
	printf("%-8s %10.1f %10.2f\n", "libpcap", (double)args->megabytes / plain,
	       (double)n / 1e6 / plain);
	printf("ratio    %.2f\nmemory   %.1f MB\n", plain / plink, (double)use.ru_maxrss / 1e3);
	return 0;
}

static int run(const struct args *args, struct pl_err *err)
{
	const char *dir = getenv("TMPDIR");
	char path[4096];
	int fd, rc;

	snprintf(path, sizeof(path), "%s/plink-audit-read-XXXXXX", dir ? dir : "/tmp");
	fd = mkstemp(path);
	if (fd < 0)
		return pl_err_errno(err, "cannot make %s", path);
	close(fd);
	rc = measure(path, args, err);
	unlink(path);
	return rc;
}

int main(int argc, char **argv)
{
	struct args args = {.megabytes = 256, .kept = 0, .flows = 64, .repeats = 5};
	const struct bench_option options[] = {
		{"megabytes", .whole = &args.megabytes, .least = 1, .most = 65536},
		{"kept", .whole = &args.kept, .least = 0, .most = KEPT_MAX},
		{"flows", .whole = &args.flows, .least = 1, .most = 60000},
		{"repeats", .whole = &args.repeats, .least = 1, .most = REPEATS_MAX},
	};
	const int status =
		bench_options(TOOL, help, options, sizeof(options) / sizeof(*options), argc, argv);
	struct pl_err err = {0};

	if (status >= 0)
		return status;
	if (run(&args, &err))
		return pl_tool_fail(TOOL, &err);
	return PL_EXIT_DONE;
}
