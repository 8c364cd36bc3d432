package pace

import (
	"math"
	"math/rand/v2"
)

// poisson draws a Poisson number with the mean λ ≥ 0.
//
// A small one is counted out, gap by gap; the time that takes grows with λ.
// From 10 on it is drawn by transformed rejection with squeeze, which is as
// exact and takes the same time for any λ (algorithm PTRS of W. Hörmann, "The
// transformed rejection method for generating Poisson random variables",
// Insurance: Mathematics and Economics 12, 1993).
func poisson(mean float64, rng *rand.Rand) int64 {
	if !(mean >= 10) {
		n := int64(0)
		for t := rng.ExpFloat64(); t < mean; t += rng.ExpFloat64() {
			n++
		}
		return n
	}
	root, log := math.Sqrt(mean), math.Log(mean)
	b := 0.931 + 2.53*root
	a := -0.059 + 0.02483*b
	inverseAlpha := 1.1239 + 1.1328/(b-3.4)
	squeeze := 0.9277 - 3.6224/(b-2)
	for {
		u, v := rng.Float64()-0.5, rng.Float64()
		edge := 0.5 - math.Abs(u)
		k := math.Floor((2*a/edge+b)*u + mean + 0.43)
		if edge >= 0.07 && v <= squeeze {
			return int64(k)
		}
		if k < 0 || edge < 0.013 && v > edge {
			continue
		}
		factorial, _ := math.Lgamma(k + 1)
		if math.Log(v*inverseAlpha/(a/(edge*edge)+b)) <= k*log-mean-factorial {
			return int64(k)
		}
	}
}
