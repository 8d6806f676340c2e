/* SPDX-License-Identifier: BSD-3-Clause */
/* recommend-help.c - what plink-srift recommend --help prints */
#include "config.h"

#include "src/srift/help.h"

/* clang-format off */
const char srift_recommend_help[] =
"Usage: plink-srift recommend --profile=FILE --catalogue=FILE --batch=B\n"
"           --iterations=N --busbw=FILE [OPTION]...\n"
"Finds the machines on which a job costs least, or ends first.\n"
"\n"
"The job\n"
"  --profile=FILE       compute times of the model: plink-profile(5)\n"
"  --batch=B            samples of an iteration, on all machines\n"
"  --iterations=N\n"
"  --objective=cost|time  (cost)\n"
"  --time-limit=SECONDS --budget=DOLLARS  of the whole job\n"
"The machines\n"
"  --catalogue=FILE     prices: plink-catalogue(5), SkyPilot's CSV, or the JSON\n"
"                       of ec2instances.info\n"
"  --available=NAME=N,...  machines available; NAME=8+4: spot, on demand; N alone:\n"
"                       of each other type (as in the catalogue, or 1024)\n"
"  --exclude=NAME,...   without these types\n"
"  --region=NAME --zone=NAME  of the catalogue\n"
"  --market=any|spot|on-demand  (any: spot first)\n"
"The network, as for predict\n"
"  --busbw=FILE --section=NAME --model=FILE --place=NAME --matrix=FILE --plan=FILE\n"
"  --nic=RATE --uplink=RATE --cap=RATE\n"
"The iteration, as for predict\n"
"  --straggler=S --draws=N --seed=N --buckets[=FIRST,SIZE] --at-once=N --round-up\n"
"The search\n"
"  --work=N             most units of work (500000)\n"
"  --search-time=SECONDS  (no limit)\n"
"  --eager[=K]          start with few types, add K machines at a time (8)\n"
"Output\n"
"  --pareto             print all choices that no other one beats in both seconds\n"
"                       and dollars\n"
"  --json\n"
"      --help, --version\n"
"\n"
"Exit: 0 done, 1 no choice is within the limits, 2 usage, 3 bad input, 4 system.\n";
/* clang-format on */
