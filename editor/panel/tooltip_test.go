package panel

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"gioui.org/io/input"
	"gioui.org/io/semantic"

	"ridgeline/editor/session"
	"ridgeline/widgets/widgettest"
)

// buttonLines are the lines that the buttons without a title run, by the names that
// they have for a screen reader. Names that are not here run none that can have keys.
func (r *rig) buttonLines() map[string]string {
	lines := map[string]string{}
	for _, d := range toolLines {
		lines[d.title] = d.line
	}
	for _, op := range session.SculptOps {
		lines[opTitle(op)] = "brush.op op=" + op.String()
	}
	for i, l := range r.s.Level().Layers {
		lines[l.Name] = fmt.Sprintf("brush.layer layer=%d", i)
	}
	for _, m := range session.Modes { // after the operations: their names differ
		lines[m.Title] = "mode name=" + string(m.Mode)
	}
	return lines
}

// bare tells of a button that shows no text but an icon or a picture: one that is as
// wide as high.
func bare(n widgettest.Node) bool {
	return n.Class == semantic.Button && n.Gestures&input.ClickGesture != 0 && n.Bounds.Dx() == n.Bounds.Dy()
}

// Buttons that show no text say in a tooltip what they are, and which keys do the
// same.
func TestBareButtonsHaveTooltips(t *testing.T) {
	for _, m := range session.Modes {
		t.Run(m.Title, func(t *testing.T) {
			r := openRig(t, 1920, 1080, 1)
			r.s.Run("view.panel name=console; mode name=" + string(m.Mode))
			r.settle()
			lines, seen, keyed := r.buttonLines(), 0, 0
			for _, n := range r.Nodes() {
				if !bare(n) {
					continue
				}
				seen++
				r.MoveTo(float32(n.Bounds.Min.X+n.Bounds.Max.X)/2, float32(n.Bounds.Min.Y+n.Bounds.Max.Y)/2)
				r.Wait(time.Second)
				nodes := r.Nodes()
				i := slices.IndexFunc(nodes, func(n widgettest.Node) bool { return strings.HasPrefix(n.Label, "Tooltip: ") })
				if i < 0 {
					t.Errorf("%s at %v has no tooltip", n.Label, n.Bounds)
				} else if tip := nodes[i]; tip.Label != "Tooltip: "+n.Label {
					t.Errorf("%s at %v has the tooltip %q", n.Label, n.Bounds, tip.Label)
				} else if keys := r.s.Keys.Hint(lines[n.Label]); keys != "" {
					keyed++
					if first, _, _ := strings.Cut(tip.Description, "\n"); first != keys {
						t.Errorf("%s at %v: the tooltip says %q, expected the keys %s", n.Label, n.Bounds, tip.Description, keys)
					}
				}
				r.MoveTo(900, 400)
				r.Wait(time.Second)
			}
			if seen < 15 || keyed < 5 {
				t.Errorf("%d buttons without text, %d of them with keys: too few to prove anything", seen, keyed)
			}
		})
	}
}
