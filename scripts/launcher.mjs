// The beginning of dist/main.js: runs the program on a Node that is new enough, and stops it when npm ends. Runs on any
// Node since 18.
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import Module, { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const oldestNode = 24

/** The build inserts the folder of the code here. */
const program = "CODE/main.js"

// Node would open its debugger, which every user of the machine can connect to.
process.on("SIGUSR1", () => {})

// npm does not pass signals on to the process that it runs.
if (process.env["npm_execpath"] !== undefined) {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    process.kill(process.pid, "SIGTERM")
  }, 200).unref()
}

/** The Node of the npm package `node`, which an installation adds if the machine's own is too old. */
const bundledNode = () => {
  try {
    const node = join(dirname(createRequire(import.meta.url).resolve("node/package.json")), "bin/node")
    return existsSync(node) ? node : undefined
  } catch {
    return undefined
  }
}

/**
 * Runs this program on another Node in place of this process, and ends as it does.
 * @param {string} node
 */
const runOn = (node) => {
  const args = [...process.execArgv, fileURLToPath(import.meta.url), ...process.argv.slice(2)]
  const child = spawn(node, args, { stdio: "inherit" })
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
    process.on(signal, () => child.kill(signal))
  }
  child.once("exit", (code, signal) => {
    if (signal === null) process.exit(code ?? 1)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

/** Reports what is wrong, as a line of the log if the service would have written one. */
const refuse = () => {
  const reason = `Outreach Forecast needs Node ${oldestNode} or newer, and this is ${process.versions.node} at ${process.execPath}. Install a newer one, or run npm install without --ignore-scripts, which brings one.`
  const isLogged = process.env["APP_ENV"] === "production" && process.argv.includes("serve")
  const time = new Date().toISOString()
  console.error(isLogged ? JSON.stringify({ time, level: "error", message: "service failed", reason }) : reason)
  process.exit(1)
}

if (Number.parseInt(process.versions.node, 10) >= oldestNode) {
  // Without the cache, compiling takes a quarter of a start. It is next to the code and not in the temporary folder,
  // where anyone could write: whoever writes the cache can run code here.
  Module.enableCompileCache(fileURLToPath(new URL(`${dirname(program)}/.cache`, import.meta.url)))
  await import(program)
} else {
  const node = bundledNode()
  if (node === undefined || node === process.execPath) refuse()
  else runOn(node)
}
