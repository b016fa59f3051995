// Package figure draws the plots of a page as SVG.
//
// [Draw] turns an analyze.Figure, which holds every plotted point, into a
// [Drawing]: the same picture for a wide and for a narrow screen, and what could
// not be drawn, in words. It is generic: marks, scales and spans of the value
// decide what is drawn, not its kind, except that the bars of a wait tally lie
// flat so that their names can be read.
//
// The package is the only door to gonum.org/v1/plot, and it keeps that library's
// traps outside: values are mapped onto a plane before they reach it, so its log
// scale never sees a zero; tickers are our own; points that have no place are
// left out and counted; whatever still panics becomes an error that names the
// figure. Lines are thinned to the lowest and highest value of each pixel
// column, so a stall of one second stays visible at any length of a run.
package figure
