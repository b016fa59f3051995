// Package site publishes documents as a static site: a list of documents, the
// versions of each by the date of their measurement, the trend of their
// headlines, and an Atom feed.
//
//	SITE/index.html                    the documents
//	SITE/feed.xml                      the versions, newest first (RFC 4287)
//	SITE/<document>/index.html         its versions and their trend
//	SITE/<document>/latest/index.html  leads to the newest version
//	SITE/<document>/<version>/         a document as it was built, and version.json
//
// A version is a folder of its own, which appears by one rename and keeps its
// figures for ever; all else is made from the version.json of all versions. So two
// sites that were published apart are merged by publishing into either of them,
// and a publication that was cut off leaves the site as it was: the next one makes
// what was missing. The pages of a version get a note that points to the newest
// one; [Original] takes it off again.
//
// Dates are those of the measurements, never of a clock: the same documents give
// the same bytes, in whatever order they were published, apart from revisions of
// one measurement, which are numbered as they came.
//
// Pipeline: analyze → render → site.
package site
