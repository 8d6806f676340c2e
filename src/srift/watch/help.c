/* SPDX-License-Identifier: BSD-3-Clause */
/* help.c - what plink-srift watch --help prints */
#include "config.h"

#include "src/srift/watch/help.h"

/* clang-format off */
const char srift_watch_help[] =
"Usage: plink-srift watch --iterations=N --progress=FILE --launch=COMMAND\n"
"                         --start=COMMAND --search=COMMAND [OPTION]...\n"
"Rents machines for a job, starts it, and finds others when some are lost.\n"
"\n"
"The job\n"
"  --iterations=N       of the whole job\n"
"  --batch=N            samples of an iteration\n"
"  --time-limit=S       finish within so many seconds of the begin\n"
"  --budget=DOLLARS     for all machines\n"
"  --progress=FILE      what the job says: lines \"iteration N\", \"checkpoint N\",\n"
"                       \"dollars X\", \"heartbeat HOST\", \"lost HOST\", \"done\"; a file\n"
"                       that grows, a named pipe, or - for standard input\n"
"  --heartbeats=DIR     a machine lives while the time of DIR/HOST moves\n"
"  --silence=S          lost after so many seconds without a sign of life (30 with\n"
"                       --heartbeats, else never)\n"
"Hooks, run by sh; what they are told is in variables SRIFT_...\n"
"  --search=COMMAND     find machines\n"
"  --launch=COMMAND     launch machines of a type, print their names\n"
"  --start=COMMAND      start the job on the machines of $SRIFT_HOSTS\n"
"  --checkpoint=COMMAND save the model on $SRIFT_HOST, end the training\n"
"  --stop=COMMAND       stop $SRIFT_HOST, release what it held\n"
"  --hook-limit=S       end a hook after so many seconds (600)\n"
"  --launch-limit=S     the same for a launch (1800)\n"
"What is expected\n"
"  --launch-time=S      until machines are there (150)\n"
"  --detach-time=S      until what a lost machine held can be had (5)\n"
"  --solve-time=S       for the search (1)\n"
"The watch\n"
"  --stop-unmet         stop all where no machines are found\n"
"  --journal=FILE       go on where it ends; it grows\n"
"  --time-scale=X       a second here is X of the job: for rehearsals (1)\n"
"  --json               events as JSON, a line each\n"
"      --help, --version\n"
"\n"
"Exit: 0 the job is done, 1 it is not, 2 usage, 3 bad input, 4 system.\n";
/* clang-format on */
