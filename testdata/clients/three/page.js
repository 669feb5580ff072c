// Draws an exported level in the page that draw.mjs opens, and compares what stands at
// each pixel with the editor's own picture of things.
import * as THREE from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";

let gltf;
const splats = new Map(); // the ground's materials, by the loader's

// open loads a level and gives what it holds.
window.open_level = async (url) => {
  gltf = await new GLTFLoader().loadAsync(url);
  gltf.scene.updateMatrixWorld(true);
  const found = { nodes: 0, meshes: 0, triangles: 0, coloured: 0, places: {} };
  for (const node of nodes()) {
    found.nodes++;
    if (node.name) found.places[node.name] = new THREE.Vector3().setFromMatrixPosition(node.matrixWorld).toArray();
    if (!node.isMesh) continue;
    const g = node.geometry;
    const count = node.isInstancedMesh ? node.count : 1;
    found.meshes += count;
    found.triangles += (count * (g.index ? g.index.count : g.attributes.position.count)) / 3;
    if (g.attributes.color) found.coloured += g.attributes.color.count;
  }
  return found;
};

function nodes() {
  const list = [];
  gltf.scene.traverse((n) => list.push(n));
  return list;
}

function cameraAt(view) {
  const camera = new THREE.PerspectiveCamera(view.fov, view.width / view.height, 0.1, 5000);
  camera.position.fromArray(view.eye);
  camera.up.set(0, 1, 0);
  camera.lookAt(...view.look);
  return camera;
}

// draw gives a picture of the level in daylight, as a data address.
window.draw = async (view) => {
  const renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
  renderer.setSize(view.width, view.height, false);
  const scene = new THREE.Scene();
  scene.background = new THREE.Color(0x9db8d2);
  scene.add(gltf.scene, new THREE.HemisphereLight(0xd6e4f5, 0x8a8272, 2.0));
  const sun = new THREE.DirectionalLight(0xfff2dc, 2.4);
  sun.position.set(-0.5, 0.8, 0.4);
  scene.add(sun);
  for (const node of nodes()) {
    if (node.isMesh && node.material.userData.layers) node.material = await splat(node.material);
  }
  renderer.render(scene, cameraAt(view));
  const data = renderer.domElement.toDataURL("image/png");
  renderer.dispose();
  return data;
};

// splat makes a material of the ground blend its layers, as FORMAT.md tells.
async function splat(plain) {
  if (splats.has(plain)) return splats.get(plain);
  const layers = plain.userData.layers;
  const maps = await Promise.all(layers.map((l) => gltf.parser.getDependency("texture", l.texture)));
  for (const map of maps) {
    map.wrapS = map.wrapT = THREE.RepeatWrapping;
    map.colorSpace = THREE.SRGBColorSpace;
    map.anisotropy = 4;
  }
  const m = plain.clone();
  m.map = null;
  m.color.set(0xffffff);
  const root = gltf.scene.getObjectByName("terrain").getWorldPosition(new THREE.Vector3());
  const sets = Math.ceil(Math.max(layers.length - 2, 0) / 4);
  m.onBeforeCompile = (shader) => {
    layers.forEach((_, i) => (shader.uniforms["layer" + i] = { value: maps[i] }));
    shader.uniforms.ground = { value: root };
    const more = [...Array(sets).keys()].map((k) => k + 1);
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", `#include <common>
        uniform vec3 ground; varying vec2 at; ${more.map((k) => `attribute vec4 color_${k}; varying vec4 more${k};`).join(" ")}`)
      .replace("#include <begin_vertex>", `#include <begin_vertex>
        at = (modelMatrix * vec4(position, 1.0)).xz - ground.xz; ${more.map((k) => `more${k} = color_${k};`).join(" ")}`);
    const weight = (i) => (i === 1 ? "vColor.a" : `more${1 + ((i - 2) >> 2)}[${(i - 2) & 3}]`);
    const rest = layers.slice(1).map((_, i) => `- ${weight(i + 1)}`).join(" ");
    const sum = layers.map((l, i) => `texture2D(layer${i}, at / ${l.scale.toFixed(6)}).rgb
      * vec3(${l.tint.map((v) => v.toFixed(6)).join(", ")}) * ${i === 0 ? `(1.0 ${rest})` : weight(i)}`);
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", `#include <common>
        varying vec2 at; ${layers.map((_, i) => `uniform sampler2D layer${i};`).join(" ")} ${more.map((k) => `varying vec4 more${k};`).join(" ")}`)
      .replace("#include <color_fragment>", `diffuseColor.rgb *= vColor.rgb * (${sum.join(" + ")});`);
  };
  m.customProgramCacheKey = () => "splat " + JSON.stringify(layers);
  splats.set(plain, m);
  return m;
}

// things draws each thing in the colour of its number, the ground white, and compares
// with the editor's picture of the same. A pixel agrees when the editor has the same
// thing there or beside it: edges fall on one pixel or the next.
window.things = async (view, url) => {
  const renderer = new THREE.WebGLRenderer({ antialias: false, preserveDrawingBuffer: true });
  renderer.outputColorSpace = THREE.LinearSRGBColorSpace;
  renderer.setSize(view.width, view.height, false);
  const scene = new THREE.Scene();
  scene.background = new THREE.Color(0, 0, 0);
  scene.add(gltf.scene);
  const kept = new Map();
  for (const node of nodes()) {
    if (!node.isMesh) continue;
    kept.set(node, node.material);
    node.material = flat(node);
  }
  renderer.render(scene, cameraAt(view));
  const ours = pixels(renderer.domElement, view);
  const picture = renderer.domElement.toDataURL("image/png");
  for (const [node, material] of kept) node.material = material;
  renderer.dispose();

  const image = new Image();
  image.src = url;
  await image.decode();
  const theirs = pixels(image, view);
  const result = { pixels: ours.length, equal: 0, beside: 0, wrong: 0, skyWrong: 0, things: {}, picture };
  const count = (id, key) => ((result.things[id] ??= { here: 0, editor: 0 })[key]++);
  for (let y = 0; y < view.height; y++) {
    for (let x = 0; x < view.width; x++) {
      const i = y * view.width + x;
      count(ours[i], "here");
      count(theirs[i], "editor");
      if (ours[i] === theirs[i]) {
        result.equal++;
        continue;
      }
      if (near(theirs, view, x, y, ours[i])) {
        result.beside++;
        continue;
      }
      result.wrong++;
      if ((ours[i] === 0) !== (theirs[i] === 0)) result.skyWrong++;
    }
  }
  return result;
};

function near(ids, view, x, y, id) {
  for (let v = Math.max(y - 1, 0); v <= Math.min(y + 1, view.height - 1); v++) {
    for (let u = Math.max(x - 1, 0); u <= Math.min(x + 1, view.width - 1); u++) {
      if (ids[v * view.width + u] === id) return true;
    }
  }
  return false;
}

function flat(node) {
  let id = 0xffffff;
  for (let n = node; n; n = n.parent) {
    if (n.userData.id) {
      id = n.userData.id;
      break;
    }
  }
  const m = new THREE.MeshBasicMaterial({ side: node.material.side });
  m.color.setRGB((id >> 16) / 255, ((id >> 8) & 255) / 255, (id & 255) / 255, THREE.LinearSRGBColorSpace);
  return m;
}

function pixels(source, view) {
  const canvas = document.createElement("canvas");
  canvas.width = view.width;
  canvas.height = view.height;
  const c = canvas.getContext("2d", { willReadFrequently: true });
  c.drawImage(source, 0, 0);
  const data = c.getImageData(0, 0, view.width, view.height).data;
  const ids = new Uint32Array(view.width * view.height);
  for (let i = 0; i < ids.length; i++) ids[i] = (data[4 * i] << 16) | (data[4 * i + 1] << 8) | data[4 * i + 2];
  return ids;
}

window.ready = true;
