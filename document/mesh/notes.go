package mesh

import "fmt"

// notes collects sentences about what is not shown or was mended, each once.
type notes struct {
	list []string
	seen map[string]bool
	more int
}

// maxNotes bounds how many sentences a hostile file can make.
const maxNotes = 64

func (n *notes) add(format string, args ...any) {
	s := fmt.Sprintf(format, args...)
	switch {
	case n.seen[s]:
		return
	case len(n.list) >= maxNotes:
		n.more++
		return
	case n.seen == nil:
		n.seen = map[string]bool{}
	}
	n.seen[s] = true
	n.list = append(n.list, s)
}

func (n *notes) sentences() []string {
	if n.more > 0 {
		return append(n.list, fmt.Sprintf("There are %d notes more of this kind.", n.more))
	}
	return n.list
}

// count words a number of things: "1 triangle", "2 triangles".
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// were is the verb for a number of things.
func were(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}
