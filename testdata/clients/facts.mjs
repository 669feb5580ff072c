// Tells what a .glb holds: node facts.mjs LEVEL.glb prints {nodes, triangles, coloured,
// places} as JSON. Nodes are those of the scene; triangles and vertices with a colour
// count as often as their mesh stands in it; places are where named nodes stand.
import { readFileSync } from "node:fs";

const data = readFileSync(process.argv[2]);
const g = JSON.parse(data.subarray(20, 20 + data.readUInt32LE(12)).toString());
const facts = { nodes: 0, triangles: 0, coloured: 0, places: {} };

function multiply(a, b) {
  const m = new Array(16).fill(0);
  for (let c = 0; c < 4; c++) for (let r = 0; r < 4; r++) for (let k = 0; k < 4; k++) m[4 * c + r] += a[4 * k + r] * b[4 * c + k];
  return m;
}

function matrixOf(n) {
  if (n.matrix) return n.matrix;
  const [x, y, z, w] = n.rotation ?? [0, 0, 0, 1];
  const s = n.scale ?? [1, 1, 1];
  const t = n.translation ?? [0, 0, 0];
  return [
    (1 - 2 * (y * y + z * z)) * s[0], 2 * (x * y + w * z) * s[0], 2 * (x * z - w * y) * s[0], 0,
    2 * (x * y - w * z) * s[1], (1 - 2 * (x * x + z * z)) * s[1], 2 * (y * z + w * x) * s[1], 0,
    2 * (x * z + w * y) * s[2], 2 * (y * z - w * x) * s[2], (1 - 2 * (x * x + y * y)) * s[2], 0,
    t[0], t[1], t[2], 1,
  ];
}

function walk(index, parent) {
  const n = g.nodes[index];
  const m = multiply(parent, matrixOf(n));
  facts.nodes++;
  if (n.name) facts.places[n.name] = [m[12], m[13], m[14]];
  if (n.mesh !== undefined) {
    for (const p of g.meshes[n.mesh].primitives) {
      facts.triangles += g.accessors[p.indices ?? p.attributes.POSITION].count / 3;
      if (p.attributes.COLOR_0 !== undefined) facts.coloured += g.accessors[p.attributes.COLOR_0].count;
    }
  }
  for (const child of n.children ?? []) walk(child, m);
}

for (const root of g.scenes[g.scene ?? 0].nodes) walk(root, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
console.log(JSON.stringify(facts));
