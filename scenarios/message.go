package scenarios

import (
	"slices"
	"strings"

	"sdrsim/internal/portable"
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
func (d point) largestSize() *setting {
	largest := d.messageSize()
	for i := range d.events {
		e := &d.events[i]
		if e.list != flowsPath {
			continue
		}
		if s := e.get("size"); usable(s, largest) && s.whole > largest.whole {
			largest = s
		}
	}
	return largest
}

// messageSize is largestSize of messages whose flows have no size of their own.
func (d point) messageSize() *setting {
	model := d.get("message.size.model")
	if !model.has() {
		return d.get("message.size")
	}
	switch model.text {
	case spec.SizeFixed:
		return d.get("message.size.mean")
	case spec.SizeCDF:
		file := *d.get("message.size.file")
		if s, ok := d.fileOf("message.size.file").(*spec.Sizes); ok {
			file.value = whole(int64(s.Largest()))
		}
		return &file
	}
	return d.get("message.size.max")
}

// sizes builds the distribution of sizes; nil where all messages are of one size.
func (d point) sizes() *spec.Sizes {
	low, high := d.get("message.size.min"), d.get("message.size.max")
	switch d.get("message.size.model").text {
	case spec.SizeUniform:
		return spec.UniformSizes(units.Bytes(low.whole), units.Bytes(high.whole))
	case spec.SizeCDF:
		return d.fileOf("message.size.file").(*spec.Sizes)
	case spec.SizeLognormal:
		sigma, mu := d.get("message.size.sigma").number, 0.0
		if median := d.get("message.size.median"); median.has() {
			mu = portable.Log(median.number)
		} else {
			mu = portable.Log(d.get("message.size.mean").number) - float64(sigma*sigma)/2
		}
		return spec.LognormalSizes(mu, sigma, units.Bytes(low.whole), units.Bytes(high.whole))
	}
	return nil
}

// checkSizes wants one way to say how large messages are, and what its model needs.
func checkSizes(d point, f *faults) {
	plain, model := d.get("message.size"), d.get("message.size.model")
	low, high := d.get("message.size.min"), d.get("message.size.max")
	switch {
	case model.state == absent:
		checkNoSizes(d, f)
		return
	case plain.state != absent && model.has():
		f.blame("must be one size, or a model of sizes below message.size; a sweep over sizes of "+
			"the models fixed and lognormal is one over message.size.mean", nil, plain, model)
		return
	case !model.has():
		return
	case d.ring() && model.text != spec.SizeFixed:
		f.blame("a collective has messages of one size", nil, model)
	}
	switch model.text {
	case spec.SizeFixed:
		needs(&d.block, "message.size", f, "mean")
	case spec.SizeUniform:
		needs(&d.block, "message.size", f, "max")
	case spec.SizeLognormal:
		needs(&d.block, "message.size", f, "sigma", "max")
		mean, median := d.get("message.size.mean"), d.get("message.size.median")
		switch {
		case mean.state == absent && median.state == absent:
			f.blame("the model needs mean or median", nil, model)
		case mean.state != absent && median.state != absent:
			f.blame("must have only one of mean and median", nil, mean, median)
		}
	case spec.SizeCDF:
		needs(&d.block, "message.size", f, "file")
		return
	}
	if model.text != spec.SizeFixed && usable(low, high) && low.whole > high.whole {
		f.blame("message.size.min %v must not be above message.size.max %v",
			[]any{units.Bytes(low.whole), units.Bytes(high.whole)}, low, high)
	}
}

// checkNoSizes refuses parameters of sizes where there is no model.
func checkNoSizes(d point, f *faults) {
	for _, path := range sizePaths {
		if s := d.get(path); s.state != absent && s.state != defaulted {
			f.blame("goes with message.size.model, which says what sizes are drawn from: "+
				d.key("message.size.model").Allowed(), nil, s)
			return
		}
	}
}

// sizePaths are the parameters of a model of sizes.
var sizePaths = []string{"message.size.mean", "message.size.median", "message.size.sigma",
	"message.size.min", "message.size.max", "message.size.file"}

// distributed reports whether sizes are said by a model, or should be: it may be missing.
func (d point) distributed() bool {
	return d.get("message.size.model").state != absent ||
		slices.ContainsFunc(sizePaths, func(path string) bool {
			s := d.get(path)
			return s.state != absent && s.state != defaulted
		})
}

// sizesUsable reports whether the distribution can be built.
func sizesUsable(d point) bool {
	switch d.get("message.size.model").text {
	case spec.SizeUniform:
		return usable(d.get("message.size.min"), d.get("message.size.max"))
	case spec.SizeLognormal:
		return usable(d.get("message.size.sigma"), d.get("message.size.max")) &&
			(d.get("message.size.mean").has() || d.get("message.size.median").has())
	}
	return d.largestSize().has()
}

// trafficUse is checked once: a parameter of arrivals or sizes must be used by a model that some
// point has.
func trafficUse(d *decoder, axes []Axis) {
	unusedOf(d, "message.size", sizeKeys, axes)
	unusedOf(d, "message.arrival", arrivalKeys, axes)
}

// unusedOf reports the keys of a section that none of its models has.
func unusedOf(d *decoder, section string, known map[string][]string, axes []Axis) {
	models := textsOf(d, section+".model", axes)
	if len(models) == 0 {
		return
	}
	for i := range d.draft.set.keys {
		key, below := strings.CutPrefix(d.draft.set.keys[i].Path, section+".")
		if !below || key == "model" {
			continue
		}
		s := d.draft.get(joinPath(section, key))
		if s.wrote() &&
			!slices.ContainsFunc(models, func(m string) bool { return slices.Contains(known[m], key) }) {
			d.f.blame("is not a parameter of the model, which is "+strings.Join(models, ", "), nil, s)
		}
	}
}

// textsOf are the values that a setting has, at whatever points; none if one could not be read, or
// if it has no value.
func textsOf(d *decoder, path string, axes []Axis) (texts []string) {
	s := d.draft.get(path)
	if s.state == broken {
		return nil
	}
	if s.has() {
		texts = append(texts, s.text)
	}
	for i := range axes {
		texts = append(texts, axes[i].textsOf(d.draft.resolve(path)[0])...)
	}
	slices.Sort(texts)
	return slices.Compact(texts)
}
