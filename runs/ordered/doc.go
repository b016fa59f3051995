// Package ordered keeps rows of integers in ascending order of their first
// column, in bounded memory: packed, in memory as long as they are few, in a
// temporary file beyond that. Analyses pass over the requests of a run many
// times and in order of their starts, which is not the order of the record.
//
// Pipeline: runs → ordered → detect.
package ordered
