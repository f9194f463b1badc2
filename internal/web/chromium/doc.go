// Package chromium drives a headless Chromium for tests of pages: a Tab is a page of one test, and
// fails it where something is requested that should not be, or where the console complains.
//
// The browser is spoken to by its own protocol over a pair of pipes. Tests are skipped where it is
// not installed.
package chromium
