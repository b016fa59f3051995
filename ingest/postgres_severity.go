package ingest

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// pgWord is a word that stands before the colon of a PostgreSQL log line: a
// severity, or the label of a further field of the record before it.
type pgWord struct {
	english    string // "ERROR", "DETAIL"
	label      bool
	translated bool // the word is not English
}

// pgWords are the words by how they are written. PostgreSQL translates them by
// lc_messages, in csvlog too; the translations are those of the catalogues of
// version 15 (src/backend/po).
var pgWords = makePGWords()

// pgTranslations lists, for each English word, the others.
var pgTranslations = []struct {
	english string
	label   bool
	others  []string
}{
	{"DEBUG", false, []string{"გამართვა", "디버그", "ОТЛАДКА", "НАЛАГОДЖЕННЯ", "调试"}},
	{"LOG", false, []string{"ჟურნალი", "로그", "СООБЩЕНИЕ", "LOGG", "ЗАПИСУВАННЯ", "日志"}},
	{"INFO", false, []string{"ინფორმაცია", "정보", "ИНФОРМАЦИЯ", "ІНФОРМАЦІЯ", "信息"}},
	{"NOTICE", false, []string{"HINWEIS", "NOTIFICA", "알림", "ЗАМЕЧАНИЕ", "NOTIS", "ПОВІДОМЛЕННЯ", "注意"}},
	{"WARNING", false, []string{"WARNUNG", "ATTENTION", "ATTENZIONE", "გაფრთხილება", "경고", "ПРЕДУПРЕЖДЕНИЕ", "VARNING", "ПОПЕРЕДЖЕННЯ", "警告"}},
	{"ERROR", false, []string{"FEHLER", "ERREUR", "ERRORE", "შეცდომა", "오류", "ОШИБКА", "FEL", "ПОМИЛКА", "错误"}},
	{"FATAL", false, []string{"FATALE", "ფატალური", "치명적오류", "ВАЖНО", "FATALT", "ФАТАЛЬНО", "致命错误"}},
	{"PANIC", false, []string{"PANIK", "PANICO", "პანიკა", "손상", "ПАНИКА", "ПАНІКА", "比致命错误还过分的错误"}},
	{"DETAIL", true, []string{"DETALLE", "DÉTAIL", "DETTAGLI", "詳細", "დეტალები", "상세정보", "ПОДРОБНОСТИ", "DETALJ", "ВІДОМОСТІ", "详细信息"}},
	{"HINT", true, []string{"TIPP", "ASTUCE", "SUGGERIMENTO", "ヒント", "მინიშნება", "힌트", "ПОДСКАЗКА", "TIPS", "УКАЗІВКА", "提示"}},
	{"CONTEXT", true, []string{"ZUSAMMENHANG", "CONTEXTO", "CONTEXTE", "CONTESTO", "文脈", "კონტექსტი", "내용", "КОНТЕКСТ", "KONTEXT", "上下文"}},
	{"STATEMENT", true, []string{"ANWEISUNG", "SENTENCIA", "INSTRUCTION", "ISTRUZIONE", "文", "ოპერატორი", "명령 구문", "ОПЕРАТОР", "SATS", "ІНСТРУКЦІЯ", "语句"}},
	{"QUERY", true, []string{"ANFRAGE", "CONSULTA", "REQUÊTE", "問い合わせ", "მოთხოვნა", "쿼리", "ЗАПРОС", "FRÅGA", "ЗАПИТ", "查询"}},
	{"LOCATION", true, []string{"ORT", "UBICACIÓN", "EMPLACEMENT", "POSIZIONE", "場所", "მდებარეობა", "위치", "ПОЛОЖЕНИЕ", "PLATS", "РОЗТАШУВАННЯ", "位置"}},
	{"BACKTRACE", true, []string{"PILE D'APPEL", "バックトレース", "სტეკი", "역추적", "СТЕК", "ВІДСТЕЖУВАТИ"}},
}

func makePGWords() map[string]pgWord {
	words := map[string]pgWord{}
	for _, t := range pgTranslations {
		words[t.english] = pgWord{english: t.english, label: t.label}
		for _, other := range t.others {
			words[other] = pgWord{english: t.english, label: t.label, translated: true}
		}
	}
	for _, level := range []string{"DEBUG1", "DEBUG2", "DEBUG3", "DEBUG4", "DEBUG5"} {
		words[level] = pgWord{english: level}
	}
	return words
}

// pgWordMax is the length of the longest word, in bytes.
const pgWordMax = 40

// leadingPGWord reads a word with its colon at the start of b. rest is the
// message, after the one or two blanks that follow the colon.
func leadingPGWord(b []byte) (w pgWord, rest []byte, ok bool) {
	colon := bytes.IndexByte(b[:min(len(b), pgWordMax)], ':')
	if colon < 2 {
		return pgWord{}, nil, false
	}
	w, ok = pgWords[string(bytes.TrimRight(b[:colon], " \u00a0"))]
	if !ok {
		return pgWord{}, nil, false
	}
	rest = b[colon+1:]
	if len(rest) > 0 && rest[0] != ' ' {
		return pgWord{}, nil, false
	}
	for n := 0; n < 2 && len(rest) > 0 && rest[0] == ' '; n++ {
		rest = rest[1:]
	}
	return w, rest, true
}

// findPGWord finds the first word with its colon that starts within the first
// pgPrefixMax bytes of a line, and where it starts.
func findPGWord(line []byte) (at int, w pgWord, ok bool) {
	limit := min(len(line), pgPrefixMax)
	for from := 0; ; {
		colon := bytes.Index(line[from:limit], []byte(": "))
		if colon < 0 {
			return 0, pgWord{}, false
		}
		colon += from
		// A word begins where its letters do; those of two words (명령 구문) and
		// the blank before a French colon are tried as well.
		start := bytes.TrimRight(line[:colon], " \u00a0")
		for range 2 {
			start = bytes.TrimRightFunc(start, func(r rune) bool { return !unicode.IsSpace(r) && !isPGPrefixEnd(r) })
			if w, _, ok := leadingPGWord(line[len(start):]); ok {
				return len(start), w, true
			}
			start = bytes.TrimRight(start, " ")
		}
		from = colon + 1
	}
}

// isPGPrefixEnd reports whether r can be the last of a log_line_prefix, so that
// the word after it is whole. Letters and digits cannot.
func isPGPrefixEnd(r rune) bool {
	return r < utf8.RuneSelf && !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\''
}
