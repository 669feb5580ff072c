package simplify

// heap orders points by what their cheapest collapse costs, the cheapest first, and of
// equal ones the lower number.
type heap struct {
	list []entry
	at   []int32 // of each point, −1 if it is not here
}

type entry struct {
	cost  float64
	point int32
}

func newHeap(n int) *heap {
	h := &heap{at: make([]int32, n)}
	for i := range h.at {
		h.at[i] = -1
	}
	return h
}

func (e *entry) before(o *entry) bool {
	return e.cost < o.cost || e.cost == o.cost && e.point < o.point
}

// has reports whether a point is in, and its cost.
func (h *heap) has(p int32) (cost float64, ok bool) {
	if i := h.at[p]; i >= 0 {
		return h.list[i].cost, true
	}
	return 0, false
}

// set puts a point in or changes its cost.
func (h *heap) set(p int32, cost float64) {
	i := h.at[p]
	if i < 0 {
		i = int32(len(h.list))
		h.list = append(h.list, entry{})
	}
	h.list[i] = entry{cost, p}
	h.at[p] = i
	if !h.up(i) {
		h.down(i)
	}
}

// remove takes a point out.
func (h *heap) remove(p int32) {
	i := h.at[p]
	if i < 0 {
		return
	}
	h.at[p] = -1
	last := h.list[len(h.list)-1]
	h.list = h.list[:len(h.list)-1]
	if last.point == p {
		return
	}
	h.list[i], h.at[last.point] = last, i
	if !h.up(i) {
		h.down(i)
	}
}

func (h *heap) up(i int32) (moved bool) {
	e := h.list[i]
	for i > 0 {
		j := (i - 1) / 2
		o := h.list[j]
		if !e.before(&o) {
			break
		}
		h.list[i], h.at[o.point] = o, i
		i, moved = j, true
	}
	h.list[i], h.at[e.point] = e, i
	return moved
}

func (h *heap) down(i int32) {
	e := h.list[i]
	n := int32(len(h.list))
	for {
		j := 2*i + 1
		if j >= n {
			break
		}
		if j+1 < n && h.list[j+1].before(&h.list[j]) {
			j++
		}
		o := h.list[j]
		if !o.before(&e) {
			break
		}
		h.list[i], h.at[o.point] = o, i
		i = j
	}
	h.list[i], h.at[e.point] = e, i
}
