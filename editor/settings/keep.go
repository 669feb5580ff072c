package settings

import (
	"errors"
	"io/fs"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"ridgeline/terrain/fault"
)

// KeepWalk writes how one walks into the file. All else in it stays as the user wrote
// it, comments too; only the numbers that differ are changed, or added to the table
// walk. Where that cannot be done, because the file cannot be read or is written in a
// way that leaves no place for them, it is left as it is.
func KeepWalk(file string, w Walk) error {
	const op = "keep how one walks"
	now, err := Load(file)
	if err != nil {
		return err
	}
	want := now
	want.Walk = w
	if want == now {
		return nil
	}
	if err := want.Validate(); err != nil {
		return fault.Wrap(op, file, err)
	}
	data, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fault.Wrap(op, file, err)
	}
	text := string(data)
	for _, v := range [...]struct {
		key      string
		old, new float64
	}{
		// From the last to the first, as each new line comes right below the header.
		{"jump", now.Walk.Jump, w.Jump}, {"gravity", now.Walk.Gravity, w.Gravity}, {"step_up", now.Walk.StepUp, w.StepUp},
		{"eye_height", now.Walk.EyeHeight, w.EyeHeight}, {"speed", now.Walk.Speed, w.Speed},
	} {
		if v.old != v.new {
			text = setNumber(text, "walk", v.key, v.new)
		}
	}
	got := Default()
	if err := toml.Unmarshal([]byte(text), &got); err != nil || got != want {
		return &fault.Error{Op: op, File: file, Found: "numbers of the table walk that are not on lines of their own", Want: "a line [walk] with a line for each number"}
	}
	return replace(op, file, []byte(text))
}

var headerLine = regexp.MustCompile(`^\s*\[\s*([^\[\]]*?)\s*\]\s*(#.*)?$`)

// setNumber sets a number of a table in a TOML text, line by line: that of the key
// if it has a line in the table, else on a new line below the table's header, which
// is added at the end where there is none.
func setNumber(text, table, key string, v float64) string {
	value := strconv.FormatFloat(v, 'g', -1, 64)
	number := regexp.MustCompile(`^(\s*` + regexp.QuoteMeta(key) + `\s*=\s*)[^\s#]+`)
	lines := strings.SplitAfter(text, "\n")
	header := -1
	for i, inside := 0, false; i < len(lines); i++ {
		line := strings.TrimRight(lines[i], "\r\n")
		if m := headerLine.FindStringSubmatch(line); m != nil {
			if inside = m[1] == table; inside {
				header = i
			}
			continue
		}
		if m := number.FindStringSubmatch(line); inside && m != nil {
			lines[i] = m[1] + value + lines[i][len(m[0]):]
			return strings.Join(lines, "")
		}
	}
	added := key + " = " + value + "\n"
	if header >= 0 {
		if !strings.HasSuffix(lines[header], "\n") {
			lines[header] += "\n"
		}
		lines[header] += added
		return strings.Join(lines, "")
	}
	switch {
	case text == "":
	case !strings.HasSuffix(text, "\n"):
		text += "\n\n"
	default:
		text += "\n"
	}
	return text + "[" + table + "]\n" + added
}
