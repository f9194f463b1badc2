package sdr

import "errors"

// Mistakes in a configuration. Each is reported once, by NewContext, RegisterMR, CreateQP or
// Connect, wrapped with what was found.
var (
	// ErrDevice: a limit of the device is negative.
	ErrDevice = errors.New("sdr: limits of a device must not be negative")
	// ErrResources: the device has no room for another object of the kind.
	ErrResources = errors.New("sdr: the device has no resources left")
	// ErrMTU: the MTU is not positive.
	ErrMTU = errors.New("sdr: the MTU must be at least one byte")
	// ErrChunk: the chunk is not a positive multiple of the MTU.
	ErrChunk = errors.New("sdr: a chunk must be a positive multiple of the MTU")
	// ErrSplit: the widths of the immediate are not valid.
	ErrSplit = errors.New("sdr: the split of the immediate is not valid")
	// ErrChannels: there is no channel.
	ErrChannels = errors.New("sdr: a queue pair needs at least one channel")
	// ErrGenerations: there is no generation.
	ErrGenerations = errors.New("sdr: a queue pair needs at least one generation")
	// ErrMaxRecvs: the limit of receives is negative, or beyond the number of message ids.
	ErrMaxRecvs = errors.New("sdr: the limit of receives must be between 1 and the message ids")
	// ErrPeerMismatch: the two queue pairs are not configured alike.
	ErrPeerMismatch = errors.New("sdr: the peers are not configured alike")
	// ErrConnected: the queue pair is connected already.
	ErrConnected = errors.New("sdr: the queue pair is connected already")
	// ErrNotConnected: the queue pair has no peer yet.
	ErrNotConnected = errors.New("sdr: the queue pair is not connected")
	// ErrDestroyed: the queue pair was destroyed.
	ErrDestroyed = errors.New("sdr: the queue pair was destroyed")
	// ErrBufferLength: the buffer of a memory region is not as long as the region, or the region
	// is empty.
	ErrBufferLength = errors.New("sdr: a memory region must be as long as its buffer, and not empty")
)

// Mistakes in the use of memory and messages.
var (
	// ErrUnregistered: the memory region is nil or was deregistered.
	ErrUnregistered = errors.New("sdr: memory is not registered")
	// ErrForeignMR: the memory region belongs to another context.
	ErrForeignMR = errors.New("sdr: memory is registered with another context")
	// ErrOutOfRange: an offset or a length reaches past the end.
	ErrOutOfRange = errors.New("sdr: out of range")
	// ErrEmptyMessage: the message has no bytes, so no packet could announce it.
	ErrEmptyMessage = errors.New("sdr: a message needs at least one byte")
	// ErrMessageTooLarge: the message has more packets than the offset bits can count.
	ErrMessageTooLarge = errors.New("sdr: the message is too large for the split of the immediate")
	// ErrCompleted: the receive was completed, its bitmap no longer changes.
	ErrCompleted = errors.New("sdr: the receive was completed")
	// ErrEnded: the stream was ended, nothing more may be sent.
	ErrEnded = errors.New("sdr: the send was ended")
	// ErrDoubleCompletion: the handle was completed or ended before.
	ErrDoubleCompletion = errors.New("sdr: the handle was completed before")
	// ErrInvalidHandle: the queue pair was reset since the handle was posted.
	ErrInvalidHandle = errors.New("sdr: the handle is from before the reset of its queue pair")
)

// Not now: the same call can succeed later. These are returned as they are, never wrapped, and
// cost nothing.
var (
	// ErrRetry: every message id (or, for receives, every place of QPConfig.MaxRecvs) is in use.
	ErrRetry = errors.New("sdr: no message id is free, retry later")
	// ErrNoCTS: the peer has not announced a receive for this message.
	ErrNoCTS = errors.New("sdr: the peer has not sent clear-to-send for this message")
)
