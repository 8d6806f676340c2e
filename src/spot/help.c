/* SPDX-License-Identifier: BSD-3-Clause */
/* help.c - the help texts of plink-spot and its verbs */
#include "config.h"

#include "src/spot/verbs.h"

/* clang-format off */
#define JOB_HELP \
"  --steps=N            of the job\n" \
"  --machines=CHOICE    4xK80@4.56,1xP100@12: machines that may be taken away,\n" \
"                       steps a second of each\n" \
"  --on-demand=CHOICE   machines that stay\n" \
"  --mode=synchronous   each step needs all machines: as fast as the slowest;\n" \
"                       otherwise (asynchronous) their speeds add up\n" \
"  --measured=RATE      steps a second of all together; if less than that, this is\n" \
"                       their limit\n" \
"  --profile=FILE       plink-profile(5): has what is not given of steps\n" \
"                       (4xK80) and checkpoints\n" \
"Their lives\n" \
"  --lifetimes=FILE     plink-lifetimes(5); repeat for more\n" \
"  --history=FILE       a journal of plink-srift watch; repeat for more\n" \
"  --region=NAME        of the machines, in these files\n" \
"  --life=TIME          mean life of all machines, lost at a constant rate; no\n" \
"                       files\n" \
"A loss\n" \
"  --on-loss=wait       the job waits for the replacement (default)\n" \
"  --on-loss=go-on      the others go on without it\n" \
"  --keep-work          no step is computed again\n" \
"  --launch=TIME        until a new machine is up (from the files)\n" \
"  --join=TIME          from then until it computes (from the files: cold)\n" \
"  --restart=TIME       of the others, if they lost work and go on (warm)\n" \
"  --replacements=N     most machines that can be had (no limit)\n"
#define REST_HELP \
"  --json\n" \
"  -o, --output=FILE    (standard output)\n" \
"  -q, --quiet          say only what is wrong\n" \
"  -v, --verbose        say more\n" \
"  -h, --help           this text\n" \
"  -V, --version        version of plink\n" \
"\n"
#define PRICE_HELP \
"  --price=PRICES       K80=0.135,P100=0.43: dollars an hour of each (recorded)\n" \
"  --catalogue=FILE     prices: plink-catalogue(5)\n"

const char spot_help[] =
"Usage: plink-spot VERB [OPTION]...\n"
"Predicts time and cost of a job on machines that may be taken away:\n"
"\n"
"  plink-spot curve lives.txt\n"
"  plink-spot expect --lifetimes=lives.txt --machines=4xK80@4.56 \\\n"
"      --steps=64000 --interval=4000 --save=3.84s --price=K80=0.135 \\\n"
"      --deadline=90m\n"
"\n"
"  curve         the share of machines that were taken away by each age\n"
"  expect        time and cost of a job: mean, p50, p95\n"
"  checkpoint    the time of a checkpoint, and the best interval between them\n"
"  fit           predict step times from what neural networks compute\n"
"  trace         lifetimes from a trace of how many machines were up\n"
"\n"
"  -h, --help           this text; of a verb: plink-spot VERB --help\n"
"  -V, --version        version of plink\n"
"Exit: 0 done, 1 the answer is no, 2 usage, 3 bad input, 4 system.\n";

const char spot_curve_help[] =
"Usage: plink-spot curve [OPTION]... [FILE]...\n"
"Prints from lifetimes of machines (plink-lifetimes(5)) the share that was taken\n"
"away by each age, for each type and region, and the time of launches.\n"
"\n"
"  --history=FILE       a journal of plink-srift watch; repeat for more\n"
"  --picture=FILE.svg   the curves\n"
"  --hours=N            compare losses by hours of start, N hours together (6)\n"
REST_HELP
"Exit: 0 done, 2 usage, 3 bad input, 4 system.\n";

const char spot_expect_help[] =
"Usage: plink-spot expect --steps=N --machines=CHOICE --lifetimes=FILE\n"
"                         [OPTION]...\n"
"Predicts time and cost of a job on machines that may be taken away.\n"
"\n"
"The job\n"
JOB_HELP
"Checkpoints, money, time\n"
"  --interval=STEPS     between checkpoints (there are none)\n"
"  --save=TIME          that a checkpoint takes\n"
PRICE_HELP
"  --deadline=TIME      tells the chance to meet it\n"
"  --picture=FILE.svg   time and cost of each replay\n"
"  --replays=N          played with random losses (10000)\n"
"  --seed=N             of the random numbers (1)\n"
"Output\n"
REST_HELP
"Exit: 0 done, 1 the job does not end, 2 usage, 3 bad input, 4 system.\n";

const char spot_checkpoint_help[] =
"Usage: plink-spot checkpoint {--save=TIME|--samples=FILE --sizes=D,M,I}\n"
"                             [OPTION]...\n"
"Predicts the time of a checkpoint from measured ones, and finds the number of\n"
"steps between checkpoints with which a job takes the least time.\n"
"\n"
"The checkpoint\n"
"  --save=TIME          that it takes; or\n"
"  --samples=FILE       measured ones, as CSV: columns data, meta, index (sizes\n"
"                       of the files), seconds\n"
"  --sizes=D,M,I        of the files of this one, in the same unit; --profile\n"
"                       gets the predicted time\n"
"  --unscaled           sizes in support vectors are taken as they are\n"
"  --folds=N            of the samples, to judge the models (5)\n"
"The job\n"
JOB_HELP
PRICE_HELP
"  --replays=N          for each interval that is tried (1000)\n"
"  --seed=N             of the random numbers (1)\n"
"Output\n"
REST_HELP
"Exit: 0 done, 1 the job does not end, 2 usage, 3 bad input, 4 system.\n";

const char spot_fit_help[] =
"Usage: plink-spot fit --features=COLUMNS --target=COLUMN [OPTION]... FILE\n"
"Fits models that predict a column, such as the seconds of a step, from other\n"
"columns (features), such as the operations of a step, and prints the error of\n"
"each model on rows that it was not fitted to. FILE is comma-separated; its first\n"
"line names the columns.\n"
"\n"
"  --features=COLUMNS   names with commas\n"
"  --target=COLUMN      what is learned\n"
"  --model=linear       least squares\n"
"  --model=pca          the same, of two principal components\n"
"  --model=rbf          support vectors, kernel of radial basis functions\n"
"  --model=all          (default)\n"
"  --at=VALUES          of the features: predict the value there\n"
"  --profile=FILE       values of the features are those of this profile\n"
"                       (plink-profile(5)): parameters, flops; what is predicted\n"
"                       there becomes the seconds of a step\n"
"  --instance=TYPE      with --profile: of this type of machine\n"
"  --unscaled           features of support vectors are taken as they are\n"
"  --folds=N            of the rows, to judge the models (5)\n"
"  --seed=N             of the folds (1)\n"
REST_HELP
"Exit: 0 done, 2 usage, 3 bad input, 4 system.\n";

const char spot_trace_help[] =
"Usage: plink-spot trace --type=TYPE [OPTION]... FILE\n"
"Prints lifetimes of machines (plink-lifetimes(5)) from a trace of how many spot\n"
"machines were up: {\"metadata\": {\"gap_seconds\": 300}, \"data\": [4, 4, 3, ...]}.\n"
"\n"
"  --type=TYPE          of the machines\n"
"  --region=NAME        of the machines (-)\n"
"  --from=TIME          the part of the trace from then on (all)\n"
"  --until=TIME         and up to then\n"
"  --together=N         takes N machines as one, which is up while they all are\n"
"  --seed=N             of the choice which machines were lost (1)\n"
"  -o, --output=FILE    (standard output)\n"
"  -q, --quiet          say only what is wrong\n"
"  -v, --verbose        say more\n"
"  -h, --help           this text\n"
"  -V, --version        version of plink\n"
"\n"
"Exit: 0 done, 2 usage, 3 bad input, 4 system.\n";
/* clang-format on */
