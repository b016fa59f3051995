package md

// Block is one block of a document: [Heading], [Text], [Code], [Table],
// [Figure], [Details] or [Answer].
type Block interface{ write(*writer) }

// Heading is a heading of level 1 to 6.
type Heading struct {
	Level int
	Text  Inline
}

// Text is finished Markdown: paragraphs and lists of a template, in which all
// data is Inline.
type Text string

// Code is text shown letter by letter, line breaks kept.
type Code struct{ Text string }

// Table is a table with a caption, notes below it, and a mark on some rows.
type Table struct {
	ID      string // of the table on the page: lower case, digits, hyphens
	Title   string
	Columns []Column
	Rows    []Row
	Notes   []string
	// Wide says that the table is an appendix set in small type.
	Wide bool
}

// Column is a column of a Table.
type Column struct {
	Name  string
	Right bool   // numbers: set flush right
	Doc   string // what the column holds, if the name does not say it
}

// Row is a row of a Table. Class is a word for the style sheet, "" for none.
type Row struct {
	Cells []Cell
	Class string
	ID    string // anchor, "" for none
}

// Cell is one cell: text, then a badge and a note beside it, each optional.
type Cell struct {
	Text  string
	Badge string // "sustained"
	Note  string // the condition of the figure: "floor, load 24 on 16 cores"
	Link  string // anchor on the page that explains the figure; HTML only
	Class string // word for the style sheet: "pass", "fail", "unknown"
}

// Figure is a plot that stands in a file of its own.
type Figure struct {
	ID    string
	Title string
	Alt   string // what is seen, for those who do not see it
	Notes []string
}

// File is the path of the figure beside the document.
func (f Figure) File() string { return "figures/" + f.ID + ".svg" }

// Details is a part that a reader opens.
type Details struct {
	ID      string
	Summary string
	Blocks  []Block
}

// Answer is the first screen: the verdict and the statements.
type Answer struct {
	Outcome    string // pass, fail, unknown
	Verdict    Text   // what the outcome means, a sentence
	Statements []Statement
	Limits     Text // the first thing that the answer does not show
	LimitCount Text // how many things it does not show, "6 things this does not show"
}

// Statement is one sentence of the answer: the figure, and its conditions.
type Statement struct {
	Lead string
	Text string
	Of   string // the configuration that it speaks of, or nothing
	As   string // what a reader calls that configuration, or nothing
}
