package capture

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"headroom/internal/near"
)

// dsnKeys are the words of a connection string that say where the server is and
// how it is reached (https://www.postgresql.org/docs/current/libpq-connect.html).
var dsnKeys = []string{
	"channel_binding", "connect_timeout", "dbname", "host", "krbspn", "krbsrvname", "max_protocol_version", "min_protocol_version", "options", "passfile",
	"password", "port", "require_auth", "service", "servicefile", "sslcert", "sslcertmode", "sslkey", "sslmode", "sslnegotiation", "sslpassword",
	"sslrootcert", "sslsni", "target_session_attrs", "user",
}

// sessionKeys are settings of the server that a connection string may hold; any
// other goes into options, as in options='-c NAME=VALUE'.
var sessionKeys = []string{
	"application_name", "client_encoding", "datestyle", "default_transaction_read_only", "extra_float_digits", "idle_in_transaction_session_timeout",
	"idle_session_timeout", "intervalstyle", "lock_timeout", "role", "search_path", "statement_timeout", "timezone", "transaction_timeout",
}

// idleKeys are words of libpq that change nothing here. The driver would take them
// for settings of the server, which would refuse the connection.
var idleKeys = []string{
	"fallback_application_name", "gsslib", "keepalives", "keepalives_count", "keepalives_idle", "keepalives_interval", "load_balance_hosts", "sslcompression",
	"tcp_user_timeout",
}

// parseDSN reads a connection string. A word that is not known is refused: it is
// a slip of the pen, and without the word that was meant another server would be
// observed than the user's.
func parseDSN(dsn string) (*pgx.ConnConfig, error) {
	conf, err := pgx.ParseConfig(dsn)
	if err != nil {
		return nil, fmt.Errorf("%w: the connection string of PostgreSQL cannot be read%s: want postgres://… or key=value words", ErrUsage, dsnFault(err))
	}
	for _, key := range slices.Sorted(maps.Keys(conf.RuntimeParams)) {
		known := func(keys []string) bool { return slices.Contains(keys, strings.ToLower(key)) }
		switch {
		case known(idleKeys), key == "gssencmode" && conf.RuntimeParams[key] != "require":
			delete(conf.RuntimeParams, key)
		case key == "options", known(sessionKeys), strings.Contains(key, "."): // of an extension
		default:
			hint := near.DidYouMean(key, slices.Concat(dsnKeys, sessionKeys))
			if hint == "" {
				hint = "; known are " + strings.Join(dsnKeys, ", ") + ", and for settings of the server options='-c NAME=VALUE'"
			}
			return nil, fmt.Errorf("%w: the connection string of PostgreSQL has an unknown key %q%s", ErrUsage, maskText(key), hint)
		}
	}
	return conf, nil
}

// dsnFaults are the driver's words about a single key of a connection string.
// Its other errors can quote any part of the string, which may be the password.
var dsnFaults = []string{
	"invalid port", "unknown target_session_attrs", "invalid connect_timeout", "invalid sslcertmode", "unknown channel_binding", "invalid require_auth",
	"invalid min_protocol_version", "invalid max_protocol_version", "min_protocol_version cannot", "failed to configure TLS", "could not match",
}

// dsnFault says what is wrong with a connection string, where that can be said
// without quoting it.
func dsnFault(err error) string {
	text := err.Error()
	text = text[strings.LastIndex(text, "`: ")+1:]
	text = strings.TrimPrefix(text, ": ")
	if strings.Contains(text, "sslmode is invalid") {
		return " (sslmode is one of disable, allow, prefer, require, verify-ca, verify-full)"
	}
	for _, fault := range dsnFaults {
		if strings.HasPrefix(text, fault) {
			return " (" + maskText(text) + ")"
		}
	}
	return ""
}
