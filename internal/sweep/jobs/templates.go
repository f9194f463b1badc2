package jobs

var templates = map[string]string{
	Slurm: `#!/bin/bash
# {{.Name}} in {{.Shards}} shards. Submit from the folder in which paths are to be understood:
#
#   sbatch THIS-FILE
#   sdrsim status {{quote .Folder}}
#   sdrsim merge {{quote .Folder}} -o {{quote .Results}}
#
# A task that was killed, or requeued, goes on where it stopped; submitting again runs what is
# missing. To merge when all have ended: sbatch --dependency=afterok:JOB --wrap 'sdrsim merge ...'
#SBATCH --job-name={{label .Name}}
#SBATCH --array=1-{{.Shards}}
#SBATCH --cpus-per-task={{.CPUs}}
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output={{label .Name}}-%a.log
set -eu
# exec: the signals of Slurm go to the program, which keeps what it has done.
exec {{.Command}} --shard auto --shards {{.Shards}} -o {{quote .Folder}} --log-format text
`,
	Parallel: `#!/bin/bash
# {{.Name}} in {{.Shards}} shards with GNU parallel on this machine, or on those that
# PARALLEL="--sshlogin ... --workdir ." names. Running it again runs what is missing. Shards of
# another scenario, or of this one before it was changed, are refused: remove their folder first.
set -eu
mkdir -p {{quote .Folder}}
shard() {
  {{.Command}} --shard "$1/{{.Shards}}" -o {{quote .Folder}} \
    --jobs {{.CPUs}} --log-format text
}
export -f shard
# Every shard is started each time, without a log of those that ended before: one that is complete
# finds that out itself, and one that is damaged or gone is run.
parallel --jobs "${JOBS:-100%}" --env shard shard ::: $(seq {{.Shards}})
sdrsim merge {{quote .Folder}} -o {{quote .Results}}
`,
	Kubernetes: `# {{.Name}} in {{.Shards}} shards, as an Indexed Job. It needs an image that
# has sdrsim on its path, and a volume claim that all pods can write to:
#
#   kubectl apply -f THIS-FILE
#   sdrsim merge /results/{{.Name}}.shards -o /results/{{.Name}}    (where the volume is mounted)
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{label .Name}}
data:
  {{.Name}}.yaml: {{literal 4 .Text}}
---
apiVersion: batch/v1
kind: Job
metadata:
  name: {{label .Name}}
spec:
  completionMode: Indexed
  completions: {{.Shards}}
  parallelism: {{.Shards}}
  # A shard that fails is started again, and goes on where it stopped.
  backoffLimitPerIndex: 3
  maxFailedIndexes: {{.Shards}}
  template:
    metadata:
      labels:
        app: {{label .Name}}
    spec:
      restartPolicy: Never
      terminationGracePeriodSeconds: 120
      containers:
        - name: sdrsim
          image: {{string .Image}}
          command: ["sdrsim"]
          args:
{{- range .Args}}
            - {{string .}}
{{- end}}
          env:
            # Kubernetes sets JOB_COMPLETION_INDEX, but not how many there are.
            - name: JOB_COMPLETIONS
              value: "{{.Shards}}"
            - name: GOMAXPROCS
              value: "{{.CPUs}}"
          resources:
            requests:
              cpu: "{{.CPUs}}"
          volumeMounts:
            - name: scenario
              mountPath: /scenario
            - name: results
              mountPath: /results
      volumes:
        - name: scenario
          configMap:
            name: {{label .Name}}
        - name: results
          persistentVolumeClaim:
            claimName: {{string .Claim}}
`,
}
