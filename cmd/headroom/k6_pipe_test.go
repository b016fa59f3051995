package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"time"
)

// k6pipe is a small load generator that does as k6 does: an open loop of real
// requests, whose lines it writes while it runs; SIGINT ends it early, with k6's
// status 105. Without -url it requests nothing, and request i takes i ms.
func k6pipe() {
	url := flag.String("url", "", "what to request")
	out := flag.String("out", "", "file of the lines")
	rate := flag.Float64("rate", 50, "requests per second")
	seconds := flag.Float64("seconds", 2, "how long")
	status := flag.Int("status", 0, "exit status")
	log := flag.String("log", "", "log that gets a line for every tenth request")
	flag.Parse()
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt)
	f, err := os.OpenFile(*out, os.O_WRONLY|os.O_CREATE, 0o644)
	check(err)
	var b bytes.Buffer
	k6Declare(&b)
	tick := time.NewTicker(time.Duration(1e9 / *rate))
	for i := range int(*rate * *seconds) {
		took, code := float64(i), 200
		if *url != "" {
			took, code = requested(*url)
		}
		k6Request(&b, time.Now(), took, code)
		_, err := b.WriteTo(f) // whole lines, at once
		check(err)
		if *log != "" && i%10 == 0 {
			appendLine(*log, fmt.Sprintf(`{"time":"%s","level":"INFO","msg":"line","n":%d}`, time.Now().UTC().Format(time.RFC3339Nano), i/10))
		}
		select {
		case <-interrupted:
			os.Exit(105)
		case <-tick.C:
		}
	}
	os.Exit(*status)
}

// requested requests a page and returns how long it took, in ms, and its status.
func requested(url string) (took float64, status int) {
	began := time.Now()
	resp, err := http.Post(url, "text/plain", bytes.NewReader(nil))
	check(err)
	io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
	return time.Since(began).Seconds() * 1000, resp.StatusCode
}

func appendLine(path, line string) {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o644)
	check(err)
	_, err = fmt.Fprintln(f, line)
	check(err)
	f.Close()
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "k6pipe:", err)
		os.Exit(1)
	}
}
