package site

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"headroom/internal/browsertest"
)

var views = []browsertest.View{{Width: 1280, Height: 800}, {Width: 390, Height: 844}, {Width: 1280, Height: 800, Dark: true}, {Width: 390, Height: 844, Dark: true}}

// TestSiteInBrowser opens the pages of a site in Chromium, on a desk and on a
// phone, light and dark: the console is silent, nothing but the page is fetched,
// and no page scrolls sideways, nor does a table in the lists. With
// HEADROOM_SCREENSHOTS=DIR it leaves pictures there.
func TestSiteInBrowser(t *testing.T) {
	b := browsertest.Start(t)
	dir := t.TempDir()
	first := publish(t, dir, sample(t, "sweep", 2, 5000))
	newest := publish(t, dir, sample(t, "sweep", 9, 5200), sample(t, "sweep", 16, 4900), sample(t, "sweep", 23, 5506))
	withdrawn := sample(t, "sweep", 9, 5190).Capacity
	withdrawn.Results[0].Run.Withdrawn = "2026-04-01T00:00:00Z: the host was throttled"
	dated := sample(t, "sweep", 10, 5190)
	dated.Date = time.Date(2026, 3, 12, 0, 0, 0, 0, time.UTC)
	publish(t, dir, document(t, withdrawn), dated)
	publish(t, dir, sample(t, "run", 3, 700), sample(t, "repeats", 4, 700), sample(t, "withheld", 5, 700))
	pages := map[string]string{
		"index": indexFile, "versions": filepath.Join(first.Document, indexFile),
		"superseded": filepath.Join(first.Document, first.Version, indexFile), "newest": filepath.Join(first.Document, newest.Version, indexFile),
	}
	for name, file := range pages {
		for _, v := range views {
			b.Open(filepath.Join(dir, file), v)
			if said := b.Console(); len(said) > 0 {
				t.Errorf("%s at %d: the console says %q", name, v.Width, said)
			}
			if asked := b.Requests(); len(asked) != 1 || !strings.HasSuffix(asked[0], filepath.ToSlash(file)) {
				t.Errorf("%s at %d: asked for %q", name, v.Width, asked)
			}
			var seen struct {
				Width, ScrollWidth, Headings int
				Unnamed, Sideways            []string
			}
			b.Eval(`
return {
  Width: window.innerWidth, ScrollWidth: document.documentElement.scrollWidth, Headings: document.querySelectorAll("h1").length,
  Sideways: [...document.querySelectorAll(".site .scroll")].filter(e => e.scrollWidth > e.clientWidth).map(e => e.getAttribute("aria-label")),
  Unnamed: [...document.querySelectorAll("th:not([scope]), .scroll:not([aria-label]), a:not([href]), svg.plot:not([aria-labelledby])")].map(e => e.outerHTML.slice(0, 80)),
}`, &seen)
			if seen.ScrollWidth > v.Width || seen.Headings != 1 || len(seen.Unnamed)+len(seen.Sideways) > 0 {
				t.Errorf("%s at %d: %+v", name, v.Width, seen)
			}
			if to := os.Getenv("HEADROOM_SCREENSHOTS"); to != "" {
				picture(b, filepath.Join(dir, file), filepath.Join(to, "site-"+name), v)
			}
		}
	}
}

func picture(b *browsertest.Browser, page, name string, v browsertest.View) {
	look := fmt.Sprintf("%s-%d", name, v.Width)
	if v.Dark {
		look += "-dark"
	}
	b.Screenshot(look + ".png")
	b.Eval("return Math.min(document.documentElement.scrollHeight, 4000)", &v.Height)
	b.Open(page, v)
	b.Screenshot(look + "-whole.png")
	b.Requests() // of the picture
}
