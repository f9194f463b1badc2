package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"sdrsim/internal/sweep/jobs"
	"sdrsim/internal/sweep/shard"
	"sdrsim/scenarios"
)

func (a *app) jobsCommand() *cobra.Command {
	var p jobs.Plan
	var engine string
	cmd := &cobra.Command{
		Use:   "jobs FILE.yaml --engine slurm|kubernetes|parallel --shards N",
		Short: "Print a file by which an engine runs a scenario in shards",
		Long: "Print a file by which Slurm, Kubernetes or GNU parallel runs a scenario in shards, on\n" +
			"many machines or cores. What the shards write, merge joins.",
		Example: "  sdrsim jobs scenarios/quickstart.yaml --engine slurm --shards 9 > quickstart.sbatch",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("shards") {
				return usagef("--shards is required: how many there are to be, 1 to %d", shard.MaxParts)
			}
			return a.writeJobs(args[0], engine, p)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&engine, "engine", "", "slurm, kubernetes or parallel; required")
	flags.IntVar(&p.Shards, "shards", 0, "how many shards; required")
	flags.IntVar(&p.CPUs, "cpus", 1, "cores of a shard")
	flags.StringVarP(&p.Results, "output", "o", "",
		"merge to `DIR`, with the shards in DIR.shards (default: as for run)")
	flags.StringVar(&p.Image, "image", "sdrsim:"+version, "container `IMAGE` (kubernetes)")
	flags.StringVar(&p.Claim, "claim", "sdrsim-results", "volume `CLAIM` for results (kubernetes)")
	addSet(cmd, &p.Set)
	return cmd
}

// writeJobs checks the scenario as a run does, and prints the file.
func (a *app) writeJobs(file, engine string, p jobs.Plan) error {
	if engine == "" {
		return usagef("--engine is required: one of %s", strings.Join(jobs.Engines(), ", "))
	}
	if _, err := shard.New(1, p.Shards); err != nil {
		return usagef("--shards %d: must be 1 to %d", p.Shards, shard.MaxParts)
	}
	if p.CPUs < 1 {
		return usagef("--cpus %d: must be at least 1", p.CPUs)
	}
	overrides, err := parseOverrides(p.Set)
	if err != nil {
		return err
	}
	s, err := load(file, overrides)
	if err != nil {
		return err
	}
	a.judgeShards(s, p.Shards)
	p.Name, p.File, p.Text = s.Name, file, string(s.Text)
	if p.Results == "" {
		p.Results = resultFolder(file, s.Name)
	}
	p.Folder = p.Results + ".shards"
	var text bytes.Buffer
	if err := jobs.Write(&text, engine, p); err != nil {
		return usageError{err}
	}
	_, err = a.stdout.Write(text.Bytes())
	return err
}

// judgeShards tells of shards that do nothing.
func (a *app) judgeShards(s *scenarios.Scenario, shards int) {
	if points := s.Len(); shards > points {
		fmt.Fprintf(a.stderr, "note: %d points do not fill %d shards; some will have nothing to do\n",
			points, shards)
	}
}
