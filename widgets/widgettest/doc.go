// Package widgettest drives widgets in tests without a window: it lays a
// widget out on an event router, finds parts by their semantic labels, and
// sends pointer and key events. Time stands still unless the test moves it.
//
// Positions are window pixels; Scale is pixels per Dp and Sp.
package widgettest
