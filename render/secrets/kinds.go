package secrets

import (
	"strings"
	"unicode"

	"headroom/internal/pattern"
)

// kind is one shape of a secret.
type kind struct {
	name    string
	hint    []string         // a line that has none of these, in lower case, is not looked at
	pattern *pattern.Pattern // its last group, where it has one, is the secret
	// generic values have no shape of their own: they are a secret unless they stand
	// for one.
	generic bool
	// mixed values must hold letters and digits: a word or a number is no token.
	mixed bool
}

// kinds are looked for in this order; the first that a place is of names it.
var kinds = []kind{
	{name: "private key", hint: []string{"private key"}, pattern: pattern.New(`-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----`)},
	{name: "PuTTY private key", hint: []string{"putty-user-key"}, pattern: pattern.New(`PuTTY-User-Key-File-\d+:`)},
	{name: "AWS access key", hint: []string{"akia", "asia"}, pattern: pattern.New(`\b((?:AKIA|ASIA)[A-Z2-7]{16})\b`)},
	{name: "AWS secret key", hint: []string{"aws_secret", "secretaccesskey"}, pattern: pattern.New(`(?i)(?:aws_secret_access_key|secretaccesskey)["']?\s*[=:]\s*["']?([A-Za-z0-9/+]{40})`)},
	{name: "GitHub token", hint: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"}, pattern: pattern.New(`\b(gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255})\b`)},
	{name: "GitLab token", hint: []string{"glpat-", "gldt-", "glrt-", "glcbt-"}, pattern: pattern.New(`\b(gl(?:pat|dt|rt|cbt)-[A-Za-z0-9_-]{20,})`)},
	{name: "Slack token", hint: []string{"xox"}, pattern: pattern.New(`\b(xox[abeoprs]-[A-Za-z0-9-]{10,})`)},
	{name: "Google API key", hint: []string{"aiza"}, pattern: pattern.New(`\b(AIza[A-Za-z0-9_-]{35})`)},
	{name: "Stripe key", hint: []string{"k_live_"}, pattern: pattern.New(`\b([sr]k_live_[A-Za-z0-9]{16,})`)},
	{name: "npm token", hint: []string{"npm_"}, pattern: pattern.New(`\b(npm_[A-Za-z0-9]{36})\b`)},
	{name: "API key", hint: []string{"sk-"}, pattern: pattern.New(`\b(sk-(?:ant-|proj-)?[A-Za-z0-9_-]{24,})`), mixed: true},
	{name: "JSON web token", hint: []string{"eyj"}, pattern: pattern.New(`\b(eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,})`)},
	{name: "authorization header", hint: []string{"bearer ", "basic "}, pattern: pattern.New(`(?i)\bauthorization["']?\s*[:=]\s*["']?(?:bearer|basic)\s+([A-Za-z0-9._~+/=-]{8,})`), generic: true},
	{name: "connection string with a password", hint: []string{"://"}, pattern: pattern.New(`(?i)\b[a-z][a-z0-9+.-]*://[^\s/@:"'<>]*:([^\s/@"'<>]+|<[^\s@<>]*>)@`), generic: true},
	{name: "connection string with a password", hint: []string{"password=", "pwd=", "accountkey=", "sharedaccesskey="},
		pattern: pattern.New(`(?i)(?:host|server|dbname|database|user|uid|user id|accountname|endpoint)\s*=\s*[^;\s]+[;\s].{0,200}?(?:password|pwd|accountkey|sharedaccesskey)=("[^"]+"|'[^']+'|[^\s;"'&]+)`), generic: true},
	{name: "password", hint: []string{"pass"}, pattern: pattern.New(`(?i)(?:password|passwd|passphrase|pgpassword|db_pass|[-_.]pass)=("[^"]+"|'[^']+'|[^\s;"'&,)\]}]{4,})`), generic: true},
	{name: "password", hint: []string{"pass"}, pattern: pattern.New(`(?i)(?:password|passwd|passphrase)["']?\s*[:=]\s*("[^"]{4,}"|'[^']{4,}')`), generic: true},
	{name: "password", hint: []string{"password"}, pattern: pattern.New(`(?i)\bpassword\s+('[^']{4,}')`), generic: true},
	{name: "password", hint: []string{"--password", "pgpass"}, pattern: pattern.New(`(?i)--password\s+([^\s-]\S{3,})`), generic: true},
	{name: "token", hint: []string{"token", "secret", "key"}, pattern: pattern.New(`(?i)\b(?:[a-z0-9_-]*(?:api|access|auth|secret|private)[_-]?(?:key|token)|client[_-]?secret|token|secret)["']?\s*[:=]\s*["']?([A-Za-z0-9_./+~-]{16,})`), generic: true, mixed: true},
}

// stands reports whether a value only stands for a secret.
func stands(value string) bool {
	v := strings.ToLower(strings.Trim(value, `"'`))
	if v == "" {
		return true
	}
	if strings.HasPrefix(v, "$") || strings.HasPrefix(v, "%") && strings.HasSuffix(v, "%") || strings.HasPrefix(v, "<") || strings.HasPrefix(v, "{") || strings.HasPrefix(v, "[") {
		return true
	}
	if strings.Trim(v, "*") == "" || strings.Trim(v, "x") == "" || strings.Trim(v, ".") == "" || strings.Trim(v, "…•?#-_") == "" {
		return true
	}
	for _, word := range []string{"password", "passwd", "pass", "secret", "token", "redacted", "masked", "hidden", "removed", "placeholder", "your_password", "your-password", "null", "none", "true", "false", "required", "empty", "changeme-here"} {
		if v == word {
			return true
		}
	}
	return false
}

// mixed reports whether a value has both letters and digits, as tokens do and
// names of things rarely.
func mixed(value string) bool {
	letters := strings.ContainsFunc(value, unicode.IsLetter)
	digits := 0
	for _, r := range value {
		if unicode.IsDigit(r) {
			digits++
		}
	}
	return letters && digits >= 3 && !strings.ContainsAny(value, " ")
}
