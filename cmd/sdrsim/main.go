package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"sdrsim/internal/files"
	"sdrsim/internal/spec"
	"sdrsim/internal/sweep"
	"sdrsim/scenarios"
)

// version goes into manifests, so it says nothing about the state of a checkout.
const version = "0.1.0"

// Exit codes.
const (
	exitOK          = 0
	exitFailure     = 1   // the run failed
	exitUsage       = 2   // wrong usage, an invalid scenario or changed files; nothing was written
	exitIncomplete  = 3   // shards or points are missing, or what a check compares with
	exitInterrupted = 130 // as a shell reports a program that SIGINT ended
)

func main() {
	a := &app{stdout: os.Stdout, stderr: os.Stderr, newRunner: newRunner}
	os.Exit(a.start(os.Args[1:]))
}

// interruptible returns a context that the first interrupt ends: what is under way is then finished
// and kept. A second one ends the program at once, which loses what is under way and nothing else.
// Where nothing would be kept, the first one does.
func (a *app) interruptible() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // as it is under nohup
		signal.Notify(signals, syscall.SIGHUP)
	}
	go func() {
		<-signals
		signal.Ignore(syscall.SIGPIPE) // whoever read what is printed may be gone too
		if a.serves.Load() {
			cancel()
			<-signals
			os.Exit(exitInterrupted)
		}
		if !a.finishes.Load() {
			files.Abandon()
			remains := "nothing was written"
			if a.draws.Load() {
				remains = "each figure is as it was, or drawn anew"
			}
			fmt.Fprintln(os.Stderr, "sdrsim: interrupted;", remains)
			os.Exit(exitInterrupted)
		}
		fmt.Fprintln(os.Stderr, "sdrsim: finishing the samples under way; "+
			"interrupt again to stop at once")
		cancel()
		for s := range signals {
			if s != syscall.SIGHUP { // a terminal that goes may say so more than once
				break
			}
		}
		files.Abandon()
		os.Exit(exitInterrupted)
	}()
	return ctx
}

// start runs the program as the process that it is.
func (a *app) start(args []string) int {
	if err := useSlurmCPUs(); err != nil {
		fmt.Fprintln(a.stderr, "sdrsim:", err)
		return exitUsage
	}
	return a.run(a.interruptible(), args)
}

// useSlurmCPUs uses as many cores as Slurm has granted to the task, unless GOMAXPROCS says how
// many.
func useSlurmCPUs() error {
	const name = "SLURM_CPUS_PER_TASK"
	granted := os.Getenv(name)
	if granted == "" || os.Getenv("GOMAXPROCS") != "" {
		return nil
	}
	cpus, err := strconv.Atoi(granted)
	if err != nil || cpus < 1 {
		return fmt.Errorf("%s=%q: must be an integer number of cores, at least 1", name, granted)
	}
	runtime.GOMAXPROCS(cpus)
	return nil
}

// run is the whole program: it executes the command that args (without the program's name) spell,
// and returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	return (&app{stdout: stdout, stderr: stderr, newRunner: newRunner}).run(ctx, args)
}

// app is one execution of the program.
type app struct {
	stdout, stderr io.Writer
	// newRunner makes the runner of a point under a scheme; tests put another in its place.
	newRunner func(*spec.Point, *spec.Scheme) (sweep.Runner, error)
	// tryFor is how long a dry run tries samples; 0: as long as is usual.
	tryFor time.Duration
	// begun is set when the arguments have been understood: an error before is one of usage.
	begun bool
	// finishes is set while the first interrupt lets the command finish what is under way; draws
	// while figures are drawn again, one by one.
	finishes, draws atomic.Bool
	// serves is set while the command goes on until it is interrupted, which then is its orderly end.
	serves atomic.Bool
	// spelled has overrides, each followed by the flag by which it was given.
	spelled []string
}

func (a *app) run(ctx context.Context, args []string) int {
	printed := &output{Writer: a.stdout}
	a.stdout = printed
	root := a.rootCommand()
	root.SetArgs(args)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	err := root.ExecuteContext(ctx)
	if err == nil && printed.err != nil {
		err = fmt.Errorf("writing the standard output: %w", printed.err)
	}
	if err == nil {
		return exitOK
	}
	return a.fail(ctx, err)
}

// usageError is a mistake of the user that is not in a scenario.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// fail prints why the program ends and returns the exit code.
func (a *app) fail(ctx context.Context, err error) int {
	var faults scenarios.Errors
	var usage usageError
	var input files.InputError
	var stopped *stoppedError
	var incomplete *incompleteError
	var told toldError
	switch {
	case errors.As(err, &told):
		return told.code
	case errors.As(err, &faults):
		fmt.Fprintln(a.stderr, a.say(faults)) // each line begins with file:line:column
		return exitUsage
	case !a.begun:
		fmt.Fprintf(a.stderr, "sdrsim: %s\nTry: sdrsim --help\n", brief(err.Error()))
		return exitUsage
	case errors.As(err, &usage), errors.As(err, &input):
		fmt.Fprintln(a.stderr, "sdrsim:", a.say(err))
		return exitUsage
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		remains := "nothing was written"
		if errors.As(err, &stopped) {
			remains = stopped.remains()
		}
		fmt.Fprintln(a.stderr, "sdrsim: interrupted;", remains)
		return exitInterrupted
	case errors.As(err, &incomplete):
		fmt.Fprintln(a.stderr, "sdrsim:", a.say(err))
		return exitIncomplete
	}
	fmt.Fprintln(a.stderr, "sdrsim:", a.say(err))
	return exitFailure
}

// say is the text of an error, with overrides as the user has spelled them, and no value at length.
func (a *app) say(err error) string {
	return brief(strings.NewReplacer(a.spelled...).Replace(err.Error()))
}

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "sdrsim",
		Short: "Simulate RDMA reliability between datacenters",
		Long: "sdrsim simulates reliability schemes for RDMA between datacenters: Selective Repeat\n" +
			"and Erasure Coding over the SDR bitmap (arXiv:2505.05366).",
		Example: "  sdrsim run scenarios/quickstart.yaml\n" +
			"  sdrsim run scenarios/quickstart.yaml --set link.rtt=100ms --samples 500 -o /tmp/far\n" +
			"  sdrsim plot results/quickstart\n" +
			"  sdrsim list",
		Version:       version + build(),
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.PersistentPreRunE = func(cmd *cobra.Command, args []string) error {
		a.begun = true
		a.spelled = spellings(cmd)
		return cmp.Or(refuseEmpty(cmd), refuseControls(cmd, args))
	}
	root.AddCommand(
		a.runCommand(), a.plotCommand(), a.modelCommand(), a.validateCommand(), a.listCommand(),
		a.benchCommand(), a.schemaCommand(), a.wiresharkCommand(), a.mergeCommand(), a.statusCommand(),
		a.jobsCommand(), a.replayCommand(), a.checkCommand(), a.exploreCommand(),
	)
	return root
}

// build describes the program for --version: compiler, platform and, where known, the commit.
func build() string {
	text := fmt.Sprintf(" (%s, %s/%s", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, setting := range info.Settings {
			if setting.Key == "vcs.revision" && len(setting.Value) >= 12 {
				text += ", commit " + setting.Value[:12]
			}
		}
	}
	return text + ")"
}
