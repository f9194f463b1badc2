// Package rules says what contradicts what in a scenario, and what follows from it.
//
// Check applies every rule to a draft, which is a point of the sweep; Build makes the point that
// is simulated of a draft in which there is no fault; CheckUse has the rules about all points
// together. A rule is a function of a draft that lays what is wrong to the settings concerned
// (Faults.Blame), and is silent about settings that are missing or could not be read.
//
// What both need to know stands beside the rules: the delay that follows from a distance, the
// split of the immediate that fits a message, the loss of control packets that is like that of
// data.
package rules
