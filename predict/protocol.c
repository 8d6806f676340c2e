/* SPDX-License-Identifier: BSD-3-Clause */
/* protocol.c - how the libraries move messages */
#include "config.h"

#include "predict/protocol.h"

#include "base/matrix/tiers.h"
#include "costmodels/catalogue.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Adding floats and copying on one core: what plain C measured on a usual server, from 64 KiB
 * to 16 MiB (0.02 with wide registers, 0.13 for 64 MiB). */
#define REDUCE_S_PER_BYTE 0.063e-9
#define COPY_S_PER_BYTE 0.03e-9

/* Between processes of a host, through shared memory. */
#define LOCAL_S 2e-6
#define LOCAL_S_PER_BYTE 0.25e-9

/* What Linux lets a socket's send buffer grow to (tcp_wmem). */
#define BUFFER_BYTES (4 << 20)

/*
 * LightGBM asks for 100,000 bytes for either buffer of a socket; Linux takes twice that, of which
 * its own bookkeeping needs a part. What a connection then has under way at most is what
 * reduce-scatters of 0.9 to 3.5 MB of LightGBM 4.6 told (bench/results/lightgbm.txt).
 */
#define LIGHTGBM_BUFFER_BYTES 100000
#define LIGHTGBM_WINDOW_BYTES 115000

/* RFC 6928: ten segments. */
#define FIRST_WINDOW_BYTES (10 * 1448)

/* ob1's largest header (that of a PUT), which its limit counts. */
#define OB1_HEADER_BYTES 56

#define TCP_BUFFERS(send_bytes, window_bytes)                                                      \
	.reduce_s_per_byte = REDUCE_S_PER_BYTE, .copy_s_per_byte = COPY_S_PER_BYTE,                \
	.local_s = LOCAL_S, .local_s_per_byte = LOCAL_S_PER_BYTE, .buffer_bytes = (send_bytes),    \
	.rate_share = PL_TIERS_TCP_SHARE, .first_window_bytes = FIRST_WINDOW_BYTES,                \
	.last_window_bytes = (window_bytes)

#define TCP TCP_BUFFERS(BUFFER_BYTES, BUFFER_BYTES)

static const struct pl_protocol presets[] = {
	{
		/* Open MPI 4.1: pml ob1 over btl tcp. The eager limit counts
		 * ob1's largest header; above it the BTL's PUT flag
		 * makes a rendezvous without data, a PUT request that names the
		 * whole buffer, the data in one piece, and a FIN behind
		 * them. */
		.name = "openmpi-tcp",
		.waits = PL_POLLS,
		.eager_bytes = 65536 - OB1_HEADER_BYTES,
		.handshake = PL_RENDEZVOUS,
		.header_bytes = 32,
		.control_bytes = 100,
		TCP,
	},
	{
		/* MPICH 4.0's device ch4:ucx, UCX 1.13 over tcp. UCX reckons from the card's rate
		 * from where on a handshake pays: 19,523 bytes at 10 Gbit/s, 19,600 at 1, 20,408
		 * where the rate is not known; a rank asks, the receiver tells where, the data are
		 * put there, and what ends the message is sent once they are acknowledged. */
		.name = "mpich-tcp",
		.waits = PL_POLLS,
		.eager_bytes = PL_MPICH_EAGER_BYTES,
		.handshake = PL_ACKNOWLEDGED,
		.header_bytes = 16,
		.control_bytes = 70,
		TCP,
	},
	{
		/* Gloo's TCP pairs: an unbound buffer is sent when the peer has told that its
		 * receive is posted, whatever the size. */
		.name = "gloo-tcp",
		.waits = PL_SLEEPS,
		.eager_bytes = 0,
		.handshake = PL_RECEIVER_READY,
		.header_bytes = 48,
		.control_bytes = 48,
		TCP,
	},
	{
		/* Buffers of Gloo's classes are known to both ends from the
		 * start: a header, and the data behind it. Where a class waits
		 * for its peer before it sends, that is a message of its
		 * own. */
		.name = "gloo-buffers",
		.waits = PL_SLEEPS,
		.eager_bytes = UINT64_MAX,
		.handshake = PL_PUSH,
		.header_bytes = 48,
		TCP,
	},
	{
		/* NCCL's socket transport: a size ahead, then the data. */
		.name = "nccl-socket",
		.waits = PL_POLLS,
		.eager_bytes = UINT64_MAX,
		.handshake = PL_PUSH,
		.header_bytes = 4,
		TCP,
	},
	{
		/* LightGBM's linkers: bytes into the socket. */
		.name = "lightgbm-socket",
		.waits = PL_SLEEPS,
		.eager_bytes = UINT64_MAX,
		.handshake = PL_PUSH,
		TCP_BUFFERS(LIGHTGBM_BUFFER_BYTES, LIGHTGBM_WINDOW_BYTES),
	},
	{
		/* XGBoost's ring, and rabit before: bytes into the socket. */
		.name = "xgboost-socket",
		.waits = PL_SLEEPS,
		.eager_bytes = UINT64_MAX,
		.handshake = PL_PUSH,
		TCP,
	},
	{
		/* plink's own engine: a chunk's head, and the chunk. */
		.name = "engine-tcp",
		.waits = PL_SLEEPS,
		.eager_bytes = UINT64_MAX,
		.handshake = PL_PUSH,
		.header_bytes = 8,
		.connections = 1,
		TCP,
	},
	{
		.name = "ideal",
		.eager_bytes = UINT64_MAX,
		.handshake = PL_PUSH,
		.buffer_bytes = UINT64_MAX,
		.rate_share = 1,
	},
};

void pl_protocol_eager_limit(struct pl_protocol *protocol, uint64_t bytes)
{
	protocol->eager_bytes = bytes > OB1_HEADER_BYTES ? bytes - OB1_HEADER_BYTES : 0;
}

#define N_PRESETS (sizeof(presets) / sizeof(*presets))

int pl_protocol_find(const char *name, struct pl_protocol *protocol, struct pl_err *err)
{
	char list[256] = "";
	size_t len = 0;

	for (size_t i = 0; i < N_PRESETS; i++) {
		if (!strcmp(presets[i].name, name)) {
			*protocol = presets[i];
			return 0;
		}
		len += (size_t)snprintf(list + len, sizeof(list) - len, " %s", presets[i].name);
	}
	return pl_err_set(err, PL_EUSAGE, "no protocol \"%s\"; there are:%s", name, list);
}

static const char *const preset_of[PL_IMPLS] = {
	[PL_THESIS] = "ideal",
	[PL_OPENMPI] = "openmpi-tcp",
	[PL_GLOO] = "gloo-tcp",
	[PL_NCCL] = "nccl-socket",
	[PL_LIGHTGBM] = "lightgbm-socket",
	[PL_MPICH] = "mpich-tcp",
	[PL_XGBOOST] = "xgboost-socket",
};

int pl_protocol_of(const struct pl_algorithm *a, size_t radix, struct pl_protocol *protocol,
		   struct pl_err *err)
{
	const bool buffers = a->impl == PL_GLOO && !pl_gloo_is_function(a, radix);

	return pl_protocol_find(buffers ? "gloo-buffers" : preset_of[a->impl], protocol, err);
}
