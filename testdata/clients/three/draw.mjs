// Draws an exported level with three.js in Chromium, with its software rasteriser:
//
//   node draw.mjs LEVEL.glb FOLDER VIEWS.json
//
// VIEWS.json lists {name, eye, look, fov, width, height}; FOLDER holds the editor's
// picture of things of each, NAME-things.png, and gets NAME-three.png and
// NAME-three-things.png. Prints what the level holds and how the pictures agree, as JSON.
import { createServer } from "node:http";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const [level, folder, viewsFile] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const views = JSON.parse(readFileSync(viewsFile));
const types = { ".html": "text/html", ".js": "text/javascript", ".png": "image/png", ".glb": "model/gltf-binary" };

const server = createServer((request, response) => {
  if (request.url === "/favicon.ico") return void response.writeHead(204).end();
  const path = normalize(decodeURIComponent(request.url.split("?")[0]));
  const file = path === "/level.glb" ? level : path.startsWith("/pictures/") ? join(folder, path.slice(10)) : join(here, path);
  try {
    const data = readFileSync(file);
    response.writeHead(200, { "Content-Type": types[extname(file)] ?? "application/octet-stream" });
    response.end(data);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));

const profile = mkdtempSync(join(tmpdir(), "chromium-"));
const browser = await chromium.launchPersistentContext(profile, {
  executablePath: "/usr/bin/chromium",
  headless: true,
  args: ["--no-sandbox", "--no-first-run", "--disable-quic", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
});
try {
  const page = await browser.newPage();
  page.on("pageerror", (e) => { throw e; });
  page.on("console", (m) => { if (["error", "warning"].includes(m.type()) && !m.text().includes("GPU stall")) console.error("three.js:", m.text()); });
  await page.goto(`http://127.0.0.1:${server.address().port}/page.html`);
  await page.waitForFunction("window.ready");
  const found = await page.evaluate(() => window.open_level("/level.glb"));
  const results = [];
  for (const view of views) {
    const r = await page.evaluate(([v, url]) => window.things(v, url), [view, `/pictures/${view.name}-things.png`]);
    save(`${view.name}-three-things.png`, r.picture);
    delete r.picture;
    save(`${view.name}-three.png`, await page.evaluate((v) => window.draw(v), view));
    results.push({ name: view.name, ...r });
  }
  console.log(JSON.stringify({ found, views: results }));
} finally {
  await browser.close();
  server.close();
  rmSync(profile, { recursive: true, force: true });
}

function save(name, data) {
  writeFileSync(join(folder, name), Buffer.from(data.split(",")[1], "base64"));
}
