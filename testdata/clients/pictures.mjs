// Judges what draw.mjs printed: node pictures.mjs RESULT.json FACTS.json. The sky line
// and the things must stand where the editor has them, to a pixel.
import { readFileSync } from "node:fs";

const [result, facts] = process.argv.slice(2).map((f) => JSON.parse(readFileSync(f)));
let bad = 0;
for (const key of ["triangles", "coloured"]) {
  if (result.found[key] !== facts[key]) {
    bad++;
    console.log(`three.js: ${result.found[key]} ${key}, expected ${facts[key]}`);
  }
}
for (const v of result.views) {
  const share = (n) => ((100 * n) / v.pixels).toFixed(3) + " %";
  // Where faces of two things coincide, as the posts of fences do, either may be drawn.
  const lost = Object.entries(v.things).filter(([, n]) => (n.here === 0) !== (n.editor === 0) && n.here + n.editor > 50);
  if (!(v.wrong <= v.pixels * 1e-3) || !(v.skyWrong <= v.pixels * 1e-4) || lost.length) {
    bad++;
    console.log(`three.js: ${v.name}: too many pixels differ` + (lost.length ? `, and of the things ${lost.map(([id]) => id)} one picture shows nothing` : ""));
  }
  console.log(`three.js: ${v.name}: ${Object.keys(v.things).length} things; ${share(v.equal)} of the pixels agree, ` +
    `${share(v.beside)} beside an edge, ${share(v.wrong)} differ, ${v.skyWrong} pixels of them in the sky line`);
}
process.exit(bad ? 1 : 0);
