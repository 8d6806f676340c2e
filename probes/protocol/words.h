/* SPDX-License-Identifier: BSD-3-Clause */
/* words.h - what parsing and formatting of lines share */
#ifndef PLINK_PROBES_PROTOCOL_WORDS_H
#define PLINK_PROBES_PROTOCOL_WORDS_H

#include "probes/protocol/control.h"

#define PL_MSG_KINDS (PL_MSG_RELAY + 1)
#define PL_MSG_INSECURE "insecure-4byte"
#define PL_MSG_WHY_MAX                                                         \
	128 /* characters; the figures need the rest of the line */
#define PL_MSG_MILLION 1000000

/* The word that a line of each kind begins with. */
extern const char *const pl_msg_words[PL_MSG_KINDS];

#endif
