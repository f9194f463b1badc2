package main

import (
	"github.com/spf13/cobra"

	"sdrsim/internal/scenario/schema"
)

func (a *app) schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of scenario files, for editors",
		Long: "Print the JSON Schema (draft 2020-12) of scenario files. Editors with a YAML language\n" +
			"server complete and check a file whose first line names it:\n\n" +
			"  # yaml-language-server: $schema=PATH-OR-URL",
		Example: "  sdrsim schema > scenario.schema.json",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := a.stdout.Write(schema.Schema())
			return err
		},
	}
}
