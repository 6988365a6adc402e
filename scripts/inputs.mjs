// The inputs of an installation and of a build, so that each is repeated only when they change. Runs on Node 20.
import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"

/** @param {string} folder */
const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("__pycache__"))
    .map(({ name, parentPath }) => `${parentPath}/${name}`)
    .toSorted()

/** @param {ReadonlyArray<string>} files */
const hashOf = (files) =>
  files.reduce((hash, file) => hash.update(file).update(readFileSync(file)), createHash("sha256")).digest("hex")

/** The patches that a build applies to the packages: a patch that has changed needs packages without it. */
export const hashOfPatches = () => hashOf(filesIn("scripts/patches").filter((file) => file.endsWith(".patch")))

/** Everything that dist is made from. */
export const hashOfSources = () =>
  hashOf([
    "package-lock.json",
    "package.json",
    ...["assets", "build", "external", "guide", "inputs", "launcher", "placeFiles"].map(
      (name) => `scripts/${name}.mjs`
    ),
    "clients/python/README.md",
    "clients/python/pyproject.toml",
    "clients/typescript/README.md",
    "clients/typescript/package.json",
    ...["docs", "scripts/clients", "src", "clients/python/src", "clients/typescript/src"].flatMap(filesIn)
  ])

/** Where a build notes the patches that it has applied. */
export const patchesStamp = "node_modules/.patches"

/** Where a build notes what it was made from, and its files, each on a line. */
export const buildStamp = "dist/.build"

/** The files of the newest build, in dist. */
export const builtFiles = () => readFileSync(buildStamp, "utf8").split("\n").slice(1)
