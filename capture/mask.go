package capture

import (
	"net/url"
	"strings"

	"headroom/internal/pattern"
)

// masked stands for what is never stored.
const masked = "***"

// secretName matches the names of flags, variables, headers and parameters whose
// values are secrets, whatever stands around the word.
var secretName = pattern.New(`(?i)(pass(wd|word|phrase)?|pwd|secret|token|api[-_]?key|access[-_]?key|private[-_]?key|credential|auth(orization)?|cookie|signature|bearer|dsn|session[-_]?id)`)

// secretInText matches secrets inside a word: NAME=VALUE and NAME: VALUE, JSON
// and query parameters, and what follows a scheme of HTTP authentication.
var (
	secretPair = pattern.New(`(?i)([\w.-]*(?:pass(?:wd|word|phrase)?|pwd|secret|token|api[-_]?key|access[-_]?key|private[-_]?key|credential|authorization|cookie|signature)[\w.-]*["']?\s*[=:]\s*)("[^"]*"|'[^']*'|(?:(?:bearer|basic|digest|token)\s+)?[^\s&,;"'}]+)`)
	secretAuth = pattern.New(`(?i)\b(bearer|basic|digest)\s+[A-Za-z0-9+/_.~=-]{6,}`)
	urlLike    = pattern.New(`[A-Za-z][A-Za-z0-9+.-]*://[^\s"'<>]+`)
	jwtLike    = pattern.New(`\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*`)
)

// shortSecret are programs whose short flags take a secret as the next word, or
// glued to the flag.
var shortSecret = map[string][]string{
	"curl": {"-u", "-U", "-b"}, "mysql": {"-p"}, "mysqldump": {"-p"}, "redis-cli": {"-a"}, "wrk": nil, "ab": {"-A", "-P", "-C"},
	"hey": {"-a"}, "sshpass": {"-p"}, "sysbench": nil,
}

// maskCommand returns the words of a command as one line, without secrets.
func maskCommand(words []string) string {
	out := make([]string, 0, len(words))
	short := []string{}
	hide := false
	for i, w := range words {
		if i == 0 {
			short = shortSecret[w[strings.LastIndexByte(w, '/')+1:]]
		}
		switch name, _, pair := strings.Cut(w, "="); {
		case hide:
			w, hide = masked, false
		case strings.HasPrefix(w, "-") && pair && secretName.MatchString(name):
			w = name + "=" + masked
		case strings.HasPrefix(w, "--") && secretName.MatchString(w):
			hide = true
		default:
			w, hide = maskShort(w, short)
		}
		out = append(out, quoteWord(maskText(w)))
	}
	return strings.Join(out, " ")
}

// maskShort hides what is glued to a short flag for a secret, and reports
// whether the next word is one.
func maskShort(w string, flags []string) (string, bool) {
	for _, flag := range flags {
		if w == flag {
			return w, true
		}
		if strings.HasPrefix(w, flag) && !strings.HasPrefix(w, "--") {
			return flag + masked, false
		}
	}
	return w, false
}

// quoteWord makes a word of a command line readable as one.
func quoteWord(w string) string {
	if w == "" || strings.ContainsAny(w, " \t\n\"'$&|;<>()*?\\") {
		return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
	}
	return w
}

// maskText hides secrets inside free text: in connection strings and URLs,
// NAME=VALUE, headers and tokens.
func maskText(s string) string {
	s = urlLike.ReplaceAllStringFunc(s, maskURL)
	s = secretPair.ReplaceAllString(s, "${1}"+masked)
	s = secretAuth.ReplaceAllString(s, "${1} "+masked)
	return jwtLike.ReplaceAllString(s, masked)
}

// maskURL hides the user, the password and the secret parameters of a URL.
func maskURL(raw string) string {
	u, err := url.Parse(raw)
	if err != nil { // not one after all; but it may hold a password
		scheme, rest, _ := strings.Cut(raw, "://")
		if at := strings.LastIndexByte(rest, '@'); at >= 0 {
			return scheme + "://" + masked + rest[at:]
		}
		return raw
	}
	authority := u.Host
	if u.User != nil {
		authority = masked + "@" + u.Host
	}
	out := u.Scheme + "://" + authority + u.EscapedPath()
	if u.RawQuery != "" {
		var parts []string
		for _, part := range strings.Split(u.RawQuery, "&") {
			if name, _, ok := strings.Cut(part, "="); ok && secretName.MatchString(name) {
				part = name + "=" + masked
			}
			parts = append(parts, part)
		}
		out += "?" + strings.Join(parts, "&")
	}
	if u.Fragment != "" {
		out += "#" + masked
	}
	return out
}

// sqlLiterals are the literals of SQL: strings, dollar quotes, and numbers.
var sqlLiterals = pattern.New(`(?s)[eE]?'(?:[^'\\]|''|\\.)*(?:'|$)|\$([A-Za-z_]*)\$.*?(?:\$[A-Za-z_]*\$|$)|\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b`)

// normaliseSQL replaces the literals of a statement, which can be anything, by
// "?", as pg_stat_statements does by $1.
func normaliseSQL(q string) string {
	return sqlLiterals.ReplaceAllStringFunc(q, func(string) string { return "?" })
}
