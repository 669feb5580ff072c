package command

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// groupTitles are the headings of the reference, in its order. Groups that are
// not listed follow under their own names.
var groupTitles = []struct{ group, title string }{
	{"terrain", "Terrain"}, {"layer", "Layers"}, {"paint", "Painting"}, {"light", "Light"},
	{"sun", "Sun"}, {"asset", "Assets"}, {"object", "Objects"}, {"scatter", "Scatter"}, {"marker", "Markers"},
	{"occluder", "Occluders"}, {"cell", "Cells and portals"}, {"portal", "Cells and portals"}, {"cull", "Culling"},
	{"property", "Properties"}, {"outline", "Outliner"}, {"level", "Level"}, {"camera", "Camera"}, {"select", "Selection"},
	{"undo", "History"}, {"redo", "History"}, {"file", "Files"}, {"help", "Help"},
}

// WriteReference writes the reference of all commands as Markdown.
func (r *Registry) WriteReference(w io.Writer) error {
	var b strings.Builder
	b.WriteString("# Commands\n\n")
	b.WriteString("This file is written from the registry of commands; do not edit it.\n\n")
	b.WriteString("One command a line, `#` starts a comment, `;` separates commands on one line. " +
		"Values that hold spaces or `;` stand in quotes. Points are `x,z` on the ground or `x,y,z`, " +
		"in metres; lists of points are joined by `;`. Arguments in brackets may be left out.\n")
	done := make(map[string]bool)
	section := func(title string, groups ...string) {
		head := false
		for _, c := range r.all {
			for _, g := range groups {
				if c.Group() != g {
					continue
				}
				if !head {
					fmt.Fprintf(&b, "\n## %s\n", title)
					head = true
				}
				done[g] = true
				c.reference(&b)
			}
		}
	}
	for i := 0; i < len(groupTitles); {
		title := groupTitles[i].title
		var groups []string
		for ; i < len(groupTitles) && groupTitles[i].title == title; i++ {
			groups = append(groups, groupTitles[i].group)
		}
		section(title, groups...)
	}
	for _, c := range r.all {
		if g := c.Group(); !done[g] {
			section(g, g)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Usage is the command and its arguments on one line.
func (c *Command) Usage() string {
	var b strings.Builder
	b.WriteString(c.ID)
	for i := range c.Params {
		p := &c.Params[i]
		name := p.Name + "="
		if p.Positional {
			name = p.Name
		}
		if !p.Required {
			name = "[" + name + "]"
		}
		b.WriteString(" " + name)
	}
	return b.String()
}

func (c *Command) reference(b *strings.Builder) {
	fmt.Fprintf(b, "\n### `%s`\n\n%s *(%s)*\n", c.Usage(), c.Help, c.Class)
	if len(c.Params) == 0 {
		return
	}
	b.WriteString("\n| argument | value | default | what it is |\n|---|---|---|---|\n")
	for i := range c.Params {
		p := &c.Params[i]
		def := "–"
		switch {
		case p.Required:
			def = "required"
		case p.Default != "":
			def = "`" + p.Default + "`"
		}
		fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", p.Name, p.values(), def, p.Help)
	}
}

// values says what the parameter takes.
func (p *Param) values() string {
	switch {
	case len(p.Choices) > 0:
		return "`" + strings.Join(p.Choices, "` `") + "`"
	case p.Kind == Numbers:
		return strings.Join(slices.DeleteFunc([]string{p.howMany(), cmp.Or(p.Range(), p.Unit)}, func(s string) bool { return s == "" }), ", ")
	case p.Kind == Size:
		return "WIDTHxHEIGHT, " + p.Range()
	case p.Range() != "":
		return p.Range()
	case p.Unit != "":
		return p.Kind.String() + ", " + p.Unit
	}
	return p.Kind.String()
}

// WriteHelp writes one command's help as plain lines.
func (c *Command) WriteHelp(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n  %s\n", c.Usage(), c.Help)
	width := 0
	for i := range c.Params {
		width = max(width, len(c.Params[i].Name))
	}
	for i := range c.Params {
		p := &c.Params[i]
		fmt.Fprintf(&b, "  %-*s  %s: %s", width, p.Name, strings.ReplaceAll(p.values(), "`", ""), p.Help)
		if p.Default != "" {
			fmt.Fprintf(&b, " (default %s)", p.Default)
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}
