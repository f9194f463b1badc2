package experiment

import (
	"slices"

	"sdrsim/internal/spec"
)

// Names of the queues of the borders of a dumbbell, towards the link between them.
const (
	queueWest = "border.west"
	queueEast = "border.east"
)

// QueueNames are the names of the queues of the network of a point, in the order of QueueSample:
// those of the borders, and those towards the hosts that have a flow. There are none without a
// network.
func QueueNames(p *spec.Point) []string {
	if p.Network.Kind == "" {
		return nil
	}
	names := []string{queueWest, queueEast}
	for i := range p.Flows {
		for _, h := range []spec.Host{p.Flows[i].To, p.Flows[i].From} {
			if name := h.String(); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}
