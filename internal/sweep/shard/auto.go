package shard

import (
	"fmt"
	"strconv"
)

// Environment is what Auto reads.
const (
	// SlurmTask is the number of a task of a job array, between SlurmMin and SlurmMax in steps of
	// SlurmStep; SlurmCount is how many there are.
	SlurmTask  = "SLURM_ARRAY_TASK_ID"
	SlurmMin   = "SLURM_ARRAY_TASK_MIN"
	SlurmStep  = "SLURM_ARRAY_TASK_STEP"
	SlurmCount = "SLURM_ARRAY_TASK_COUNT"
	// KubernetesIndex is the index of a pod of an Indexed Job, from 0. Kubernetes does not tell how
	// many there are; a job file sets KubernetesCount.
	KubernetesIndex = "JOB_COMPLETION_INDEX"
	KubernetesCount = "JOB_COMPLETIONS"
)

// Auto is the shard that the engine which started the process means it to do: that of a Slurm job
// array, or of an Indexed Job of Kubernetes. Count, where it is not 0, is the number of shards that
// the user gave; a Slurm array may hold some of them only, such as those that failed.
func Auto(getenv func(string) string, count int) (Part, error) {
	e := environment{getenv: getenv}
	var p Part
	switch {
	case getenv(SlurmTask) != "":
		p = e.slurm(count)
	case getenv(KubernetesIndex) != "":
		p = e.kubernetes(count)
	default:
		return Part{}, fmt.Errorf("auto: neither %s (Slurm) nor %s (Kubernetes) is set",
			SlurmTask, KubernetesIndex)
	}
	if e.err != nil {
		return Part{}, fmt.Errorf("auto: %w", e.err)
	}
	return New(p.Index, p.Of)
}

// environment reads whole numbers, and keeps the first fault.
type environment struct {
	getenv func(string) string
	err    error
}

func (e *environment) number(name string) int {
	n, err := strconv.Atoi(e.getenv(name))
	if err != nil && e.err == nil {
		e.err = fmt.Errorf("%s=%q: must be a whole number", name, e.getenv(name))
	}
	return n
}

// slurm counts the tasks of an array from its first. Where the number of shards is given, an array
// from 1 to that number or part of it is meant, and the number of the task is that of the shard.
func (e *environment) slurm(count int) Part {
	task := e.number(SlurmTask)
	if count > 0 {
		return Part{Index: task, Of: count}
	}
	step := 1
	if e.getenv(SlurmStep) != "" {
		step = max(1, e.number(SlurmStep))
	}
	from, of := e.number(SlurmMin), e.number(SlurmCount)
	if e.err == nil && (task-from)%step != 0 {
		e.err = fmt.Errorf("%s=%d is not among those from %d in steps of %d",
			SlurmTask, task, from, step)
	}
	return Part{Index: (task-from)/step + 1, Of: of}
}

func (e *environment) kubernetes(count int) Part {
	if count == 0 {
		count = e.number(KubernetesCount)
	}
	return Part{Index: e.number(KubernetesIndex) + 1, Of: count}
}
