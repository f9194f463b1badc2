#!/usr/bin/env bash
# Shards on real engines: a Slurm array of which one task is requeued by force, and GNU parallel of
# which one shard is killed and run again. Both are merged and compared, byte for byte, with a run
# without shards.
#
# Slurm runs here on this machine alone, without systemd: a controller and two nodes on loopback
# ports, with a key and sockets of their own. It needs root, and installs the Debian packages
# slurm-wlm, munge and parallel where they are missing. Everything that is started is stopped again.
set -euo pipefail
cd "$(dirname "$0")/.."
exec </dev/null

if [ "$(id -u)" -ne 0 ]; then
	if sudo -n true 2>/dev/null; then exec sudo -n --preserve-env=PATH,GOFLAGS,GOCACHE "$PWD/.ci/slurm.sh"; fi
	echo "FAILED: Slurm is started by root, or by sudo without a password" >&2
	exit 1
fi
missing=()
command -v slurmctld >/dev/null || missing+=(slurm-wlm)
command -v munged >/dev/null || missing+=(munge)
command -v parallel >/dev/null || missing+=(parallel)
if [ ${#missing[@]} -gt 0 ]; then
	echo "== installing ${missing[*]}"
	apt-get update -q >/dev/null
	DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
		"${missing[@]}" >/dev/null
	for program in slurmctld munged parallel; do
		command -v "$program" >/dev/null || { echo "FAILED: no $program" >&2; exit 1; }
	done
fi

work=$(mktemp -d)
pids=()
cleanup() {
	scontrol shutdown >/dev/null 2>&1 || true
	for pid in "${pids[@]}"; do # most have ended by then
		for _ in $(seq 30); do
			kill -0 "$pid" 2>/dev/null || break
			sleep 0.1
		done
		kill "$pid" 2>/dev/null || true
	done
	stop_munged
	rm -rf "$work"
}
# It writes its seed when it ends, so that its folder must not be removed before.
stop_munged() {
	local pid
	pid=$(cat "$work/munged.pid" 2>/dev/null) || return 0
	kill "$pid" 2>/dev/null || return 0
	for _ in $(seq 30); do
		[ -e "$work/munged.pid" ] || break
		sleep 0.1
	done
}
trap cleanup EXIT
export SLURM_CONF=$work/slurm.conf

fail() {
	echo "FAILED: $*" >&2
	tail -n 15 "$work"/*.log "$work"/run/*.log 2>/dev/null >&2 || true
	exit 1
}

# await SECONDS WHAT COMMAND...: until the command succeeds.
await() {
	local limit=$1 what=$2
	shift 2
	for _ in $(seq $((limit * 10))); do
		if "$@" >/dev/null 2>&1; then return 0; fi
		sleep 0.1
	done
	fail "$what within $limit s"
}

start_slurm() {
	local host port=$((20000 + RANDOM % 10000))
	host=$(hostname -s)
	mkdir -p "$work/state" "$work/spool/n1" "$work/spool/n2"
	chmod 755 "$work"
	dd if=/dev/urandom of="$work/munge.key" bs=1024 count=1 status=none
	chmod 400 "$work/munge.key"
	munged --force --key-file="$work/munge.key" --socket="$work/munge.socket" \
		--pid-file="$work/munged.pid" --log-file="$work/munged.log" \
		--seed-file="$work/munge.seed"
	cat >"$SLURM_CONF" <<-CONF
		ClusterName=ci
		SlurmctldHost=$host(127.0.0.1)
		SlurmctldPort=$port
		SlurmUser=root
		SlurmdUser=root
		AuthType=auth/munge
		AuthInfo=socket=$work/munge.socket
		CredType=cred/munge
		StateSaveLocation=$work/state
		SlurmdSpoolDir=$work/spool/%n
		SlurmctldPidFile=$work/slurmctld.pid
		SlurmdPidFile=$work/slurmd-%n.pid
		ProctrackType=proctrack/linuxproc
		TaskPlugin=task/none
		JobAcctGatherType=jobacct_gather/none
		AccountingStorageType=accounting_storage/none
		SelectType=select/cons_tres
		SwitchType=switch/none
		MpiDefault=none
		ReturnToService=2
		KillWait=5
		SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0,bf_interval=1
		NodeName=n[1-2] NodeHostname=$host NodeAddr=127.0.0.1 Port=[$((port + 1))-$((port + 2))] CPUs=1 RealMemory=500
		PartitionName=all Nodes=n[1-2] Default=YES MaxTime=10 State=UP
	CONF
	slurmctld -D -c >"$work/controller.log" 2>&1 &
	pids+=($!)
	slurmd -D -N n1 >"$work/n1.log" 2>&1 &
	pids+=($!)
	slurmd -D -N n2 >"$work/n2.log" 2>&1 &
	pids+=($!)
	await 30 "two idle nodes" bash -c '[ "$(sinfo -h -o %D -t idle)" = 2 ]'
}

# same WHAT DIR: the results are those of the run without shards.
same() {
	local file
	for file in "$work"/run/whole/*; do
		[ "$(basename "$file")" != run.json ] || continue
		cmp "$file" "$2/$(basename "$file")" || fail "$1: $(basename "$file") differs"
	done
	echo "$1: equal to one run, byte for byte"
}

# array_ended tells that the queue has nothing more of the job and all of its shards are there. The
# queue alone is not enough: it can be silent about a task that is being put back.
array_ended() {
	[ -z "$(squeue -h -j "$job" 2>/dev/null)" ] &&
		[ "$(find slurm.shards -maxdepth 1 -name '[1-4]-of-4' | wc -l)" = 4 ]
}

mkdir -p "$work/bin" "$work/run"
go build -o "$work/bin/sdrsim" ./cmd/sdrsim
export PATH=$work/bin:$PATH
cd "$work/run"
cat >shards.yaml <<'YAML'
# Question: are shards one run?
name: shards
link: {bandwidth: 400Gbps, rtt: 25ms, mtu: 4KiB, encapsulation: none,
  loss: {model: iid, per: chunk, p: 1e-3}}
message: {size: 64MiB, chunk: 4KiB}
engine: {runs: 1}   # packet by packet, so that a shard takes a second or two
schemes: [sr-rto, sr-nack]
sweep:
  link.loss.p: {from: 1e-4, to: 1e-2, points: 8, scale: log}
samples: 80
figures:
  - {kind: line, name: speedup, x: link.loss.p, y: speedup, over: sr-rto}
YAML

echo "== one run"
sdrsim run -q shards.yaml -o whole

echo "== Slurm"
start_slurm
sdrsim jobs shards.yaml --engine slurm --shards 4 -o slurm >slurm.sbatch
job=$(sbatch --parsable slurm.sbatch)
started=$SECONDS

# Task 2 is thrown off its node when it has begun, and put back into the queue.
await 60 "task 2 of the array begins" test -s slurm.shards/.2-of-4.run/units.journal
scontrol requeue "${job}_2"
await 30 "task 2 is put back" bash -c "squeue -h -j ${job}_2 -o %T | grep -q PENDING"
id=$(squeue -h -j "${job}_2" -o %A)
scontrol update "JobId=$id" StartTime=now # a requeued job waits two minutes otherwise
await 120 "the array ends" array_ended
echo "array of 4 tasks took $((SECONDS - started)) s"
grep -H 'interrupted; .* samples are kept' sdrsim-shards-2.log || fail "task 2 was not interrupted"
grep -H 'going on with' sdrsim-shards-2.log || fail "task 2 did not go on where it stopped"
sdrsim status slurm.shards
sdrsim merge -q slurm.shards -o slurm
same Slurm slurm

echo "== GNU parallel"
# The first attempt at shard 2 is killed.
mv "$work/bin/sdrsim" "$work/bin/sdrsim.real"
cat >"$work/bin/sdrsim" <<'SH'
#!/bin/sh
case "$*" in
*"--shard 2/4"*)
	if mkdir killed 2>/dev/null; then
		exec timeout -s KILL 0.3 sdrsim.real "$@"
	fi
	;;
esac
exec sdrsim.real "$@"
SH
chmod +x "$work/bin/sdrsim"
sdrsim jobs shards.yaml --engine parallel --shards 4 -o parallel >parallel.sh
if JOBS=2 bash parallel.sh >parallel.out 2>&1; then fail "a killed shard passed"; fi
if sdrsim merge -q parallel.shards -o parallel; then fail "a missing shard was merged"; fi
JOBS=2 bash parallel.sh >parallel.log 2>&1 || fail "the second attempt"
[ "$(grep -c 'wrote parallel.shards' parallel.log)" = 1 ] || fail "complete shards ran again"
same "GNU parallel" parallel
rm -r parallel.shards/3-of-4
JOBS=2 bash parallel.sh >parallel.log 2>&1 || fail "the attempt after a shard was removed"
[ "$(grep -c 'wrote parallel.shards' parallel.log)" = 1 ] || fail "not the removed shard alone ran"
same "GNU parallel, a shard of it again" parallel
sed -i 's/rtt: 25ms/rtt: 50ms/' shards.yaml
if bash parallel.sh >parallel.log 2>&1; then fail "shards of another scenario passed"; fi

echo "passed"
