package main

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"sdrsim/internal/explore"
	"sdrsim/internal/explore/serve"
	"sdrsim/internal/report"
	"sdrsim/scenarios"
)

// exploreOptions are what the user chose for explore.
type exploreOptions struct {
	set       []string
	port      int
	jobs      int
	noBrowser bool
	export    string
}

func (a *app) exploreCommand() *cobra.Command {
	var o exploreOptions
	cmd := &cobra.Command{
		Use:   "explore [FILE.yaml]",
		Short: "Change a link by sliders in a browser, and see at once what comes of it",
		Long: "Serve a page on this machine on which the link and the schemes of a scenario are\n" +
			"changed by sliders, and simulate what it asks. A sweep is left at the point in its middle.\n" +
			"Nothing is written: the page shows each link as a scenario file, of which run makes the\n" +
			"same numbers.\n\n" +
			"The address has a token, and only a browser of this machine that knows it is answered.\n" +
			"Ctrl-C ends it.\n\n" +
			"With --export the page and the simulator become one file that opens from disk anywhere. It\n" +
			"is built from the sources of this program by the Go tool chain.",
		Example: "  sdrsim explore\n" +
			"  sdrsim explore scenarios/quickstart.yaml link.rtt=100ms\n" +
			"  sdrsim explore --no-browser --port 8080\n" +
			"  sdrsim explore scenarios/quickstart.yaml --export page.html",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.explore(cmd.Context(), args, o)
		},
	}
	addSet(cmd, &o.set)
	flags := cmd.Flags()
	flags.IntVar(&o.port, "port", 0, "serve on port `N` of 127.0.0.1 (default: any that is free)")
	flags.IntVar(&o.jobs, "jobs", runtime.GOMAXPROCS(0), "samples that are run at a time")
	flags.StringVar(&o.export, "export", "",
		"write the page with the simulator in it to `FILE`.html, which opens from disk; serve nothing")
	flags.BoolVar(&o.noBrowser, "no-browser", false, "print the address, and open no browser")
	return cmd
}

// usualLink is what an exploration starts from without a file.
const usualLink = `# Question: how do schemes compare on a link between datacenters?
name: link
link: {bandwidth: 400Gbps, distance: 3000km, loss: {model: iid, p: 1e-5}}
message: {size: 128MiB}
schemes:
  - sr-rto
  - sr-nack
  - {name: ec-mds, k: 32, m: 8}
samples: 1000
seed: 1
`

func (a *app) explore(ctx context.Context, args []string, o exploreOptions) error {
	switch {
	case o.port < 0 || o.port > 65535:
		return usagef("--port %d: must be 0 to 65535", o.port)
	case o.jobs < 1:
		return usagef("--jobs %d: must be at least 1", o.jobs)
	case o.export != "" && o.port != 0:
		return usagef("--export and --port contradict each other: a file is not served")
	case o.export != "" && filepath.Ext(o.export) != ".html":
		return usagef("--export %s: must end in .html", o.export)
	}
	base, err := baseOf(args, o.set)
	if err != nil {
		return err
	}
	if o.export != "" {
		return a.exportExplorer(ctx, base, args, o.export)
	}
	s, err := serve.New(base, report.Explorer(), o.port, o.jobs)
	if err != nil {
		return err
	}
	fmt.Fprintln(a.stdout, s.URL())
	fmt.Fprintln(a.stderr, "Ctrl-C ends it")
	a.serves.Store(true)
	if !o.noBrowser {
		openBrowser(s.URL())
	}
	return s.Serve(ctx)
}

// baseOf is what an exploration starts from.
func baseOf(args, set []string) (*explore.Base, error) {
	values, err := parseOverrides(set)
	if err != nil {
		return nil, err
	}
	var s *scenarios.Scenario
	if len(args) == 0 {
		s, err = scenarios.Load("link.yaml", []byte(usualLink), values)
	} else {
		s, err = load(args[0], values)
	}
	if err != nil {
		return nil, err
	}
	base, err := explore.NewBase(s)
	if err != nil {
		return nil, usagef("%s: its middle point is no link to start from: %w", s.File, err)
	}
	return base, nil
}

// openBrowser shows a page in the browser of the user, where there is one.
func openBrowser(url string) {
	var cmd *exec.Cmd
	switch runtime.GOOS {
	case "darwin":
		cmd = exec.Command("open", url)
	case "windows":
		cmd = exec.Command("rundll32", "url.dll,FileProtocolHandler", url)
	default:
		cmd = exec.Command("xdg-open", url)
	}
	if cmd.Start() == nil {
		go func() { _ = cmd.Wait() }()
	}
}
