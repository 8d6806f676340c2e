/* SPDX-License-Identifier: BSD-3-Clause */
/* help.c - the help texts of plink-rack and its verbs */
#include "config.h"

#include "src/rack/rack.h"

/* clang-format off */
const char rack_help[] =
"Usage: plink-rack need|levels|cost OPTION...\n"
"Calculates gain and cost of hosts that aggregate the gradients of a job:\n"
"\n"
"  plink-rack need --workers=8 --size=390MiB --iteration=350ms --card=10Gbit \\\n"
"      --hubs=2 --hub=40Gbit\n"
"  plink-rack levels --matrix=net.matrix --hub=100Gbit\n"
"  plink-rack cost prices.json\n"
"\n"
"  need          the bandwidth that parameter servers need, and the gain with\n"
"                hosts (hubs) that take a part of their work\n"
"  levels        whether an aggregator in each rack makes the exchange faster\n"
"  cost          samples a second for a dollar in clusters with aggregators\n"
"\n"
"  -h, --help           this text; of a verb: plink-rack VERB --help\n"
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
"Prints the bandwidth, of both directions together, that parameter servers need\n"
"so that computing hides the exchange of gradients.\n"
"\n"
"The job\n"
"  --workers=N          ranks, 2 or more\n"
"  --size=BYTES         gradients of the model\n"
"  --iteration=TIME     time that a rank computes in an iteration\n"
"  --profile=FILE       both from a profile of the model: plink-profile(5)\n"
"  --instance=NAME      type of machine in the profile (the first one)\n"
"  --batch=N            samples of a rank (the largest number in the profile)\n"
"The network\n"
"  --card=RATE          rate of a worker's card in each direction: print which\n"
"                       exchanges are hidden\n"
"  --hubs=K             number of hubs, with --card\n"
"  --hub=RATE           rate of a hub's card in each direction (as --card)\n"
"A server's memory\n"
"  --memory=GB          its bandwidth, in gigabytes a second\n"
"  --memory-used=GB     the part of it that the workers use: print how many\n"
"                       workers the memory has room for\n"
"  --adds=G             print the memory bandwidth that so many thousand million\n"
"                       additions of floats a second need\n"
COMMON_HELP
"Exit: 0 done, 2 usage, 3 bad input, 4 system.\n";

const char rack_levels_help[] =
"Usage: plink-rack levels --hub=RATE OPTION...\n"
"Decides whether an aggregator in each rack makes the exchange of gradients\n"
"faster (inequality 2.3 of the PLink thesis).\n"
"\n"
"  --hub=RATE           rate of an aggregator's card in each direction\n"
"  --matrix=FILE        racks and rates that plink-probe --bandwidth measured\n"
"  --groups=FILE        racks, from plink-groups or any form of\n"
"                       plink-topology(5)\n"
"  --racks=N            number of racks\n"
"  --workers=N          number of workers in a rack\n"
"  --card=RATE          rate of a worker's card in each direction\n"
"  --uplink=RATE        rate of a rack's uplink in each direction\n"
"  --between=TIME       measured time of the exchange between racks, with --size\n"
"                       (that of shards or a ring)\n"
"  --size=BYTES         size of the gradients (64MiB)\n"
COMMON_HELP
"Exit: 0 it is faster, 1 it is not, 2 usage, 3 bad input, 4 system.\n";

const char rack_cost_help[] =
"Usage: plink-rack cost [OPTION]... FILE|-\n"
"Prints for each deployment in the file the price of a worker, with its part of\n"
"switches, cables and aggregators, and samples a second for 1000 dollars.\n"
"plink-rack(1) describes the file.\n"
"\n"
"  --oversubscription=LIST  of uplinks, as in 1,2,4 (those of the file)\n"
"  --hubs=LIST          numbers of aggregators in a rack, for deployments with\n"
"                       aggregators (that of the file)\n"
"  --csv=FILE           also write the rows as comma-separated values\n"
COMMON_HELP
"Exit: 0 done, 1 no deployment is possible, 2 usage, 3 bad input, 4 system.\n";
/* clang-format on */
