/* SPDX-License-Identifier: BSD-3-Clause */
/* plink-stalls.c - where the time of a training step goes */
#include "config.h"

#include "src/common/tool.h"
#include "src/common/verbs.h"
#include "src/stalls/stalls.h"

/* clang-format off */
static const char help[] =
"Usage: plink-stalls VERB [OPTION]... [ARGUMENT]...\n"
"Where the time of a training step goes: to the exchange between the GPUs of a\n"
"machine or between machines, to preparing samples, to fetching them.\n"
"\n"
"  run      a training script, timed in the settings from which stalls follow\n"
"  stats    the same, less exactly, from the trace of one normal run\n"
"  table    stalls, time and cost of an epoch, advice, from measured steps\n"
"  synth    what made-up models exchange, and when one overtakes another\n"
"  what-if  training speed by how much of the data memory holds\n"
"\n"
"  -h, --help           this text; VERB --help: of the verb\n"
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
		{"run", stalls_run},         {"stats", stalls_stats},
		{"table", stalls_table},     {"synth", stalls_synth},
		{"what-if", stalls_what_if}, {NULL, NULL},
	};

	return pl_verb_main(STALLS_TOOL, verbs, help, argc, argv);
}
