// Collects what is in the wheel of the Python client
// (https://packaging.python.org/specifications/binary-distribution-format), from its pyproject.toml, without Python.
import { readFileSync } from "node:fs"
import { basename, join, relative, sep } from "node:path"
import { Schema } from "effect"
import { parse } from "smol-toml"
import { filesIn } from "../inputs.mjs"

const Texts = Schema.Array(Schema.String)

const Project = Schema.Struct({
  name: Schema.String,
  description: Schema.String,
  readme: Schema.String,
  "requires-python": Schema.String,
  dynamic: Schema.Tuple([Schema.Literal("version")]),
  license: Schema.String,
  "license-files": Texts,
  classifiers: Texts,
  dependencies: Texts
})

const Tool = Schema.Struct({
  version: Schema.Struct({ path: Schema.String }),
  build: Schema.Struct({
    targets: Schema.Struct({ wheel: Schema.Struct({ packages: Schema.Tuple([Schema.String]) }) })
  })
})

/** Refuses unknown entries, which would be missing from the wheel. */
const strictly = /** @type {const} */ ({ onExcessProperty: "error" })
const decodeProject = Schema.decodeUnknownSync(Project, strictly)
const decodeTool = Schema.decodeUnknownSync(Tool, strictly)
const decode = Schema.decodeUnknownSync(
  Schema.Struct({ project: Schema.Unknown, tool: Schema.Struct({ hatch: Schema.Unknown }) })
)

/** The files of a package with their paths in the wheel, in the same order on every machine. */
const filesOf = (/** @type {string} */ folder) =>
  filesIn(folder)
    .map((file) => ({ file, path: join(basename(folder), relative(folder, file)).replaceAll(sep, "/") }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))

/**
 * The version of a package with a pyproject.toml, the name of its wheel, and the texts in it by path, without RECORD,
 * which has their hashes.
 * @param {string} folder
 */
export const wheel = (folder) => {
  const read = (/** @type {string} */ path) => readFileSync(join(folder, path), "utf8")
  const { project, tool } = decode(parse(read("pyproject.toml")))
  const metadata = decodeProject(project)
  const { build, version: source } = decodeTool(tool.hatch)
  const [, version] = /^__version__ = "(.+)"$/m.exec(read(source.path)) ?? []
  if (version === undefined) throw new Error(`${source.path} has no __version__`)

  const distribution = metadata.name.replaceAll(/[-_.]+/g, "_")
  const info = `${distribution}-${version}.dist-info`
  const fields = [
    ["Metadata-Version", "2.4"],
    ["Name", metadata.name],
    ["Version", version],
    ["Summary", metadata.description],
    ["License-Expression", metadata.license],
    ...metadata["license-files"].map((file) => ["License-File", file]),
    ...metadata.classifiers.map((classifier) => ["Classifier", classifier]),
    ["Requires-Python", metadata["requires-python"]],
    ...metadata.dependencies.map((need) => ["Requires-Dist", need]),
    ["Description-Content-Type", "text/markdown"]
  ]
  const [packageFolder] = build.targets.wheel.packages
  const files = {
    ...Object.fromEntries(
      filesOf(join(folder, packageFolder)).map(({ file, path }) => [path, readFileSync(file, "utf8")])
    ),
    [`${info}/METADATA`]: `${fields.map(([name, value]) => `${name}: ${value}\n`).join("")}\n${read(metadata.readme)}`,
    [`${info}/WHEEL`]: "Wheel-Version: 1.0\nGenerator: outreach-forecast\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    ...Object.fromEntries(metadata["license-files"].map((file) => [`${info}/licenses/${file}`, read(file)]))
  }
  return { version, name: `${distribution}-${version}-py3-none-any.whl`, files }
}
