package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"sdrsim/internal/scenario/keys"
	"sdrsim/scenarios"
	"sdrsim/schemes"
	"sdrsim/schemes/catalog"
)

// scenarioFolder is where scenarios are looked for, below the working directory.
const scenarioFolder = "scenarios"

// sections are the parts of the listing in their order; keys is left out unless asked for.
var sections = []struct {
	name, title string
	print       func(w io.Writer) error
}{
	{"scenarios", "Scenarios below ./" + scenarioFolder, listScenarios},
	{"schemes", "Schemes and their parameters (schemes: [{name: ..., parameter: ...}])", listSchemes},
	{"loss", "Loss models (link.loss, link.ack_loss)", listLoss},
	{"figures", "Figures (figures: [{kind: ..., ...}])", listFigures},
	{"keys", "Every key of a scenario file", keys.WriteDefaults},
}

func (a *app) listCommand() *cobra.Command {
	var names []string
	for _, s := range sections {
		names = append(names, s.name)
	}
	return &cobra.Command{
		Use:   "list [" + strings.Join(names, "|") + "]",
		Short: "List scenarios, schemes with their parameters, loss models and figures",
		Example: "  sdrsim list\n" +
			"  sdrsim list keys    # every key of a scenario file, with type and default",
		ValidArgs: names,
		Args:      cobra.MatchAll(cobra.MaximumNArgs(1), cobra.OnlyValidArgs),
		RunE: func(_ *cobra.Command, args []string) error {
			return list(a.stdout, args)
		},
	}
}

// list prints the section that args name, or all but the last.
func list(w io.Writer, args []string) error {
	for i, s := range sections {
		if len(args) > 0 && args[0] != s.name || len(args) == 0 && s.name == "keys" {
			continue
		}
		if len(args) == 0 {
			if i > 0 {
				fmt.Fprintln(w)
			}
			fmt.Fprintf(w, "%s\n\n", s.title)
		}
		if err := s.print(w); err != nil {
			return err
		}
	}
	return nil
}

// listScenarios prints each file with the question it asks; one that does not load, with why.
func listScenarios(w io.Writer) error {
	files, err := scenarioFiles(scenarioFolder)
	if err != nil {
		return err
	}
	// All of them together are smaller than what makes collecting worth while.
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	if len(files) == 0 {
		fmt.Fprintln(w, "  none")
	}
	for _, file := range files {
		fmt.Fprintf(w, "  %s\n", file)
		s, err := load(file, nil)
		if err != nil {
			first, _, _ := strings.Cut(err.Error(), "\n")
			fmt.Fprintf(w, "      invalid: %s\n", first)
			continue
		}
		fmt.Fprint(w, wrap(s.Question, "      "))
	}
	return nil
}

// scenarioFiles finds the YAML files below a folder, in order; none where there is no folder.
func scenarioFiles(folder string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == scenarios.ModelsFolder) {
			return filepath.SkipDir
		}
		if !entry.IsDir() && (filepath.Ext(path) == ".yaml" || filepath.Ext(path) == ".yml") {
			files = append(files, path)
		}
		return nil
	})
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return files, err
}

// listSchemes prints each scheme with the parameters of its own, then those that all have.
func listSchemes(w io.Writer) error {
	entries := catalog.Entries()
	for _, e := range entries {
		fmt.Fprintf(w, "  %-10s %s\n", e.Name, e.Doc)
		for _, p := range e.Params {
			if !shared(entries, p.Name) {
				printEntry(w, p.Name, p.Doc, paramFacts(p))
			}
		}
	}
	fmt.Fprintf(w, "  %-10s %s\n", "every one", "takes these as well")
	for _, p := range entries[0].Params {
		if shared(entries, p.Name) {
			printEntry(w, p.Name, p.Doc, paramFacts(p))
		}
	}
	return nil
}

// shared reports whether every scheme has a parameter of that name.
func shared(entries []catalog.Entry, name string) bool {
	for _, e := range entries {
		has := func(p schemes.Param) bool { return p.Name == name }
		if !slices.ContainsFunc(e.Params, has) {
			return false
		}
	}
	return true
}

func paramFacts(p schemes.Param) string { return facts(string(p.Kind), p.Choices, p.Default) }

// facts says what values there are and which is the default.
func facts(kind string, choices []string, def string) string {
	if len(choices) > 0 {
		kind = strings.Join(choices, " | ")
	}
	if def != "" {
		kind += ", default " + def
	}
	return kind
}

// printEntry prints a name and, beside it, what it is.
func printEntry(w io.Writer, name, doc, facts string) {
	const indent = "                     "
	text := wrap(fmt.Sprintf("%s (%s)", doc, facts), indent)
	fmt.Fprintf(w, "      %-14s %s", name, strings.TrimPrefix(text, indent))
}

func listLoss(w io.Writer) error    { return listKeys(w, "link.loss.") }
func listFigures(w io.Writer) error { return listKeys(w, "figures.") }

// listKeys prints the keys of a scenario that begin with prefix.
func listKeys(w io.Writer, prefix string) error {
	for _, k := range keys.Defaults() {
		name, found := strings.CutPrefix(k.Path, prefix)
		if !found {
			continue
		}
		printEntry(w, name, k.Doc, facts(string(k.Kind), k.Choices, k.Default))
	}
	return nil
}

// wrap breaks text into lines of at most 96 characters that begin with indent.
func wrap(text, indent string) string {
	var lines []string
	line := indent
	for _, word := range strings.Fields(text) {
		if len(line)+1+len(word) > 96 && strings.TrimSpace(line) != "" {
			lines, line = append(lines, line), indent
		}
		if line != indent {
			line += " "
		}
		line += word
	}
	lines = slices.DeleteFunc(append(lines, line), func(l string) bool { return l == indent })
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}
