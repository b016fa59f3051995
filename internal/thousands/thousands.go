// Package thousands writes numbers for readers: the same in documents and in text.
package thousands

import "strings"

// Group puts a comma between the thousands of a decimal number such as "-1234.5",
// and a true minus (U+2212) before a negative one: "−1,234.5".
func Group(s string) string {
	sign := ""
	if rest, cut := strings.CutPrefix(s, "-"); cut {
		sign, s = "−", rest
	}
	whole, fraction, dot := strings.Cut(s, ".")
	var b strings.Builder
	for i, c := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(c)
	}
	if dot {
		b.WriteString("." + fraction)
	}
	return sign + b.String()
}
