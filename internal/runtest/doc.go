// Package runtest is a small language for synthetic runs and what is expected to
// be found in them, so that a case of a detector is a file that can be read.
//
//	# a server that stood still once
//	run    60s 100/s p50=8ms
//	freeze at=20.3s for=250ms
//	detect freeze
//	----
//	freeze warning 20.300-20.555 …
//
// The lines before "detect" build one run; each "detect" line, up to an empty
// line after its "----", is what the named detector answers. Words are:
//
//	run LENGTH RATE/s [p50=] [p99=] [seed=] [scenario=] [op=] [target=] [from=] [until=] [response=yes] [workers=N] [offset=]
//	    requests at an even pace, each of p50, or log-normal when p99 is given; several lines make several scenarios
//	freeze    at= for= [every= until=] [share=1]   the server stands still: what is in flight or arrives waits for the thaw
//	slow      at= for= by= [share=1]               requests take longer
//	factor    at= for= by=                         requests take so many times as long
//	ramp      at= for= by=                         … so many times, growing evenly from once
//	settle    by= tau=                             … at the start, and ever less
//	modulate  phi= sd=                             … e^x times, x by second: AR(1) with this standard deviation
//	stall     at= for= [every= until=]             the generator stands still: what was due is sent at its end
//	silence   at= for=                             no request is sent
//	errors    at= for= [share=1]                   requests fail
//	drops     at= for= every=                      requests are due and not sent
//	request   at= latency= [n=1] [every=]          single requests
//	marker    at= kind= [every= until=] [lasting=] [message=] [any other key is an attribute]
//	points    metric= value= [to=] [from= until=] [step=1s] [unit=1] [kind=gauge] [entity=] [source=points]
//	counter   metric= value= …                     as points: a counter that grows by value a second
//	sessions  n= at= for= [step=500ms] [state=active] [wait=TYPE:EVENT] [backend=]
//	claim     NAME=NUMBER gained=NUMBER            for reconciliation
//
// Times count from the run's start. Everything random comes from the seed.
package runtest
