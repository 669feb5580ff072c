// Package brush changes a terrain by strokes of a round brush: raise, lower,
// smooth and flatten the heights, and paint layers.
//
// # Frame and units
//
// Positions are world x and z in metres, wherever the terrain stands; radius and
// heights are metres. Inside, everything is counted in samples.
//
// # Falloff
//
// With d the distance from the centre, R the radius and h the hardness,
//
//	t = clamp((1 − (d/R)²) / (1 − h²), 0, 1)
//	falloff = t²·(3 − 2t)
//
// which is 1 up to h·R, 0 from R on, and has no corner at either. It is a
// polynomial in d², so it takes no root and no table; hardness 1 is a flat disc
// without its rim. (The cubic is Hermite's smoothstep; falloffs in d² are after
// Wyvill, McPheeters and Wyvill, "Data Structure for Soft Objects", 1986.)
//
// # Strokes
//
// A stroke is a polyline. Its first dab lies on the first point, the others every
// Spacing·R along the line, counted from the first point through all corners, so
// they do not depend on how the line is cut into pointer events. Dab centres are
// rounded to 1/1024 sample (of the radius, when that is less), with the border
// between two steps off every simple fraction; so the last bits of the lengths,
// which do depend on the cuts, never reach the terrain.
//
// Dabs are clipped at the terrain's edge. Those that cannot reach a sample are
// skipped by arithmetic, so the time a stroke takes is bounded by the terrain,
// not by its length. A dab reads only values from before it.
//
// # Heights
//
// raise: h + s·f, with s metres; lower: h − s·f. smooth: h + s·f·(m − h), with m
// the mean of the samples around it that exist, itself included; it is summed as
// differences from h, so level ground stays exactly level. flatten: h + s·f·(l − h)
// with l the height of the surface under the first point (of the nearest point of
// the terrain, when that lies off it), or Level. Results are clamped to
// ±terrain.MaxHeight. All are float32 without fused operations, so that the vector
// twins of the kernels give the same bits.
//
// # Painting
//
// A sample shows three layers with the weights base (1−α)(1−α2), over α(1−α2) and
// third α2, which always add up to 1. A stroke keeps for each sample what share of
// it is still unpainted, k, from 1 downwards: each dab multiplies k by 1 − s·f. The
// sample is then k times what it was before the stroke, and for the rest the
// painted layer, rounded once, from the values before the stroke. So fractions of a
// step accumulate within the stroke and nothing drifts. In the rounding the other
// layers never gain over what they were before the stroke, and once 1/510 has been
// painted at least one of them loses a step; repeated strokes therefore end at the
// layer alone.
//
// A layer that is not among a sample's three takes the place of the weakest, whose
// weight goes to the other two in proportion; of equally weak ones over goes first,
// then third, then base. Ids otherwise keep their places. A place without weight
// repeats the base id, and a sample that shows one layer is {id, id, id, 0, 0}.
package brush
