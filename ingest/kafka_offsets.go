package ingest

import (
	"bytes"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"headroom/runs"
)

// KafkaOffsets reads what Kafka's tools print of the ends of partitions.
var KafkaOffsets = &Importer{
	Name: "kafka-offsets",
	Doc: `Kafka end offsets (kafka-get-offsets.sh, GetOffsetShell)

Recognised by lines "topic:partition:offset" and nothing else. The offset of a
topic's end says how many records it has taken since it was made, whatever was
deleted since: the difference between two files is how many came in between. The
counts are the offset of each partition and, by the name of the topic, the sum
over its partitions; kafka.end_offsets is the sum over all. A partition without an
offset has no leader, and its topic no sum; nor has one whose partitions differ
before and after the load.

Whether they were taken before or after the load is said when they are given
(--before, --after): the output has no time.`,
	Gives: []string{"manifest: before, after"},
	Lacks: []string{"when it was taken", "transaction markers, which count as records"},
	Sniff: func(head []byte) bool {
		lines := 0
		for line := range bytes.Lines(head) {
			whole := bytes.HasSuffix(line, []byte("\n"))
			if line = bytes.TrimSpace(line); len(line) == 0 {
				continue
			}
			if _, _, _, ok := kafkaLine(string(line)); !ok {
				return !whole && lines > 0
			}
			lines++
		}
		return lines > 0
	},
	Read: readKafkaOffsets,
}

// kafkaAll is the count of the ends of all partitions of all topics together.
const kafkaAll = "kafka.end_offsets"

// kafkaLine takes a line apart. A topic's name has letters, digits and . _ -, and
// at least one letter, so that times and addresses are none.
func kafkaLine(line string) (topic, partition, offset string, ok bool) {
	f := strings.Split(line, ":")
	if len(f) != 3 || len(f[0]) > 249 || !isDigits([]byte(f[1])) || f[1] == "" || len(f[1]) > 9 {
		return "", "", "", false
	}
	letters := strings.Trim(strings.ToLower(f[0]), "0123456789._-")
	if letters == "" || strings.Trim(strings.ToLower(f[0]), "abcdefghijklmnopqrstuvwxyz0123456789._-") != "" {
		return "", "", "", false
	}
	_, err := strconv.ParseInt(f[2], 10, 64)
	return f[0], f[1], f[2], err == nil || f[2] == ""
}

func readKafkaOffsets(in *Input, _ Sink) error {
	sums, open := map[string]*big.Int{}, map[string]bool{}
	values := map[string]string{}
	l := in.Lines()
	for l.Next() {
		line := strings.TrimSpace(string(l.Bytes()))
		if line == "" {
			continue
		}
		topic, partition, offset, ok := kafkaLine(line)
		name := "kafka." + topic + "." + partition
		n, number := new(big.Int).SetString(offset, 10)
		_, twice := values[name]
		switch {
		case !ok || twice || l.Cut():
			why := fmt.Sprintf("%q is not topic:partition:offset", clip(line))
			if ok {
				why = fmt.Sprintf("%q is there twice, or the file ends in it", clip(line))
			}
			if err := in.BadAt(l, "%s", why); err != nil {
				return err
			}
			open[topic] = true
		case !number || n.Sign() < 0:
			in.Note("%s, partition %s has no offset: its topic has no sum", clip(topic), partition)
			open[topic] = true
		case len(values) < otlpSeriesMax:
			values[name] = offset
			if sums[topic] == nil {
				sums[topic] = new(big.Int)
			}
			sums[topic].Add(sums[topic], n)
		}
	}
	if err := l.Finish(); err != nil {
		return err
	}
	all := new(big.Int)
	for _, topic := range slices.Sorted(maps.Keys(sums)) {
		if !open[topic] {
			values["kafka."+topic] = sums[topic].String()
			all.Add(all, sums[topic])
		}
	}
	if len(open) == 0 && len(sums) > 0 {
		values[kafkaAll] = all.String()
	}
	if len(values) > 0 {
		in.Meta.Counts = &runs.Counts{Source: in.Name, Values: values}
	}
	return nil
}

// dropUnequalTopics takes the sums of topics away whose partitions are not the same
// before and after the load: their difference would count what is not there.
func dropUnequalTopics(m *runs.Manifest) {
	if m.Before == nil || m.After == nil {
		return
	}
	before, after := m.Before.Values, m.After.Values
	unequal := map[string]bool{}
	for _, side := range []map[string]string{before, after} {
		for name := range side {
			topic, ok := kafkaTopic(name)
			if ok && (before[name] == "") != (after[name] == "") {
				unequal[topic] = true
			}
		}
	}
	for _, topic := range slices.Sorted(maps.Keys(unequal)) {
		for _, name := range []string{topic, kafkaAll} {
			delete(before, name)
			delete(after, name)
		}
		m.Notes = append(m.Notes, fmt.Sprintf("%s: its partitions are not the same before and after the load, so that what it gained is not known", strings.TrimPrefix(topic, "kafka.")))
	}
}

// kafkaTopic returns the count of the topic that a count of one partition belongs to.
func kafkaTopic(name string) (topic string, ok bool) {
	i := strings.LastIndexByte(name, '.')
	if !strings.HasPrefix(name, "kafka.") || i <= len("kafka") || !isDigits([]byte(name[i+1:])) || name[i+1:] == "" {
		return "", false
	}
	return name[:i], true
}
