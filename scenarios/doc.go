// Package scenarios reads the YAML files that say what to simulate, and expands their sweeps.
//
//	file.yaml --+
//	            +--> tree of nodes --> draft: a setting for each key --> Scenario --> Point i
//	overrides --+    with places       + axes of the sweep               checked      resolved
//
//	                 scenario/format   scenario/{keys,draft,axes}        scenario/rules
//
// A file is read strictly. An unknown key, a bad unit or an impossible combination is an Error
// that names file, line, column, key, value and what is allowed; Load reports every fault of a file
// at once. What Load reads by are the packages below internal/scenario, from left to right; here
// stand the scenario as its users see it, its figures and the rules of its check.
//
// A sweep maps paths to values; the points are the cartesian product, the first path slowest:
//
//	sweep:
//	  message.size: [128KiB, 1GiB]                                  # a list
//	  link.loss.p: {from: 1e-8, to: 1e-1, points: 15, scale: log}   # a range: points, step or factor
//	  schemes.ec-mds.m: [2, 4, 8]                                   # a parameter of one scheme
//	  scheme.rto: [1RTT, 3RTT]                                      # of every scheme that has it
//
// A collective divides the message among the datacenters of a ring. Each of its hops is the link,
// with some keys changed where collective.hops says so; a hop that names a loss model has none of
// the parameters of the link's:
//
//	collective:
//	  kind: all-reduce
//	  datacenters: 4
//	  hops: [{hop: 2, distance: 5000km, loss: {p: 1e-3}}]
//
// Every point is checked when the file is loaded, and built only when it is asked for.
//
// Limitations: a sweep is a full product of at most a million points; keys of single hops cannot
// be swept, and all hops have packets of the same size; anchors, aliases, tags and further
// documents of YAML are refused; a file has at most 1 MiB.
package scenarios
