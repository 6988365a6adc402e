// Makes dist/assets, the files that browsers load besides the pages. Each has the hash of its content in its name, so
// that it can be cached for a year, and is stored as brotli and gzip too; assets.json lists the names.
import { createHash } from "node:crypto"
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { extname } from "node:path"
import { brotliCompressSync, gzipSync } from "node:zlib"
import { rolldown } from "rolldown"

/** @typedef {Readonly<Record<string, string | ReadonlyArray<string>>>} Sources */

/** @param {string} file @returns {Sources} */
// oxlint-disable-next-line typescript/no-unsafe-return -- a file of ours, and a wrong path in it fails the build
const sourcesIn = (file) => JSON.parse(readFileSync(file, "utf8"))

/**
 * The files of extensions: `assets.json` in the folder `browser` of one has the files of its own assets, from the top
 * folder, and those that it adds to the style of every page.
 */
const added = globSync("src/extensions/*/browser/assets.json").toSorted().map(sourcesIn)

/** The style of every page, to which extensions add. */
const style = "style.css"

/**
 * The file or files that each asset is made of, by the name that pages use for it: TypeScript is bundled, the rest is
 * copied, but for the comments of styles.
 * @type {Sources}
 */
const sources = {
  ...Object.fromEntries(added.flatMap((sources) => Object.entries(sources))),
  "credits.css": "src/orders/browser/credits.css",
  "mark.svg": "src/site/browser/mark.svg",
  "page.js": "src/site/browser/page.ts",
  "preview.png": "src/site/browser/preview.png",
  [style]: [
    ...["base", "frame", "text", "forms", "drawings", "points", "code", "guide", "phone"].map(
      (name) => `src/site/browser/style/${name}.css`
    ),
    ...added.flatMap(({ [style]: files = [] }) => files),
    "src/site/browser/style/print.css"
  ]
}

/**
 * Modules that scripts do without, by the end of their paths, with what stands in their place: they advise on unknown
 * fields, which forms do not have.
 * @type {Record<string, string>}
 */
const leftOut = {
  "/src/campaign/UnknownFields.ts": "export const unknownFieldAdvice = () => undefined",
  "/src/input/nearestName.ts": "export const nearestName = () => undefined"
}

const withoutAdvice = {
  name: "without advice",
  load: (/** @type {string} */ id) => Object.entries(leftOut).find(([path]) => id.endsWith(path))?.[1]
}

/**
 * A script, and the parts of it that load later, by their names. Their hashes are of the bundler, as they name each other.
 * @param {string} file
 */
const bundled = async (file) => {
  // Making a schema or a decimal, or reading a property, does nothing else: those that nothing uses are left out.
  const treeshake = {
    propertyReadSideEffects: /** @type {const} */ (false),
    manualPureFunctions: ["Schema", "BigDecimal"]
  }
  const bundle = await rolldown({ input: file, platform: "browser", treeshake, plugins: [withoutAdvice] })
  const { output } = await bundle.generate({
    format: "esm",
    minify: true,
    hashCharacters: "hex",
    entryFileNames: "[name]-[hash:16].js",
    chunkFileNames: "[name]-[hash:16].js"
  })
  await bundle.close()
  return output.flatMap((chunk) =>
    chunk.type === "chunk" ? [{ name: `${chunk.name}.js`, file: chunk.fileName, content: Buffer.from(chunk.code) }] : []
  )
}

/**
 * @param {string} name
 * @param {string | ReadonlyArray<string>} source
 */
const assetsOf = async (name, source) => {
  if (typeof source === "string" && source.endsWith(".ts")) return bundled(source)
  const whole = Buffer.concat([source].flat().map((part) => readFileSync(part)))
  const content = name.endsWith(".css") ? Buffer.from(whole.toString().replaceAll(/\/\*.*?\*\/\n?/gs, "")) : whole
  const hash = createHash("sha256").update(content).digest("hex").slice(0, 16)
  const extension = extname(name)
  return [{ name, file: `${name.slice(0, -extension.length)}-${hash}${extension}`, content }]
}

/** Brotli takes half a second for the largest file, so compressed files are kept between builds. */
const cache = "node_modules/.cache/assets"

/** @param {Buffer} content */
const compressed = {
  br: (/** @type {Buffer} */ content) => brotliCompressSync(content),
  gz: (/** @type {Buffer} */ content) => gzipSync(content, { level: 9 })
}

/**
 * Makes the folder.
 * @param {string} folder
 */
export const makeAssets = async (folder) => {
  mkdirSync(folder, { recursive: true })
  mkdirSync(cache, { recursive: true })
  /** @type {Record<string, string>} */
  const files = {}
  const assets = await Promise.all(Object.entries(sources).map(([name, source]) => assetsOf(name, source)))
  for (const { content, file, name } of assets.flat()) {
    writeFileSync(`${folder}/${file}`, content)
    if (!name.endsWith(".png")) {
      for (const [ending, compress] of Object.entries(compressed)) {
        const kept = `${cache}/${file}.${ending}`
        if (!existsSync(kept)) {
          writeFileSync(`${kept}.unfinished`, compress(content))
          renameSync(`${kept}.unfinished`, kept)
        }
        writeFileSync(`${folder}/${file}.${ending}`, readFileSync(kept))
      }
    }
    files[name] = file
  }
  writeFileSync(`${folder}/assets.json`, JSON.stringify(files))
}
