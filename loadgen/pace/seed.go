package pace

import "math/rand/v2"

// Seed derives the seed of one stream of random numbers from the run's seed,
// so that a further lane changes no other. (splitmix64 over the parts.)
func Seed(run uint64, purpose string, lane, segment int) uint64 {
	h := run
	mix := func(v uint64) { h = scramble(h + v + golden) }
	for _, c := range []byte(purpose) {
		mix(uint64(c))
	}
	mix(uint64(lane))
	mix(uint64(segment))
	return h
}

// golden is the step of splitmix64, 2⁶⁴ ÷ the golden ratio.
const golden = 0x9e3779b97f4a7c15

// scramble makes a random number of a state of splitmix64.
func scramble(h uint64) uint64 {
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// stream returns the random numbers of a seed.
func stream(seed uint64) *rand.Rand {
	return rand.New(rand.NewPCG(seed, seed^golden))
}
