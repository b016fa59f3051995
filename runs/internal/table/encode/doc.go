// Package encode turns columns of values into the bytes of Parquet pages: the
// encodings alone, without headers, files or compression. They are those of
// https://parquet.apache.org/docs/file-format/data-pages/encodings/.
//
// Every function appends to a slice that the caller uses again, so that a
// column costs no allocation once its memory has grown. The values are typed
// slices: nothing is boxed, and a text is hashed only when it is not the one
// before it and was not seen lately at the same place in memory.
package encode
