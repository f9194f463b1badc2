package code

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// failer is what the checks need of testing.T, testing.B and rapid.T.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// both runs f for an MDS and an XOR code of one shape.
func both(t *testing.T, k, m int, f func(t *testing.T, c Coder)) {
	t.Helper()
	mds, err := NewMDS(k, m)
	if err != nil {
		t.Fatalf("NewMDS(%d, %d): %v", k, m, err)
	}
	t.Run("mds", func(t *testing.T) { f(t, mds) })
	if m <= k {
		xor, err := NewXOR(k, m)
		if err != nil {
			t.Fatalf("NewXOR(%d, %d): %v", k, m, err)
		}
		t.Run("xor", func(t *testing.T) { f(t, xor) })
	}
}

// filled returns n chunks of pseudo-random bytes; the last one has last bytes.
func filled(seed uint64, n, size, last int) [][]byte {
	random := rand.New(rand.NewPCG(seed, 0))
	chunks := make([][]byte, n)
	for i := range chunks {
		chunks[i] = make([]byte, size)
		if i == n-1 {
			chunks[i] = chunks[i][:last]
		}
		for j := range chunks[i] {
			chunks[i][j] = byte(random.Uint32())
		}
	}
	return chunks
}

// encoded returns the k data and m parity chunks of the code.
func encoded(t failer, c Coder, data [][]byte, size int) [][]byte {
	t.Helper()
	all := append([][]byte(nil), data...)
	for range c.ParityChunks() {
		all = append(all, bytes.Repeat([]byte{0xEE}, size))
	}
	if err := c.Encode(all[:len(data)], all[len(data):]); err != nil {
		t.Fatalf("encode: %v", err)
	}
	return all
}

// damaged copies the chunks and overwrites those that are not present; missing parity is nil.
func damaged(c Coder, chunks [][]byte, present []uint64) [][]byte {
	out := make([][]byte, len(chunks))
	for i, chunk := range chunks {
		switch {
		case has(present, i):
			out[i] = bytes.Clone(chunk)
		case i < c.DataChunks():
			out[i] = bytes.Repeat([]byte{0xAA}, len(chunk))
		}
	}
	return out
}

// pattern packs bits into words.
func pattern(bits []bool) []uint64 {
	words := make([]uint64, (len(bits)+63)/64)
	for i, b := range bits {
		if b {
			words[i/64] |= 1 << (i % 64)
		}
	}
	return words
}

// checkRebuild holds Reconstruct against the original chunks: the data comes back where the rule
// says so, and nothing is touched where it does not.
func checkRebuild(t failer, c Coder, chunks [][]byte, present []uint64) {
	t.Helper()
	work := damaged(c, chunks, present)
	before := damaged(c, chunks, present)
	err := c.Reconstruct(work, present)
	want := chunks[:c.DataChunks()]
	switch {
	case c.Recoverable(present) && err != nil:
		t.Fatalf("pattern %x: recoverable, but Reconstruct says %v", present, err)
	case !c.Recoverable(present):
		if err != ErrUnrecoverable {
			t.Fatalf("pattern %x: err = %v, want ErrUnrecoverable", present, err)
		}
		want = before[:c.DataChunks()]
	}
	for i := range want {
		if !bytes.Equal(work[i], want[i]) {
			t.Fatalf("pattern %x: data chunk %d is wrong after Reconstruct (err %v)", present, i, err)
		}
	}
	for i := c.DataChunks(); i < len(chunks); i++ {
		if has(present, i) && !bytes.Equal(work[i], chunks[i]) {
			t.Fatalf("pattern %x: parity chunk %d was written", present, i)
		}
	}
}
