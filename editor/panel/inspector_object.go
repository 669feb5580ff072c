package panel

import (
	"fmt"
	"image"
	"slices"

	"gioui.org/layout"
	"gioui.org/op/clip"
	"gioui.org/op/paint"

	"ridgeline/document"
	"ridgeline/editor/session"
	"ridgeline/icons"
	"ridgeline/occluders/geom"
	"ridgeline/widgets"
)

// objectPart is what meshes have: the asset that they show, and how they collide.
type objectPart struct {
	asset     widgets.Choice
	link      widgets.Button
	geometry  widgets.Check
	billboard widgets.Number
	kinds     widgets.Choices
	radius    widgets.Number
	fields    fields
	picture   paint.ImageOp
	pictured  *image.NRGBA
}

// collisionTitles go with document.Collisions.
var collisionTitles = [...]string{sCollideMesh, sCollideBall, sCollideNone}

// assetTitles are the assets that can be chosen, and the one that is missing.
func (o *objectPart) assetTitles(ip *inspector, p *picked) (titles []string, at int, bad error, lost bool) {
	l := ip.sh.s.Level()
	for i := range l.Assets {
		titles = append(titles, l.Assets[i].Name)
	}
	at = -1
	if p.asset.mixed {
		return titles, at, nil, false
	}
	info, ok := ip.sh.s.Asset(p.asset.value)
	at = slices.Index(titles, p.asset.value)
	return titles, at, info.Err, !ok
}

// mesh is the asset and what goes with it.
func (o *objectPart) mesh(gtx layout.Context, ip *inspector, p *picked, reason string) layout.Dimensions {
	sh, th := ip.sh, ip.sh.th
	titles, at, bad, lost := o.assetTitles(ip, p)
	if i, ok := o.asset.Update(gtx); ok && i < len(titles) {
		sh.run(setLine(p.objects, "asset", titles[i]))
		p = ip.pick()
		titles, at, bad, lost = o.assetTitles(ip, p)
	}
	if on, ok := o.geometry.Update(gtx); ok {
		sh.run(setLine(p.objects, "geometry", yesNo(on)))
		p = ip.pick()
	}
	if o.link.Clicked(gtx) {
		sh.run(callLine("app.relink", "name", p.asset.value))
	}
	p = ip.billboard(gtx, p)
	if lost {
		at = len(titles)
		titles = append(titles, fmt.Sprintf(sAssetMissing, p.asset.value))
	}
	o.asset.Mixed, o.asset.Selected = p.asset.mixed, at
	o.geometry.Value, o.geometry.Mixed = p.geometry.value, p.geometry.mixed
	return stack(gtx, 8, 6,
		func(gtx layout.Context) layout.Dimensions { return o.assetRow(gtx, ip, p, titles, reason) },
		func(gtx layout.Context) layout.Dimensions { return o.trouble(gtx, ip, p, bad, lost) },
		func(gtx layout.Context) layout.Dimensions {
			c := th.Check(&o.geometry, sLevelMesh)
			c.Reason, c.Tip = reason, widgets.Tip{Title: sLevelMesh, Help: sLevelMeshTip}
			gtx.Constraints.Min = image.Point{}
			return c.Layout(gtx)
		},
		func(gtx layout.Context) layout.Dimensions { return ip.billboardRow(gtx, p, reason) },
		o.simpler(ip, p),
	)
}

// simpler is the slider that draws the asset with fewer triangles, and what that does.
func (o *objectPart) simpler(ip *inspector, p *picked) layout.Widget {
	sh, name := ip.sh, p.asset.value
	info, ok := sh.s.Asset(name)
	if p.asset.mixed || !ok || info.Model == nil {
		return func(layout.Context) layout.Dimensions { return layout.Dimensions{} }
	}
	o.fields.sh = sh
	share := 1.0
	asset, of := sh.s.Simpler.Of()
	on := asset == name
	if on {
		share = of
	}
	rows := []layout.Widget{o.fields.track(quantity{
		title: sSimpler, unit: "%", min: 100 * session.LeastShare, max: 100, low: 1, high: 100, log: true, decimals: 1,
		value: 100 * share, set: func(v float64) { sh.s.Simpler.Show(name, v/100) }, help: sSimplerHelp,
	})}
	if on {
		text := sSimplifying
		if n, off, ok, err := sh.s.Simpler.Level(); err != nil {
			text = sentence(err)
		} else if ok {
			text = fmt.Sprintf(sSimplerFacts, widgets.FormatCount(float64(n)), widgets.FormatCount(float64(info.Model.Triangles())), off)
		}
		rows = append(rows, o.fields.text(text))
	}
	return func(gtx layout.Context) layout.Dimensions { return stack(gtx, 0, 4, rows...) }
}

// assetRow is the picture of the asset beside its name and size.
func (o *objectPart) assetRow(gtx layout.Context, ip *inspector, p *picked, titles []string, reason string) layout.Dimensions {
	sh, th := ip.sh, ip.sh.th
	size := image.Pt(gtx.Constraints.Max.X, gtx.Dp(48))
	side := size.Y
	left := side + gtx.Dp(8)
	name := p.asset.value
	in(gtx, image.Rect(0, 0, side, side), func(gtx layout.Context) layout.Dimensions {
		box := image.Rectangle{Max: gtx.Constraints.Max}
		defer clip.UniformRRect(box, gtx.Dp(th.Size.Radius)).Push(gtx.Ops).Pop()
		fill(gtx, th.Color.Field, box)
		pic := sh.s.Thumbnail(name)
		if p.asset.mixed || pic == nil {
			ic := th.Icon(icons.Object)
			ic.Color = th.Color.Disabled
			px := gtx.Dp(th.Size.IconSize)
			loose(gtx, image.Pt((side-px)/2, (side-px)/2), box.Max, ic.Layout)
			return layout.Dimensions{Size: box.Max}
		}
		if pic != o.pictured {
			o.picture, o.pictured = paint.NewImageOp(shrink(pic, thumbSide)), pic
		}
		return widgets.Picture(o.picture)(gtx)
	})
	row := gtx.Dp(th.Size.Row)
	in(gtx, image.Rect(left, 0, size.X, row), func(gtx layout.Context) layout.Dimensions {
		c := th.Choice(&o.asset, sAsset, titles...)
		c.Reason = reason
		return c.Layout(gtx)
	})
	if info, ok := sh.s.Asset(name); ok && info.Model != nil && !p.asset.mixed {
		l := th.Dim(fmt.Sprintf(sMeshFacts, widgets.FormatCount(float64(info.Model.Triangles())), extent(info.Model.Bounds.Size())))
		l.Size = th.Size.Small
		sh.oneLine(gtx, l, image.Rect(left, row, size.X, side))
	}
	return layout.Dimensions{Size: size}
}

// trouble says why a box stands for the mesh, and offers to link it to a file.
func (o *objectPart) trouble(gtx layout.Context, ip *inspector, p *picked, bad error, lost bool) layout.Dimensions {
	sh, th := ip.sh, ip.sh.th
	text := fmt.Sprintf(sNoFile, p.asset.value)
	switch {
	case lost:
	case bad != nil:
		text = fmt.Sprintf(sNoFileWhy, p.asset.value, sentence(bad))
	default:
		return layout.Dimensions{}
	}
	return stack(gtx, 0, 6,
		func(gtx layout.Context) layout.Dimensions { return sh.note(gtx, text, icons.Warning) },
		func(gtx layout.Context) layout.Dimensions {
			b := th.Button(&o.link, sLinkTo)
			b.Icon, b.Reason = icons.Link, sh.why("asset.relink")
			return b.Layout(gtx)
		},
	)
}

// billboard takes changes of the distance, of objects and scatters alike.
func (ip *inspector) billboard(gtx layout.Context, p *picked) *picked {
	n := &ip.object.billboard
	n.Min, n.Max, n.Step, n.Decimals = 0, document.MaxDistance, 10, 2
	for {
		c, ok := n.Update(gtx)
		if !ok {
			break
		}
		ip.change(c, ip.dataEdit(p.billboards, "billboard", n, p.billboard.mixed, func(e *document.Entity, of func(float64) float64) {
			switch d := e.Data.(type) {
			case document.Object:
				d.Billboard = of(d.Billboard)
				e.Data = d
			case document.Scatter:
				d.Billboard = of(d.Billboard)
				e.Data = d
			}
		}))
		p = ip.pick()
	}
	if !n.Dragging() {
		n.Value, n.Mixed = p.billboard.value, p.billboard.mixed
	}
	return p
}

func (ip *inspector) billboardRow(gtx layout.Context, p *picked, reason string) layout.Dimensions {
	n := ip.sh.th.Number(&ip.object.billboard, uMetre)
	n.Label, n.Reason = sBillboard, reason
	n.Tip.Help = sBillboardTip
	return n.Layout(gtx)
}

// collide is what of the objects stops who walks.
func (o *objectPart) collide(gtx layout.Context, ip *inspector, p *picked, reason string) layout.Dimensions {
	sh, th := ip.sh, ip.sh.th
	if i, ok := o.kinds.Update(gtx); ok {
		sh.run(setLine(p.objects, "collision", string(document.Collisions[i])))
		p = ip.pick()
	}
	o.kinds.Selected = slices.Index(document.Collisions, p.collision.value)
	if p.collision.mixed {
		o.kinds.Selected = -1
	}
	n := &o.radius
	n.Min, n.Max, n.Step, n.Decimals = 0, document.MaxDistance, 0.1, 3
	for {
		c, ok := n.Update(gtx)
		if !ok {
			break
		}
		ip.change(c, ip.dataEdit(p.objects, "radius", n, p.radius.mixed, func(e *document.Entity, of func(float64) float64) {
			if d, ok := e.Data.(document.Object); ok {
				d.CollisionRadius = of(d.CollisionRadius)
				e.Data = d
			}
		}))
		p = ip.pick()
	}
	if !n.Dragging() {
		n.Value, n.Mixed = p.radius.value, p.radius.mixed
	}
	return stack(gtx, 8, 6,
		func(gtx layout.Context) layout.Dimensions {
			s := th.Segments(&o.kinds, collisionTitles[:]...)
			s.Reason = reason
			return s.Layout(gtx)
		},
		func(gtx layout.Context) layout.Dimensions {
			d := th.Number(n, uMetre)
			d.Label, d.Reason = sBallRadius, reason
			d.Tip.Help = sBallTip
			return d.Layout(gtx)
		},
		func(gtx layout.Context) layout.Dimensions {
			text := sSeveral
			switch {
			case p.ball.n == 0:
				return layout.Dimensions{}
			case !p.ball.mixed:
				text = fmt.Sprintf(sInWorld, metres(p.ball.value))
			}
			return sh.fact(gtx, sBallWorld, text, labelColumn)
		},
	)
}

// extent writes the size of a box.
func extent(v geom.Vec3) string {
	f := func(x float64) string { return widgets.FormatNumber(x, 2) }
	return fmt.Sprintf(sExtentTip, f(v[0]), f(v[1]), f(v[2]))
}
