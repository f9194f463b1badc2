package scenarios

import (
	"sdrsim/internal/scenario/axes"
	"sdrsim/internal/scenario/draft"
	"sdrsim/internal/scenario/format"
)

// What Load takes and returns, under the names that its users have for it.
type (
	// Override replaces the value of a path of a scenario, as --set path=value does.
	Override = format.Override
	// Errors are all the faults of a scenario, Error is one.
	Errors = format.Errors
	// Error is one fault of a scenario, with its place.
	Error = format.Error
	// File is a file that a scenario names, as it was read.
	File = draft.File
	// Axis is a swept path with its values, in the order of the file.
	Axis = axes.Axis
)

// ParseOverride reads "path=value".
func ParseOverride(text string) (Override, error) { return format.ParseOverride(text) }

// ModelsFolder is the name of a folder of shapes of models; what is in it is no scenario.
const ModelsFolder = "models"
