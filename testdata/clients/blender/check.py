# Prints what Blender imports from a level, as JSON after the word RESULT.
# blender -b --factory-startup --python-exit-code 1 -P check.py -- LEVEL.glb
import json
import sys

import bpy
import numpy

if not hasattr(numpy, "bool"):
    numpy.bool = bool  # the importer of Blender 3.4 was written for an older numpy

for o in list(bpy.data.objects):
    bpy.data.objects.remove(o, do_unlink=True)
bpy.ops.import_scene.gltf(filepath=sys.argv[sys.argv.index("--") + 1])

result = {"nodes": 0, "triangles": 0, "coloured": 0, "places": {}}
for o in bpy.context.scene.objects:
    result["nodes"] += 1
    x, y, z = o.matrix_world.translation
    result["places"][o.name] = [x, z, -y]  # Blender has Z up
    if o.type != "MESH":
        continue
    m = o.data
    m.calc_loop_triangles()
    result["triangles"] += len(m.loop_triangles)
    if m.color_attributes:
        result["coloured"] += len(m.vertices)
print("RESULT", json.dumps(result), flush=True)
