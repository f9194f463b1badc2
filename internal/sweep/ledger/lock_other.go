//go:build !unix

package ledger

import "os"

// tryLock does nothing: it is for the user to start one run at a time.
func tryLock(*os.File) (bool, error) { return true, nil }
