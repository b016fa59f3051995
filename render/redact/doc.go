// Package redact masks what a document tells of whose it is: names of hosts, IP and
// mail addresses, names of users, their folders, and the literals of queries.
//
// It works on the capacity, in which every text of a page is, so a document that is
// rendered from what it returns is masked in Markdown, HTML, SVG and JSON alike.
// One name has one mask everywhere (host-1, user-2), numbered in the order in which
// the document has them. Figures stay as they are.
//
// A name is found where something says that it is one: an address, a label or an
// option such as host=…, -U … or /home/…. From then on it is masked wherever it
// stands as a word. A name that nothing points to stays; who publishes looks at the
// page first. Names that every installation has (localhost, postgres, root, the
// addresses of loopback) stay too.
//
// Pipeline: analyze → redact → render.
package redact
