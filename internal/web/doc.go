// Package web makes report.html: results as one file that a browser opens from disk.
//
//	Document -> template, style, scripts, data -> one HTML file
//
// What can be said without a script is in the HTML itself: the question, the answer in words, what
// to doubt, the scenario. The scripts below assets draw what is interactive from the data, which
// are points.csv and distribution.csv as they were written, and what is known of their columns.
//
// Nothing is requested: the content security policy allows the scripts and the style of the page by
// their hashes, and nothing else. Equal documents give equal bytes. Texts of a scenario are
// escaped, whatever they hold.
//
// Charts are drawn with uPlot (MIT), which is below assets/uplot with its licence.
package web
