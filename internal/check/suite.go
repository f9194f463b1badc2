package check

// Suite is what became of one scenario.
type Suite struct {
	Scenario string `json:"scenario"`
	// File is the scenario, Baseline the file that it was compared with.
	File     string `json:"file"`
	Baseline string `json:"baseline"`
	Seed     uint64 `json:"seed"`
	// Exact tells that cases were compared without allowing for noise.
	Exact bool `json:"exact"`
	// Incomplete tells what is missing for a verdict; empty where nothing is.
	Incomplete string   `json:"incomplete,omitempty"`
	Notes      []string `json:"notes,omitempty"`
	// Findings are all cases, in the order of points, schemes and metrics.
	Findings []Finding `json:"findings"`
}

// Count is how many cases have a verdict.
func (s *Suite) Count(v Verdict) int {
	n := 0
	for i := range s.Findings {
		if s.Findings[i].Verdict == v {
			n++
		}
	}
	return n
}

// Report is what became of all scenarios of a check.
type Report struct {
	Version string  `json:"version"` // of the program
	Suites  []Suite `json:"suites"`
}

// Outcome sums up a report.
type Outcome int

// Outcomes, from good to bad: Incomplete is that no regression was found and something is missing.
const (
	Pass Outcome = iota
	Incomplete
	Regression
)

// Outcome is that of the worst suite.
func (r *Report) Outcome() Outcome {
	worst := Pass
	for i := range r.Suites {
		s := &r.Suites[i]
		switch {
		case s.Count(Regressed) > 0:
			return Regression
		case s.Incomplete != "":
			worst = Incomplete
		}
	}
	return worst
}

// Counts tells how many cases passed and how many failed. Cases without a baseline do neither.
func (r *Report) Counts() (passed, failed int) {
	for i := range r.Suites {
		s := &r.Suites[i]
		failed += s.Count(Regressed)
		passed += len(s.Findings) - s.Count(Regressed) - s.Count(Missing)
	}
	return passed, failed
}
