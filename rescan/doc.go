// Package rescan measures all runs of an archive again, with the detectors of
// today, and says what that changes in what was published or found before.
//
// [List] walks the archive. [New] takes what is to be looked for; [Scanner.Scan]
// measures the runs over a pool of workers, compares each with the documents that
// used it or with the scan before, combines the runs of each document again, and
// returns a [Report] of plain values. Results are kept in a cache folder by what
// they are made from: the run's digest, the program, the detectors and the
// protocol. A scan that is killed goes on where it was; an entry that is damaged
// is made again.
//
// In memory are the samples of as many runs as there are workers, the results of
// one document, and what changed.
//
// Pipeline: runs → detect → analyze → rescan.
package rescan
