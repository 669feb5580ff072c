package glb

func (b *builder) bakedAt(sample int) float64 { return 0 }
