// Makes dist/main.js, the program that users run: src and its packages in one file, without unused code, and in chunks
// what is loaded only if configured. It starts four times as fast as its sources, whose types Node would strip at each
// start, and uses 50 MB less memory. Also makes the programs of its threads, worker.js and ledgerThreadSql.js, which
// load nothing else; dist/assets, the files that browsers load; and what programs of extensions build, each in
// scripts/extensions/NAME/build.mjs, which gets the folder to build in.
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import {
  existsSync,
  globSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"
import { makeAssets } from "./assets.mjs"
import { buildStamp, builtFiles, hashOfPatches, hashOfSources, patchesStamp } from "./inputs.mjs"
import { takeLock } from "./lock.mjs"
import { placeFiles } from "./placeFiles.mjs"

process.chdir(fileURLToPath(new URL("..", import.meta.url)))
// `npm run build` has applied the patches.
writeFileSync(patchesStamp, hashOfPatches())
const release = takeLock("node_modules/.cache/build.lock", "builds here")
const sources = hashOfSources()
const unfinished = "dist/.unfinished"
rmSync(unfinished, { recursive: true, force: true })

/**
 * Node's modules as objects: for an import, Node reads every export of the module, and so loads the WebSocket of
 * node:http and much else that is never used.
 */
const builtins = {
  name: "builtins",
  renderChunk: (/** @type {string} */ code) =>
    code.replaceAll(
      /^import (?:(?:\* as )?(\w[\w$]*)|(\{.*\})) from ("[\w:/]+");$/gm,
      (_, all, /** @type {string} */ some, module) =>
        `const ${all ?? some.replaceAll(" as ", ": ")} = process.getBuiltinModule(${module});`
    )
}

// The code is in a folder of its own, so that a process that runs older code can still load the other parts of it.
for (const input of ["src/main.ts", "src/worker.ts", "src/credits/audit/ledgerThreadSql.ts"]) {
  // A file whose exports are not used does nothing: a thread has the computations of the extensions, and nothing else.
  const treeshake = { moduleSideEffects: [{ test: /[\\/]src[\\/]/, sideEffects: false }] }
  const bundle = await rolldown({ input, platform: "node", plugins: [builtins], treeshake })
  await bundle.write({ dir: `${unfinished}/code`, format: "esm", comments: { jsdoc: false, annotation: false } })
  await bundle.close()
}
const code = readdirSync(`${unfinished}/code`)
  .toSorted()
  .reduce((hash, file) => hash.update(readFileSync(`${unfinished}/code/${file}`)), createHash("sha256"))
  .digest("hex")
  .slice(0, 16)
renameSync(`${unfinished}/code`, `${unfinished}/${code}`)
const [flags = ""] = readFileSync(`${unfinished}/${code}/main.js`, "utf8").split("\n")
const launcher = readFileSync("scripts/launcher.mjs", "utf8").replace("CODE", `./${code}`)
writeFileSync(`${unfinished}/main.js`, `${flags}\n${launcher}`, { mode: 0o755 })

await makeAssets(`${unfinished}/assets`)
for (const program of globSync("scripts/extensions/*/build.mjs").toSorted())
  execFileSync(process.execPath, [program, unfinished], { stdio: "inherit" })

const now = performance.timeOrigin + performance.now()
if (existsSync(buildStamp)) {
  for (const file of builtFiles().filter((file) => existsSync(`dist/${file}`)))
    utimesSync(`dist/${file}`, now / 1000, now / 1000)
  rmSync(buildStamp)
}
/** Code and assets have a hash in their path and stay for a day after the last build that had them. */
const isKept = (/** @type {string} */ file) =>
  /^[0-9a-f]{16}\/|^assets\//.test(file) && statSync(`dist/${file}`).mtimeMs > now - 24 * 60 * 60 * 1000
const files = placeFiles(unfinished, "dist", ["assets/assets.json", "main.js"], isKept)
writeFileSync(buildStamp, [sources, ...files].join("\n"))
release()
