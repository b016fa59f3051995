// Package secrets finds what must not be published: private keys, tokens,
// passwords and connection strings that hold one.
//
// It names the place and the kind and never what was found. It looks at text as it
// stands and with the escapes of JSON, HTML and Markdown taken off. Words that only
// stand for a password (***, <password>, $PASSWORD) are none. What has no shape of
// its own, such as a password in the middle of a sentence, it cannot find.
//
// Pipeline: analyze → render → secrets → site.
package secrets
