package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/pprof"
	"strconv"
	"strings"

	"sdrsim/internal/files"
	"sdrsim/units"
)

// availableMemory is what the kernel says can be used without swapping; ok is false where it does
// not say.
func availableMemory() (available units.Bytes, ok bool) {
	return kernelSize("/proc/meminfo", "MemAvailable:")
}

// peakMemory is the largest resident size of this process so far; 0 where it is not known.
func peakMemory() units.Bytes {
	peak, _ := kernelSize("/proc/self/status", "VmHWM:")
	return peak
}

// kernelSize finds a line such as "MemAvailable: 1024 kB" in a file of the kernel's.
func kernelSize(file, key string) (size units.Bytes, ok bool) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) == 3 && fields[0] == key && fields[2] == "kB" {
			kib, err := strconv.ParseInt(fields[1], 10, 64)
			return units.Bytes(kib) * units.KiB, err == nil
		}
	}
	return 0, false
}

// profiles are files that a run is profiled to; empty: none.
type profiles struct {
	cpu, memory string
}

// start begins the profile of the processor; stop ends it and writes that of memory.
func (p profiles) start() (stop func() error, err error) {
	var file *files.Pending
	if p.cpu != "" {
		if file, err = files.Create(p.cpu); err != nil {
			return nil, err
		}
		if err := pprof.StartCPUProfile(file); err != nil {
			file.Discard()
			return nil, err
		}
	}
	return func() error {
		if file != nil {
			pprof.StopCPUProfile()
			if err := file.Commit(); err != nil {
				return err
			}
		}
		return p.writeMemory()
	}, nil
}

func (p profiles) writeMemory() error {
	if p.memory == "" {
		return nil
	}
	runtime.GC() // so that the profile is of what is in use
	err := files.Write(p.memory, func(w io.Writer) error {
		return pprof.Lookup("allocs").WriteTo(w, 0)
	})
	if err != nil {
		return fmt.Errorf("writing %s: %w", p.memory, err)
	}
	return nil
}
