// Package docs holds the pages for readers, and the tests that keep them true.
//
//	```yaml   is a whole scenario: it loads, and is NAME.yaml for the commands below it
//	```sh     is executed as a reader would, with few samples where the scenario is a large one
//	```text   behind it is what the commands print, byte for byte
//
// Links lead somewhere, files and tests that a page names exist, pages of models have their
// sections, and no key of a scenario and no column of a result goes without a word. After a change
// of keys, parameters or printed results,
//
//	go test ./docs/ -update
//
// writes the tables of scenario.md and the outputs anew; the difference is for review.
//
// Limitations: make and go test are not executed, as they would execute these tests; that their
// targets, packages and tests exist is checked. Prose is not.
package docs
