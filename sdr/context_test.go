package sdr

import (
	"errors"
	"testing"

	"sdrsim/units"
	"sdrsim/wire"
)

// wantError expects the very mistake.
func wantError(t *testing.T, got, want error) {
	t.Helper()
	if !errors.Is(got, want) {
		t.Errorf("error is %v, want %v", got, want)
	}
}

func TestContextRefusesNegativeLimits(t *testing.T) {
	for _, cfg := range []DeviceConfig{{MaxQPs: -1}, {MaxMRs: -1}, {MaxInternalQPs: -1}} {
		_, err := NewContext(cfg)
		wantError(t, err, ErrDevice)
	}
}

func TestContextRunsOutOfResourcesAndTakesThemBack(t *testing.T) {
	c := must(NewContext(DeviceConfig{MaxQPs: 2, MaxMRs: 1, MaxInternalQPs: 40}))
	t.Log("# a queue pair of 8 channels and 4 generations takes 32 internal ones of the 40")
	q := must(c.CreateQP(testConfig()))
	_, err := c.CreateQP(testConfig())
	wantError(t, err, ErrResources)

	t.Log("# two small ones fit, a third does not, for their number")
	wantError(t, q.Destroy(), nil)
	small := testConfig()
	small.Channels, small.Generations = 1, 1
	must(c.CreateQP(small))
	must(c.CreateQP(small))
	_, err = c.CreateQP(small)
	wantError(t, err, ErrResources)

	t.Log("# memory likewise")
	mr := must(c.RegisterMR(1, nil))
	_, err = c.RegisterMR(1, nil)
	wantError(t, err, ErrResources)
	wantError(t, mr.Deregister(), nil)
	must(c.RegisterMR(1, nil))
}

func TestRegisterMRWantsABufferOfItsLength(t *testing.T) {
	c := must(NewContext(DeviceConfig{}))
	for _, mistake := range []struct {
		length units.Bytes
		buf    []byte
	}{{0, nil}, {-1, nil}, {0, []byte{}}, {5, make([]byte, 4)}, {5, []byte{}}} {
		_, err := c.RegisterMR(mistake.length, mistake.buf)
		wantError(t, err, ErrBufferLength)
	}
	same(t, "without a buffer", must(c.RegisterMR(5, nil)).Virtual(), true)
	real := must(c.RegisterMR(5, make([]byte, 5)))
	same(t, "with a buffer", real.Virtual(), false)
	same(t, "Len", real.Len(), 5)
}

func TestCreateQPNamesEachMistake(t *testing.T) {
	c := must(NewContext(DeviceConfig{}))
	for name, mistake := range map[string]struct {
		edit func(*QPConfig)
		want error
	}{
		"mtu of nothing":       {func(c *QPConfig) { c.MTU = 0 }, ErrMTU},
		"no chunk":             {func(c *QPConfig) { c.Chunk = 0 }, ErrChunk},
		"chunk below the mtu":  {func(c *QPConfig) { c.Chunk = c.MTU / 2 }, ErrChunk},
		"chunk not a multiple": {func(c *QPConfig) { c.Chunk += c.MTU / 2 }, ErrChunk},
		"split of 31 bits":     {func(c *QPConfig) { c.Split.Offset-- }, ErrSplit},
		"no channel":           {func(c *QPConfig) { c.Channels = 0 }, ErrChannels},
		"no generation":        {func(c *QPConfig) { c.Generations = 0 }, ErrGenerations},
		"negative receives":    {func(c *QPConfig) { c.MaxRecvs = -1 }, ErrMaxRecvs},
		"receives beyond ids":  {func(c *QPConfig) { c.MaxRecvs = 1025 }, ErrMaxRecvs},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := testConfig()
			mistake.edit(&cfg)
			_, err := c.CreateQP(cfg)
			wantError(t, err, mistake.want)
		})
	}
}

func TestConnectWantsPeersThatAreAlike(t *testing.T) {
	c := must(NewContext(DeviceConfig{}))
	q := must(c.CreateQP(testConfig()))
	for name, edit := range map[string]func(*Info){
		"mtu":         func(i *Info) { i.MTU *= 2 },
		"chunk":       func(i *Info) { i.Chunk *= 2 },
		"split":       func(i *Info) { i.Split = wire.Split{ID: 8, Offset: 22, User: 2} },
		"channels":    func(i *Info) { i.Channels++ },
		"generations": func(i *Info) { i.Generations++ },
	} {
		t.Run(name, func(t *testing.T) {
			peer := q.Info()
			edit(&peer)
			wantError(t, q.Connect(peer), ErrPeerMismatch)
		})
	}
	wantError(t, q.Connect(q.Info()), nil)
	wantError(t, q.Connect(q.Info()), ErrConnected)
}

func TestPostingNeedsAConnectedQueuePair(t *testing.T) {
	c := must(NewContext(DeviceConfig{}))
	q, mr := must(c.CreateQP(testConfig())), must(c.RegisterMR(units.MiB, nil))
	_, err := q.PostRecv(mr, 0, units.MiB)
	wantError(t, err, ErrNotConnected)
	_, err = q.StartStream(mr, 0, units.MiB, 0)
	wantError(t, err, ErrNotConnected)

	t.Log("# and one that is still there")
	wantError(t, q.Connect(q.Info()), nil)
	h := must(q.PostRecv(mr, 0, units.MiB))
	wantError(t, q.Destroy(), nil)
	wantError(t, q.Destroy(), ErrDestroyed)
	wantError(t, q.Connect(q.Info()), ErrDestroyed)
	_, err = q.PostRecv(mr, 0, units.MiB)
	wantError(t, err, ErrDestroyed)
	wantError(t, h.Complete(), ErrInvalidHandle)
}

func TestPostingNamesEachMistakeInTheMemory(t *testing.T) {
	cfg := testConfig()
	cfg.Split = wire.Split{ID: 24, Offset: 4, User: 4}
	p := newPair(cfg, units.MiB)
	p.send.HandleCTS(100)
	foreign := p.sendMR // registered with the other context
	gone := must(p.recv.ctx.RegisterMR(units.MiB, nil))
	wantError(t, gone.Deregister(), nil)
	wantError(t, gone.Deregister(), ErrUnregistered)
	for name, mistake := range map[string]struct {
		mr             *MR
		offset, length units.Bytes
		want           error
	}{
		"no memory":             {nil, 0, 1, ErrUnregistered},
		"deregistered":          {gone, 0, 1, ErrUnregistered},
		"of another context":    {foreign, 0, 1, ErrForeignMR},
		"no bytes":              {p.recvMR, 0, 0, ErrEmptyMessage},
		"negative length":       {p.recvMR, 0, -1, ErrOutOfRange},
		"negative offset":       {p.recvMR, -1, 1, ErrOutOfRange},
		"past the end":          {p.recvMR, units.MiB - 1, 2, ErrOutOfRange},
		"far past the end":      {p.recvMR, 2 * units.MiB, 1, ErrOutOfRange},
		"sum overflows":         {p.recvMR, 1, 1<<63 - 1, ErrOutOfRange},
		"17 packets of 16":      {p.recvMR, 0, 16*4*units.KiB + 1, ErrMessageTooLarge},
		"16 packets of 16":      {p.recvMR, 4, 16 * 4 * units.KiB, nil},
		"the last of the bytes": {p.recvMR, units.MiB - 1, 1, nil},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := p.recv.PostRecv(mistake.mr, mistake.offset, mistake.length)
			wantError(t, err, mistake.want)
			if mistake.want == nil || mistake.mr == foreign {
				return
			}
			_, err = p.recv.StartStream(mistake.mr, mistake.offset, mistake.length, 0)
			wantError(t, err, mistake.want)
			_, _, err = p.recv.PostSend(mistake.mr, mistake.offset, mistake.length, 0)
			wantError(t, err, mistake.want)
		})
	}
	_, _, err := p.send.PostSend(p.recvMR, 0, 1, 0)
	wantError(t, err, ErrForeignMR)
}
