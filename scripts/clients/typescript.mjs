// Builds the TypeScript client, and collects what `npm pack` packs, without npm.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Schema } from "effect"
import { rolldown } from "rolldown"
import { isolatedDeclarationSync } from "rolldown/experimental"
import { placeFiles } from "../placeFiles.mjs"

/** The modules whose declarations are the types of the package, each after the modules it depends on. */
const modules = ["Wire", "ClientOptions", "Answered", "OutreachForecastError", "APIError", "Client"]

/**
 * The types of a module, without its imports, because all types are in one file. @param {string} folder @param {string}
 * name
 */
const declarationOf = (folder, name) => {
  const file = join(folder, "src", `${name}.ts`)
  const { code, errors } = isolatedDeclarationSync(file, readFileSync(file, "utf8"))
  if (errors.length > 0) throw new Error(`${file}: ${errors.map(({ message }) => message).join("; ")}`)
  return code.replaceAll(/^import .*\n/gm, "")
}

/**
 * Builds the package in its folder, as an ES module and a CommonJS module with the same types. @param {string} folder
 */
export const buildTypescript = async (folder) => {
  const unfinished = join(folder, "dist/.unfinished")
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true })
  const bundle = await rolldown({ input: join(folder, "src/index.ts"), platform: "neutral" })
  // The comments are in the types, where editors look for them.
  const output = /** @type {const} */ ({ comments: false, exports: "named" })
  await bundle.write({ ...output, file: join(unfinished, "index.js"), format: "esm" })
  await bundle.write({ ...output, file: join(unfinished, "index.cjs"), format: "cjs" })
  await bundle.close()
  const types = modules.map((name) => declarationOf(folder, name)).join("\n")
  for (const name of ["index.d.ts", "index.d.cts"]) writeFileSync(join(unfinished, name), types)
  placeFiles(unfinished, join(folder, "dist"))
}

const decodeManifest = Schema.decodeUnknownSync(
  Schema.fromJsonString(
    Schema.Struct({ name: Schema.String, version: Schema.String, files: Schema.Tuple([Schema.Literal("dist")]) })
  )
)

/** The version of a built package, the name of its tarball, and the texts in it by path. @param {string} folder */
export const tarball = (folder) => {
  const { name, version } = decodeManifest(readFileSync(join(folder, "package.json"), "utf8"))
  const built = readdirSync(join(folder, "dist")).toSorted()
  const paths = ["package.json", "README.md", "LICENSE", ...built.map((file) => `dist/${file}`)]
  const files = Object.fromEntries(paths.map((path) => [`package/${path}`, readFileSync(join(folder, path), "utf8")]))
  return { version, name: `${name}-${version}.tgz`, files }
}
