package main

import "io"

// output is the standard output, and remembers whether it took all that was printed: a full disk
// or a closed pipe must not look like success.
type output struct {
	io.Writer
	err error
}

func (o *output) Write(b []byte) (int, error) {
	n, err := o.Writer.Write(b)
	if err != nil && o.err == nil {
		o.err = err
	}
	return n, err
}
