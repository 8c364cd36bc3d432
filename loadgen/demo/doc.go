// Package demo is an inference server and the board it runs on, inside the
// process: something to drive load at when no other server is at hand. It
// speaks TensorFlow Serving's REST over any [net.Listener] ([Server]) and can
// be looked at as a machine ([Board]).
//
// It refuses to infer: answers are the same plausible numbers every time. It
// refuses to keep what is sent: a body is counted and looked through as it
// passes, never stored. And nothing on the board is noise: every reading
// follows from what the server really did since the last one.
//
// The one idea: a request passes two stages, and the first of them is shared.
//
//	bodies ──▶ link: 117 MB/s, one portion each in turn ──▶ compute: first come,
//	           (processor sharing)                          first served
//
// The link is the reason why requests pile up. mobilenet_v1 takes 3.1 MB as
// JSON, so the link carries C = 37 of them a second. At 50 a second, and with
// equal shares for all that are under way, each newcomer takes a part of the
// link from all older ones. The share that gets through while sending goes on
// is therefore well below C: with the backlog growing by a per second,
//
//	a = λ (1 − e^(−a/C)),  λ = 50, C = 37  →  a ≈ 23
//
// so about 27 a second are done and not 37. The rest of the capacity is not
// lost but stands in half-sent bodies. When sending stops at 10 s nobody takes
// a share any more: the bodies finish faster and faster, all within 3.5 s, the
// later a request had begun the sooner after its beginning. Responses rise to
// those of second 7 and fall after it although the backlog grows until second
// 10. First come, first served has neither: responses there rise to the end.
//
// The compute stage lets through 125 mobilenet_v1 a second at MAXN and never
// shapes that picture; at 15W it lets through 28 and becomes what limits.
package demo
