package schemes

import "errors"

// ErrRetryLimit tells that a message was given up because something in it was sent as often as is
// allowed and not acknowledged.
var ErrRetryLimit = errors.New("retry limit reached")
