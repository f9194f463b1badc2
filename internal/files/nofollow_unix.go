//go:build unix

package files

import "syscall"

// NoFollow keeps os.OpenFile from following a symbolic link in the place of a file.
const NoFollow = syscall.O_NOFOLLOW
