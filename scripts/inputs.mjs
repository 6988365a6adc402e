// The inputs of an installation and of a build, each of which is repeated only when its inputs change. Runs on Node 20.
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync } from "node:fs"

/** The files below a folder, sorted. @param {string} folder */
export const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("__pycache__"))
    .map(({ name, parentPath }) => `${parentPath}/${name}`)
    .toSorted()

/** @param {ReadonlyArray<string>} files */
const hashOf = (files) =>
  files.reduce((hash, file) => hash.update(file).update(readFileSync(file)), createHash("sha256")).digest("hex")

/** The hash of the patches that a build applies to the packages; a changed patch needs unpatched packages. */
export const hashOfPatches = () => hashOf(filesIn("scripts/patches").filter((file) => file.endsWith(".patch")))

/** The hash of everything that dist is made from. */
export const hashOfSources = () =>
  hashOf([
    "package-lock.json",
    "package.json",
    ...filesIn("scripts").filter((file) => file.endsWith(".mjs")),
    ...["LICENSE", "README.md", "pyproject.toml"].map((file) => `clients/python/${file}`),
    ...["LICENSE", "README.md", "package.json"].map((file) => `clients/typescript/${file}`),
    ...(existsSync("clients/released") ? filesIn("clients/released") : []),
    ...["docs", "src", "clients/python/src", "clients/typescript/src"].flatMap(filesIn)
  ])

/** The file in which a build records the patches it has applied. */
export const patchesStamp = "node_modules/.patches"

/** The file in which a build records the hash of its sources and then its files, one per line. */
export const buildStamp = "dist/.build"

/** The files of the newest build, relative to dist. */
export const builtFiles = () => readFileSync(buildStamp, "utf8").split("\n").slice(1)
