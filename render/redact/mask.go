package redact

import (
	"cmp"
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strings"

	"headroom/internal/pattern"
)

// masker remembers which mask every name has.
type masker struct {
	masks map[string]string // by name; hosts in lower case
	next  map[string]int    // number of the last mask of a kind
	words *regexp.Regexp    // the names that were found, as words; nil for none
}

func newMasker() *masker { return &masker{masks: map[string]string{}, next: map[string]int{}} }

// Kinds of names, as their masks begin.
const (
	host    = "host"
	user    = "user"
	address = "address"
	mail    = "mail"
)

// everywhere are names that every installation has: they tell nothing.
var everywhere = map[string]bool{
	"localhost": true, "localhost.localdomain": true, "postgres": true, "root": true, "nobody": true, "vm": true, "none": true, "null": true,
	"default": true, "unknown": true, "true": true, "false": true, "local": true, "self": true, "all": true, "any": true, "user": true, "users": true, "host": true,
	"hosts": true, "name": true, "names": true, "server": true, "database": true, "client": true, "runner": true, "the": true, "and": true, "for": true, "its": true,
	"cpu": true, "memory": true, "disk": true, "load": true, "time": true, "mean": true, "linux": true, "postgresql": true,
}

// name gives a name its mask, at first sight a new one; what tells nothing stays.
func (m *masker) name(kind, name string) string {
	key := strings.ToLower(name)
	if everywhere[key] || key == "" || isMask(key) {
		return name
	}
	if mask, ok := m.masks[key]; ok {
		return mask
	}
	m.next[kind]++
	m.masks[key] = fmt.Sprintf("%s-%d", kind, m.next[kind])
	return m.masks[key]
}

var maskForm = pattern.New(`^(?:host|user|address|mail)-\d+$`)

func isMask(s string) bool { return maskForm.MatchString(s) }

// Where names stand.
var (
	mailForm = pattern.New(`[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}`)
	ipv4Form = pattern.New(`\b\d{1,3}(?:\.\d{1,3}){3}\b`)
	ipv6Form = pattern.New(`[0-9A-Fa-f:]*:[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*`)
	// ec2Form is how clouds name a host by its address.
	ec2Form = pattern.New(`\bip-\d{1,3}(?:-\d{1,3}){3}\b(?:\.[a-z0-9-]+)*`)
	// domainForm is a name with a domain that is in use for hosts; file names and ids
	// of figures end otherwise.
	domainForm = pattern.New(`(?i)[a-z0-9_.-]*[a-z0-9-]\.(?:internal|local|localdomain|lan|intranet|corp|private|test|example|invalid|svc|consul|com|net|org|edu|gov|mil|cloud|eu|de|uk|fr|nl|ch)\b[a-z0-9_.-]*`)
	homeForm   = pattern.New(`((?:/home/|/Users/|/var/home/|[A-Za-z]:\\+Users\\+))([^/\\\s"'<>:;,|)]+)`)
	// authority is user:password@host:port of an address; optionForm and flagForm
	// are the ways in which commands name hosts and users.
	authority  = pattern.New(`://(?:([^\s/@:"']+)(?::[^\s/@"']*)?@)?(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)`)
	optionForm = pattern.New(`(?i)\b(host|hostname|hostaddr|server|node|instance|pghost|user|username|usename|owner|uid|pguser|login)=["']?([A-Za-z0-9][A-Za-z0-9._-]*)`)
	flagForm   = pattern.New(`(?:^|\s)(-h|-U|--host|--hostname|--server|--user|--username|--login)[ =]["']?([A-Za-z0-9][A-Za-z0-9._-]*)`)
	sshForm    = pattern.New(`\b([A-Za-z_][A-Za-z0-9._-]*)@([A-Za-z0-9][A-Za-z0-9.-]*)\b`)
	portForm   = pattern.New(`^([A-Za-z][A-Za-z0-9.-]*):\d{2,5}$`)
	pgLogForm  = pattern.New(`(?:role|user) "([^"]+)"`)
)

// hostKeys and userKeys are labels and columns whose values are names.
var (
	hostKeys = []string{"host", "hostname", "node", "server", "instance", "nodename", "machine", "client_hostname", "client_addr"}
	userKeys = []string{"user", "username", "usename", "owner", "author", "login", "operator", "rolname"}
	userFlag = pattern.New(`(?i)^(?:-u|--user|--username|--login|user|username|usename|owner|uid|pguser|login)$`)
)

// nameForm is what a label's value must be to be a name.
var nameForm = pattern.New(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// look learns the names that a text tells. key is the label or field that it
// stands in.
func (m *masker) look(s, key string) {
	m.structured(s)
	key = strings.ToLower(key)
	if nameForm.MatchString(s) {
		switch {
		case slices.Contains(hostKeys, key):
			m.host(s)
		case slices.Contains(userKeys, key):
			m.name(user, s)
		}
	}
	if p := portForm.FindStringSubmatch(s); p != nil && (key == "entity" || slices.Contains(hostKeys, key)) {
		m.host(p[1])
	}
	for _, p := range authority.FindAllStringSubmatch(s, -1) {
		m.name(user, p[1])
		m.host(strings.Trim(p[2], "[]"))
	}
	for _, form := range []*pattern.Pattern{optionForm, flagForm} {
		for _, p := range form.FindAllStringSubmatch(s, -1) {
			// Of ours are steps such as instance=3.
			switch {
			case userFlag.MatchString(p[1]) && p[1] != "-h":
				m.name(user, p[2])
			case strings.Trim(p[2], "0123456789") != "":
				m.host(p[2])
			}
		}
	}
	for _, p := range sshForm.FindAllStringSubmatch(s, -1) {
		if !isVersion(p[2]) {
			m.name(user, p[1])
			m.host(p[2])
		}
	}
	for _, p := range pgLogForm.FindAllStringSubmatch(s, -1) {
		m.name(user, p[1])
	}
	for _, p := range homeForm.FindAllStringSubmatch(s, -1) {
		m.name(user, p[2])
	}
}

// isVersion tells the 1 of nearest-rank@1 from a host.
func isVersion(s string) bool { return strings.Trim(s, "0123456789.") == "" }

// structured masks what has a shape of its own: mail and IP addresses, hosts with
// a domain.
func (m *masker) structured(s string) string {
	s = mailForm.ReplaceAllStringFunc(s, func(t string) string { return m.name(mail, t) })
	s = ec2Form.ReplaceAllStringFunc(s, m.host)
	s = domainForm.ReplaceAllStringFunc(s, m.domain)
	s = ipv4Form.ReplaceAllStringFunc(s, m.address)
	return m.ipv6(s)
}

// ipv6 masks addresses that stand as words: the d:: of std::vector is none.
func (m *masker) ipv6(s string) string {
	var b strings.Builder
	last := 0
	for _, at := range ipv6Form.FindAllStringIndex(s, -1) {
		from, to := at[0], at[1]
		for to > from && (s[to-1] == '.' || s[to-1] == ':' && !strings.HasSuffix(s[from:to], "::")) {
			to--
		}
		if !inWord(s, from, to) {
			b.WriteString(s[last:from] + m.address(s[from:to]))
			last = to
		}
	}
	return b.String() + s[last:]
}

// domainEnd is what a name of a host ends with.
var domainEnd = pattern.New(`(?i)^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*\.(?:internal|local|localdomain|lan|intranet|corp|private|test|example|invalid|svc|consul|com|net|org|edu|gov|mil|cloud|eu|de|uk|fr|nl|ch)$`)

// domain masks a run of letters and dots that is the name of a host as a whole: of
// one that goes on behind the domain, as figures and files do, nothing is.
func (m *masker) domain(t string) string {
	body := strings.TrimRight(t, ".-_")
	if !domainEnd.MatchString(body) {
		return t
	}
	return m.host(body) + t[len(body):]
}

func (m *masker) host(s string) string {
	if a, err := netip.ParseAddr(s); err == nil {
		return m.ip(a, s)
	}
	if isVersion(s) {
		return s
	}
	return m.name(host, s)
}

func (m *masker) address(s string) string {
	a, err := netip.ParseAddr(s)
	if err != nil {
		return s
	}
	return m.ip(a, s)
}

func (m *masker) ip(a netip.Addr, s string) string {
	if a.IsLoopback() || a.IsUnspecified() {
		return s
	}
	return m.name(address, s)
}

// hostOf learns the name of a host from what a run says of it: the name, then what
// the machine is.
func (m *masker) hostOf(text string) {
	name, rest, more := strings.Cut(text, ", ")
	if more && rest != "" && nameForm.MatchString(name) && !instanceType.MatchString(name) {
		m.host(name)
	}
}

// instanceType is a machine of a cloud, as m6i.4xlarge: which one it was is part
// of what was measured.
var instanceType = pattern.New(`^[a-z][a-z0-9-]*\.(?:\d*x?large|medium|small|micro|nano|metal[a-z0-9-]*)$`)

// shortest is the length of a name that is masked as a word wherever it stands; a
// shorter one is masked where something says that it is a name.
const shortest = 3

// learned prepares the names that were found to be masked as words.
func (m *masker) learned() {
	var names []string
	for name := range m.masks {
		if len(name) >= shortest && strings.Trim(name, "0123456789") != "" {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return
	}
	slices.SortFunc(names, func(a, b string) int { // the longest first: a host before its domain
		return cmp.Or(len(b)-len(a), strings.Compare(a, b))
	})
	for i, n := range names {
		names[i] = regexp.QuoteMeta(n)
	}
	m.words = regexp.MustCompile(`(?i)` + strings.Join(names, "|"))
}

// mask is a text without its names and literals.
func (m *masker) mask(s, key string) string {
	s = literals(s)
	s = m.structured(s)
	s = homeForm.ReplaceAllStringFunc(s, func(t string) string {
		p := homeForm.FindStringSubmatch(t)
		return p[1] + m.name(user, p[2])
	})
	if m.words != nil {
		s = m.asWords(s)
	}
	return s
}

// asWords masks the names that stand as words: not inside a longer one.
func (m *masker) asWords(s string) string {
	var b strings.Builder
	for at := 0; at < len(s); {
		loc := m.words.FindStringIndex(s[at:])
		if loc == nil {
			b.WriteString(s[at:])
			break
		}
		from, to := at+loc[0], at+loc[1]
		if inWord(s, from, to) {
			b.WriteString(s[at : from+1])
			at = from + 1
			continue
		}
		b.WriteString(s[at:from])
		b.WriteString(m.masks[strings.ToLower(s[from:to])])
		at = to
	}
	return b.String()
}

func inWord(s string, from, to int) bool {
	return from > 0 && wordByte(s[from-1]) || to < len(s) && wordByte(s[to])
}

func wordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c >= 0x80
}
