//go:build !unix

package files

// NoFollow is nothing where links are not followed that way.
const NoFollow = 0
