package ingest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"headroom/internal/pattern"
	"headroom/runs"
)

// VegetaReport reads the reports of vegeta, in JSON and in text.
var VegetaReport = &Importer{
	Name: "vegeta-report",
	Doc: `vegeta report (vegeta report, as text or with -type json)

Recognised by an object with "latencies" that hold "50th", or by the line
"Requests [total, rate, throughput]". Gives what vegeta says of an attack: its
requests, success, codes, latencies, rate and throughput. Its quantiles are
estimates of a t-digest; its rate is the requests over the time from the first
to the last start, which counts one request too many for that span.`,
	Gives: []string{"manifest: summaries"},
	Lacks: []string{"single requests, and when they were", "exact percentiles"},
	Sniff: sniffVegetaReport,
	Read:  readVegetaReport,
}

// vegetaMethod says how vegeta's own numbers are made.
const vegetaMethod = "latency.p* by t-digest; rate = requests / (last start - first start)"

var vegetaReportText = pattern.New(`(?m)^Requests\s+\[total, rate(, throughput)?\]`)

func sniffVegetaReport(head []byte) bool {
	trimmed := bytes.TrimSpace(head)
	if len(trimmed) > 0 && trimmed[0] == '{' {
		return bytes.Contains(trimmed, []byte(`"latencies":`)) && bytes.Contains(trimmed, []byte(`"50th":`)) && bytes.Contains(trimmed, []byte(`"status_codes":`))
	}
	return vegetaReportText.Match(head[:min(len(head), 4<<10)])
}

func readVegetaReport(in *Input, _ Sink) error {
	text, err := io.ReadAll(io.LimitReader(in.R, MaxLine))
	if err != nil {
		return err
	}
	m := &in.Meta
	m.Tool, m.LatencyUnit = "vegeta", "ns"
	if trimmed := bytes.TrimSpace(text); len(trimmed) > 0 && trimmed[0] == '{' {
		return readVegetaReportJSON(in, trimmed)
	}
	values := map[string]float64{}
	for line := range strings.Lines(string(text)) {
		if reason := vegetaReportLine(strings.TrimRight(line, "\r\n"), values); reason != "" {
			in.Note("%s", reason)
		}
	}
	if len(values) == 0 {
		return fmt.Errorf("%w: none of the lines of a report of vegeta", ErrUnreadable)
	}
	m.Summaries = append(m.Summaries, runs.Summary{Source: in.Name, Values: values, Method: vegetaMethod})
	return nil
}

// vegetaReportJSON is a JSON report; what is absent is nil.
type vegetaReportJSON struct {
	Latencies               map[string]*float64
	BytesIn                 struct{ Total *float64 } `json:"bytes_in"`
	BytesOut                struct{ Total *float64 } `json:"bytes_out"`
	Earliest, Latest, End   string
	Duration                *float64
	Requests, Rate, Success *float64
	Throughput              *float64
	StatusCodes             map[string]*float64 `json:"status_codes"`
	Errors                  []string
}

// vegetaLatencies are the keys of a report's latencies, and what they are here.
var vegetaLatencies = map[string]string{
	"mean": "latency.mean", "min": "latency.min", "max": "latency.max",
	"50th": "latency.p50", "90th": "latency.p90", "95th": "latency.p95", "99th": "latency.p99",
}

func readVegetaReportJSON(in *Input, text []byte) error {
	var r vegetaReportJSON
	if err := json.Unmarshal(text, &r); err != nil {
		return &SyntaxError{in.Name, 1, "not a report of vegeta: " + clip(plainly(err.Error()))}
	}
	values := map[string]float64{}
	set := func(name string, v *float64, per float64) {
		if v != nil {
			values[name] = *v / per
		}
	}
	for key, name := range vegetaLatencies {
		set(name, r.Latencies[key], 1e9)
	}
	set("requests", r.Requests, 1)
	set("rate", r.Rate, 1)
	set("throughput.requests", r.Throughput, 1)
	set("success", r.Success, 1)
	set("duration", r.Duration, 1e9)
	set("bytes_in", r.BytesIn.Total, 1)
	set("bytes_out", r.BytesOut.Total, 1)
	for _, code := range slices.Sorted(maps.Keys(r.StatusCodes)) {
		if len(values) < maxSummary && r.StatusCodes[code] != nil {
			vegetaCode(values, code, *r.StatusCodes[code])
		}
	}
	if r.Earliest != "" && r.End != "" {
		in.Note("the attack went from %s to %s", clip(r.Earliest), clip(r.End))
	}
	if len(r.Errors) > 0 {
		in.Note("errors: %s", clipList(r.Errors))
	}
	in.Meta.Summaries = append(in.Meta.Summaries, runs.Summary{Source: in.Name, Values: values, Method: vegetaMethod})
	return nil
}

// maxSummary is the most values that one summary of a tool is given.
const maxSummary = 1 << 10

// vegetaCode adds the requests of a status code, and to the failed ones where
// vegeta counts them so.
func vegetaCode(values map[string]float64, code string, n float64) {
	values["status."+clip(code)] = n
	if v, err := strconv.Atoi(code); err != nil || v < 200 || v >= 400 {
		values["failed"] += n
	} else {
		values["failed"] += 0
	}
}

var vegetaReportRow = pattern.New(`^(\w[\w ]*?)\s+\[([^\]]+)\]\s+(.*)$`)

// vegetaReportLine takes one line of a text report: a name, what its numbers
// are, and the numbers. It returns what could not be read.
func vegetaReportLine(line string, values map[string]float64) (reason string) {
	m := vegetaReportRow.FindStringSubmatch(line)
	if m == nil {
		return ""
	}
	if m[1] == "Status Codes" {
		for pair := range strings.FieldsSeq(m[3]) {
			code, count, _ := strings.Cut(pair, ":")
			if n, ok := shifted([]byte(count), 0); ok && len(values) < maxSummary {
				vegetaCode(values, code, n)
			}
		}
		return ""
	}
	names, numbers := strings.Split(m[2], ", "), strings.Split(m[3], ", ")
	for i, name := range names {
		target, ok := vegetaTextValues[m[1]+" "+name]
		if !ok {
			continue
		}
		if i >= len(numbers) {
			return fmt.Sprintf("the line %q is cut", clip(m[1]))
		}
		text := strings.TrimSpace(numbers[i])
		if m[1] == "Duration" || m[1] == "Latencies" {
			d, err := time.ParseDuration(text)
			if err != nil {
				return fmt.Sprintf("%s %s is %q and no duration", m[1], clip(name), clip(text))
			}
			values[target] = d.Seconds()
			continue
		}
		number, percent := strings.CutSuffix(text, "%")
		v, ok := shifted([]byte(number), 0)
		if !ok {
			return fmt.Sprintf("%s %s is %q and no number", m[1], clip(name), clip(text))
		}
		if percent {
			v, _ = shifted([]byte(number), -2)
		}
		values[target] = v
	}
	return ""
}

// vegetaTextValues are the values of a text report by line and name. In older
// reports the quantiles are called 50, 95, 99 without 90.
var vegetaTextValues = map[string]string{
	"Requests total": "requests", "Requests rate": "rate", "Requests throughput": "throughput.requests",
	"Duration attack": "duration",
	"Latencies min":   "latency.min", "Latencies mean": "latency.mean", "Latencies 50": "latency.p50", "Latencies 90": "latency.p90",
	"Latencies 95": "latency.p95", "Latencies 99": "latency.p99", "Latencies max": "latency.max",
	"Bytes In total": "bytes_in", "Bytes Out total": "bytes_out", "Success ratio": "success",
}
