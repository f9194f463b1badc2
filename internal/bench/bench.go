package bench

import (
	"context"
	"io"

	"sdrsim/internal/figure"
	"sdrsim/internal/report"
	"sdrsim/internal/result"
)

// Bench is one kind of measurement.
type Bench interface {
	// Check names what cannot be measured; it comes first.
	Check() error
	About() About
	Measure(context.Context) ([]result.Row, error)
	Print(io.Writer, []result.Row) error
}

// About is what measurements are of, for their results.
type About struct {
	Name    string
	Command string // which measures it again
	Jobs    int
	Figures []figure.Figure
	Paths   []string // of axes
}

// Files are those that the results have.
func (a About) Files() []string {
	names := report.FilesOf(nil, result.Table{})
	for _, f := range a.Figures {
		names = append(names, f.Name+".svg", f.Name+".png")
	}
	return names
}
