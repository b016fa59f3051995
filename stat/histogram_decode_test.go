package stat

import (
	"encoding/base64"
	"errors"
	"testing"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Three digits, 1 to 3,600,000,000: 1000 fifty times, 1500 forty, 2000 nine, 9000 once.
const payloadHundred = "HISTFAAAACx42pNpmSzMwMDAwwABzFCaEURcm7yEwf4DROA8f8pT9oCn7ELLlZgAqgQI2g=="

func TestDecodeHistogram(t *testing.T) {
	h, err := DecodeHistogram([]byte(payloadHundred))
	if err != nil {
		t.Fatal(err)
	}
	if want := (Resolution{1, 3_600_000_000, 3}); h.Resolution() != want || h.N() != 100 {
		t.Errorf("%d values at %+v, want 100 at %+v", h.N(), h.Resolution(), want)
	}
	want := []Bucket{{Equivalent{1000, 1000}, 50}, {Equivalent{1500, 1500}, 40}, {Equivalent{2000, 2000}, 9}, {Equivalent{9000, 9007}, 1}}
	got := h.Buckets()
	for i, b := range want {
		if i >= len(got) || got[i] != b || len(got) != len(want) {
			t.Fatalf("buckets %v, want %v", got, want)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	old, err := DecodeHistogram([]byte("HISTiQAAAEV42pNpmdzBwMDAxAAGfgoMDMxuBjsWQLgMQt4QmrkKQvNugkq8g9KKUJoHSjMzoAJGhlEwCkbBKBgFo2AUDDkAANEpBrU="))
	if old != nil || !errors.Is(err, ErrOldHistogram) {
		t.Errorf("V0: %v, %v", old, err)
	}
	wide, err := hdrhistogram.New(1, 1<<62, 5).Encode(hdrhistogram.V2CompressedEncodingCookieBase)
	if err != nil {
		t.Fatal(err)
	}
	raw, _ := base64.StdEncoding.DecodeString(payloadHundred)
	for name, payload := range map[string]string{
		"too many counters": string(wide), "nothing": "", "no base64": "####", "short": "HIST", "another cookie": "QUJDREVGR0g=",
		"cut":           base64.StdEncoding.EncodeToString(raw[:20]),
		"cut in counts": base64.StdEncoding.EncodeToString(raw[:len(raw)-6]),
	} {
		if h, err := DecodeHistogram([]byte(payload)); err == nil {
			t.Errorf("%s: decoded as %+v", name, h.Resolution())
		}
	}
}

func FuzzDecodeHistogram(f *testing.F) {
	f.Add([]byte(payloadHundred))
	f.Fuzz(func(t *testing.T, payload []byte) {
		h, err := DecodeHistogram(payload)
		if err != nil {
			return
		}
		var n int64
		for _, b := range h.Buckets() {
			n += b.Count
		}
		if n != h.N() {
			t.Errorf("%d values in the buckets of %d", n, h.N())
		}
	})
}
