// Package md writes Markdown that means what the data says.
//
// A document is a list of [Block] values; [Write] puts it down as GitHub
// Flavored Markdown that is also readable as plain text. Text from data enters
// as [Inline], which only [Escape] makes: whatever the data holds, GitHub and
// goldmark show that very text and read no markup in it. Tables are aligned, and
// every row keeps its cells.
//
// Rules: https://github.github.com/gfm/ sections 2.4 (backslash escapes), 4.10
// (tables) and 6.4 (emphasis).
package md
