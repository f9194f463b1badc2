package nic

import (
	"testing"

	"sdrsim/units"
)

// scriptedFollower notes when a later message reaches it.
type scriptedFollower struct {
	*scriptedReceiver
	follows bool
}

func (f scriptedFollower) Follows() bool { return f.follows }

func (f scriptedFollower) HandleLater(now units.Time) {
	f.stand.note("later than %d@%v", f.tag, now)
}

// follow makes a follower of a receiver.
func (r *scriptedReceiver) follow(follows bool) {
	r.stand.nic.AddReceiver(r.tag, scriptedFollower{r, follows})
}

// A receiver is called once, when the first chunk of a later message is complete, be it within a
// stretch about which its own receiver is silent; before the arrival is reported.
func TestAChunkOfALaterMessageReachesThoseBefore(t *testing.T) {
	for _, maxRun := range []int64{0, 1} {
		s := newStand(t, standConfig{perChunk: 2, maxRun: maxRun,
			nic: Config{SinglePackets: maxRun == 1}})
		var tags [4]*scriptedReceiver
		_, late := s.newReceiver(0, 4)
		_, second := s.newReceiver(1, 4)
		_, third := s.newReceiver(2, 4)
		_, fourth := s.newReceiver(3, 4)
		for tag := range tags {
			tags[tag] = s.nic.receivers[tag].ep.(*scriptedReceiver)
			tags[tag].quiet = silentAbout(100)
			tags[tag].follow(tag != 1)
		}
		s.at(0, func(now units.Time) {
			s.inject(now, second, 1, 3, false) // the first chunk that is complete is that of packet 3
			s.inject(now, late, 0, 2, true)
			s.inject(now, fourth, 0, 4, false)
			s.inject(now, third, 0, 4, false)
		})
		var later []string
		s.engine.Run()
		for _, line := range s.log {
			if line[:5] == "later" {
				later = append(later, line)
			}
		}
		want := []string{"later than 0@13us", "later than 2@17us"}
		if len(later) != 2 || later[0] != want[0] || later[1] != want[1] {
			t.Errorf("runs of at most %d: %q, want %q; all: %q", maxRun, later, want, s.log)
		}
	}
}

// What is done, or discarded, calls nobody, and a place that was taken by another is not called.
func TestNobodyFollowsWhatIsDone(t *testing.T) {
	s := newStand(t, standConfig{})
	done, _ := s.newReceiver(0, 2)
	gone, _ := s.newReceiver(1, 2)
	_, last := s.newReceiver(2, 2)
	discarding, dead := s.newReceiver(3, 2)
	for _, r := range []*scriptedReceiver{done, gone} {
		r.follow(true)
	}
	done.done = true
	must(t, discarding.handle.Complete())
	discarding.follow(true)
	s.newReceiver(1, 2)
	s.at(0, func(now units.Time) {
		s.inject(now, last, 0, 1, false)
		s.inject(now, dead, 0, 2, false)
	})
	s.wantLog("2:0+1@11us", "3:0+1@12us", "3:1+1@13us")
}
