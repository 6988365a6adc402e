// Installs the dependencies when they are missing or older than package-lock.json, and builds the program when it is
// older than its sources, so that every npm script works on a fresh clone and after each change. Runs on the machine's own
// Node (20 or newer); everything after it runs on the Node 24 that it installs.
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

process.chdir(fileURLToPath(new URL("..", import.meta.url)))

/** @param {string} folder */
const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("__pycache__"))
    .map(({ name, parentPath }) => `${parentPath}/${name}`)
    .toSorted()

/**
 * Shows on a terminal how many of the packages are there while they are installed. Returns what ends it.
 * @param {string} message
 */
const showPackages = (message) => {
  if (!process.stderr.isTTY) return () => {}
  const entries = readFileSync("package-lock.json", "utf8").split(/^ {4}"(?=node_modules\/)/m)
  // Which of the optional ones are for this machine is not known here.
  const folders = entries
    .slice(1)
    .filter((entry) => !entry.includes('"optional": true'))
    .map((entry) => entry.slice(0, entry.indexOf('"')))
  const timer = setInterval(() => {
    const there = folders.filter((folder) => existsSync(`${folder}/package.json`)).length
    const left = folders.length - there
    const rest = left === 0 ? "all there, building …" : `${there} of ${folders.length} packages, ${left} left`
    process.stderr.write(`\r\u001b[2K${message} ${rest}`)
  }, 250)
  return () => {
    clearInterval(timer)
    process.stderr.write("\r\u001b[2K")
  }
}

/**
 * Runs npm where a folder was not made from these files as they are now.
 * @param {ReadonlyArray<string>} files
 * @param {string} stamp
 * @param {string} message
 * @param {ReadonlyArray<string>} args
 * @param {boolean} isMade whether it was made just now, by something else
 * @returns whether npm ran
 */
const unlessMadeFrom = async (files, stamp, message, args, isMade = false) => {
  const wanted = files
    .reduce((hash, file) => hash.update(file).update(readFileSync(file)), createHash("sha256"))
    .digest("hex")
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return false
  if (isMade) {
    writeFileSync(stamp, wanted)
    return false
  }
  console.error(message)
  const end = args.includes("--no-progress") ? showPackages("Installing dependencies:") : () => {}
  // npm is a script for the shell of Windows there.
  const npm = spawn("npm", [...args], { stdio: ["ignore", 2, 2], shell: process.platform === "win32" })
  await new Promise((resolve, reject) => {
    npm.once("error", reject)
    npm.once("close", resolve)
  })
  end()
  if (npm.exitCode !== 0) process.exit(1)
  writeFileSync(stamp, wanted)
  return true
}

const begun = Date.now()
const isInstalled = await unlessMadeFrom(
  ["package-lock.json", ...filesIn("scripts/patches")],
  "node_modules/.setup-stamp",
  "Installing dependencies (npm ci) …",
  ["ci", "--include=dev", "--no-audit", "--no-fund", "--no-progress", "--loglevel=error"]
)
// npm ci builds, too, by the script `prepare`, unless npm is configured to run none.
const isBuilt = isInstalled && existsSync("dist/main.js") && statSync("dist/main.js").mtimeMs >= begun
await unlessMadeFrom(
  [
    "package-lock.json",
    "package.json",
    "scripts/assets.mjs",
    "scripts/build.mjs",
    "scripts/external.mjs",
    "scripts/guide.mjs",
    "clients/python/README.md",
    "clients/python/pyproject.toml",
    "clients/typescript/README.md",
    "clients/typescript/package.json",
    ...["docs", "scripts/clients", "src", "clients/python/src", "clients/typescript/src"].flatMap((folder) =>
      filesIn(folder)
    )
  ],
  "dist/.setup-stamp",
  "Building …",
  ["run", "build", "--silent"],
  isBuilt
)
