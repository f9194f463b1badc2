package metric

// SampleFields lists the columns of a file of samples behind the number of the sample: how many
// messages became what, the counters, and times. Of several messages of a sample times are the mean
// over those delivered, and the longest.
func SampleFields() (counts, numbers []*Field) {
	counts = append(counts, &Field{Name: "delivered", Doc: "messages delivered"},
		&Field{Name: "failed", Doc: "messages that the scheme gave up", Better: Lower})
	for _, c := range counted {
		counts = append(counts, &Field{Name: c.Name, Unit: c.Unit, Doc: c.Doc})
	}
	for _, f := range counts {
		f.Type = Integer
	}
	return counts, sampleTimes
}

// sampleTimes are in the order in which internal/sweep has them.
var sampleTimes = []*Field{
	{Name: "completion_s", Type: Number, Unit: Seconds, Doc: "completion time, mean over messages"},
	{Name: "completion_max_s", Type: Number, Unit: Seconds, Doc: "the longest completion time"},
	{Name: "delivery_s", Type: Number, Unit: Seconds, Doc: "delivery time, mean over messages"},
	{Name: "elapsed_s", Type: Number, Unit: Seconds,
		Doc: "time from the first injection to the last acknowledgement"},
	{Name: "weight", Type: Number, Doc: "how much the sample counts for; one, where none counts more"},
	{Name: "latency_s", Type: Number, Unit: Seconds,
		Doc: "time from the posting of a message to its completion, mean over messages"},
	{Name: "latency_max_s", Type: Number, Unit: Seconds, Doc: "the longest of these times"},
}
