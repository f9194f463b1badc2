package rules

import (
	"slices"
	"strings"

	"sdrsim/internal/portable"
	"sdrsim/internal/scenario/axes"
	"sdrsim/internal/scenario/draft"
	"sdrsim/internal/scenario/format"
	"sdrsim/internal/scenario/keys"
	"sdrsim/internal/spec"
	"sdrsim/units"
)

// sizeKeys are the keys that each model of sizes may have.
var sizeKeys = map[string][]string{
	spec.SizeFixed:     {"mean"},
	spec.SizeUniform:   {"min", "max"},
	spec.SizeLognormal: {"mean", "median", "sigma", "min", "max"},
	spec.SizeCDF:       {"file"},
}

// largestSize is the setting that says how large the largest message is: message.size, or what
// bounds its distribution.
func (d point) largestSize() *keys.Setting {
	largest := d.messageSize()
	for i := range d.Events {
		e := &d.Events[i]
		if e.List != keys.FlowsPath {
			continue
		}
		if s := e.Get("size"); keys.Usable(s, largest) && s.Whole > largest.Whole {
			largest = s
		}
	}
	return largest
}

// messageSize is largestSize of messages whose flows have no size of their own.
func (d point) messageSize() *keys.Setting {
	model := d.Get("message.size.model")
	if !model.Has() {
		return d.Get("message.size")
	}
	switch model.Text {
	case spec.SizeFixed:
		return d.Get("message.size.mean")
	case spec.SizeCDF:
		file := *d.Get("message.size.file")
		if s, ok := d.FileOf("message.size.file").(*spec.Sizes); ok {
			file.Value = keys.Whole(int64(s.Largest()))
		}
		return &file
	}
	return d.Get("message.size.max")
}

// sizes builds the distribution of sizes; nil where all messages are of one size.
func (d point) sizes() *spec.Sizes {
	low, high := d.Get("message.size.min"), d.Get("message.size.max")
	switch d.Get("message.size.model").Text {
	case spec.SizeUniform:
		return spec.UniformSizes(units.Bytes(low.Whole), units.Bytes(high.Whole))
	case spec.SizeCDF:
		return d.FileOf("message.size.file").(*spec.Sizes)
	case spec.SizeLognormal:
		sigma, mu := d.Get("message.size.sigma").Number, 0.0
		if median := d.Get("message.size.median"); median.Has() {
			mu = portable.Log(median.Number)
		} else {
			mu = portable.Log(d.Get("message.size.mean").Number) - float64(sigma*sigma)/2
		}
		return spec.LognormalSizes(mu, sigma, units.Bytes(low.Whole), units.Bytes(high.Whole))
	}
	return nil
}

// checkSizes wants one way to say how large messages are, and what its model needs.
func checkSizes(d point, f *format.Faults) {
	plain, model := d.Get("message.size"), d.Get("message.size.model")
	low, high := d.Get("message.size.min"), d.Get("message.size.max")
	switch {
	case model.State == keys.Absent:
		checkNoSizes(d, f)
		return
	case plain.State != keys.Absent && model.Has():
		f.Blame("must be one size, or a model of sizes below message.size; a sweep over sizes of "+
			"the models fixed and lognormal is one over message.size.mean", nil, plain, model)
		return
	case !model.Has():
		return
	case d.Ring() && model.Text != spec.SizeFixed:
		f.Blame("a collective has messages of one size", nil, model)
	}
	switch model.Text {
	case spec.SizeFixed:
		needs(&d.Block, "message.size", f, "mean")
	case spec.SizeUniform:
		needs(&d.Block, "message.size", f, "max")
	case spec.SizeLognormal:
		needs(&d.Block, "message.size", f, "sigma", "max")
		mean, median := d.Get("message.size.mean"), d.Get("message.size.median")
		switch {
		case mean.State == keys.Absent && median.State == keys.Absent:
			f.Blame("the model needs mean or median", nil, model)
		case mean.State != keys.Absent && median.State != keys.Absent:
			f.Blame("must have only one of mean and median", nil, mean, median)
		}
	case spec.SizeCDF:
		needs(&d.Block, "message.size", f, "file")
		return
	}
	if model.Text != spec.SizeFixed && keys.Usable(low, high) && low.Whole > high.Whole {
		f.Blame("message.size.min %v must not be above message.size.max %v",
			[]any{units.Bytes(low.Whole), units.Bytes(high.Whole)}, low, high)
	}
}

// checkNoSizes refuses parameters of sizes where there is no model.
func checkNoSizes(d point, f *format.Faults) {
	for _, path := range sizePaths {
		if s := d.Get(path); s.State != keys.Absent && s.State != keys.Defaulted {
			f.Blame("goes with message.size.model, which says what sizes are drawn from: "+
				d.Key("message.size.model").Allowed(), nil, s)
			return
		}
	}
}

// sizePaths are the parameters of a model of sizes.
var sizePaths = []string{"message.size.mean", "message.size.median", "message.size.sigma",
	"message.size.min", "message.size.max", "message.size.file"}

// distributed reports whether sizes are said by a model, or should be: it may be missing.
func (d point) distributed() bool {
	return d.Get("message.size.model").State != keys.Absent ||
		slices.ContainsFunc(sizePaths, func(path string) bool {
			s := d.Get(path)
			return s.State != keys.Absent && s.State != keys.Defaulted
		})
}

// sizesUsable reports whether the distribution can be built.
func sizesUsable(d point) bool {
	switch d.Get("message.size.model").Text {
	case spec.SizeUniform:
		return keys.Usable(d.Get("message.size.min"), d.Get("message.size.max"))
	case spec.SizeLognormal:
		return keys.Usable(d.Get("message.size.sigma"), d.Get("message.size.max")) &&
			(d.Get("message.size.mean").Has() || d.Get("message.size.median").Has())
	}
	return d.largestSize().Has()
}

// trafficUse is checked once: a parameter of arrivals or sizes must be used by a model that some
// point has.
func trafficUse(d *draft.Decoder, axes []axes.Axis) {
	unusedOf(d, "message.size", sizeKeys, axes)
	unusedOf(d, "message.arrival", arrivalKeys, axes)
}

// unusedOf reports the keys of a section that none of its models has.
func unusedOf(d *draft.Decoder, section string, known map[string][]string, axes []axes.Axis) {
	models := textsOf(d, section+".model", axes)
	if len(models) == 0 {
		return
	}
	for i := range d.Draft.Set.Keys {
		key, below := strings.CutPrefix(d.Draft.Set.Keys[i].Path, section+".")
		if !below || key == "model" {
			continue
		}
		s := d.Draft.Get(keys.JoinPath(section, key))
		if s.Wrote() &&
			!slices.ContainsFunc(models, func(m string) bool { return slices.Contains(known[m], key) }) {
			d.Faults.Blame("is not a parameter of the model, which is "+strings.Join(models, ", "), nil, s)
		}
	}
}

// textsOf are the values that a setting has, at whatever points; none if one could not be read, or
// if it has no value.
func textsOf(d *draft.Decoder, path string, axes []axes.Axis) (texts []string) {
	s := d.Draft.Get(path)
	if s.State == keys.Broken {
		return nil
	}
	if s.Has() {
		texts = append(texts, s.Text)
	}
	for i := range axes {
		texts = append(texts, axes[i].TextsOf(d.Draft.Resolve(path)[0])...)
	}
	slices.Sort(texts)
	return slices.Compact(texts)
}
