import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { existsSync, openSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { fileURLToPath } from "node:url"
import { environment, main, smallDatabase } from "./databases.ts"
import { answer, body, faultOf } from "./sample.ts"

/** A server that runs and has given a right answer. */
export interface Server {
  readonly name: string
  readonly port: number
  /** The secrets of usable keys, one for each connection. */
  readonly secrets: ReadonlyArray<string>
  readonly process: ChildProcess
  /** Whether each call carries an Idempotency-Key of its own. */
  readonly isIdempotent?: boolean
}

/** The connections of the load, each with a key of its own. */
export const connections = 64

const limit = fileURLToPath(new URL("./limit.ts", import.meta.url))
const peer = fileURLToPath(new URL("../peer", import.meta.url))

/** Whether there are two cores to choose from, one for the servers and one for the load. */
export const canPin = spawnSync("taskset", ["-c", "0,1", "true"]).status === 0

/** A command line, on one core where that can be chosen. */
const onCore = (
  core: 0 | 1,
  [command, ...args]: readonly [string, ...Array<string>]
): [string, ReadonlyArray<string>] => (canPin ? ["taskset", ["-c", String(core), command, ...args]] : [command, args])

/** A command line of Node, on one core where that can be chosen. */
export const nodeOn = (core: 0 | 1, args: ReadonlyArray<string>) => onCore(core, [process.execPath, ...args])

/** Stops a server and waits for its end. */
export const stop = async ({ process: child }: Server): Promise<void> => {
  if ((child.exitCode ?? child.signalCode) !== null) return
  const ended = once(child, "exit")
  child.kill()
  await ended
}

/** Installs the peer's dependencies where they are missing or older than its lock file. */
const installPeer = () => {
  const installed = `${peer}/node_modules/.package-lock.json`
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(`${peer}/package-lock.json`).mtimeMs) return
  execFileSync("npm", ["ci", "--prefix", peer, "--no-audit", "--no-fund", "--loglevel=error"], {
    stdio: ["ignore", 2, 2]
  })
}

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resolve(typeof address === "object" ? (address?.port ?? 0) : 0))
    })
  })

/** Starts servers that keep their databases and logs in a directory. */
export const makeServers = (directory: string) => {
  const start = async (
    name: string,
    [command, commandArgs]: [string, ReadonlyArray<string>],
    env: NodeJS.ProcessEnv,
    secrets: ReadonlyArray<string>
  ): Promise<Server> => {
    const port = await freePort()
    const logFile = `${directory}/${name}.log`
    const log = openSync(logFile, "w")
    const child = spawn(command, commandArgs, {
      cwd: directory,
      env: { ...env, PORT: String(port) },
      stdio: ["ignore", log, log]
    })
    for (;;) {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/forecast`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-api-key": secrets[0] ?? "" },
        body
      }).catch(() => undefined)
      const fault = response && faultOf(response.status, await response.text())
      if (response !== undefined && fault === undefined) return { name, port, secrets, process: child }
      if (fault !== undefined || (child.exitCode ?? child.signalCode) !== null) {
        child.kill()
        throw new Error(`${name}: ${fault ?? readFileSync(logFile, "utf8")}`)
      }
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  return {
    limit: () => {
      const file = `${directory}/answer.json`
      writeFileSync(file, answer)
      return start(
        "limit",
        nodeOn(1, [limit]),
        { ANSWER: file },
        Array.from({ length: connections }, () => "any")
      )
    },

    peer: (synchronous: "FULL" | "NORMAL") => {
      installPeer()
      const name = `peer-${synchronous.toLowerCase()}`
      const { file, secrets } = smallDatabase(`${directory}/${name}.db`, connections)
      const env = { NODE_ENV: "production", DATABASE_FILE: file, SYNCHRONOUS: synchronous }
      return start(name, nodeOn(1, [`${peer}/server.mjs`]), env, secrets)
    },

    ours: (name: string, database: typeof smallDatabase) => {
      const { file, secrets } = database(`${directory}/${name}.db`, connections)
      // As it is installed: the file's first line says which Node runs it, and how.
      return start(name, onCore(1, [main, "serve"]), environment(file), secrets)
    }
  }
}
