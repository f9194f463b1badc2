package main

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// A message repeats what was found. These are the most letters that it shows of a word, and of a
// line: beyond what anybody types, and below what fills a screen.
const (
	maxWord = 300
	maxLine = 3000
)

var longWord = regexp.MustCompile(`\S{301,}`)

// brief is a message with the middle cut out of its long words and lines.
func brief(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		line = longWord.ReplaceAllStringFunc(line, func(word string) string {
			return cutMiddle(word, maxWord)
		})
		lines[i] = cutMiddle(line, maxLine)
	}
	return strings.Join(lines, "\n")
}

// cutMiddle leaves at most width letters of a text.
func cutMiddle(text string, width int) string {
	if len(text) <= width || utf8.RuneCountInString(text) <= width {
		return text
	}
	letters := []rune(text)
	head := 2 * width / 3
	return string(letters[:head]) + "…" + string(letters[len(letters)-(width-1-head):])
}
