package widgets_test

import (
	"fmt"
	"slices"
	"testing"

	"gioui.org/io/key"
	"gioui.org/layout"

	"ridgeline/widgets"
	"ridgeline/widgets/widgettest"
)

func TestProperties(t *testing.T) {
	th := widgets.NewTheme()
	var (
		p    widgets.Properties
		log  []string
		list = []widgets.Property{{Key: "health", Value: "10"}, {Key: "team", Mixed: true}}
	)
	h := widgettest.New(t, 400, 400, 1, window(th, func(gtx layout.Context) layout.Dimensions {
		for {
			e, ok := p.Update(gtx)
			if !ok {
				break
			}
			log = append(log, fmt.Sprintf("%s %s=%s %s", [...]string{"add", "set", "rename", "remove"}[e.Kind], e.Key, e.Value, e.To))
			at := slices.IndexFunc(list, func(q widgets.Property) bool { return q.Key == e.Key })
			switch e.Kind {
			case widgets.PropertyAdd:
				list = append(list, widgets.Property{Key: e.Key, Value: e.Value})
			case widgets.PropertySet:
				list[at].Value, list[at].Mixed = e.Value, false
			case widgets.PropertyRename:
				list[at].Key = e.To
			case widgets.PropertyRemove:
				list = slices.Delete(list, at, at+1)
			}
		}
		return th.Properties(&p).Layout(gtx, list)
	}))
	want := func(events ...string) {
		t.Helper()
		if !slices.Equal(log, events) {
			t.Errorf("events %q, want %q", log, events)
		}
		log = nil
	}
	all := func() { h.Key("A", key.ModShortcut) }
	h.Click("health")
	all()
	h.Type("25")
	h.Key(key.NameReturn, 0)
	h.Click("team")
	h.Key(key.NameReturn, 0)
	want("set health=25 ")
	h.Click("team")
	h.Type("red")
	h.Key(key.NameReturn, 0)
	want("set team=red ")

	h.Click("Name of team")
	all()
	h.Type("health") // exists
	h.Key(key.NameReturn, 0)
	want()
	h.Key(key.NameEscape, 0)
	h.Click("Name of team")
	all()
	h.Type(" side ")
	h.Key(key.NameReturn, 0)
	want("rename team= side")
	if !h.Has("Name of side") || h.Has("Name of team") {
		t.Error("the renamed property isn't shown")
	}

	h.Click("Add property") // without a name
	want()
	h.Click("New property")
	h.Type("side")
	h.Key(key.NameReturn, 0)
	want()
	all()
	h.Type("speed")
	h.Click("Value of the new property")
	h.Type("3")
	h.Key(key.NameReturn, 0)
	want("add speed=3 ")
	h.Type("kind") // the keyboard is back at the name
	h.Click("Add property")
	want("add kind= ")
	h.Click("Remove health")
	want("remove health= ")
	var keys []string
	for _, q := range list {
		keys = append(keys, q.Key+"="+q.Value)
	}
	if !slices.Equal(keys, []string{"side=red", "speed=3", "kind="}) {
		t.Errorf("properties %q", keys)
	}
}
