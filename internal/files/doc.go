// Package files is how everything that the program writes gets its name: whole, or not at all.
//
//	Create   .NAME.new-HOST-PID beside NAME, renamed to NAME by Commit
//	MakeDir  the same for a directory, which its writer renames
//	Abandon  removes all of these, for a process that is about to end
//
// What a process leaves that had no time to end, the next one that writes the same name removes:
// host and process in the name tell whether anybody still writes it. Whoever reads a file back
// compares it with the checksum that was noted when it was written; ErrChanged tells that it is
// another.
//
// Limitations: a rename is as durable as the file system makes it; processes of another machine are
// never taken to have ended.
package files
