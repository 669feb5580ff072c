//go:build !(goexperiment.simd && amd64)

package terrain

// measureWhole measures with vectors, which there are none of here.
func (c *Chunk) measureWhole(*measured) (ok bool) { return false }
