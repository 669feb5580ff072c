package simplify

// heap orders points by what their cheapest collapse costs, the cheapest first, and of
// equal ones the lower number.
type heap struct {
	points []int32
	at     []int32 // of each point, −1 if it is not here
	cost   []float64
}

func newHeap(n int) *heap {
	h := &heap{at: make([]int32, n), cost: make([]float64, n)}
	for i := range h.at {
		h.at[i] = -1
	}
	return h
}

func (h *heap) less(a, b int32) bool {
	if h.cost[a] != h.cost[b] {
		return h.cost[a] < h.cost[b]
	}
	return a < b
}

// set puts a point in or changes its cost.
func (h *heap) set(p int32, cost float64) {
	h.cost[p] = cost
	i := h.at[p]
	if i < 0 {
		i = int32(len(h.points))
		h.points = append(h.points, p)
		h.at[p] = i
	}
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
	last := h.points[len(h.points)-1]
	h.points = h.points[:len(h.points)-1]
	if last == p {
		return
	}
	h.points[i], h.at[last] = last, i
	if !h.up(i) {
		h.down(i)
	}
}

func (h *heap) up(i int32) (moved bool) {
	p := h.points[i]
	for i > 0 {
		j := (i - 1) / 2
		q := h.points[j]
		if !h.less(p, q) {
			break
		}
		h.points[i], h.at[q] = q, i
		i, moved = j, true
	}
	h.points[i], h.at[p] = p, i
	return moved
}

func (h *heap) down(i int32) {
	p := h.points[i]
	n := int32(len(h.points))
	for {
		j := 2*i + 1
		if j >= n {
			break
		}
		if j+1 < n && h.less(h.points[j+1], h.points[j]) {
			j++
		}
		q := h.points[j]
		if !h.less(q, p) {
			break
		}
		h.points[i], h.at[q] = q, i
		i = j
	}
	h.points[i], h.at[p] = p, i
}
