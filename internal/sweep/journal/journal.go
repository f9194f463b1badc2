package journal

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"sdrsim/internal/files"
)

// SyncPeriod is how often Append makes what was appended survive the end of the machine.
const SyncPeriod = time.Second

const (
	// magic begins a file; what it is of follows.
	magic = "sdrsimJ2"
	// HeaderSize is what stands before the payload of a record.
	HeaderSize = 12
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// ErrDamaged is a file that holds something else than whole records, or those of something else. It
// is a files.InputError.
var ErrDamaged = files.AsFault(errors.New("not a journal, or damaged"))

// ErrVanished is a file that was removed or replaced while it was written.
var ErrVanished = errors.New("was removed or replaced while the run was writing it")

// Journal is an open file. Its methods may be called by several goroutines at once.
type Journal struct {
	path string

	mu     sync.Mutex
	file   file
	end    int64 // of the last whole record
	synced time.Time
	buffer []byte
}

// file is what the journal needs of an *os.File; tests put one in its place that fails.
type file interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	Stat() (os.FileInfo, error)
	Sync() error
	Truncate(size int64) error
}

// Visitor is told of a record; the payload is only valid during the call. An error ends the
// reading.
type Visitor func(at int64, payload []byte) error

// Open opens or creates a journal and visits the records that it holds. Of says what it is of,
// which the file begins with: one of something else is damaged. Dropped is how many bytes after the
// last whole record were cut off.
func Open(path, of string, visit Visitor) (j *Journal, dropped int64, err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|files.NoFollow, 0o666)
	if err != nil {
		return nil, 0, err
	}
	defer func() {
		if err != nil {
			f.Close()
		}
	}()
	end, size, err := scan(f, of, visit)
	if errors.Is(err, errTorn) {
		err = nil
	}
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", path, err)
	}
	if size > end {
		if err := f.Truncate(end); err != nil {
			return nil, 0, err
		}
		dropped = size - end
	}
	j = &Journal{path: path, file: f, end: end, synced: time.Now()}
	if end == 0 {
		err = j.write([]byte(magic + of))
	}
	return j, dropped, err
}

// Read visits the records of a journal that nobody writes; anything but whole records is an error.
func Read(path, of string, visit Visitor) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	end, size, err := scan(f, of, visit)
	if err == nil && end == 0 {
		err = fmt.Errorf("%w: it is empty", ErrDamaged)
	}
	if errors.Is(err, errTorn) {
		err = fmt.Errorf("%w: %d bytes from offset %d on are no whole record",
			ErrDamaged, size-end, end)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// ReadWhole visits the whole records of a journal that another process may be writing, and changes
// nothing: what follows the last of them is under way, or was cut short.
func ReadWhole(path, of string, visit Visitor) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, _, err := scan(f, of, visit); err != nil && !errors.Is(err, errTorn) {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// errTorn tells that what follows the last whole record is not one.
var errTorn = errors.New("torn")

// scan visits the whole records of a file and returns the end of the last, 0 before the first byte,
// and the size of the file.
func scan(f *os.File, of string, visit Visitor) (end, size int64, err error) {
	info, err := f.Stat()
	if err != nil {
		return 0, 0, err
	}
	size = info.Size()
	in := bufio.NewReaderSize(f, 1<<16)
	want := magic + of
	start := make([]byte, min(size, int64(len(want))))
	if _, err := io.ReadFull(in, start); err != nil {
		return 0, size, err
	}
	switch {
	case string(start) == want[:len(start)]:
	case strings.HasPrefix(string(start), magic):
		return 0, size, fmt.Errorf("%w: it is of another run", ErrDamaged)
	default:
		return 0, size, fmt.Errorf("%w: it does not begin with %q", ErrDamaged, magic)
	}
	if len(start) < len(want) {
		return 0, size, nil // empty, or ended in its first write
	}
	end = int64(len(want))
	var payload []byte
	for end < size {
		n, err := next(in, &payload, size-end)
		if err != nil {
			return end, size, err
		}
		if err := visit(end, payload[:n]); err != nil {
			return end, size, files.Fault("record at offset %d: %w", end, err)
		}
		end += HeaderSize + n
	}
	return end, size, nil
}

// next reads one of the records in the remaining bytes, into a buffer that grows.
func next(in io.Reader, payload *[]byte, remaining int64) (n int64, err error) {
	var header [HeaderSize]byte
	if remaining < HeaderSize {
		return 0, errTorn
	}
	if _, err := io.ReadFull(in, header[:]); err != nil {
		return 0, err
	}
	length := binary.LittleEndian.Uint64(header[:8])
	if length > uint64(remaining-HeaderSize) {
		return 0, errTorn
	}
	n = int64(length)
	if int64(cap(*payload)) < n {
		*payload = make([]byte, n)
	}
	*payload = (*payload)[:n]
	if _, err := io.ReadFull(in, *payload); err != nil {
		return 0, err
	}
	if checksum(header[:8], *payload) != binary.LittleEndian.Uint32(header[8:]) {
		return 0, errTorn
	}
	return n, nil
}

func checksum(length, payload []byte) uint32 {
	return crc32.Update(crc32.Checksum(length, castagnoli), castagnoli, payload)
}

// Append adds a record at the given offset, by which Load finds it. A record that cannot be written
// whole is taken back.
func (j *Journal) Append(payload []byte) (at int64, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if err := j.present(); err != nil {
		return 0, err
	}
	b := binary.LittleEndian.AppendUint64(j.buffer[:0], uint64(len(payload)))
	b = binary.LittleEndian.AppendUint32(b, checksum(b, payload))
	j.buffer = append(b, payload...)
	at = j.end
	if err := j.write(j.buffer); err != nil {
		return 0, err
	}
	if now := time.Now(); now.Sub(j.synced) >= SyncPeriod {
		j.synced = now
		return at, j.file.Sync()
	}
	return at, nil
}

// write puts bytes behind the last whole record.
func (j *Journal) write(b []byte) error {
	if _, err := j.file.WriteAt(b, j.end); err != nil {
		// The file system may be full; what remains of the record is dropped when it is opened again.
		return errors.Join(err, j.file.Truncate(j.end))
	}
	j.end += int64(len(b))
	return nil
}

// Present reports whether the file is still at its place.
func (j *Journal) Present() bool { return !errors.Is(j.present(), ErrVanished) }

// present makes sure that what is written can be found again.
func (j *Journal) present() error {
	held, err := j.file.Stat()
	if err != nil {
		return err
	}
	named, err := os.Stat(j.path)
	if err != nil || !os.SameFile(held, named) {
		return fmt.Errorf("%s %w", j.path, ErrVanished)
	}
	return nil
}

// Load returns the payload of the record at the given offset.
func (j *Journal) Load(at int64) ([]byte, error) {
	j.mu.Lock()
	end := j.end
	j.mu.Unlock()
	var payload []byte
	in := io.NewSectionReader(j.file, at, end-at)
	if _, err := next(in, &payload, end-at); err != nil {
		return nil, fmt.Errorf("%s: record at offset %d: %w", j.path, at, err)
	}
	return payload, nil
}

// Close makes everything durable and closes the file.
func (j *Journal) Close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return errors.Join(j.file.Sync(), j.file.Close())
}
