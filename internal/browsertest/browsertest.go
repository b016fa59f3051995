// Package browsertest opens pages in a real browser: headless Chromium, driven
// through chromedriver over the WebDriver protocol.
//
// It is for tests of what a page is once it is drawn: what lies on the first
// screen, what the console says, what is fetched. A machine without Chromium
// skips such a test and says so.
package browsertest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"
)

// Browser is one browser with one page.
type Browser struct {
	t       testing.TB
	session string // URL of the WebDriver session
}

// View is how a page is looked at.
type View struct {
	Width, Height int
	Dark          bool
	Print         bool // with the style of a print
	NoScripts     bool // the page's scripts do not run
}

var started = regexp.MustCompile(`started successfully on port (\d+)\.`)

// Start starts a browser that ends with the test. It skips the test if chromium
// or chromedriver is not installed.
func Start(t testing.TB) *Browser {
	t.Helper()
	chromium := find(t, "chromium", "chromium-browser", "google-chrome")
	driver := find(t, "chromedriver")
	said := &output{port: make(chan string, 1)}
	cmd := exec.Command(driver, "--port=0")
	cmd.Stdout = said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // killed: its status says nothing
	})
	b := &Browser{t: t}
	select {
	case port := <-said.port:
		b.session = "http://127.0.0.1:" + port + "/session"
	case <-time.After(limit):
		t.Fatalf("%s did not say within %v that it listens", driver, limit)
	}
	b.open(chromium)
	return b
}

// output waits for the line in which the driver names its port, and drops the
// rest of what it says.
type output struct {
	text strings.Builder
	port chan string
	done bool
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	if o.done {
		return len(p), nil
	}
	o.text.Write(p)
	if m := started.FindStringSubmatch(o.text.String()); m != nil {
		o.port <- m[1]
		o.done = true
	}
	return len(p), nil
}

func find(t testing.TB, names ...string) string {
	t.Helper()
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skipf("%s is not installed: the page is not looked at", strings.Join(names, " or "))
	return ""
}

func (b *Browser) open(chromium string) {
	b.t.Helper()
	var reply struct {
		SessionID string `json:"sessionId"`
	}
	b.call("POST", "", map[string]any{"capabilities": map[string]any{"alwaysMatch": map[string]any{
		"goog:loggingPrefs": map[string]string{"browser": "ALL", "performance": "ALL"},
		"goog:chromeOptions": map[string]any{"binary": chromium, "args": []string{
			"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
			"--user-data-dir=" + b.t.TempDir()}},
	}}}, &reply)
	b.session += "/" + reply.SessionID
	b.t.Cleanup(func() { b.call("DELETE", "", struct{}{}, nil) })
	b.call("POST", "/url", map[string]string{"url": "about:blank"}, nil)
	b.Requests() // forget what the browser's own first page fetched
}

// Open loads a file and looks at it.
func (b *Browser) Open(path string, v View) {
	b.t.Helper()
	scheme := "light"
	if v.Dark {
		scheme = "dark"
	}
	b.cdp("Emulation.setDeviceMetricsOverride", map[string]any{
		"width": v.Width, "height": v.Height, "deviceScaleFactor": 1, "mobile": v.Width < 600}, nil)
	media := ""
	if v.Print {
		media = "print"
	}
	b.cdp("Emulation.setEmulatedMedia", map[string]any{"media": media,
		"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
	b.cdp("Emulation.setScriptExecutionDisabled", map[string]any{"value": v.NoScripts}, nil)
	b.call("POST", "/url", map[string]string{"url": "file://" + path}, nil)
}

// Eval runs the body of a JavaScript function on the page and decodes what it
// returns.
func (b *Browser) Eval(js string, out any) {
	b.t.Helper()
	b.call("POST", "/execute/sync", map[string]any{"script": js, "args": []any{}}, out)
}

type entry struct {
	Level   string `json:"level"`
	Message string `json:"message"`
}

// Console returns what the console said since it was last asked, refusals of the
// content policy included.
func (b *Browser) Console() (messages []string) {
	b.t.Helper()
	var entries []entry
	b.call("POST", "/se/log", map[string]string{"type": "browser"}, &entries)
	for _, e := range entries {
		messages = append(messages, e.Level+" "+e.Message)
	}
	return messages
}

// Requests returns the addresses that were asked for since the last call.
func (b *Browser) Requests() (urls []string) {
	b.t.Helper()
	var entries []entry
	b.call("POST", "/se/log", map[string]string{"type": "performance"}, &entries)
	for _, e := range entries {
		var m struct {
			Message struct {
				Method string `json:"method"`
				Params struct {
					Request struct {
						URL string `json:"url"`
					} `json:"request"`
				} `json:"params"`
			} `json:"message"`
		}
		if err := json.Unmarshal([]byte(e.Message), &m); err != nil {
			b.t.Fatal(err)
		}
		if m.Message.Method == "Network.requestWillBeSent" {
			urls = append(urls, m.Message.Params.Request.URL)
		}
	}
	return urls
}

// Screenshot writes a PNG of what the view shows.
func (b *Browser) Screenshot(path string) {
	b.t.Helper()
	var shot struct {
		Data string `json:"data"`
	}
	b.cdp("Page.captureScreenshot", map[string]any{}, &shot)
	b.write(path, shot.Data)
}

// PDF prints the page on A4 as its style sheet says.
func (b *Browser) PDF(path string) {
	b.t.Helper()
	var pdf struct {
		Data string `json:"data"`
	}
	b.cdp("Page.printToPDF", map[string]any{"preferCSSPageSize": true, "printBackground": false}, &pdf)
	b.write(path, pdf.Data)
}

func (b *Browser) write(path, encoded string) {
	b.t.Helper()
	data, err := base64.StdEncoding.DecodeString(encoded)
	if err == nil {
		err = os.WriteFile(path, data, 0o644)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

// cdp sends a command of the Chrome DevTools protocol.
func (b *Browser) cdp(command string, params, out any) {
	b.t.Helper()
	b.call("POST", "/goog/cdp/execute", map[string]any{"cmd": command, "params": params}, out)
}

// limit is how long one command may take on a busy machine.
const limit = 2 * time.Minute

// call sends a WebDriver command and decodes the value of its reply.
func (b *Browser) call(method, path string, body, out any) {
	b.t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		b.t.Fatal(err)
	}
	req, err := http.NewRequest(method, b.session+path, bytes.NewReader(data))
	if err != nil {
		b.t.Fatal(err)
	}
	client := http.Client{Timeout: limit}
	resp, err := client.Do(req)
	if err != nil {
		b.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	reply := struct {
		Value json.RawMessage `json:"value"`
	}{}
	if err := json.NewDecoder(resp.Body).Decode(&reply); err != nil {
		b.t.Fatalf("%s %s: %v", method, path, err)
	}
	if resp.StatusCode != http.StatusOK {
		b.t.Fatal(fmt.Errorf("%s %s: %s", method, path, reply.Value))
	}
	if out == nil {
		return
	}
	if err := json.Unmarshal(reply.Value, out); err != nil {
		b.t.Fatalf("%s %s: %v", method, path, err)
	}
}
