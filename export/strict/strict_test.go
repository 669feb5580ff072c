package strict

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"ridgeline/terrain/fault"
)

type vector [3]float64

type part struct {
	Name  string  `json:"name,omitempty"`
	Place vector  `json:"place"`
	Turn  *vector `json:"turn,omitempty"`
	Next  *int    `json:"next"`
}

type whole struct {
	Version uint8             `json:"version"`
	Parts   []part            `json:"parts"`
	Named   map[string]part   `json:"named,omitempty"`
	Grid    [2][]int32        `json:"grid"`
	Open    bool              `json:"open,omitempty"`
	Wrap    [2]string         `json:"wrap,omitempty"`
	Extras  json.RawMessage   `json:"extras,omitempty"`
	Any     any               `json:"any,omitempty"`
	Left    func()            `json:"-"`
	Raw     []json.RawMessage `json:"raw,omitempty"`
}

func TestUnmarshal(t *testing.T) {
	const head = `{"version":1,"parts":[],"grid":[[],[]]`
	for _, c := range []struct{ text, place, found string }{
		{head + `}`, "", ""},
		{" \n{ \"version\" : 1 ,\t\"parts\" : [ ] , \"grid\" : [ [ ] , [ 1 , -2 ] ] } ", "", ""},
		{head + `,"extras":{"a":[1,{"b":"]}\"\\"}],"grid":null},"any":[null,true],"more":{"x":[{}]},"raw":[null,[],"a,b",-1e9]}`, "", ""},
		{head + `,"named":{"a\"b":{"place":[1,2,3],"turn":null,"next":null},"c":{"place":[0,0,0],"turn":[1,2,3],"next":3}}}`, "", ""},
		{head + `,"WRAP":["a","b"],"open":false}`, "", ""},
		{`null`, "", "null"},
		{`[]`, "", "a list"},
		{head, "byte 38", "unexpected end of JSON input"},
		{head + `} {}`, "byte 41", "invalid character '{' after top-level value"},
		{`{"version":1,"grid":[[],[]]}`, "parts", "nothing"},
		{`{"version":1,"parts":null,"grid":[[],[]]}`, "parts", "null"},
		{`{"version":null,"parts":[],"grid":[[],[]]}`, "version", "null"},
		{`{"version":300,"parts":[],"grid":[[],[]]}`, "version", "300"},
		{`{"version":-1,"parts":[],"grid":[[],[]]}`, "version", "-1"},
		{`{"version":1.5,"parts":[],"grid":[[],[]]}`, "version", "1.5"},
		{`{"version":"1","parts":[],"grid":[[],[]]}`, "version", "a text"},
		{`{"version":1,"parts":[null],"grid":[[],[]]}`, "parts[0]", "null"},
		{`{"version":1,"parts":[{"place":[1,2,3],"next":1},{"next":1}],"grid":[[],[]]}`, "parts[1].place", "nothing"},
		{`{"version":1,"parts":[{"place":[1,2],"next":1}],"grid":[[],[]]}`, "parts[0].place", "2 elements"},
		{`{"version":1,"parts":[{"place":[],"next":1}],"grid":[[],[]]}`, "parts[0].place", "0 elements"},
		{`{"version":1,"parts":[{"place":[1,2,3,4],"next":1}],"grid":[[],[]]}`, "parts[0].place", "more elements"},
		{`{"version":1,"parts":[{"place":[1,null,3],"next":1}],"grid":[[],[]]}`, "parts[0].place[1]", "null"},
		{`{"version":1,"parts":[{"place":[1,1e999,3],"next":1}],"grid":[[],[]]}`, "parts[0].place[1]", "1e999"},
		{`{"version":1,"parts":[{"place":{},"next":1}],"grid":[[],[]]}`, "parts[0].place", "an object"},
		{`{"version":1,"parts":[{"place":[1,2,3],"turn":[1],"next":1}],"grid":[[],[]]}`, "parts[0].turn", "1 element"},
		{`{"version":1,"parts":[{"place":[1,2,3]}],"grid":[[],[]]}`, "parts[0].next", "nothing"},
		{head + `,"version":1}`, "version", "the key a second time"},
		{head + `,"Version":1}`, "version", "the key a second time"},
		{head + `,"\u0076ersion":1}`, "version", "the key a second time"},
		{head + `,"named":{"a":{"place":[1,2,3],"next":1},"a":{"place":[1,2,3],"next":1}}}`, `named["a"]`, "the key a second time"},
		{head + `,"named":{"a b":{"place":[1,2,3],"next":true}}}`, `named["a b"].next`, "true"},
		{head + `,"open":1}`, "open", "a number"},
		{head + `,"wrap":["a",1]}`, "wrap[1]", "a number"},
		{`{"version":1,"parts":[],"grid":[[],[3000000000]]}`, "grid[1][0]", "3000000000"},
	} {
		var v whole
		err := Unmarshal([]byte(c.text), &v)
		if c.found == "" {
			if err != nil {
				t.Errorf("%s: %v", c.text, err)
			}
			continue
		}
		var f *fault.Error
		if !errors.As(err, &f) || f.Place != c.place || f.Found != c.found || f.Want == "" {
			t.Errorf("%s: %+v, expected %q at %q", c.text, err, c.found, c.place)
		}
	}
}

// What encoding/json writes is read back, whatever is in it.
func TestWhatIsWrittenIsRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, number := rapid.String(), rapid.Float64Range(-1e300, 1e300)
		parts := rapid.Custom(func(t *rapid.T) part {
			p := part{Name: text.Draw(t, "name")}
			for k := range p.Place {
				p.Place[k] = number.Draw(t, "number")
			}
			if rapid.Bool().Draw(t, "turned") {
				p.Turn, p.Next = &vector{1, 2, 3}, new(int)
			}
			return p
		})
		want := whole{
			Version: rapid.Uint8().Draw(t, "version"), Parts: rapid.SliceOfN(parts, 1, 5).Draw(t, "parts"),
			Named: rapid.MapOf(text, parts).Draw(t, "named"), Grid: [2][]int32{{1}, rapid.SliceOf(rapid.Int32()).Draw(t, "grid")},
			Wrap: [2]string{text.Draw(t, "u"), text.Draw(t, "v")},
		}
		if len(want.Named) == 0 {
			want.Named = nil
		}
		data, err := json.MarshalIndent(&want, "", rapid.SampledFrom([]string{"", " ", "\t"}).Draw(t, "indent"))
		if err != nil {
			t.Fatal(err)
		}
		var got, plain whole
		if err := Unmarshal(data, &got); err != nil {
			t.Fatalf("%v in %s", err, data)
		}
		if err := json.Unmarshal(data, &plain); err != nil || !reflect.DeepEqual(got, plain) {
			t.Fatalf("%+v, expected %+v", got, plain)
		}
	})
}

// FuzzUnmarshal reads any bytes; what is taken is what encoding/json takes.
func FuzzUnmarshal(f *testing.F) {
	f.Add([]byte(`{"version":1,"parts":[{"place":[1,2,3],"next":null}],"named":{"a":{"place":[1,2,3],"next":1}},"grid":[[],[1]],"extras":{"a":"\"}"}}`))
	f.Add([]byte(`[{},[null,"a"],-1.5e3,true]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, to := range [][2]any{{new(whole), new(whole)}, {new([]vector), new([]vector)}, {new(map[string][2]bool), new(map[string][2]bool)}} {
			err, plain := Unmarshal(data, to[0]), json.Unmarshal(data, to[1])
			var e *fault.Error
			if err != nil && !errors.As(err, &e) || err == nil && plain != nil || !reflect.DeepEqual(to[0], to[1]) {
				t.Fatalf("%v, encoding/json says %v", err, plain)
			}
		}
	})
}
