package sdr

import (
	"fmt"

	"sdrsim/units"
)

// DeviceConfig is what a device offers to a context. Zero means no limit.
type DeviceConfig struct {
	// MaxQPs is how many queue pairs may exist at a time.
	MaxQPs int
	// MaxMRs is how many memory regions may be registered at a time.
	MaxMRs int
	// MaxInternalQPs is how many internal queue pairs the device has. Each QP takes one for every
	// channel of every generation. arXiv:2505.05366 §3.
	MaxInternalQPs int
}

// Context holds the resources of one device.
type Context struct {
	cfg                DeviceConfig
	qps, mrs, internal int // in use
}

// NewContext opens a context on a device. A negative limit is ErrDevice.
func NewContext(cfg DeviceConfig) (*Context, error) {
	if cfg.MaxQPs < 0 || cfg.MaxMRs < 0 || cfg.MaxInternalQPs < 0 {
		return nil, fmt.Errorf("%w: found %+v", ErrDevice, cfg)
	}
	return &Context{cfg: cfg}, nil
}

// exceeds reports whether used is beyond the limit, where there is one.
func exceeds(used, limit int) bool { return limit > 0 && used > limit }

// MR is a memory region: memory that messages may be sent from and received into.
type MR struct {
	ctx    *Context // nil once deregistered
	length units.Bytes
	buf    []byte // nil where the memory is virtual
}

// RegisterMR registers memory of the given length. With a nil buf the memory is virtual: what
// arrives in it is tracked but not stored. Otherwise buf is the memory, and len(buf) must be
// length: ErrBufferLength. When the device has no room for it: ErrResources.
func (c *Context) RegisterMR(length units.Bytes, buf []byte) (*MR, error) {
	if length <= 0 || (buf != nil && units.Bytes(len(buf)) != length) {
		return nil, fmt.Errorf("%w: found a length of %d and a buffer of %d bytes",
			ErrBufferLength, length, len(buf))
	}
	if exceeds(c.mrs+1, c.cfg.MaxMRs) {
		return nil, fmt.Errorf("%w: %d memory regions", ErrResources, c.cfg.MaxMRs)
	}
	c.mrs++
	return &MR{ctx: c, length: length, buf: buf}, nil
}

// Deregister gives the region back to the device. Posting it afterwards is ErrUnregistered, and so
// is continuing a send from it; what still arrives in it is discarded. A second call is
// ErrUnregistered.
func (m *MR) Deregister() error {
	if m.ctx == nil {
		return ErrUnregistered
	}
	m.ctx.mrs--
	m.ctx = nil
	return nil
}

// Len is the length of the region.
func (m *MR) Len() units.Bytes { return m.length }

// Virtual reports whether the region tracks what arrives without storing it.
func (m *MR) Virtual() bool { return m.buf == nil }
