package thousands_test

import (
	"testing"

	"headroom/internal/thousands"
)

func TestGroup(t *testing.T) {
	for in, want := range map[string]string{
		"0": "0", "999": "999", "1000": "1,000", "-1": "−1", "-123456.75": "−123,456.75", "1234567": "1,234,567", "0.0001": "0.0001", "": "",
	} {
		if got := thousands.Group(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
