-- SPDX-License-Identifier: BSD-3-Clause
-- cli_filter.lua - steps of Slurm whose tasks stand by a plan, without a change to srun
--[[
Goes beside slurm.conf, wherever srun runs, with CliFilterPlugins=cli_filter/lua in
slurm.conf. A site with a cli_filter.lua of its own loads this one from there by
dofile(), and calls its slurm_cli_pre_submit from its own.

An srun within an allocation whose user has set PLINK_PLAN gets -m arbitrary and, for -w,
the nodes in the plan's order, each as often as it would have had tasks anyway. The plan
may have more hosts than the job. A file PARTITION.plan in the folder below does the same
for all users of that partition, but those who have set an empty PLINK_PLAN. An srun that
chooses nodes or a distribution by itself stays as it is.

Rank 0 then runs on the plan's first node. A script that looks for it on the first node of
SLURM_JOB_NODELIST needs a plan that has that node in front (plink-order --pin). Other
numbers of nodes, as SLURM_NODEID, do not change.
--]]
local folder = "/etc/plink"

-- srun's options that decide where tasks run
local own_choice = {"distribution", "nodelist", "nodefile", "relative", "exclude",
		    "het-group", "ntasks-per-gpu"}

local function is_set(options, name)
	local set = slurm.json_cli_options(options) or ""

	return set:find('"' .. name .. '":', 1, true) ~= nil
end

local function chosen(options)
	for _, name in ipairs(own_choice) do
		if is_set(options, name) then
			return true
		end
	end
	return os.getenv("SLURM_HOSTFILE") or os.getenv("SLURM_HET_SIZE")
end

local function find_plan()
	local plan = os.getenv("PLINK_PLAN")
	local file

	if plan then
		return plan ~= "" and plan or nil
	end
	plan = folder .. "/" .. (os.getenv("SLURM_JOB_PARTITION") or "") .. ".plan"
	file = io.open(plan)
	if file then
		file:close()
		return plan
	end
end

-- A name that two hosts have stands for neither of them.
local function add_name(numbers, name, number)
	if numbers[name] == nil or numbers[name] == number then
		numbers[name] = number
	else
		numbers[name] = false
	end
end

-- The numbers of the hosts by all their names, and their positions by number; nil and
-- the reason.
local function read_plan(plan)
	local file, why = io.open(plan)
	local first = file and (file:read() or "") .. " "
	local numbers, pos, n = {}, nil, 0

	if not file then
		return nil, why
	elseif not first:find("^[\239\187\191]*#%s+plink%-plan%s+1%s") then
		why = "it is no plan of version 1"
	end
	for line in file:lines() do
		local number, name, rest = line:match("^%s*host%s+(%d+)%s+(%S+)(.*)")
		local order = line:match("^%s*order%s.*%s:%s(.*)")

		if number then
			local node = rest:match("%snode=(%S+)") or name

			add_name(numbers, name, number)
			add_name(numbers, node, number)
			add_name(numbers, node:match("^[^.]+"), number)
		elseif order and not pos then
			pos = {}
			for at in order:gmatch("%d+") do
				pos[at] = n
				n = n + 1
			end
		end
	end
	file:close()
	if not why and not pos then
		why = "it has no order"
	end
	return not why and numbers, why or pos
end

-- The job's nodes, in Slurm's order.
local function job_nodes()
	local list = io.popen('scontrol show hostnames "$SLURM_JOB_NODELIST"')
	local nodes = {}

	for node in list:lines() do
		nodes[#nodes + 1] = node
	end
	list:close()
	return nodes
end

-- How many tasks each of @n nodes runs if nothing is changed; nil: not known here.
local function job_tasks(options, n)
	local per_node = is_set(options, "ntasks-per-node") and
		tonumber(options["ntasks-per-node"])
	local total = is_set(options, "ntasks") and tonumber(options["ntasks"]) or
		n * (per_node or 1)
	local tasks, sum = {}, 0

	for count, times in (os.getenv("SLURM_TASKS_PER_NODE") or ""):gmatch(
			"(%d+)%(?x?(%d*)%)?") do
		for _ = 1, tonumber(times) or 1 do
			tasks[#tasks + 1] = tonumber(count)
			sum = sum + tonumber(count)
		end
	end
	if total == n then
		for i = 1, n do
			tasks[i] = 1
		end
	elseif sum ~= total or #tasks ~= n then
		return nil
	end
	return (not per_node or total == n * per_node) and tasks
end

-- The node of each task; nil and the reason.
local function arrange(options, plan)
	local numbers, pos = read_plan(plan)
	local nodes = job_nodes()
	local tasks = job_tasks(options, #nodes)
	local by_pos, list = {}, {}

	if not numbers then
		return nil, pos
	elseif tonumber(options["nodes"]) ~= #nodes or not tasks then
		return nil, "the step has other nodes or tasks than the job"
	end
	for i, node in ipairs(nodes) do
		local at = numbers[node] and pos[numbers[node]]

		if not at then
			return nil, node .. " is not in it"
		end
		by_pos[i] = {at = at, node = node, tasks = tasks[i]}
	end
	table.sort(by_pos, function(a, b) return a.at < b.at end)
	for _, host in ipairs(by_pos) do
		for _ = 1, host.tasks do
			list[#list + 1] = host.node
		end
	end
	return list
end

function slurm_cli_pre_submit(options, offset)
	local plan = os.getenv("SLURM_JOB_NODELIST") and find_plan()
	local list, why

	if options["type"] ~= "srun" or not plan or chosen(options) then
		return slurm.SUCCESS
	end
	list, why = arrange(options, plan)
	if list then
		options["distribution"] = "arbitrary"
		options["nodelist"] = table.concat(list, ",")
		slurm.log_info("plink: tasks follow %s, from %s on", plan, list[1])
	elseif os.getenv("PLINK_PLAN") then
		slurm.log_info("plink: tasks do not follow %s: %s", plan, why)
	end
	return slurm.SUCCESS
end

function slurm_cli_setup_defaults(options, early)
	return slurm.SUCCESS
end

function slurm_cli_post_submit(offset, job, step)
	return slurm.SUCCESS
end
