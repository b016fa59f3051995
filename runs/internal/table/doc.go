// Package table reads and writes the Parquet files of a run.
//
// A [Table] declares the columns of a row type once; the writer, the reader and
// the format's document follow it. A [Writer] streams rows into parts with
// bounded memory. The reader goes column by column through row groups; every
// size in a file is checked before memory is taken for it, since a file may be
// damaged or made to do harm, and a panic of a decoder becomes an error.
//
// It is the only package of runs that knows Parquet.
package table
