/* SPDX-License-Identifier: BSD-3-Clause */
/* help.c - the help texts of plink-rack and its verbs */
#include "config.h"

#include "src/rack/rack.h"

/* clang-format off */
const char rack_help[] =
"Usage: plink-rack need|levels|cost OPTION...\n"
"Calculates what aggregators beside the ranks of a job are worth:\n"
"\n"
"  plink-rack need --workers=8 --size=390MiB --iteration=350ms --card=10Gbit \\\n"
"      --hubs=2 --hub=40Gbit\n"
"  plink-rack levels --matrix=net.matrix --hub=100Gbit\n"
"  plink-rack cost prices.json\n"
"\n"
"  need          the bandwidth that servers of parameters need, and what hosts\n"
"                that help the workers gain; plink-rack need --help\n"
"  levels        whether an aggregator in each rack pays; plink-rack levels\n"
"                --help\n"
"  cost          samples a second for a dollar of clusters with aggregators;\n"
"                plink-rack cost --help\n"
"\n"
"  -h, --help           this text\n"
"  -V, --version        version of plink\n"
"Exit: 0 done, 1 the answer is no, 2 usage, 3 bad input, 4 system.\n";

#define COMMON_HELP \
"  --json               the result as JSON\n" \
"  -o, --output=FILE    (standard output)\n" \
"  -q, --quiet          say only what is wrong\n" \
"  -v, --verbose        say more\n" \
"  -h, --help           this text\n" \
"  -V, --version        version of plink\n" \
"\n"

const char rack_need_help[] =
"Usage: plink-rack need --workers=N OPTION...\n"
"Prints the bandwidth, of both directions together, that servers of parameters\n"
"need so that iterations hide the exchange of gradients.\n"
"\n"
"The job\n"
"  --workers=N          ranks, 2 or more\n"
"  --size=BYTES         gradients of the model\n"
"  --iteration=TIME     computing of an iteration\n"
"  --profile=FILE       both from a profile of the model: plink-profile(5)\n"
"  --instance=NAME      machines in it (its first)\n"
"  --batch=N            samples of a rank (the most that were profiled)\n"
"The network\n"
"  --card=RATE          of a worker's card, each way: is it enough?\n"
"  --hubs=K             hosts that help, with --card\n"
"  --hub=RATE           of the card of each, each way (as --card)\n"
"A server's memory\n"
"  --memory=GB          gigabytes a second that it moves at most\n"
"  --memory-used=GB     gigabytes a second that the workers take of it: how\n"
"                       many is there room for?\n"
"  --adds=G             additions of floats, in thousand millions a second: the\n"
"                       memory that they would need\n"
COMMON_HELP
"Exit: 0 done, 2 usage, 3 bad input, 4 system.\n";

const char rack_levels_help[] =
"Usage: plink-rack levels --hub=RATE OPTION...\n"
"Tells whether an aggregator in each rack pays (inequality 2.3 of the PLink\n"
"thesis).\n"
"\n"
"  --hub=RATE           of an aggregator in each rack, each way\n"
"  --matrix=FILE        racks and rates as plink-probe --bandwidth measured them\n"
"  --groups=FILE        racks, from plink-groups or any form of\n"
"                       plink-topology(5)\n"
"  --racks=N            racks\n"
"  --workers=N          workers of a rack\n"
"  --card=RATE          of a worker, each way\n"
"  --uplink=RATE        of a rack, each way\n"
"  --between=TIME       of the exchange between racks, with --size, as measured\n"
"                       (shards or a ring)\n"
"  --size=BYTES         gradients (64MiB)\n"
COMMON_HELP
"Exit: 0 it pays, 1 it does not, 2 usage, 3 bad input, 4 system.\n";

const char rack_cost_help[] =
"Usage: plink-rack cost [OPTION]... FILE|-\n"
"Prints what a worker of each deployment in the file costs, with its part of\n"
"switches, cables and aggregators, and samples a second for 1000 dollars. The\n"
"file's form is in plink-rack(1).\n"
"\n"
"  --oversubscription=LIST  of uplinks, as in 1,2,4 (those of the file)\n"
"  --hubs=LIST          aggregators in a rack, of deployments that have any\n"
"                       (that of the file)\n"
"  --csv=FILE           write a line for each combination, too\n"
COMMON_HELP
"Exit: 0 done, 2 usage, 3 bad input, 4 system.\n";
/* clang-format on */
