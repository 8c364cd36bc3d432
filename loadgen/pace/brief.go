package pace

// longestBrief is how much of a word a message quotes, in characters.
const longestBrief = 80

// Brief is what a message quotes of a word that somebody wrote: of a long one
// only the beginning.
func Brief(s string) string {
	n := 0
	for i := range s {
		if n++; n > longestBrief {
			return s[:i] + "…"
		}
	}
	return s
}
