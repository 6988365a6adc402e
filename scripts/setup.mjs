// Installs the dependencies when they are missing or older than package-lock.json, and builds the program when it is
// older than its sources, so that every npm script works on a fresh clone and after each change. Runs on the machine's own
// Node (20 or newer); everything after it runs on the Node 24 that it installs.
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

process.chdir(fileURLToPath(new URL("..", import.meta.url)))

/** @param {string} folder */
const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => `${parentPath}/${name}`)
    .toSorted()

/**
 * Runs npm where a folder was not made from these files as they are now.
 * @param {ReadonlyArray<string>} files
 * @param {string} stamp
 * @param {string} message
 * @param {ReadonlyArray<string>} args
 */
const unlessMadeFrom = (files, stamp, message, args) => {
  const wanted = files
    .reduce((hash, file) => hash.update(file).update(readFileSync(file)), createHash("sha256"))
    .digest("hex")
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return
  console.error(message)
  execFileSync("npm", args, { stdio: ["ignore", 2, 2] })
  writeFileSync(stamp, wanted)
}

unlessMadeFrom(
  ["package-lock.json", ...filesIn("scripts/patches")],
  "node_modules/.setup-stamp",
  "Installing dependencies (npm ci) …",
  ["ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"]
)
unlessMadeFrom(
  [
    "package-lock.json",
    "package.json",
    "scripts/build.mjs",
    "scripts/clientTypes.mjs",
    "scripts/external.mjs",
    ...filesIn("src")
  ],
  "dist/.setup-stamp",
  "Building …",
  ["run", "build", "--silent"]
)
