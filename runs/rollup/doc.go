// Package rollup derives small tables from a run's samples: one row for each
// second and scenario. Its values are exact; a cache in the run's derived
// folder only saves time and is made again whenever it does not fit.
//
// Pipeline: runs → rollup → detect, analyze.
package rollup
