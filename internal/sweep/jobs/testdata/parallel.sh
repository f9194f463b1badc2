#!/bin/bash
# fig9 in 40 shards with GNU parallel on this machine, or on those that
# PARALLEL="--sshlogin ... --workdir ." names. Running it again runs what is missing. Shards of
# another scenario, or of this one before it was changed, are refused: remove their folder first.
set -eu
mkdir -p results/fig9.shards
shard() {
  sdrsim run 'scenarios/it'\''s fig9.yaml' --set link.rtt=50ms --set 'sweep.link.loss.p=[1e-3, 1e-2]' --shard "$1/40" -o results/fig9.shards \
    --jobs 2 --log-format text
}
export -f shard
# Every shard is started each time, without a log of those that ended before: one that is complete
# finds that out itself, and one that is damaged or gone is run.
parallel --jobs "${JOBS:-100%}" --env shard shard ::: $(seq 40)
sdrsim merge results/fig9.shards -o results/fig9
