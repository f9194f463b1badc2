package tidy

import (
	"path"
	"slices"
	"strings"
)

// module is the import path of the project.
const module = "sdrsim"

// layer says what one package may use beyond the harmless part of the standard library.
type layer struct {
	// imports are the packages of the project, by folder.
	imports []string
	// external are prefixes of import paths from other modules.
	external []string
	// standard are packages from gated that this one may import all the same.
	standard []string
	// world packages may read the clock and start goroutines.
	world bool
}

// gated are packages of the standard library that reach out of a computation: to the clock, the
// operating system, the network or to chance. Only a layer that lists one may import it.
var gated = []string{
	"io/fs", "io/ioutil", "log", "log/slog", "math/rand", "math/rand/v2", "crypto/rand", "net",
	"net/http", "os", "os/exec", "os/signal", "path/filepath", "runtime", "runtime/debug",
	"runtime/pprof",
	"sync", "sync/atomic", "syscall", "testing", "time", "unsafe",
}

var files = []string{"os", "io/fs", "path/filepath"}

// layers is the import table. An entry of imports that ends in /... covers the folders below.
var layers = map[string]layer{
	// Pure protocol: no clock, no engine, no files, no chance.
	"units": {},
	// Functions of a number, used in every band.
	"internal/portable": {},
	"wire":              {imports: []string{"units"}},
	// The table of what is measured, used above the protocol.
	"internal/metric": {},
	// A container, used in every band.
	"internal/ring": {},
	"sdr":           {imports: []string{"units", "wire"}},
	"schemes":       {imports: []string{"units", "wire", "sdr", "schemes/model"}},
	"schemes/sr": {
		imports: []string{
			"units", "wire", "sdr", "schemes", "schemes/model", "internal/portable", "internal/ring",
		},
	},
	"schemes/ec": {
		imports: []string{
			"units", "wire", "sdr", "schemes", "schemes/ec/code", "schemes/model", "schemes/sr",
			"internal/ring",
		},
	},
	"schemes/ec/code": {
		external: []string{"github.com/klauspost/reedsolomon"},
		standard: []string{"sync"}, // codecs are costly to build and shared
	},
	// The closed form imports no scheme, so that it can judge them; its sampler is given its
	// source of random numbers.
	"schemes/model": {
		imports:  []string{"units", "internal/portable"},
		external: []string{"gonum.org/v1/gonum"},
		standard: []string{"math/rand/v2"},
	},
	"schemes/conn": {
		imports: []string{"units", "wire", "sdr", "schemes", "internal/ring"},
	},
	"schemes/openrdma": {
		imports: []string{"units", "wire", "sdr", "schemes", "schemes/conn"},
	},
	"schemes/rc": {
		imports: []string{"units", "wire", "sdr", "schemes", "schemes/conn"},
	},
	"schemes/schemestest": {
		imports:  []string{"units", "wire", "sdr", "schemes"},
		standard: []string{"testing"},
	},
	"schemes/catalog": {
		imports: []string{"units", "wire", "sdr", "schemes", "schemes/..."},
	},

	// Virtual time: picoseconds, and random numbers from named streams.
	"sim": {
		imports:  []string{"units", "internal/portable"},
		standard: []string{"math/rand/v2"},
	},
	"link": {
		imports: []string{
			"sim", "units", "internal/portable", "wire", "internal/ring", "fabric",
		},
		external: []string{"gonum.org/v1/gonum"},
		standard: []string{"math/rand/v2"},
	},
	"fabric": {imports: []string{"sim", "units", "internal/ring"}},
	"nic": {
		imports: []string{
			"sim", "units", "link", "wire", "sdr", "schemes", "internal/ring",
		},
	},
	// Counts and sums of a training step, without a network.
	"internal/training": {imports: []string{"units", "internal/workload"}},
	// Service times and queues of a file system.
	"internal/storage": {imports: []string{"units"}},
	// What ranks do: graphs of operations, generators and machines, which are handed the time.
	"internal/workload": {imports: []string{"units", "internal/ring"}},
	// What is simulated: values that scenarios are read into.
	"internal/spec": {
		imports: []string{
			"units", "internal/portable", "wire", "schemes", "internal/storage", "internal/training",
			"internal/workload",
		},
	},
	"internal/experiment": {
		imports: []string{
			"fabric",
			"sim", "units", "link", "wire", "nic", "sdr", "schemes", "schemes/...",
			"internal/spec", "internal/ring", "internal/metric", "internal/storage",
			"internal/workload",
		},
		standard: []string{"math/rand/v2"},
	},

	// The world: files, and on top the real clock and all cores.
	"internal/figure":          {imports: []string{"internal/metric"}},
	"internal/scenario/format": {external: []string{"gopkg.in/yaml.v3"}},
	"internal/scenario/keys": {
		imports: []string{
			"internal/scenario/format", "internal/figure", "internal/metric", "internal/spec", "units",
			"wire", "schemes", "schemes/catalog", "internal/storage", "internal/training",
			"internal/workload",
		},
	},
	"internal/scenario/schema": {
		imports: []string{"internal/scenario/keys", "schemes", "schemes/catalog"},
	},
	"internal/scenario/draft": {
		imports: []string{
			"internal/scenario/format", "internal/scenario/keys", "internal/spec", "units", "schemes",
			"schemes/catalog", "internal/training",
		},
		external: []string{"gopkg.in/yaml.v3"},
		standard: files,
	},
	"internal/scenario/axes": {
		imports: []string{
			"internal/scenario/format", "internal/scenario/keys", "internal/scenario/draft",
			"internal/figure", "internal/spec", "internal/portable", "units", "schemes",
		},
		external: []string{"gopkg.in/yaml.v3"},
	},
	"internal/scenario/rules": {
		imports: []string{
			"internal/scenario/format", "internal/scenario/keys", "internal/scenario/draft",
			"internal/scenario/axes", "internal/spec", "internal/portable", "units", "wire", "schemes",
			"internal/storage", "internal/training",
			"internal/workload",
		},
	},
	"scenarios": {
		imports: []string{
			"internal/scenario/...", "internal/figure", "internal/metric", "internal/spec", "units",
			"schemes/catalog",
		},
		external: []string{"gopkg.in/yaml.v3"},
		standard: []string{"sync"}, // points are built by all workers
	},
	"internal/stats": {
		imports:  []string{"internal/portable"},
		external: []string{"gonum.org/v1/gonum"},
	},
	"internal/files":  {standard: append([]string{"sync", "syscall"}, files...)},
	"internal/result": {imports: []string{"internal/metric", "internal/stats"}},
	"internal/report": {
		imports: []string{
			"internal/figure", "internal/files", "internal/metric", "internal/result", "internal/stats",
			"internal/web", "units", "internal/portable", "schemes/catalog",
		},
		external: []string{
			"gonum.org/v1/gonum", "gonum.org/v1/plot", "golang.org/x/image",
			"github.com/parquet-go/parquet-go",
		},
		standard: append([]string{"sync"}, files...),
	},
	"internal/web": {}, // is handed what it shows
	// For tests alone.
	"internal/web/chromium": {
		standard: []string{"os", "os/exec", "sync", "testing", "time"}, world: true,
	},
	"internal/sweep": {
		imports: []string{
			"units", "internal/portable", "internal/experiment", "internal/result",
			"internal/metric", "internal/stats", "internal/spec", "schemes/catalog",
		},
		standard: []string{"sync", "runtime/debug"},
		world:    true,
	},
	"internal/closedform": {
		imports: []string{
			"internal/experiment", "internal/result", "internal/sweep", "internal/spec", "schemes/catalog",
			"schemes/model",
		},
		standard: []string{"math/rand/v2"},
	},
	// What a page asks, answered natively and in the page.
	"internal/explore": {
		imports: []string{
			"internal/closedform", "internal/experiment", "internal/metric", "internal/result",
			"internal/sweep", "internal/scenario/keys", "scenarios", "internal/spec", "schemes",
			"schemes/catalog", "units",
		},
		standard: []string{"sync"},
	},
	"internal/explore/wasm": {
		imports: []string{"internal/explore"}, standard: []string{"syscall/js", "time"}, world: true,
	},
	"internal/explore/serve": {
		imports:  []string{"internal/explore", "internal/web"},
		standard: []string{"crypto/rand", "net", "net/http", "time"}, world: true,
	},
	"internal/bench": {
		imports: []string{
			"internal/closedform", "internal/experiment", "internal/figure", "internal/report",
			"internal/result",
			"internal/stats", "internal/sweep", "scenarios", "internal/spec", "schemes/catalog",
			"schemes/ec",
			"schemes/ec/code", "units",
		},
		standard: []string{"runtime", "sync", "time"}, world: true,
	},
	// What is kept of a run while it goes on, and how it is divided among machines.
	"internal/sweep/journal": {
		imports:  []string{"internal/files"},
		standard: []string{"os", "sync", "time"}, world: true,
	},
	"internal/sweep/shard": {},
	"internal/sweep/jobs":  {},
	"internal/sweep/ledger": {
		imports: []string{
			"internal/files", "internal/sweep", "internal/sweep/journal", "internal/sweep/shard",
			"scenarios", "internal/spec",
		},
		external: []string{"github.com/gofrs/flock"},
		standard: append([]string{"sync", "time"}, files...),
		world:    true,
	},
	"internal/check": {
		imports: []string{
			"internal/experiment", "internal/report", "internal/result", "internal/stats",
			"internal/sweep", "scenarios", "internal/spec",
			"internal/portable", "internal/metric",
		},
		external: []string{"gonum.org/v1/gonum"},
		standard: []string{"sync"},
	},
	// One sample for the tools of others.
	"internal/capture": {imports: []string{"internal/experiment", "units", "wire"}},
	"internal/timeline": {
		imports:  []string{"internal/experiment", "units", "wire"},
		external: []string{"google.golang.org/protobuf/encoding/protowire"},
	},
	"internal/tools/tidy": {imports: []string{"schemes/catalog"}, standard: files},
	// The judge of results reads files and the closed form, and never a simulation.
	"internal/tools/validation": {
		imports: []string{
			"internal/report", "internal/result", "internal/stats", "schemes/model", "units",
			"internal/portable",
		},
		standard: []string{"io/fs", "path/filepath"},
	},
	"docs": {}, // only tests, which may import anything
	"cmd/sdrsim": {
		imports: []string{
			"units", "internal/portable", "scenarios", "internal/scenario/keys",
			"internal/scenario/schema", "internal/figure", "internal/spec", "schemes", "schemes/catalog",
			"schemes/model", "internal/bench", "internal/closedform",
			"internal/experiment", "internal/report", "internal/result", "internal/stats",
			"internal/sweep", "internal/sweep/...", "internal/check", "internal/files", "internal/metric",
			"internal/capture", "internal/timeline", "wire", "internal/explore", "internal/explore/serve",
			"internal/web",
		},
		external: []string{
			"github.com/spf13/cobra", "github.com/spf13/pflag", "github.com/vbauerster/mpb",
			"golang.org/x/term",
		},
		standard: gated,
		world:    true,
	},
}

// allows reports whether the package may import a path of the project.
func (l layer) allows(folder string) bool {
	for _, entry := range l.imports {
		below, tree := strings.CutSuffix(entry, "...")
		if entry == folder || tree && strings.HasPrefix(folder, below) {
			return true
		}
	}
	return false
}

// allowsPath reports whether the package may import path, from anywhere.
func (l layer) allowsPath(path string) bool {
	if folder, own := strings.CutPrefix(path, module+"/"); own {
		return l.allows(folder)
	}
	first, _, _ := strings.Cut(path, "/")
	if !strings.Contains(first, ".") {
		return !slices.Contains(gated, path) || slices.Contains(l.standard, path)
	}
	return slices.ContainsFunc(l.external, func(prefix string) bool {
		return path == prefix || strings.HasPrefix(path, prefix+"/")
	})
}

// bands are the three of ARCHITECTURE.md, by folder: what a folder holds is all of one band.
var bands = map[string]int{
	"units": protocol, "wire": protocol, "sdr": protocol, "schemes": protocol,
	"internal/ring": protocol, "internal/portable": protocol, "internal/metric": protocol,
	"internal/spec": protocol, "internal/training": protocol, "internal/storage": protocol,
	"internal/workload": protocol,
	"sim":               virtual, "link": virtual, "fabric": virtual, "nic": virtual,
	"internal/experiment": virtual,
}

const (
	protocol = iota
	virtual
	world
)

// bandOf is the band of a package: that of the nearest folder which has one, else the world.
func bandOf(pkg string) int {
	for folder := strings.TrimSuffix(pkg, "/..."); folder != "."; folder = path.Dir(folder) {
		if b, ok := bands[folder]; ok {
			return b
		}
	}
	return world
}
