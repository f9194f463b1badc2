package wire

import (
	"fmt"
	"strconv"
	"strings"
)

// Split says how the 32 bits of the immediate are divided between the message id, the offset of
// the packet in its message, and a fragment of the user's own 32-bit immediate. The three widths
// add up to 32. arXiv:2505.05366 §3.2.
type Split struct {
	ID, Offset, User uint8
}

// DefaultSplit is 10+18+4: 1024 messages in flight, 1 GiB a message at 4 KiB MTU, and the user
// immediate spread over eight packets.
var DefaultSplit = Split{ID: 10, Offset: 18, User: 4}

// Valid tells whether the widths add up to 32 and leave room for an id and an offset. User bits,
// where there are any, must divide 32, so that fragments do not straddle it.
func (s Split) Valid() bool {
	user := s.User == 0 || 32%s.User == 0
	return s.ID >= 1 && s.Offset >= 1 && user && int(s.ID)+int(s.Offset)+int(s.User) == 32
}

// Messages is how many message ids there are.
func (s Split) Messages() int64 { return 1 << s.ID }

// Packets is how many packets a message may have.
func (s Split) Packets() int64 { return 1 << s.Offset }

// Fragments is how many packets carry one whole user immediate; 0 where the split has no user bits.
func (s Split) Fragments() int64 {
	if s.User == 0 {
		return 0
	}
	return 32 / int64(s.User)
}

// Pack builds the immediate of packet offset of message id. The fragment that the packet carries
// is number offset mod Fragments() of user, from the least significant bits up.
func (s Split) Pack(id uint32, offset int64, user uint32) uint32 {
	return id<<(32-s.ID) | uint32(offset)<<s.User | s.Fragment(offset, user)
}

// Fragment is the piece of the user immediate that packet offset carries.
func (s Split) Fragment(offset int64, user uint32) uint32 {
	if s.User == 0 {
		return 0
	}
	shift := uint(offset) * uint(s.User) % 32 // = offset mod Fragments() * User
	return user >> shift & (1<<s.User - 1)
}

// Unpack takes an immediate apart: message id, packet offset, user fragment.
func (s Split) Unpack(imm uint32) (id uint32, offset int64, fragment uint32) {
	return imm >> (32 - s.ID), int64(imm << s.ID >> s.ID >> s.User), imm & (1<<s.User - 1)
}

// String prints the widths as "10+18+4".
func (s Split) String() string { return fmt.Sprintf("%d+%d+%d", s.ID, s.Offset, s.User) }

// ParseSplit reads widths such as "10+18+4".
func ParseSplit(text string) (Split, error) {
	parts := strings.Split(text, "+")
	var w [3]uint8
	ok := len(parts) == 3
	for i := 0; ok && i < 3; i++ {
		v, err := strconv.ParseUint(strings.TrimSpace(parts[i]), 10, 8)
		w[i], ok = uint8(v), err == nil
	}
	s := Split{ID: w[0], Offset: w[1], User: w[2]}
	if !ok || !s.Valid() {
		return Split{}, fmt.Errorf("%q is not a split of the immediate: three widths "+
			"id+offset+user that add up to 32, user a divisor of 32, such as 10+18+4", text)
	}
	return s, nil
}
