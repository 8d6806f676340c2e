/* SPDX-License-Identifier: BSD-3-Clause */
/* commands.h - the verbs of plink-testbed */
#ifndef PLINK_TESTBED_COMMANDS_H
#define PLINK_TESTBED_COMMANDS_H

#define TB_TOOL "plink-testbed"
#define TB_DEFAULT_PREFIX "plink"

/* Each gets the verb as argv[0] and its arguments after it, prints its results, and returns the
 * exit status. */
int tb_matrix_main(int argc, char **argv);
int tb_up_main(int argc, char **argv);
int tb_change_main(int argc, char **argv);
int tb_schedule_main(int argc, char **argv);
int tb_exec_main(int argc, char **argv);
int tb_rsh_main(int argc, char **argv);
int tb_status_main(int argc, char **argv);
int tb_trips_main(int argc, char **argv);
int tb_down_main(int argc, char **argv);
int tb_check_main(int argc, char **argv);

#endif
