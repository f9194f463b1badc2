package capture

import (
	_ "embed"
	"strings"

	"sdrsim/wire"
)

//go:embed sdrsim.lua
var dissector string

// Dissector is a Lua script for Wireshark that shows the immediate, split so, and control messages.
func Dissector(s wire.Split) string {
	return strings.Replace(dissector, "@SPLIT@", s.String(), 1)
}
