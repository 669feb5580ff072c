package main

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ridgeline/editor/keymap"
	"ridgeline/editor/settings"
)

// docPages gives the documentation, by paths from the repository's root.
func docPages(t *testing.T) (root string, pages []string) {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	found, err := filepath.Glob(filepath.Join(root, "editor/docs/*.md"))
	if err != nil || len(found) < 10 {
		t.Fatalf("%d pages of documentation, %v", len(found), err)
	}
	pages = []string{"README.md"}
	for _, f := range found {
		rel, err := filepath.Rel(root, f)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, filepath.ToSlash(rel))
	}
	return root, pages
}

// docCommand is a line of a page that a reader may type.
type docCommand struct {
	line  int
	args  []string
	stdin string
}

// docCommands finds the lines in fences of sh that call ridgeline, with what
// follows them as a here-document.
func docCommands(text string) (found []docCommand, err error) {
	fenced := false
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		switch line := strings.TrimSpace(lines[i]); {
		case strings.HasPrefix(line, "```"):
			fenced = !fenced && line == "```sh"
			continue
		case !fenced || line == "" || strings.HasPrefix(line, "#"):
			continue
		}
		c := docCommand{line: i + 1}
		line := lines[i]
		for strings.HasSuffix(line, `\`) && i+1 < len(lines) {
			i++
			line = strings.TrimSuffix(line, `\`) + lines[i]
		}
		line, end, here := strings.Cut(line, " <<'")
		if here {
			end = strings.TrimSuffix(end, "'")
			var in []string
			for i++; i < len(lines) && lines[i] != end; i++ {
				in = append(in, lines[i])
			}
			if i == len(lines) {
				return nil, fmt.Errorf("line %d: no end of <<'%s'", c.line, end)
			}
			c.stdin = strings.Join(in, "\n") + "\n"
		}
		if c.args, err = shellWords(line); err != nil {
			return nil, fmt.Errorf("line %d: %w", c.line, err)
		}
		switch c.args[0] {
		case "bin/ridgeline", "ridgeline":
			c.args = c.args[1:]
			found = append(found, c)
		default:
			return nil, fmt.Errorf("line %d: %s in a fence of sh is not ridgeline, so no test runs it; use a fence of text", c.line, c.args[0])
		}
	}
	return found, nil
}

// shellWords splits a line as a shell does, as far as the pages need it: quotes,
// but no variables, pipes and redirections.
func shellWords(line string) (words []string, err error) {
	var word strings.Builder
	quote, in := rune(0), false
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == '\'' || quote == '"' && !strings.ContainsRune("$`\\", r):
			word.WriteRune(r)
		case quote == 0 && (r == '\'' || r == '"'):
			quote, in = r, true
		case quote == 0 && r == ' ':
			if in {
				words = append(words, word.String())
			}
			word.Reset()
			in = false
		case strings.ContainsRune("|&;<>()$`\\*?[]#~{}!", r):
			return nil, fmt.Errorf("%q: this test does not know what a shell makes of %q", line, r)
		default:
			word.WriteRune(r)
			in = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("%q: a quote is open", line)
	}
	if in {
		words = append(words, word.String())
	}
	if len(words) == 0 {
		return nil, fmt.Errorf("%q: no word", line)
	}
	return words, nil
}

// opensWindow tells lines that show the editor.
func opensWindow(args []string) bool {
	sh := &shell{}
	args = withVerb(rootCommand(sh), args)
	return len(args) > 0 && args[0] == "edit"
}

// TestDocsCommands runs what the pages tell their readers to type, page by page
// and from top to bottom. Of lines that open a window only the words are checked.
func TestDocsCommands(t *testing.T) {
	root, pages := docPages(t)
	total := 0
	for _, page := range pages {
		t.Run(filepath.Base(page), func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join(root, page))
			if err != nil {
				t.Fatal(err)
			}
			commands, err := docCommands(string(text))
			if err != nil {
				t.Fatalf("%s: %v", page, err)
			}
			dir := inDir(t)
			if err := os.Symlink(filepath.Join(root, "testdata"), filepath.Join(dir, "testdata")); err != nil {
				t.Fatal(err)
			}
			for _, c := range commands {
				args := c.args
				if opensWindow(args) {
					args = append(slices.Clone(args), "--help")
				}
				if r := cli(t, c.stdin, args...); r.code != exitDone || r.errs != "" {
					t.Fatalf("%s:%d: ridgeline %s: code %d: %s", page, c.line, strings.Join(c.args, " "), r.code, r.errs)
				}
			}
			total += len(commands)
		})
	}
	if total < 40 && !t.Failed() {
		t.Errorf("only %d commands in all pages", total)
	}
}

var (
	docLink  = regexp.MustCompile(`\]\(([^()\s]+)\)`)
	docTitle = regexp.MustCompile(`(?m)^#+ +(.+)$`)
	docCode  = regexp.MustCompile("(?s)```.*?```|`[^`\n]*`")
)

// anchors are the fragments that links can name: the titles as GitHub writes them.
func anchors(text string) (list []string) {
	for _, m := range docTitle.FindAllStringSubmatch(docCode.ReplaceAllString(text, ""), -1) {
		var b strings.Builder
		for _, r := range strings.ToLower(strings.TrimSpace(m[1])) {
			switch {
			case r == ' ':
				b.WriteRune('-')
			case r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r > 127:
				b.WriteRune(r)
			}
		}
		list = append(list, b.String())
	}
	return list
}

// TestDocsLinks checks that what the pages link to is there, that every page can be
// reached from the README, and that no picture is left over.
func TestDocsLinks(t *testing.T) {
	root, pages := docPages(t)
	named := map[string]bool{"README.md": true}
	for _, page := range append(slices.Clone(pages), "CHANGELOG.md") {
		text, err := os.ReadFile(filepath.Join(root, page))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range docLink.FindAllStringSubmatch(docCode.ReplaceAllString(string(text), ""), -1) {
			to, err := url.Parse(m[1])
			if err != nil {
				t.Errorf("%s: %v", page, err)
				continue
			}
			if to.Scheme != "" {
				continue
			}
			target := page
			if to.Path != "" {
				target = filepath.ToSlash(filepath.Join(filepath.Dir(page), to.Path))
			}
			named[target] = true
			info, err := os.Stat(filepath.Join(root, target))
			if err != nil || strings.HasPrefix(target, "..") {
				t.Errorf("%s: the link %s leads nowhere: %v", page, m[1], err)
				continue
			}
			if to.Fragment == "" || info.IsDir() {
				continue
			}
			other, err := os.ReadFile(filepath.Join(root, target))
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Contains(anchors(string(other)), to.Fragment) {
				t.Errorf("%s: the link %s names no title of %s", page, m[1], target)
			}
		}
	}
	pictures, err := filepath.Glob(filepath.Join(root, "editor/docs/images/*"))
	if err != nil {
		t.Fatal(err)
	}
	size := int64(0)
	for _, p := range pictures {
		info, err := os.Stat(p)
		if err != nil {
			t.Fatal(err)
		}
		size += info.Size()
		rel, _ := filepath.Rel(root, p)
		pages = append(pages, filepath.ToSlash(rel))
	}
	if size > 5<<19 {
		t.Errorf("the pictures take %d bytes, expected at most 2.5 MiB", size)
	}
	for _, p := range pages {
		if !named[p] {
			t.Errorf("no page links to %s", p)
		}
	}
}

// tomlFence is the example in a page.
var tomlFence = regexp.MustCompile("(?s)```toml\n(.*?)```")

// TestDocsKeysAndSettings checks that the pages of keys and settings name all that
// the program has, and that their examples can be used.
func TestDocsKeysAndSettings(t *testing.T) {
	root, _ := docPages(t)
	dir := t.TempDir()
	page := func(name string) (text, example string) {
		t.Helper()
		data, err := os.ReadFile(filepath.Join(root, "editor/docs", name))
		if err != nil {
			t.Fatal(err)
		}
		m := tomlFence.FindSubmatch(data)
		if m == nil {
			t.Fatalf("%s has no example", name)
		}
		example = filepath.Join(dir, name)
		write(t, example, string(m[1]))
		return string(data), example
	}

	text, example := page("keys.md")
	keys, err := keymap.Load("")
	if err != nil {
		t.Fatal(err)
	}
	for _, action := range slices.Concat(keys.Actions(), keys.Controls()) {
		for _, c := range keys.Chords(action) {
			if !strings.Contains(text, c.String()) {
				t.Errorf("keys.md does not name %s, which is %s", c, action)
			}
		}
	}
	if _, err := keymap.Load(example); err != nil {
		t.Error(err)
	}

	text, example = page("settings.md")
	file := filepath.Join(dir, "settings.toml")
	if err := settings.Save(file, settings.Default()); err != nil {
		t.Fatal(err)
	}
	all, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	table, count := "", 0
	for line := range strings.Lines(string(all)) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "["); ok {
			table = strings.TrimSuffix(name, "]")
		} else if key, value, ok := strings.Cut(line, " = "); ok && !strings.HasPrefix(key, "#") {
			count++
			row := regexp.MustCompile("(?m)^\\| `" + table + `\.` + key + "` \\|.*$").FindString(text)
			value = strings.TrimSuffix(strings.Trim(strings.TrimSpace(value), `'"`), ".0")
			if !strings.Contains(row, value) {
				t.Errorf("settings.md says of %s.%s %q, where the default is %s", table, key, row, value)
			}
		}
	}
	if count < 5 {
		t.Errorf("%d settings", count)
	}
	if _, err := settings.Load(example); err != nil {
		t.Error(err)
	}
}
