package shard

import (
	"fmt"
	"strconv"
	"strings"
)

// Environment is what Auto reads.
const (
	// SlurmTask is the number of a task of a job array, between SlurmMin and SlurmMax in steps of
	// SlurmStep; SlurmCount is how many there are.
	SlurmTask  = "SLURM_ARRAY_TASK_ID"
	SlurmMin   = "SLURM_ARRAY_TASK_MIN"
	SlurmMax   = "SLURM_ARRAY_TASK_MAX"
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
	slurm := e.set(SlurmTask, SlurmMin, SlurmMax, SlurmStep, SlurmCount)
	kubernetes := e.set(KubernetesIndex, KubernetesCount)
	switch {
	case slurm != "" && kubernetes != "":
		return Part{}, fmt.Errorf("auto: both %s (Slurm) and %s (Kubernetes) are set: "+
			"unset those of the engine that does not run this", slurm, kubernetes)
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

// set lists those of the names that are set.
func (e *environment) set(names ...string) string {
	var list []string
	for _, name := range names {
		if e.getenv(name) != "" {
			list = append(list, name)
		}
	}
	return strings.Join(list, ", ")
}

func (e *environment) number(name string) int {
	n, err := strconv.Atoi(e.getenv(name))
	if err != nil {
		e.fault("%s=%q: must be a whole number", name, e.getenv(name))
	}
	return n
}

// within reads a number that has to be in a range.
func (e *environment) within(name string, from, to int) int {
	n := e.number(name)
	if n < from || n > to {
		e.fault("%s=%d: must be %d to %d", name, n, from, to)
	}
	return n
}

func (e *environment) fault(format string, args ...any) {
	if e.err == nil {
		e.err = fmt.Errorf(format, args...)
	}
}

// slurm counts the tasks of an array from its first. Where the number of shards is given, an array
// from 1 to that number or part of it is meant, and the number of the task is that of the shard.
func (e *environment) slurm(count int) Part {
	if count > 0 {
		return Part{Index: e.within(SlurmTask, 1, count), Of: count}
	}
	step := 1
	if e.getenv(SlurmStep) != "" {
		step = max(1, e.number(SlurmStep))
	}
	task, from := e.number(SlurmTask), e.number(SlurmMin)
	of := e.within(SlurmCount, 1, MaxParts)
	last := from + (of-1)*step
	if e.getenv(SlurmMax) != "" && e.number(SlurmMax) != last {
		e.fault("%s=%s: %s=%d tasks from %d in steps of %d end with %d; for some tasks of an array "+
			"--shards says how many there are in all", SlurmMax, e.getenv(SlurmMax), SlurmCount, of,
			from, step, last)
	}
	e.within(SlurmTask, from, last)
	if (task-from)%step != 0 {
		e.fault("%s=%d is not among those from %d in steps of %d", SlurmTask, task, from, step)
	}
	return Part{Index: (task-from)/step + 1, Of: of}
}

func (e *environment) kubernetes(count int) Part {
	of := count
	if count == 0 || e.getenv(KubernetesCount) != "" {
		of = e.within(KubernetesCount, 1, MaxParts)
	}
	if count > 0 && of != count {
		e.fault("%s=%d, but %d shards are asked for: must be the same", KubernetesCount, of, count)
	}
	return Part{Index: e.within(KubernetesIndex, 0, of-1) + 1, Of: of}
}
