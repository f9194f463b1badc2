package report

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"sdrsim/internal/files"
	"sdrsim/internal/result"
)

// WritePoints writes rows as a Parquet file with the columns of points.csv, in which swept values
// that are numbers are numbers. It appears whole or not at all.
func WritePoints(file string, rows []result.Row) error {
	return writeFile(file, func(w io.Writer) error { return writePointsParquet(w, rows) })
}

// WriteMetrics writes every number of every row as one flat JSON object, which trackers of
// experiments take as it is. A number is called by point, scheme and column:
//
//	"link.loss.p:0.001/sr-rto/completion_mean_s": 0.0283
//
// Names are of letters, digits and the signs _ - . : / and space, as MLflow has them; what is
// unknown is left out.
func WriteMetrics(file string, rows []result.Row) error {
	numbers := map[string]float64{}
	present := result.ColumnsOf(rows)
	for i := range rows {
		r := &rows[i]
		for _, c := range present {
			x := c.Value(&r.Values)
			if notKnown(x) {
				continue
			}
			name := metricName(r) + "/" + c.Name
			for n := 2; ; n++ { // signs that were replaced may have told two labels apart
				if _, taken := numbers[name]; !taken {
					break
				}
				name = fmt.Sprintf("%s-%d/%s", metricName(r), n, c.Name)
			}
			numbers[name] = x
		}
	}
	b, err := files.EncodeJSON(numbers)
	if err != nil {
		return fmt.Errorf("writing %s: %w", file, err)
	}
	return writeFile(file, func(w io.Writer) error { _, err := w.Write(b); return err })
}

// metricName names a scheme at a point.
func metricName(r *result.Row) string {
	var parts []string
	for _, a := range r.Axes {
		parts = append(parts, a.Path+":"+a.Text)
	}
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(nameSigns, r) || r == ':' || r == '/' || r == ' ' {
			return r
		}
		return '_'
	}, strings.Join(append(parts, r.Scheme), "/"))
}

func writeFile(file string, write func(io.Writer) error) error {
	if err := files.Write(file, write); err != nil {
		return fmt.Errorf("writing %s: %w", file, err)
	}
	return nil
}

// CheckEnding tells early whether a file has one of the endings of its format.
func CheckEnding(file string, endings ...string) error {
	for _, e := range endings {
		if filepath.Ext(file) == e {
			return nil
		}
	}
	return fmt.Errorf("%s: must end in %s", file, strings.Join(endings, " or "))
}
