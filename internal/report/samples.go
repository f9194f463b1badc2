package report

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"

	"sdrsim/internal/files"
	"sdrsim/internal/result"
)

// Samples calls visit with every sample, in the order of points, schemes and numbers.
type Samples func(visit func(*result.SampleRow) error) error

const sampleColumn = "sample"

// Endings of files of samples.
const (
	csvEnding     = ".csv"
	parquetEnding = ".parquet"
)

// CheckSamplesFile tells early whether samples can be written to a file: its name ends in .csv or
// .parquet, and its folder is there and can be written to.
func CheckSamplesFile(file string) error {
	if ending := filepath.Ext(file); ending != csvEnding && ending != parquetEnding {
		return fmt.Errorf("%s: a file of samples must end in %s or %s",
			file, csvEnding, parquetEnding)
	}
	if err := files.Probe(file); err != nil {
		return fmt.Errorf("samples cannot be written to %s: %w", file, err)
	}
	return nil
}

// WriteSamples writes a file of samples, as CSV or Parquet by its ending. It appears whole or not
// at all.
func WriteSamples(file string, header result.SampleHeader, samples Samples) error {
	write := writeSamplesCSV
	if filepath.Ext(file) == parquetEnding {
		write = writeSamplesParquet
	}
	return writeFile(file, func(w io.Writer) error { return write(w, header, samples) })
}

// writeSamplesCSV writes numbers as points.csv has them.
func writeSamplesCSV(w io.Writer, header result.SampleHeader, samples Samples) error {
	out := csv.NewWriter(w)
	if err := out.Write(sampleColumns(header)); err != nil {
		return err
	}
	var fields []string
	err := samples(func(r *result.SampleRow) error {
		fields = fields[:0]
		for _, a := range r.Axes {
			fields = append(fields, result.PlainText(a.Text))
		}
		fields = append(fields, result.PlainText(r.Scheme), strconv.FormatInt(r.Number, 10))
		for _, n := range r.Counts {
			fields = append(fields, strconv.FormatInt(n, 10))
		}
		for _, x := range r.Numbers {
			fields = append(fields, result.FormatNumber(x))
		}
		return out.Write(fields)
	})
	out.Flush()
	return cmp.Or(err, out.Error())
}

// sampleColumns are all names, in the order of the file.
func sampleColumns(h result.SampleHeader) []string {
	names := append([]string{}, h.Paths...)
	names = append(names, result.SchemeColumn, sampleColumn)
	names = append(names, h.Counts...)
	return append(names, h.Numbers...)
}

// notKnown tells a number that a file leaves out.
func notKnown(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }
