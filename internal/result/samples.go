package result

// SampleHeader names the columns of a file of samples: one row a sample, after the swept paths,
// the scheme and the number of the sample.
type SampleHeader struct {
	Paths []string
	// Counts are columns of whole numbers, Numbers those of others.
	Counts, Numbers []string
}

// SampleRow is one sample; Counts and Numbers are as in its SampleHeader, NaN where unknown.
type SampleRow struct {
	Axes    []AxisValue
	Scheme  string
	Number  int64
	Counts  []int64
	Numbers []float64
}
