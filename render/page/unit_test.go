package page

import "testing"

func TestUnparted(t *testing.T) {
	for in, want := range map[string]string{
		"p99 7.81 ms, 80.6 % of 2 cores":      "p99 7.81~ms, 80.6~% of 2 cores",
		"from 1 s 2 s to 3 s":                 "from 1~s 2~s to 3~s",
		"1,856 requests/s and 12 B/s":         "1,856 requests/s and 12 B/s",
		"5 stops, 3 hosts, 4 bytes":           "5 stops, 3 hosts, 4 bytes",
		`<a title="3 ms" href="#a">3 ms</a>.`: `<a title="3 ms" href="#a">3~ms</a>.`,
		"<code>sleep 3 s</code> 3 s":          "<code>sleep 3 s</code> 3~s",
		"<pre><code>3 s</code>3 s</pre>":      "<pre><code>3 s</code>3 s</pre>",
		"<td>3</td> <td>s</td>":               "<td>3</td> <td>s</td>",
		"":                                    "",
	} {
		if got := unparted(in); got != replaced(want) {
			t.Errorf("%q: %q, want %q", in, got, replaced(want))
		}
	}
}

// replaced puts the blank that is no break for each tilde.
func replaced(s string) string {
	out := ""
	for _, r := range s {
		if r == '~' {
			out += noBreak
			continue
		}
		out += string(r)
	}
	return out
}
