package main

import (
	"compress/gzip"
	"fmt"
	"io"
	"strings"

	"sdrsim/internal/capture"
	"sdrsim/internal/experiment"
	"sdrsim/internal/files"
	"sdrsim/internal/spec"
	"sdrsim/internal/timeline"
)

// Endings of the files that replay writes.
const (
	endPcapng   = ".pcapng"
	endGzip     = ".gz"
	endPerfetto = ".pftrace"
	endJSON     = ".json"
)

// checkFiles refuses names of files that replay cannot write.
func (o *replayOptions) checkFiles(from string) error {
	name := strings.TrimSuffix(o.capture, endGzip)
	if o.capture != "" && !strings.HasSuffix(name, endPcapng) {
		return usagef("--capture %s: must end in %s or %s", o.capture, endPcapng,
			endPcapng+endGzip)
	}
	if o.trace != "" && !strings.HasSuffix(o.trace, endPerfetto) &&
		!strings.HasSuffix(o.trace, endJSON) {
		return usagef("--trace %s: must end in %s or %s", o.trace, endPerfetto, endJSON)
	}
	written := outputs{{"--capture", o.capture}, {"--trace", o.trace}}
	return written.check([]string{from}, []string{from})
}

// writeFiles writes the capture and the timeline of a sample, and says so.
func (a *app) writeFiles(r *experiment.Record, p *spec.Point, title string,
	o *replayOptions) error {
	if o.capture != "" {
		var written, left int64
		err := files.Write(o.capture, func(w io.Writer) (err error) {
			zipped := w
			if strings.HasSuffix(o.capture, endGzip) {
				z := gzip.NewWriter(w)
				defer func() {
					if err == nil {
						err = z.Close()
					}
				}()
				zipped = z
			}
			written, left, err = capture.Write(zipped, r, capture.Options{
				Split: p.SDR.Split, MTU: p.Link.MTU, Program: "sdrsim " + version,
				Comment: title, Limit: o.limit,
			})
			return err
		})
		if err != nil {
			return err
		}
		fmt.Fprintf(a.stdout, "wrote %s: %d packets", o.capture, written)
		if left > 0 {
			fmt.Fprintf(a.stdout, ", and not %d beyond --limit", left)
		}
		fmt.Fprintf(a.stdout, "; the immediate is split %v\n", p.SDR.Split)
	}
	if o.trace == "" {
		return nil
	}
	line := timeline.New(r)
	write := line.WritePerfetto
	if strings.HasSuffix(o.trace, endJSON) {
		write = line.WriteJSON
	}
	if err := files.Write(o.trace, write); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "wrote %s; open it in ui.perfetto.dev\n", o.trace)
	return nil
}
