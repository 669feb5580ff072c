extends SceneTree

# Prints what Godot imported from the level, as JSON after the word RESULT.
# godot3-server --path . -s check.gd

var nodes = 0
var triangles = 0
var coloured = 0
var places = {}

func _init():
	var scene = load("res://level.glb")
	if scene == null:
		printerr("level.glb was not imported")
		quit(1)
		return
	var root = scene.instance()
	for child in root.get_children():
		walk(child, root.transform)
	root.free()
	print("RESULT ", to_json({"nodes": nodes, "triangles": triangles, "coloured": coloured, "places": places}))
	quit(0)

func walk(node, at):
	nodes += 1
	if node is Spatial:
		at = at * node.transform
		places[node.name] = [at.origin.x, at.origin.y, at.origin.z]
	if node is MeshInstance:
		for i in node.mesh.get_surface_count():
			var a = node.mesh.surface_get_arrays(i)
			triangles += a[Mesh.ARRAY_INDEX].size() / 3
			if a[Mesh.ARRAY_COLOR] != null:
				coloured += a[Mesh.ARRAY_COLOR].size()
	for child in node.get_children():
		walk(child, at)
