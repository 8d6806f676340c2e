/* SPDX-License-Identifier: BSD-3-Clause */
/* plink-stalls.c - how long an iteration of training waits for what */
#include "config.h"

#include "src/common/tool.h"
#include "src/common/verbs.h"
#include "src/stalls/stalls.h"

/* clang-format off */
static const char help[] =
"Usage: plink-stalls VERB [OPTION]... [ARGUMENT]...\n"
"Measures how long an iteration of training waits for the exchange of gradients\n"
"between the GPUs of a machine or between machines, for samples to be prepared,\n"
"and for samples to be read.\n"
"\n"
"  run      time a training script in up to five settings (steps)\n"
"  stats    the same, less exactly, from the trace of one normal run\n"
"  table    stalls, time and cost of an epoch, and advice, from measured steps\n"
"  predict  predict steps from a profile of the model, beside those measured\n"
"  synth    predict how long models exchange gradients over a link\n"
"  what-if  predict the training speed by the share of the data in memory\n"
"\n"
"  -h, --help           this text; VERB --help prints that of the verb\n"
"  -V, --version        version of plink\n"
"\n"
"Examples:\n"
"  plink-stalls run -o resnet50.stalls --data=/data/imagenet \\\n"
"      torchrun --nproc_per_node=8 train.py\n"
"  plink-stalls table --catalogue=prices.csv resnet50.stalls\n"
"  plink-stalls what-if resnet50.stalls\n"
"\n"
"Exit: 0 done, 1 done in part, 2 usage, 3 bad input, 4 system.\n";
/* clang-format on */

int main(int argc, char **argv)
{
	static const struct pl_verb verbs[] = {
		{"run", stalls_run},
		{"stats", stalls_stats},
		{"table", stalls_table},
		{"predict", stalls_predict},
		{"synth", stalls_synth},
		{"what-if", stalls_what_if},
		{NULL, NULL},
	};

	return pl_verb_main(STALLS_TOOL, verbs, help, argc, argv);
}
