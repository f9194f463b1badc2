// Package ring is a growing double-ended queue in one slice: values are pushed at the tail and
// taken from either end, and nothing is allocated once it has grown to its working size.
//
//	First()                 Next()
//	   | head ... ... tail |
//	  Pop                 Push, PopTail
//
// Limitations: not safe for concurrent use; memory is kept at its greatest size.
package ring
