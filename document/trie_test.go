package document

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestTrieAgainstMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.OneOf(rapid.Uint64Range(0, 40), rapid.Uint64Range(0, 2000), rapid.Uint64Range(0, uint64(MaxID)))
		var tr trie[int]
		m := map[ID]int{}
		type frozen struct {
			tr trie[int]
			m  map[ID]int
		}
		var old []frozen
		check := func(tr trie[int], m map[ID]int) {
			if tr.len() != len(m) {
				t.Fatalf("length %d, expected %d", tr.len(), len(m))
			}
			var ids []ID
			for k, v := range tr.all() {
				if w, ok := m[k]; !ok || w != v {
					t.Fatalf("%d is %d, expected %d (%v)", k, v, w, ok)
				}
				ids = append(ids, k)
			}
			if want := slices.Sorted(maps.Keys(m)); !slices.Equal(ids, want) {
				t.Fatalf("walk gives %v, expected %v", ids, want)
			}
		}
		for i := range rapid.IntRange(0, 100).Draw(t, "n") {
			k := ID(id.Draw(t, "id"))
			if _, has := m[k]; rapid.Bool().Draw(t, "set") {
				tr = tr.set(k, i)
				m[k] = i
			} else {
				tr = tr.without(k)
				delete(m, k)
				if _, ok := tr.get(k); ok {
					t.Fatalf("%d stayed (was there: %v)", k, has)
				}
			}
			if i%16 == 0 {
				old = append(old, frozen{tr, maps.Clone(m)})
			}
		}
		check(tr, m)
		for k, v := range m {
			if got, ok := tr.get(k); !ok || got != v {
				t.Fatalf("get %d gives %d, %v", k, got, ok)
			}
		}
		for _, f := range old {
			check(f.tr, f.m)
		}
	})
}

func BenchmarkPutAmong100kEntities(b *testing.B) {
	l := flat(b, 2, 2)
	list := make([]Entity, 100_000)
	for i := range list {
		list[i] = Entity{ID: ID(i + 1), Kind: KindObject}
	}
	l, err := l.WithEntities(list)
	must(b, err)
	d := New(l, Options{HistoryBytes: 1 << 20})
	b.ReportAllocs()
	x := 0.0
	for b.Loop() {
		x++
		must(b, d.Do("move", func(tx *Tx) error {
			e, _ := tx.Level().Entity(50_000)
			c := *e
			c.Translation[0] = x
			return tx.Put(c)
		}))
	}
}
