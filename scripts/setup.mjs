// Installs the packages if any are missing or differ from package-lock.json, and builds the program if it is older than
// its sources, so that every npm script works on a fresh clone and after each change. For `npm start` (--omit=dev) it
// installs only what is needed to run; the other scripts add the rest. This file runs on Node 20; everything else runs
// on the machine's own Node if that is new enough, otherwise on the one that it installs.
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { delimiter } from "node:path"
import { fileURLToPath } from "node:url"
import { buildStamp, hashOfPatches, hashOfSources, patchesStamp } from "./inputs.mjs"
import { takeLock } from "./lock.mjs"

process.chdir(fileURLToPath(new URL("..", import.meta.url)))
const omitsDev = process.argv.includes("--omit=dev")
const oldestNode = 24

/** @typedef {{ version?: string, integrity?: string, dev?: boolean, optional?: boolean, devOptional?: boolean }} Package */

/**
 * The packages of a lock file by their folders.
 * @param {string} file
 * @returns {Array<[string, Package]>}
 */
const packagesOf = (file) => {
  /** @type {{ packages: Record<string, Package> }} */
  // oxlint-disable-next-line typescript/no-unsafe-assignment -- npm writes it, and what could check it is not installed yet
  const { packages } = JSON.parse(readFileSync(file, "utf8"))
  return Object.entries(packages).filter(([folder]) => folder.startsWith("node_modules/"))
}

/**
 * True if a package is installed on every machine.
 * @param {Package} entry
 */
const isNeeded = ({ dev, devOptional, optional }) => !optional && !devOptional && !(dev && omitsDev)

/** The file in which npm records what it has installed, once all of it is there, whoever ran it. */
const npmsNote = "node_modules/.package-lock.json"
const bundledNode = "node_modules/node/bin/node"

/** The major version of the machine's own Node, on which scripts run if no package provides one. */
const ownNode = () => {
  const path = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => !folder.includes("node_modules"))
  const { stdout } = spawnSync("node", ["--print", "process.versions.node"], {
    encoding: "utf8",
    env: { ...process.env, PATH: path.join(delimiter) }
  })
  return Number.parseInt(stdout ?? "", 10)
}
const hasNode = () => existsSync(bundledNode) || ownNode() >= oldestNode

/** The hash of the patches that have been applied to the packages; undefined before a build. */
const patches = () => (existsSync(patchesStamp) ? readFileSync(patchesStamp, "utf8") : undefined)

const isInstalled = () => {
  if (!existsSync(npmsNote) || ![undefined, hashOfPatches()].includes(patches())) return false
  const installed = new Map(packagesOf(npmsNote))
  return packagesOf("package-lock.json").every(([folder, entry]) => {
    const found = installed.get(folder)
    if (found === undefined) return !isNeeded(entry)
    return found.version === entry.version && found.integrity === entry.integrity
  })
}

const isBuilt = () =>
  patches() !== undefined &&
  existsSync(buildStamp) &&
  readFileSync(buildStamp, "utf8").startsWith(`${hashOfSources()}\n`)

const signals = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])

/**
 * Runs npm, and passes on signals to it, so that it never outlives the lock.
 * @param {ReadonlyArray<string>} args
 */
const runNpm = async (args) => {
  let isStopped = false
  /** @param {NodeJS.Signals} signal */
  const stop = (signal) => {
    isStopped = true
    npm.kill(signal)
  }
  // Before npm runs: a signal that came first would leave it behind.
  for (const signal of signals) process.on(signal, stop)
  // On Windows npm is a batch file.
  const npm = spawn("npm", [...args], { stdio: ["ignore", 2, 2], shell: process.platform === "win32" })
  await once(npm, "close")
  for (const signal of signals) process.off(signal, stop)
  if (isStopped || npm.exitCode !== 0) process.exit(1)
}

const install = async () => {
  // Only the package `node` needs its install script to run.
  const dev = omitsDev ? ["--omit=dev", ...(ownNode() >= oldestNode ? ["--ignore-scripts"] : [])] : ["--include=dev"]
  const what = omitsDev ? "what is needed to run" : "dependencies"
  console.error(`Installing ${what} (npm ci ${dev.join(" ")}) …`)
  await runNpm(["ci", ...dev, "--no-audit", "--no-fund", "--loglevel=error"])
}

if (!isInstalled() || !hasNode() || !isBuilt()) {
  const release = takeLock(".setup-lock", "sets up this folder")
  if (!isInstalled() || !hasNode()) await install()
  if (!hasNode()) {
    console.error(`Node ${oldestNode} or newer is needed: install it, or let npm run the script of the package node`)
    process.exit(1)
  }
  // npm ci has built as well, with the script `prepare`, unless scripts were disabled.
  if (!isBuilt()) {
    console.error("Building …")
    await runNpm(["run", "build", "--silent"])
  }
  release()
}
