package panel

import (
	"slices"
	"strconv"
	"strings"

	"ridgeline/editor/command"
	"ridgeline/editor/session"
	"ridgeline/widgets"
)

// complete finds what the last word of a line of commands can become: the id of a
// command, the name of an argument, or a value of an argument that has a list of
// them. It adds as much as all candidates share.
func complete(s *session.Session, input string) widgets.Completion {
	// Only the command behind the last semicolon is being written. One inside
	// quotes belongs to a value, which has nothing to complete.
	start := strings.LastIndexByte(input, ';') + 1
	if strings.Count(input[:start], `"`)%2 == 1 {
		return widgets.Completion{}
	}
	head, part := input[:start], input[start:]
	trimmed := strings.TrimLeft(part, " ")
	head += part[:len(part)-len(trimmed)]
	cut := strings.LastIndexByte(trimmed, ' ') + 1
	words, word := trimmed[:cut], trimmed[cut:]

	if words == "" {
		var ids []string
		for _, c := range s.Env.Registry.All() {
			ids = append(ids, c.ID)
		}
		return completion(head, word, ids)
	}
	fields := strings.Fields(words)
	c, ok := s.Env.Registry.Lookup(fields[0])
	if !ok {
		return widgets.Completion{}
	}
	head += words
	if name, value, ok := strings.Cut(word, "="); ok {
		if p, ok := c.Param(name); ok {
			return completion(head+name+"=", value, values(s, p))
		}
		return widgets.Completion{}
	}
	var names []string
	for i := range c.Params {
		p := &c.Params[i]
		if !slices.ContainsFunc(fields[1:], func(f string) bool { return strings.HasPrefix(f, p.Name+"=") }) {
			names = append(names, p.Name+"=")
		}
	}
	if len(c.Params) > 0 && c.Params[0].Positional && len(fields) == 1 {
		names = append(names, values(s, &c.Params[0])...)
	}
	return completion(head, word, names)
}

// values lists what an argument can be; nil where that is not a matter of a list.
func values(s *session.Session, p *command.Param) []string {
	switch p.Kind {
	case command.Choice:
		return p.Choices
	case command.Bool:
		return []string{"yes", "no"}
	case command.Layer:
		var names []string
		for i, l := range s.Level().Layers {
			name := l.Name
			if strings.ContainsAny(name, " ;\"'#=") {
				name = strconv.Itoa(i)
			}
			names = append(names, name)
		}
		return names
	}
	return nil
}

// completion adds to word what all candidates that begin with it share, and a space
// behind the only one, unless its value is still to come.
func completion(head, word string, candidates []string) widgets.Completion {
	var found []string
	for _, c := range candidates {
		if strings.HasPrefix(strings.ToLower(c), strings.ToLower(word)) {
			found = append(found, c)
		}
	}
	switch len(found) {
	case 0:
		return widgets.Completion{}
	case 1:
		text := head + found[0]
		if !strings.HasSuffix(text, "=") {
			text += " "
		}
		return widgets.Completion{Text: text}
	}
	shared := found[0]
	for _, f := range found[1:] {
		n := 0
		for n < len(shared) && n < len(f) && shared[n] == f[n] {
			n++
		}
		shared = shared[:n]
	}
	if len(shared) < len(word) {
		shared = word
	}
	slices.Sort(found)
	return widgets.Completion{Text: head + shared, Candidates: found}
}
