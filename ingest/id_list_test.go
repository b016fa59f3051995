package ingest

import "testing"

// TestIDsAreLookedUp finds what was acknowledged and is not in the system, though
// as many are in it as were acknowledged.
func TestIDsAreLookedUp(t *testing.T) {
	dir := write(t, map[string]string{
		"topic.txt": "b001\nb002\nb003\nb009\nb010\n",
		"samples.csv": "at,ms,status,batch\n1772445600000,5,202,b001\n1772445600001,5,202,b002\n1772445600002,5,202,b003\n" +
			"1772445600003,5,202,b004\n1772445600004,5,503,b009\n1772445600005,5,202,b011\n",
	})
	maps, err := ReadMappings("m.yaml", []byte("format: generic-csv\nstart: {field: at, unit: unix_ms}\nlatency: {field: ms, unit: ms}\nstatus: status\nid: batch\n"))
	if err != nil {
		t.Fatal(err)
	}
	_, dst := must(t, Request{Files: []File{{Path: dir}}, Maps: maps})
	if dst.m.After == nil {
		t.Fatal("no counts")
	}
	for name, want := range map[string]string{
		"ids.listed": "5", "ids.acknowledged": "5", "ids.acknowledged_missing": "2", "ids.listed_unacknowledged": "2",
	} {
		if got := dst.m.After.Values[name]; got != want {
			t.Errorf("%s: %q, want %s", name, got, want)
		}
	}
}
