import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { existsSync, openSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { type Database, environment, here } from "./databases.ts"
import { response, body, faultOf, figuresFaultOf } from "./sample.ts"
import { freePort } from "../../../test/support/freePort.ts"

/** A server that runs and has given a correct response. */
export interface Server {
  readonly name: string
  readonly port: number
  readonly process: ChildProcess
  /** The file of its output, with a line for each collection of garbage. */
  readonly logFile: string
  /** The secrets of usable keys, one for each connection. */
  readonly secrets: ReadonlyArray<string>
  /** True if each call has an Idempotency-Key of its own. */
  readonly isIdempotent?: boolean
  /** The request, if it is not the sample forecast. */
  readonly asked?: MeteredRequest
}

/** A request other than the sample forecast, and the status of its response. */
export interface MeteredRequest {
  readonly method?: "GET" | "POST"
  readonly path?: string
  readonly body?: string
  readonly status: number
}

/** The connections of the load, each with a key of its own. */
export const connections = 64

const bound = fileURLToPath(new URL("./bound.ts", import.meta.url))
const limit = fileURLToPath(new URL("./limit.ts", import.meta.url))
const peer = fileURLToPath(new URL("../peer", import.meta.url))

/** True if there are two cores, one for the servers and one for the load. */
export const canPin = spawnSync("taskset", ["-c", "0,1", "true"]).status === 0

/** The file of the service, built at a root. */
const ourFile = (root: string) => `${root}/dist/main.js`

type CommandLine = readonly [command: string, ...args: Array<string>]

/** A command line of Node, pinned to a core if that is possible. */
export const nodeOn = (core: 0 | 1, args: ReadonlyArray<string>): CommandLine =>
  canPin ? ["taskset", "-c", String(core), process.execPath, ...args] : [process.execPath, ...args]

/** The options of Node that the service runs with, from the first line of its file. */
const optionsOfOurs = (root = here) => readFileSync(ourFile(root), "utf8").split("\n", 1)[0]?.match(/--\S+/gu) ?? []

/** The command line of a server, which reports each collection of garbage. */
const serverOf = (args: ReadonlyArray<string>) => nodeOn(1, ["--trace-gc-nvp", ...args])

/** Stops a process and waits for its end. */
const stop = async (child: ChildProcess): Promise<void> => {
  if ((child.exitCode ?? child.signalCode) !== null) return
  const ended = once(child, "exit")
  child.kill()
  await ended
}

/** Installs the peer's dependencies if they are missing or older than their lock file. */
const installPeer = () => {
  const installed = `${peer}/node_modules/.package-lock.json`
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(`${peer}/package-lock.json`).mtimeMs) return
  execFileSync("npm", ["ci", "--prefix", peer, "--no-audit", "--no-fund", "--loglevel=error"], {
    stdio: ["ignore", 2, 2]
  })
}

/** Returns functions that start servers with their logs in a directory, all on one core. */
export const makeServers = (directory: string) => {
  const started: Array<ChildProcess> = []

  const start = async (
    name: string,
    [command, ...args]: CommandLine,
    env: NodeJS.ProcessEnv,
    secrets: ReadonlyArray<string>,
    check: typeof faultOf
  ): Promise<Server> => {
    const port = await freePort()
    const logFile = `${directory}/${name}-${port}.log`
    const log = openSync(logFile, "w")
    const child = spawn(command, args, {
      cwd: directory,
      env: { ...env, PORT: String(port) },
      stdio: ["ignore", log, log]
    })
    started.push(child)
    for (;;) {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/forecast`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-api-key": secrets[0] ?? "" },
        body
      }).catch(() => undefined)
      // It is still starting.
      const isUp = response !== undefined && response.status !== 503
      const fault = isUp ? check(response.status, await response.text()) : undefined
      if (isUp && fault === undefined) return { name, port, process: child, logFile, secrets }
      if (fault !== undefined || (child.exitCode ?? child.signalCode) !== null)
        throw new Error(`${name}: ${fault ?? readFileSync(logFile, "utf8")}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  return {
    limit: () => {
      const file = `${directory}/answer.json`
      writeFileSync(file, response)
      const secrets = Array.from({ length: connections }, () => "any")
      return start("limit", serverOf([limit]), { ANSWER: file }, secrets, faultOf)
    },

    peer: (name: string, { secrets, url }: Database) => {
      installPeer()
      const env = { NODE_ENV: "production", DATABASE_URL: url }
      return start(name, serverOf([`${peer}/sqlite.mjs`]), env, secrets, figuresFaultOf)
    },

    bound: (name: string, { secrets, url }: Database) =>
      start(name, serverOf([...optionsOfOurs(), bound]), environment(url), secrets, faultOf),

    /** The service, with the options of Node of an installed one. */
    ours: (name: string, { secrets, url }: Database, more: NodeJS.ProcessEnv = {}, root = here) => {
      const env = { ...environment(url), ...more }
      // Another commit may word its responses differently.
      const check = root === here ? faultOf : figuresFaultOf
      return start(name, serverOf([...optionsOfOurs(root), ourFile(root), "serve"]), env, secrets, check)
    },

    /** Stops all servers that were started. */
    stop: async () => void (await Promise.all(started.map(stop)))
  }
}
