package scenarios

// sound tells that every rule holds at every point, without a visit to each: what a rule says
// follows from the settings that it asks for, so one point stands for all that agree on these.
// False where a rule is broken, be it at a point that is left out; which one, and where, is then
// for a visit to every point to find.
func (s *Scenario) sound(f *faults) bool {
	if s.product() == 0 {
		return false
	}
	d := s.draft.clone()
	d.watch()
	found := newFaults(f.file, f.overrides)
	for _, rule := range checks {
		lowered := func(d *draft, f *faults) { rule(d.lowered(), f) }
		if !s.holds(lowered, d, found) {
			return false
		}
	}
	return s.holds(checkWorkload, d, found)
}

// holds applies a rule to all combinations of the values that it asks for. Which values these are
// it tells as it goes.
func (s *Scenario) holds(rule func(*draft, *faults), d *draft, found *faults) bool {
	asked := make([]bool, len(s.groups)) // groups of axes
	for more := true; more; {
		more = false
		for chosen := range s.combinations(asked) {
			s.put(d, chosen)
			s.forget(d)
			rule(d, found)
			if len(found.list) > 0 {
				return false
			}
			if more = s.asks(d, asked); more {
				break // over again: some of the combinations stand for less than it seemed
			}
		}
	}
	return true
}

// combinations yields the values of every axis, as values does, for each combination of those of
// some groups. Others have their first value.
func (s *Scenario) combinations(of []bool) func(func([]int) bool) {
	return func(yield func([]int) bool) {
		chosen := make([]int, len(s.Axes))
		for done := false; !done; {
			if !yield(chosen) {
				return
			}
			done = true
			for g := len(s.groups) - 1; g >= 0 && done; g-- {
				if of[g] {
					done = s.next(chosen, g)
				}
			}
		}
	}
}

// next moves a group to its next value; wrapped tells that this is the first again.
func (s *Scenario) next(chosen []int, group int) (wrapped bool) {
	axes := s.groups[group]
	value := (chosen[axes[0]] + 1) % len(s.Axes[axes[0]].settings)
	for _, a := range axes {
		chosen[a] = value
	}
	return value == 0
}

// forget makes a draft forget that swept settings were asked for.
func (s *Scenario) forget(d *draft) {
	for a := range s.Axes {
		for _, t := range s.Axes[a].targets {
			d.blockOf(t).seen[t.key] = false
		}
	}
}

// asks adds the groups of which a setting was asked for, and reports whether any are new.
func (s *Scenario) asks(d *draft, asked []bool) (more bool) {
	for g, axes := range s.groups {
		for _, a := range axes {
			for _, t := range s.Axes[a].targets {
				if !asked[g] && d.blockOf(t).seen[t.key] {
					asked[g], more = true, true
				}
			}
		}
	}
	return more
}

// watch makes a draft remember which settings it is asked for.
func (d *draft) watch() {
	d.seen = make([]bool, len(d.settings))
	for i := range d.events {
		e := &d.events[i]
		e.seen = make([]bool, len(e.settings))
	}
	for i := range d.schemes {
		s := &d.schemes[i]
		s.seen = make([]bool, len(s.settings))
	}
}
