package main

import (
	"io"

	"github.com/spf13/cobra"

	"sdrsim/internal/capture"
	"sdrsim/wire"
)

func (a *app) wiresharkCommand() *cobra.Command {
	split := wire.DefaultSplit.String()
	cmd := &cobra.Command{
		Use:   "wireshark",
		Short: "Print a dissector in Lua for captures of replay",
		Long: "Print a Lua script with which Wireshark and tshark show the immediate of data and the\n" +
			"control messages in what replay --capture writes.",
		Example: "  sdrsim wireshark > sdrsim.lua\n" +
			"  tshark -X lua_script:sdrsim.lua -r sample.pcapng",
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			s, err := wire.ParseSplit(split)
			if err != nil {
				return usagef("--split %s: %w", split, err)
			}
			_, err = io.WriteString(a.stdout, capture.Dissector(s))
			return err
		},
	}
	cmd.Flags().StringVar(&split, "split", split,
		"`ID+OFFSET+USER` bits of the immediate, as replay prints them")
	return cmd
}
