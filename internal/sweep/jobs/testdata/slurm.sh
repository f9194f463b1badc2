#!/bin/bash
# fig9 in 40 shards. Submit from the folder in which paths are to be understood:
#
#   sbatch THIS-FILE
#   sdrsim status results/fig9.shards
#   sdrsim merge results/fig9.shards -o results/fig9
#
# A task that was killed, or requeued, goes on where it stopped; submitting again runs what is
# missing. To merge when all have ended: sbatch --dependency=afterok:JOB --wrap 'sdrsim merge ...'
#SBATCH --job-name=sdrsim-fig9
#SBATCH --array=1-40
#SBATCH --cpus-per-task=2
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=sdrsim-fig9-%a.log
set -eu
# exec: the signals of Slurm go to the program, which keeps what it has done.
exec sdrsim run 'scenarios/it'\''s fig9.yaml' --set link.rtt=50ms --set 'sweep.link.loss.p=[1e-3, 1e-2]' --shard auto --shards 40 -o results/fig9.shards --log-format text
