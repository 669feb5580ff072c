package panel

import (
	"fmt"
	"image"
	"image/color"
	"slices"
	"strconv"

	"gioui.org/layout"
	"gioui.org/op/clip"
	"gioui.org/op/paint"

	"ridgeline/document"
	"ridgeline/editor/session"
	"ridgeline/icons"
	"ridgeline/occluders/geom"
	"ridgeline/occluders/nodetree"
	"ridgeline/widgets"
)

// nodeView is the section of the node tree, while its overlay is shown.
type nodeView struct {
	sh    *Shell
	hist  widgets.Histogram
	list  widgets.List
	size  widgets.Number
	items widgets.Number
	open  *document.Open // a drag of the size or the items in the making
}

func (v *nodeView) shown() bool {
	return v.sh.s.Shown("overlay nodes") && v.sh.s.Shown(panelNodes)
}

func (v *nodeView) layout(gtx layout.Context) layout.Dimensions {
	f, s := &v.sh.options.fields, v.sh.s
	n := &s.Nodes
	of, colours := 0, 0
	if n.Mesh {
		of = 1
	}
	if n.Verdict {
		colours = 1
	}
	rows := []layout.Widget{
		f.segments(sTreeOf, []string{sTreeLevel, sTreeMesh}, []string{"nodes.show of=level", "nodes.show of=mesh"}, of),
	}
	if why := n.Why(); why != nil {
		rows = append(rows, func(gtx layout.Context) layout.Dimensions { return v.sh.note(gtx, capital(sentence(why)), icons.Info) })
		return stack(gtx, 8, 6, rows...)
	}
	st := n.Stats()
	rows = append(rows,
		f.segments(sColoured, []string{sByDepth, sByVerdict}, []string{"nodes.show colour=depth", "nodes.show colour=verdict"}, colours),
		v.legend(st),
		v.depth(st),
	)
	if !n.Mesh {
		rows = append(rows, v.settings()...)
	}
	rows = append(rows, v.counts(st), v.histogram(st), v.under(n))
	return stack(gtx, 8, 6, rows...)
}

// depth chooses the deepest level that is shown: all of them at the right end.
func (v *nodeView) depth(st nodetree.Stats) layout.Widget {
	if len(st.Depths) < 2 {
		return nothing
	}
	n := &v.sh.s.Nodes
	most := float64(len(st.Depths) - 1)
	value := most
	if n.Deepest >= 0 {
		value = min(float64(n.Deepest), most)
	}
	return v.sh.options.fields.track(quantity{
		title: sDeepest, min: 0, max: most, integer: true, step: 1, value: value, help: sDeepestHelp,
		set: func(x float64) {
			depth := -1
			if x < most {
				depth = int(x)
			}
			v.sh.run("nodes.show depth=" + strconv.Itoa(depth))
		},
	})
}

// legend explains the colours.
func (v *nodeView) legend(st nodetree.Stats) layout.Widget {
	type entry struct {
		colour color.NRGBA
		text   string
	}
	var list []entry
	if v.sh.s.Nodes.Verdict {
		for side, text := range [...]string{geom.Outside: sOutside, geom.Crossing: sCrossing, geom.Inside: sInside} {
			list = append(list, entry{session.VerdictColours[side], text})
		}
	} else {
		for d := range min(len(st.Depths), maxLegend) {
			list = append(list, entry{session.DepthColour(d), strconv.Itoa(d)})
		}
	}
	return func(gtx layout.Context) layout.Dimensions {
		th := v.sh.th
		h, side, gap := gtx.Dp(18), gtx.Dp(10), gtx.Dp(5)
		x := 0
		for _, e := range list {
			l := th.Dim(e.text)
			l.Size = th.Size.Small
			size, call := sizeOf(gtx, image.Pt(gtx.Constraints.Max.X, h), l.Layout)
			if x+side+gap+size.X > gtx.Constraints.Max.X {
				break
			}
			box := image.Rect(x, (h-side)/2, x+side, (h+side)/2)
			paint.FillShape(gtx.Ops, e.colour, clip.UniformRRect(box, gtx.Dp(2)).Op(gtx.Ops))
			x += side + gap
			loose(gtx, image.Pt(x, (h-size.Y)/2), size, func(gtx layout.Context) layout.Dimensions {
				call.Add(gtx.Ops)
				return layout.Dimensions{}
			})
			x += size.X + gtx.Dp(10)
		}
		return layout.Dimensions{Size: image.Pt(gtx.Constraints.Max.X, h)}
	}
}

// maxLegend is how many depths have a colour of their own.
const maxLegend = 8

// settings are how the level's tree is built; dragging is one step of the history.
func (v *nodeView) settings() []layout.Widget {
	f, s := &v.sh.options.fields, v.sh.s
	now := s.Level().Settings.Nodes
	splits := []string{"auto", "quad", "oct"}
	at, lines := 0, make([]string, len(splits))
	for i, name := range splits {
		lines[i] = "nodes.set split=" + name
		if document.NodeSplit(name) == now.Split {
			at = i
		}
	}
	size, items := now.Size, now.Items
	if size == 0 {
		size = nodetree.DefaultMinSize
	}
	if items == 0 {
		items = nodetree.DefaultMaxItems
	}
	return []layout.Widget{
		f.segments(sSplitIn, []string{sSplitAuto, sSplitQuad, sSplitOct}, lines, at),
		func(gtx layout.Context) layout.Dimensions {
			reason := v.sh.why("nodes.set")
			return columns(6,
				v.setting(&v.size, sNodeSize, sNodeSizeHelp, uMetre, "size", reason, size, func(n *document.NodeTree, x float64) { n.Size = x }),
				v.setting(&v.items, sNodeItems, sNodeItemHelp, "", "items", reason, float64(items), func(n *document.NodeTree, x float64) { n.Items = int(x) }),
			)(gtx)
		},
	}
}

// setting is one of the numbers by which the tree is built.
func (v *nodeView) setting(n *widgets.Number, title, help, unit, arg, reason string, value float64, set func(*document.NodeTree, float64)) layout.Widget {
	return func(gtx layout.Context) layout.Dimensions {
		if n == &v.items {
			n.Min, n.Max, n.Integer, n.Log = 1, document.MaxNodeItems, true, true
		} else {
			n.Min, n.Max, n.Log, n.Decimals = document.MinNodeSize, document.MaxDistance, true, 2
		}
		for {
			c, ok := n.Update(gtx)
			if !ok {
				break
			}
			v.change(c, arg, value, set)
		}
		if !n.Dragging() && !n.Editing() {
			n.Value = value
		}
		d := v.sh.th.Number(n, unit)
		d.Label, d.Reason, d.Tip = title, reason, widgets.Tip{Title: title, Help: help}
		return d.Layout(gtx)
	}
}

// change takes one change of a number by which the tree is built.
func (v *nodeView) change(c widgets.Change, arg string, value float64, set func(*document.NodeTree, float64)) {
	sh := v.sh
	sh.again = true
	switch {
	case c.Phase == widgets.Cancel:
		if v.open != nil {
			v.open.Cancel()
			v.open = nil
		}
	case c.Phase == widgets.Commit && v.open == nil:
		if c.Value != value { // typed, or by the arrow keys
			sh.run("nodes.set " + arg + "=" + number(c.Value))
		}
	default:
		if v.open == nil {
			v.open = sh.s.Document().Begin(sSetTree)
		}
		err := v.open.Step(func(tx *document.Tx) error {
			n := tx.Level().Settings.Nodes
			set(&n, c.Value)
			return tx.SetNodeTree(n)
		})
		if err != nil { // undo has closed it
			v.open = nil
			return
		}
		if c.Phase == widgets.Commit {
			v.finish()
		}
	}
}

// finish keeps what a drag did as one step.
func (v *nodeView) finish() {
	err := v.open.Commit()
	v.open = nil
	if err != document.ErrClosed {
		v.sh.s.Fail(err)
	}
}

// settle ends a drag whose number went away.
func (v *nodeView) settle() {
	if v.open != nil && !(v.shown() && (v.size.Dragging() || v.items.Dragging())) {
		v.finish()
	}
}

// counts tell how large the tree is.
func (v *nodeView) counts(st nodetree.Stats) layout.Widget {
	count := func(n int) string { return widgets.FormatCount(float64(n)) }
	fact := func(name, text string) layout.Widget {
		return func(gtx layout.Context) layout.Dimensions { return v.sh.fact(gtx, name, text, keyColumn) }
	}
	nodes := count(st.Nodes)
	if st.Nodes > 1 {
		nodes = fmt.Sprintf(sNodesText, nodes, count(st.Leaves))
	}
	items, listed := sEntries, fmt.Sprintf(sListed, count(st.Items), count(st.Listings))
	if v.sh.s.Nodes.Mesh {
		items = sTriangles
	}
	return func(gtx layout.Context) layout.Dimensions {
		return stack(gtx, 0, 0,
			fact(sNodes, nodes),
			fact(items, listed),
			fact(sDepths, strconv.Itoa(max(0, len(st.Depths)-1))),
			fact(sMemory, bytesText(int64(st.Bytes))),
		)
	}
}

// histogram shows how many nodes there are at each depth. A bar chooses the deepest
// level that is shown.
func (v *nodeView) histogram(st nodetree.Stats) layout.Widget {
	return func(gtx layout.Context) layout.Dimensions {
		bars := make([]float64, len(st.Depths))
		for i, n := range st.Depths {
			bars[i] = float64(n)
		}
		if i, ok := v.hist.Update(gtx); ok {
			if i == v.sh.s.Nodes.Deepest {
				i = -1
			}
			v.sh.run("nodes.show depth=" + strconv.Itoa(i))
		}
		h := v.sh.th.Histogram(&v.hist, sNodesByDepth, bars)
		h.XLabel, h.YLabel, h.Height, h.Selected = sDepthAxis, sNodesAxis, 48, v.sh.s.Nodes.Deepest
		h.Color = func(bar int) color.NRGBA { return session.DepthColour(bar) }
		return h.Layout(gtx)
	}
}

// The list of what is in the node under the pointer.
const (
	nodeRows = 6
	nodeRow  = 22
)

// under tells of the node under the pointer. A click selects what is listed in it.
func (v *nodeView) under(n *session.Nodes) layout.Widget {
	return func(gtx layout.Context) layout.Dimensions {
		s, th := v.sh.s, v.sh.th
		node, ok := n.Under()
		pin := beside(4, 24, func(gtx layout.Context) layout.Dimensions {
			h := gtx.Dp(th.Size.Row)
			v.sh.oneLine(gtx, th.Heading(sUnderPointer), image.Rect(0, 0, gtx.Constraints.Max.X, h))
			return layout.Dimensions{Size: image.Pt(gtx.Constraints.Max.X, h)}
		}, func(gtx layout.Context) layout.Dimensions {
			b := kept(&v.sh.options.fields.buttons, sPinNode)
			if b.Clicked(gtx) {
				v.sh.run("nodes.pin")
			}
			st := th.IconButton(b, icons.Lock, sPinNode)
			st.Selected, st.Reason = n.Pinned, v.sh.why("nodes.pin")
			st.Tip = widgets.Tip{Title: sPinNode, Keys: s.Keys.Hint("nodes.pin"), Help: sPinHelp}
			return st.Layout(gtx)
		})
		if !ok {
			return stack(gtx, 0, 4, pin, v.sh.options.fields.text(sNoNodeUnder))
		}
		entries := n.UnderEntries()
		for {
			ev, ok := v.list.Update(gtx)
			if !ok {
				break
			}
			if ev.Kind == widgets.ListSelect || ev.Kind == widgets.ListActivate {
				if ev.Row >= 0 && ev.Row < len(entries) && entries[ev.Row].ID != 0 {
					v.sh.run("select ids=" + idWords(entries[ev.Row].ID))
				}
			}
		}
		fact := func(name, text string) layout.Widget {
			return func(gtx layout.Context) layout.Dimensions { return v.sh.fact(gtx, name, text, keyColumn) }
		}
		return stack(gtx, 0, 2, pin,
			fact(sDepth, depthText(node)),
			fact(sItsBox, extent(node.Box.Size())),
			fact(sListedIn, widgets.FormatCount(float64(len(node.Items)))),
			func(gtx layout.Context) layout.Dimensions {
				if len(entries) == 0 {
					return layout.Dimensions{}
				}
				size := image.Pt(gtx.Constraints.Max.X, gtx.Dp(nodeRow)*min(len(entries), nodeRows))
				defer clip.UniformRRect(image.Rectangle{Max: size}, gtx.Dp(3)).Push(gtx.Ops).Pop()
				fill(gtx, th.Color.Field, image.Rectangle{Max: size})
				gtx.Constraints = layout.Exact(size)
				l := th.List(&v.list, sListedIn)
				l.RowSize = nodeRow
				sel := s.Selection()
				l.Selected = func(i int) bool { return i < len(entries) && slices.Contains(sel, entries[i].ID) }
				return l.Layout(gtx, len(entries), func(gtx layout.Context, r widgets.Row) layout.Dimensions {
					e := entries[r.Index]
					row := th.Row(v.icon(e), e.Title)
					row.Dim = e.ID == 0
					if e.Count > 0 {
						row.Detail = "× " + widgets.FormatCount(float64(e.Count))
					}
					return row.Layout(gtx, nil, r)
				})
			},
		)
	}
}

func (v *nodeView) icon(e session.NodeEntry) icons.Name {
	switch t, ok := v.sh.s.Level().Entity(e.ID); {
	case ok:
		return iconOf(t)
	case v.sh.s.Nodes.Mesh:
		return icons.Wire
	}
	return icons.Sculpt
}

func depthText(n nodetree.Node) string {
	if n.Leaf {
		return fmt.Sprintf(sLeafAt, n.Depth)
	}
	return strconv.Itoa(n.Depth)
}
