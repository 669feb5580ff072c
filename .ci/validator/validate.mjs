// Validates glTF files: node validate.mjs FILE...
// Prints every error and warning; exits 1 when there is one.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import validator from "gltf-validator";

let bad = 0;
for (const file of process.argv.slice(2)) {
  const report = await validator.validateBytes(new Uint8Array(readFileSync(file)), {
    uri: file,
    maxIssues: 100,
    // Neither is an error or a warning, and there may be thousands.
    ignoredIssues: ["UNUSED_OBJECT", "UNSUPPORTED_EXTENSION"],
    externalResourceFunction: async (uri) => new Uint8Array(readFileSync(join(dirname(file), decodeURIComponent(uri)))),
  });
  for (const m of report.issues.messages) {
    if (m.severity > 1) continue;
    bad++;
    console.log(`${file}: ${["error", "warning"][m.severity]}: ${m.code}: ${m.message} ${m.pointer ?? ""}`);
  }
  if (report.issues.truncated) {
    bad++;
    console.log(`${file}: more than 100 issues`);
    continue;
  }
  const { numErrors, numWarnings } = report.issues;
  console.log(`${file}: ${numErrors} errors, ${numWarnings} warnings, ${report.info.totalTriangleCount} triangles`);
}
process.exit(bad ? 1 : 0);
