# SPDX-License-Identifier: BSD-3-Clause
# What measures; nothing here is installed, and nothing built before "make
# bench-programs" or the tests.
BENCHES =
BENCH_FILES =
check_PROGRAMS += $(BENCHES)
check_DATA += $(BENCH_FILES)
CLEANFILES += $(EXTRA_PROGRAMS) $(EXTRA_LIBRARIES)
bench-programs: $(BENCHES) $(BENCH_FILES)
.PHONY: bench-programs

# Preload library: it goes into programs that know nothing of sanitizers.
EXTRA_PROGRAMS += libplink-bench-yield.so
libplink_bench_yield_so_SOURCES = bench/yield-block.c bench/yield-block.h
libplink_bench_yield_so_CFLAGS = $(WARN_CFLAGS) $(BASE_CFLAGS)
libplink_bench_yield_so_LDFLAGS = -shared
BENCH_FILES += libplink-bench-yield.so
CLEANFILES += libplink-bench-yield.so

BENCH_OPTIONS = bench/options.c bench/options.h

# bench: allreduce   an all-reduce of the MPI library, timed (under mpirun)
if HAVE_MPI
BENCHES += bench/allreduce
endif
BENCH_ALLREDUCE = bench/allreduce.c \
	bench/allreduce-args.c bench/allreduce-args.h bench/yield-block.h
bench_allreduce_SOURCES = $(BENCH_ALLREDUCE)
bench_allreduce_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
bench_allreduce_LDADD = $(TOOL_A) $(MPI_LIBS) -lm
if HAVE_MPICH
BENCHES += bench/allreduce-mpich
endif
bench_allreduce_mpich_SOURCES = $(BENCH_ALLREDUCE)
bench_allreduce_mpich_CFLAGS = $(AM_CFLAGS) $(MPICH_CFLAGS)
bench_allreduce_mpich_LDADD = $(TOOL_A) $(MPICH_LIBS) -lm

# bench: end-to-end  from a host list to a faster all-reduce, in a testbed
EXTRA_DIST += bench/end-to-end bench/data/racks-4x4.matrix
BENCHES += bench/compare-orders bench/planted-orders
bench_compare_orders_SOURCES = bench/compare-orders.c \
	bench/spearman.c bench/spearman.h \
	bench/orders.c bench/orders.h
bench_compare_orders_LDADD = $(TOOL_A) -lm
bench_planted_orders_SOURCES = bench/planted-orders.c
bench_planted_orders_LDADD = $(TOOL_A) $(RNG_LIBS) -lm

# bench: job         one order for a whole job: promised and measured
EXTRA_DIST += bench/job bench/results/job.txt
if HAVE_MPI
BENCHES += bench/job-step
endif
bench_job_step_SOURCES = bench/job-step.c
bench_job_step_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
bench_job_step_LDADD = $(JOB_A) $(TOOL_A) $(MPI_LIBS) -lm

# bench: fsdp        an order for FSDP from what PyTorch recorded, before and after
EXTRA_DIST += bench/fsdp bench/fsdp_job.py bench/results/fsdp.txt

# bench: planted-jobs  jobs whose best order is known: what is found, and how fast
EXTRA_DIST += bench/results/planted-jobs.txt
BENCHES += bench/planted-jobs
bench_planted_jobs_SOURCES = bench/planted-jobs.c bench/job-scotch.c \
	bench/job-scotch.h bench/qap-baselines.h bench/qap-instances.h \
	bench/qap-scotch.c $(BENCH_OPTIONS)
bench_planted_jobs_LDADD = $(JOB_ORDER_A) $(TOOL_A) $(RNG_LIBS) \
	$(THREAD_LIBS) -lm

# bench: quicktune   masters by rates against an integer program's
if HAVE_GLPK
BENCHES += bench/quicktune
endif
bench_quicktune_SOURCES = bench/quicktune.c $(BENCH_OPTIONS)
bench_quicktune_LDADD = libplink-engine.a $(TOOL_A) $(RNG_LIBS) $(GLPK_LIBS) -lm

# bench: matrix-io   reading and writing matrix files, against plain C
BENCHES += bench/matrix-io
bench_matrix_io_SOURCES = bench/matrix-io.c $(BENCH_OPTIONS)
bench_matrix_io_LDADD = $(TOOL_A) $(RNG_LIBS) -lm

# bench: report      what a page costs and weighs, beside the matrix it shows
EXTRA_DIST += bench/results/report.txt
BENCHES += bench/report
bench_report_SOURCES = bench/report.c $(BENCH_OPTIONS)
bench_report_LDADD = $(TOOL_A) $(REPORT_LIBS)

# bench: testbed     how exact the emulated cluster is, by fping
EXTRA_DIST += bench/testbed

# bench: solver      the ring search and its bound: quality and speed
BENCHES += bench/solver
BENCH_INSTANCES = bench/instances.c bench/instances.h bench/racks.c bench/racks.h
BENCH_THESIS = bench/thesis-stages.c bench/thesis-stages.h \
	bench/processor-time.c bench/processor-time.h
BENCH_TSPLIB = -DBENCH_TSPLIB='"$(abs_top_srcdir)/bench/tsplib"'
EXTRA_DIST += bench/tsplib
bench_solver_CPPFLAGS = $(AM_CPPFLAGS) $(BENCH_TSPLIB)
bench_solver_SOURCES = bench/solver.c $(BENCH_OPTIONS) $(BENCH_INSTANCES) \
	bench/gap-time.c bench/gap-time.h $(BENCH_THESIS)
bench_solver_LDADD = $(TOOL_A) $(SOLVER_LIBS)

# bench: thesis-solver   the thesis' two stages against the ring search
BENCHES += bench/thesis-solver
bench_thesis_solver_CPPFLAGS = $(AM_CPPFLAGS) $(BENCH_TSPLIB)
bench_thesis_solver_SOURCES = bench/thesis-solver.c $(BENCH_OPTIONS) \
	$(BENCH_INSTANCES) $(BENCH_THESIS)
bench_thesis_solver_LDADD = $(TOOL_A) $(SOLVER_LIBS)

# bench: order-search  orders for all other shapes: quality, speed, annealing
BENCHES += bench/order-search
bench_order_search_SOURCES = bench/order-search.c $(BENCH_OPTIONS) \
	bench/racks.c bench/racks.h $(BENCH_THESIS)
bench_order_search_LDADD = $(TOOL_A) $(SOLVER_LIBS)

# bench: order-cells   orders for hosts of any number, against the thesis' two stages
EXTRA_DIST += bench/results/order-cells.txt
BENCHES += bench/order-cells
bench_order_cells_SOURCES = bench/order-cells.c bench/cells.c bench/cells.h \
	bench/racks.c bench/racks.h $(BENCH_THESIS) $(BENCH_OPTIONS)
bench_order_cells_LDADD = $(TOOL_A) $(SOLVER_LIBS)

# bench: qap         traffic alone: against best known values, greedy, and Scotch
EXTRA_DIST += bench/results/qap.txt
BENCHES += bench/qap
bench_qap_SOURCES = bench/qap.c bench/qap-instances.c bench/qap-instances.h \
	bench/qap-baselines.c bench/qap-baselines.h bench/qap-scotch.c \
	$(BENCH_OPTIONS) bench/racks.c bench/racks.h
bench_qap_LDADD = $(TOOL_A) $(SOLVER_LIBS)

# bench: traffic     plink-order --job for messages between ranks alone
EXTRA_DIST += bench/traffic

# bench: probe       errors, packets and seconds of plink-probe, fping and 10000 probes
EXTRA_DIST += bench/probe bench/probe.sh bench/results/probe.txt
BENCHES += bench/usage
bench_usage_SOURCES = bench/usage.c
bench_usage_LDADD = $(BASE_A)

# bench: bandwidth   errors, bytes and seconds of plink-probe and iperf3
EXTRA_DIST += bench/bandwidth bench/results/bandwidth.txt

# bench: few-flows   errors of cards and uplinks that plink-probe tells
EXTRA_DIST += bench/few-flows bench/results/few-flows.txt

# bench: objective   costs that follow an order's changes, against adding them up
BENCHES += bench/objective
bench_objective_SOURCES = bench/objective.c $(BENCH_OPTIONS)
bench_objective_LDADD = $(TOOL_A) $(COST_A) $(RNG_LIBS) -lm

# bench: predict     predicted times of all-reduces against measured ones, in a testbed
EXTRA_DIST += bench/predict bench/results/predict-probed.txt \
	$(PREDICT_KEPT:%=bench/data/predict/4x4-uplink-0/%) \
	$(PREDICT_KEPT:%=bench/data/predict/4x4-uplink-200/%) \
	$(PREDICT_KEPT:%=bench/data/predict/4x8-uplink-0/%) \
	$(PREDICT_KEPT:%=bench/data/predict/4x8-uplink-200/%)
PREDICT_KEPT = matrix network results
BENCHES += bench/judge-predictions
bench_judge_predictions_SOURCES = bench/judge-predictions.c \
	bench/predictions.c bench/predictions.h bench/spearman.c bench/spearman.h
bench_judge_predictions_LDADD = $(TOOL_A) $(PREDICT_LIBS)

# bench: promise     the order that plink-order writes by itself against the given one
# bench: message-costs  two ranks over loopback TCP, predicted and measured
EXTRA_DIST += bench/message-costs
# bench: smpi        predicted times of all-reduces against those of SimGrid's SMPI
EXTRA_DIST += bench/smpi bench/results/smpi.txt
BENCHES += bench/smpi-traces
bench_smpi_traces_SOURCES = bench/smpi-traces.c $(BENCH_OPTIONS)
bench_smpi_traces_LDADD = $(TOOL_A) $(PREDICT_LIBS)
# bench: kept        how often a faster order is thrown away, in 36 networks
EXTRA_DIST += bench/kept
# bench: engine      all-reduces by a schedule of plink against Open MPI's own, in a testbed
EXTRA_DIST += bench/engine bench/results/engine.txt
# bench: engine-local  the same on the processors of one machine, and Gloo's
EXTRA_DIST += bench/engine-local bench/torch-allreduce.py bench/results/gpu.txt
# bench: groups       two levels by several ways to find the groups
EXTRA_DIST += bench/groups
# bench: autotune     schedules that change with the network, and that stay
EXTRA_DIST += bench/autotune bench/results/autotune-card.svg

EXTRA_DIST += bench/promise bench/promise.awk bench/middle.awk bench/machines.sh bench/results/promise.txt
BENCHES += bench/drawn-network
bench_drawn_network_SOURCES = bench/drawn-network.c $(BENCH_OPTIONS)
bench_drawn_network_LDADD = $(TOOL_A) $(RNG_LIBS) -lm

# bench: predict-cost  how long predictions take to make
BENCHES += bench/predict-cost
bench_predict_cost_SOURCES = bench/predict-cost.c $(BENCH_OPTIONS)
bench_predict_cost_LDADD = $(TOOL_A) $(PREDICT_LIBS)

# bench: audit-read  how fast captures are read, against libpcap alone
if HAVE_PCAP
BENCHES += bench/audit-read
endif
bench_audit_read_SOURCES = bench/audit-read.c $(BENCH_OPTIONS)
bench_audit_read_CFLAGS = $(AM_CFLAGS) $(PCAP_CFLAGS)
bench_audit_read_LDADD = $(TOOL_A) $(AUDIT_LIBS) -lm

# bench: shim        what libplink-mpi.so costs: calls bare and with the preload
EXTRA_DIST += bench/shim
if HAVE_MPI
BENCHES += bench/shim-calls
EXTRA_PROGRAMS += libplink-bench-none.so
BENCH_FILES += libplink-bench-none.so
endif
bench_shim_calls_SOURCES = bench/shim-calls.c $(BENCH_OPTIONS)
bench_shim_calls_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
bench_shim_calls_LDADD = $(TOOL_A) $(MPI_LIBS) -lm
libplink_bench_none_so_SOURCES = bench/shim-none.c
libplink_bench_none_so_CFLAGS = $(WARN_CFLAGS) $(BASE_CFLAGS) $(MPI_CFLAGS)
libplink_bench_none_so_LDADD = $(MPI_LIBS)
libplink_bench_none_so_LDFLAGS = -shared
CLEANFILES += libplink-bench-none.so

# bench: shim-start  MPI_Init and memory with libplink-mpi.so, by number of processes
EXTRA_DIST += bench/shim-start
if HAVE_MPI
BENCHES += bench/start-probe
EXTRA_PROGRAMS += libplink-bench-init.so
BENCH_FILES += libplink-bench-init.so
endif
bench_start_probe_SOURCES = bench/start-probe.c
bench_start_probe_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
bench_start_probe_LDADD = $(BASE_A) $(MPI_LIBS) -lm
libplink_bench_init_so_SOURCES = bench/init-end.c
libplink_bench_init_so_CFLAGS = $(WARN_CFLAGS) $(BASE_CFLAGS) $(MPI_CFLAGS)
libplink_bench_init_so_LDFLAGS = -shared
CLEANFILES += libplink-bench-init.so

# bench: shim-early  what libplink-mpi.so costs before a program begins
EXTRA_DIST += bench/shim-early
BENCHES += bench/start-time
bench_start_time_SOURCES = bench/start-time.c
bench_start_time_LDADD = $(BASE_A)

# bench: shim-machines  a job with libplink-mpi.so against one placed well, in a testbed
EXTRA_DIST += bench/shim-machines

# bench: hub  all-reduces with aggregators beside the ranks, and without, in a testbed
EXTRA_DIST += bench/hub bench/results/hub.txt

# bench: hub-echo  a hub's throughput against an echo over the same sockets, and memory
# bench: hub-zero   exchanges a second through hubs by clients, chunks and jobs
EXTRA_DIST += bench/hub-zero bench/results/hub-zero.txt
BENCHES += bench/hub-echo
bench_hub_echo_SOURCES = bench/hub-echo.c $(BENCH_OPTIONS)
bench_hub_echo_LDADD = $(TOOL_A) $(ENGINE_A) -lm

# bench: hub-racks  a hub in each rack against hubs for all, and none, in a testbed
EXTRA_DIST += bench/hub-racks bench/results/hub-racks.txt

# bench: hub-steps  optimisers that a hub runs, and what they cost beside a plain sum
EXTRA_DIST += bench/hub-steps bench/results/hub-steps.txt
BENCHES += bench/hub-time
bench_hub_time_SOURCES = bench/hub-time.c
bench_hub_time_LDFLAGS = $(AM_LDFLAGS) $(FIND_LIBPLINK)
bench_hub_time_LDADD = libplink.so

# bench: graph       where a graph's ranks are put: by treematch, and by plink
EXTRA_DIST += bench/graph bench/results/graph.txt
if HAVE_MPI
BENCHES += bench/graph-ranks
endif
bench_graph_ranks_SOURCES = bench/graph-ranks.c
bench_graph_ranks_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
bench_graph_ranks_LDADD = $(RNG_LIBS) $(TOOL_A) $(MPI_LIBS)

# bench: halo  the halo exchange of grids with and without libplink-mpi.so, in a testbed
EXTRA_DIST += bench/halo bench/results/halo.txt
if HAVE_MPI
BENCHES += bench/halo-time
endif
bench_halo_time_SOURCES = bench/halo-time.c
bench_halo_time_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
bench_halo_time_LDADD = $(MPI_LIBS)

# bench: exec-start  what plink-exec adds to the start of a command
EXTRA_DIST += bench/exec-start

# bench: ddp-machines  an unchanged DDP job over Gloo, given order and found, and over plink, in a testbed
EXTRA_DIST += bench/ddp-machines bench/ddp-train.py bench/results/gloo-ddp.txt

# bench: torchrun    an elastic job in the order of names, by a plan, and by the best, in a testbed
EXTRA_DIST += bench/torchrun bench/torchrun-agent.py bench/torchrun-job.py \
	bench/results/torchrun.txt

# bench: repair  how long a join or a loss waits for the order of an elastic job
EXTRA_DIST += bench/repair bench/results/repair.txt

# bench: conformance  MPICH's and mpi4py's own tests, bare and with the preload
EXTRA_DIST += bench/conformance bench/conformance-mpi4py bench/conformance.sh
EXTRA_DIST += bench/results/conformance-openmpi-engine.txt \
	bench/results/conformance-mpich-engine.txt \
	bench/results/conformance-mpi4py-engine.txt \
	bench/results/conformance-openmpi-world.txt \
	bench/results/conformance-openmpi-shadow.txt \
	bench/results/conformance-mpich-world.txt \
	bench/results/conformance-mpich-shadow.txt \
	bench/results/conformance-mpi4py-world.txt \
	bench/results/conformance-mpi4py-shadow.txt

# bench: probe-flood  packets that nobody wants, a million at an agent: its answers, its time; what a flood costs
BENCHES += bench/probe-flood
bench_probe_flood_SOURCES = bench/probe-flood.c bench/flood.c bench/flood.h \
	$(BENCH_OPTIONS)
bench_probe_flood_LDADD = $(TOOL_A) $(PROBE_LIBS) $(RNG_LIBS) -lm

# bench: agenda      finding the next pair of a run, against a walk down the list
BENCHES += bench/agenda
bench_agenda_SOURCES = bench/agenda.c
bench_agenda_LDADD = $(TOOL_A) $(PROBE_LIBS) $(RNG_LIBS) -lm

# bench: lightgbm    LightGBM's own program by a plan, sockets and MPI, in a testbed
EXTRA_DIST += bench/lightgbm bench/results/lightgbm.txt
BENCHES += bench/lightgbm-data
bench_lightgbm_data_SOURCES = bench/lightgbm-data.c $(BENCH_OPTIONS)
bench_lightgbm_data_LDADD = $(TOOL_A) $(RNG_LIBS) -lm

# bench: xgboost     XGBoost's library by a plan, in a testbed
EXTRA_DIST += bench/xgboost bench/results/xgboost.txt
if HAVE_XGBOOST
BENCHES += bench/xgboost-job
endif
bench_xgboost_job_SOURCES = bench/xgboost-job.c $(BENCH_OPTIONS)
bench_xgboost_job_LDADD = $(TOOL_A) $(RNG_LIBS) $(XGBOOST_LIBS) -lm

# bench: nccl-calls  what libplink-nccl.so costs: calls bare and with the preload
EXTRA_DIST += bench/nccl-calls
BENCHES += bench/nccl-call-times
bench_nccl_call_times_SOURCES = bench/nccl-call-times.c $(BENCH_OPTIONS)
bench_nccl_call_times_LDADD = $(TOOL_A) 	bench/nccl-none/libnccl.so.2 -lm
EXTRA_LIBRARIES += libplink-bench-nccl-none.a
BENCH_FILES += bench/nccl-none/libnccl.so.2
CLEANFILES += bench/nccl-none/libnccl.so.2
libplink_bench_nccl_none_a_SOURCES = bench/nccl-none.c
libplink_bench_nccl_none_a_CFLAGS = $(WARN_CFLAGS) $(BASE_CFLAGS)
bench/nccl-none/libnccl.so.2: libplink-bench-nccl-none.a
	$(AM_V_at)$(MKDIR_P) $(@D)
	$(AM_V_GEN)$(CC) -shared -o $@ -Wl,-soname,libnccl.so.2 \
		-Wl,--whole-archive libplink-bench-nccl-none.a \
		-Wl,--no-whole-archive

# bench: embed       embeddings of noisy distances: PAIA, racks, seconds
BENCHES += bench/embed bench/embed-sparse
bench_embed_SOURCES = bench/embed.c bench/noisy.c bench/noisy.h $(BENCH_OPTIONS)
bench_embed_LDADD = $(TOOL_A) $(TOPOLOGY_A) $(EMBED_LIBS) $(JANSSON_LIBS)
# bench: embed-sparse  estimates from a few probes of each host
EXTRA_DIST += bench/results/sparse.txt
bench_embed_sparse_SOURCES = bench/embed-sparse.c $(BENCH_OPTIONS)
bench_embed_sparse_LDADD = $(TOOL_A) $(EMBED_LIBS)
# bench: missing-cells  orders with missing cells filled in by plink-order's ways
EXTRA_DIST += bench/missing-cells bench/results/embed.txt

# bench: srift       how fast exchanges of gradients are simulated
BENCHES += bench/srift
bench_srift_SOURCES = bench/srift.c $(BENCH_OPTIONS)
bench_srift_LDADD = $(TOOL_A) $(PLANNER_LIBS)

# bench: srift-recommend  how fast the best choice of machines is found, and proved
BENCHES += bench/srift-recommend
bench_srift_recommend_SOURCES = bench/srift-recommend.c $(BENCH_OPTIONS)
bench_srift_recommend_LDADD = $(TOOL_A) $(PLANNER_LIBS)
EXTRA_DIST += bench/results/srift-recommend.txt

# bench: srift-ddp   predicted times of a DDP job over Gloo against its own, in a testbed
EXTRA_DIST += bench/srift-ddp bench/srift_job.py bench/results/srift-ddp.txt

# bench: srift-job   predicted times of a step with sharded weights against its own, in a testbed
EXTRA_DIST += bench/srift-job bench/zero_job.py bench/results/srift-job.txt

# bench: batch       the choice of plink-batch run against training with every choice, in a testbed
EXTRA_DIST += bench/batch bench/batch_job.py
# bench: batch-norms  what plink.norms adds to an iteration
EXTRA_DIST += bench/batch-norms
# bench: mpi-noise   what norms of gradients add to all-reduces (PLINK_STATS=FILE,noise)
EXTRA_DIST += bench/mpi-noise
if HAVE_MPI
BENCHES += bench/noise-calls
endif
bench_noise_calls_SOURCES = bench/noise-calls.c
bench_noise_calls_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
bench_noise_calls_LDADD = $(BASE_A) $(MPI_LIBS) -lm
# bench: batch-laws  laws of plink-batch against Pollux' measurements and kneed's knees
EXTRA_DIST += bench/results/batch.txt
BENCHES += bench/batch-laws
bench_batch_laws_SOURCES = bench/batch-laws.c $(BENCH_OPTIONS)
bench_batch_laws_LDADD = $(TOOL_A) $(PLANNER_LIBS)

# bench: sparse      orders of many hosts from few probes of each, in simulation
BENCHES += bench/sparse
bench_sparse_SOURCES = bench/sparse.c \
	bench/sparse-order.c bench/sparse-order.h bench/tiers.c bench/tiers.h $(BENCH_OPTIONS)
bench_sparse_LDADD = $(TOOL_A) $(TOPOLOGY_A) $(EMBED_LIBS) $(JANSSON_LIBS)
# bench: sparse-orders  orders from plink-probe --sparse, of agents that are made up
EXTRA_DIST += bench/sparse-orders
BENCHES += bench/sim-agent bench/tiers-matrix
bench_sim_agent_SOURCES = bench/sim-agent.c bench/tiers.c bench/tiers.h $(BENCH_OPTIONS)
bench_sim_agent_LDADD = $(TOOL_A) $(PROBE_LIBS) $(RNG_LIBS) -lm
bench_tiers_matrix_SOURCES = bench/tiers-matrix.c bench/tiers.c bench/tiers.h $(BENCH_OPTIONS)
bench_tiers_matrix_LDADD = $(TOOL_A) $(RNG_LIBS) -lm

# bench: launch      starting agents by ssh: what the machine needs that starts them
EXTRA_DIST += bench/launch bench/results/launch.txt
BENCHES += bench/head-use
bench_head_use_SOURCES = bench/head-use.c
bench_head_use_LDADD = $(BASE_A)

# bench: srift-grid  a made-up grid of measurements, of a truth that is known
BENCHES += bench/srift-grid
MADE_GRID = bench/made-grid.c bench/made-grid.h
bench_srift_grid_SOURCES = bench/srift-grid.c $(MADE_GRID) $(BENCH_OPTIONS)
bench_srift_grid_LDADD = $(TOOL_A) $(PLANNER_LIBS)

# bench: srift-learned  learned bandwidths against noise and plainer models
BENCHES += bench/srift-learned
bench_srift_learned_SOURCES = bench/srift-learned.c $(MADE_GRID) \
	bench/grid-models.c bench/grid-models.h $(BENCH_OPTIONS)
bench_srift_learned_LDADD = $(TOOL_A) $(LEARNED_LIBS)

# bench: srift-withheld  a grid measured in a testbed, and what is withheld predicted
EXTRA_DIST += bench/srift-withheld bench/withheld.py bench/results/srift-grid.txt

# bench: cm-dare     what plink-spot says of the data of the paper on CM-DARE
EXTRA_DIST += bench/cm-dare bench/cm-dare.py bench/results/cm-dare.txt

# bench: rehearsals  do jobs of plink-srift watch end when plink-spot expects it?
EXTRA_DIST += bench/rehearsals bench/results/rehearsals.txt

# bench: spot-traces  do jobs on recorded traces end when plink-spot expects it?
EXTRA_DIST += bench/spot-traces bench/results/spot-traces.txt

# bench: test-minutes  where the minutes of the last test run went
EXTRA_DIST += bench/test-minutes bench/results/tests.txt

# bench: stalls      stalls that are made up, and those that plink-stalls finds
EXTRA_DIST += bench/stalls bench/results/stalls.txt
