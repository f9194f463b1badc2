package main

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"sdrsim/internal/report"
	"sdrsim/internal/spec"
	"sdrsim/internal/sweep"
	"sdrsim/internal/sweep/ledger"
	"sdrsim/scenarios"
)

// pickPoint finds a point by its key or its number.
func pickPoint(s *scenarios.Scenario, which string) (*spec.Point, error) {
	if which == "" && s.Len() == 1 {
		which = "0"
	}
	if n, err := strconv.Atoi(which); err == nil && n >= 0 && n < s.Len() {
		p := s.At(n)
		return &p, nil
	}
	var keys []string
	for i := range s.Len() {
		p := s.At(i)
		if p.Key == which || named(&p, which) {
			return &p, nil
		}
		keys = append(keys, p.Key)
	}
	return nil, usagef("--point %q: must be a number from 0 to %d, or one of\n  %s",
		which, s.Len()-1, strings.Join(keys[:min(len(keys), shownPoints)], "\n  "))
}

func pickScheme(p *spec.Point, label string) (*spec.Scheme, error) {
	var labels []string
	for i := range p.Schemes {
		if p.Schemes[i].Label == label || label == "" && len(p.Schemes) == 1 {
			return &p.Schemes[i], nil
		}
		labels = append(labels, p.Schemes[i].Label)
	}
	return nil, usagef("--scheme %q: must be one of %s", label, strings.Join(labels, ", "))
}

// named tells whether a key written in another way is that of the point: 1e-3 for 0.001, 1MiB for
// 1048576.
func named(p *spec.Point, key string) bool {
	parts := strings.Split(key, ",")
	axes := sweep.AxesOf(p)
	if len(parts) != len(axes) {
		return false
	}
	for _, part := range parts {
		path, text, _ := strings.Cut(part, "=")
		found := false
		for _, a := range axes {
			found = found || a.Path == strings.TrimSpace(path) && report.Matches(a, text)
		}
		if !found {
			return false
		}
	}
	return true
}

// checkSample refuses a sample that a run does not have.
func checkSample(from string, p *spec.Point, s *spec.Scheme, o replayOptions) error {
	count := max(p.Samples, p.SamplesMax)
	if len(o.set) == 0 {
		recorded, err := recordedSamples(from, p, s)
		if err != nil {
			return err
		}
		if recorded > 0 {
			count = recorded
		}
	}
	if o.sample < 0 || o.sample >= count {
		return usagef("--sample %d: must be 0 to %d", o.sample, count-1)
	}
	return nil
}

// recordedSamples is how many samples of a point under a scheme there are in results, or in the
// directory of a run; 0 where that is not known.
func recordedSamples(from string, p *spec.Point, s *spec.Scheme) (int, error) {
	if info, err := os.Stat(from); err != nil || !info.IsDir() {
		return 0, nil
	}
	if _, err := ledger.ReadHead(from); err == nil {
		kept, err := ledger.ReadKept(from)
		return kept.Samples[ledger.Unit{Point: p.Key, Scheme: s.Label}], err
	}
	t, err := report.ReadTable(from)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	row := t.Find(sweep.AxesOf(p), s.Label)
	if row == nil {
		return 0, nil
	}
	return int(row.Samples), nil
}
