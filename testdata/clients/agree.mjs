// Compares what a program imported with what a .glb holds:
//
//   node agree.mjs NAME FACTS.json IMPORTED.txt
//
// IMPORTED.txt has a line RESULT with the same facts. Programs rename what shares a
// name, so only names that both have are compared, and there must be most of them.
import { readFileSync } from "node:fs";

const [name, factsFile, importedFile] = process.argv.slice(2);
const facts = JSON.parse(readFileSync(factsFile));
const line = readFileSync(importedFile, "utf8").split("\n").find((l) => l.startsWith("RESULT "));
if (!line) {
  console.log(`${name}: imported nothing`);
  process.exit(1);
}
const got = JSON.parse(line.slice(7));
let bad = 0;
for (const key of ["nodes", "triangles", "coloured"]) {
  if (got[key] !== facts[key]) {
    bad++;
    console.log(`${name}: ${got[key]} ${key}, expected ${facts[key]}`);
  }
}
let found = 0, farthest = 0;
for (const [n, at] of Object.entries(facts.places)) {
  const there = got.places[n];
  if (!there) continue;
  found++;
  const off = Math.hypot(...at.map((v, i) => v - there[i]));
  if (!(off <= 1e-3)) {
    bad++;
    console.log(`${name}: ${n} stands at ${there}, expected ${at}`);
  }
  farthest = Math.max(farthest, off);
}
const named = Object.keys(facts.places).length;
if (found < named * 0.9) {
  bad++;
  console.log(`${name}: ${found} of ${named} names found`);
}
console.log(`${name}: ${got.nodes} nodes, ${got.triangles} triangles, ${got.coloured} vertices with a colour; ` +
  `${found} of ${named} places agree to ${farthest.toExponential(1)} m`);
process.exit(bad ? 1 : 0);
