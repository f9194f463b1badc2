// Package journal is a file of records that only grows, and that the end of a process at any
// instant leaves readable.
//
//	"sdrsimJ2" | length (8 bytes) CRC-32C (4 bytes) payload | length CRC-32C payload | ...
//
// Numbers are little-endian; the checksum covers the length and the payload. A record is handed to
// the operating system in one write. What follows the last whole record, because a write was cut
// short, is dropped when the file is opened again.
//
// Durability. When Append returns, the end of the process loses nothing, SIGKILL included. The end
// of the machine loses what the system had not written back: Append asks it to (fsync) once a
// SyncPeriod, Close always.
//
// Why this is no embedded store: go.etcd.io/bbolt, tried in its place, would save this package and
// the index of its offsets, some 300 lines, and cost what the package is for. It has no checksum of
// its data (of 200 files with one bit changed, 199 were read without an error, and one ended the
// program), nobody can read while a run writes, a commit takes 0.56 ms in place of 4 us, and
// without fsync the end of the machine may cost the whole file in place of its last second.
//
// Limitations: one writer; it has to be kept out by the caller. Records are never removed.
package journal
