import { type ChildProcess, spawn } from "node:child_process"
import { accessSync, constants, statfsSync } from "node:fs"
import { readFile, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { freePort } from "./freePort.ts"
import { preparePostgres } from "./PostgresPrograms.ts"

/** A separate Postgres server on 127.0.0.1, whose role `postgres` is a superuser. */
export interface PostgresServer {
  /** The URL of its database `postgres`, which stays the same after restarts. */
  readonly url: string
  /** Kills all processes of the server with SIGKILL at once; the data stay as they are at that moment. */
  readonly kill: () => Promise<void>
  /** Starts it again after `kill`, with the same data, on the same port. */
  readonly start: () => Promise<void>
  /** Stops it if it is running, and deletes its data. */
  readonly stop: () => Promise<void>
}

/** Far more than the data of a test run, in bytes. */
const enoughMemory = 4 * 2 ** 30

/**
 * The folder for data that must survive the server but not the machine: in memory if there is room, because tests on
 * Postgres would otherwise spend most of their time waiting for a disk when databases are created and dropped.
 */
const folderForData = () => {
  const memory = "/dev/shm"
  try {
    accessSync(memory, constants.W_OK)
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize > enoughMemory ? memory : tmpdir()
  } catch {
    return tmpdir()
  }
}

/**
 * Starts a Postgres server with new data in a temporary folder, which takes about a second. Even if this process is
 * killed, it is stopped and its data are deleted.
 */
export const startPostgres = async (): Promise<PostgresServer> => {
  const { data, directory, initdb, options, postgres } = preparePostgres(folderForData())
  const port = await freePort()
  let log = ""
  const guard = startGuard(directory)
  let running: Running | undefined

  /** Starts one of the programs, with its output in the log; `ended` fails if it cannot be started. */
  const spawnProgram = (program: string, args: ReadonlyArray<string>): Running => {
    const child = spawn(program, args, {
      ...options,
      env: { ...process.env, LC_ALL: "C" },
      stdio: ["ignore", "pipe", "pipe"]
    })
    for (const output of [child.stdout, child.stderr]) {
      output.setEncoding("utf8").on("data", (text: string) => {
        log += text
      })
    }
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once("error", (cause) => reject(new Error(`${program} cannot be started: ${cause.message}`, { cause })))
      child.once("close", resolve)
    })
    // A later `await` still gets the failure.
    ended.catch(() => {})
    return { child, ended }
  }

  const initialize = async () => {
    const password = join(directory, "password")
    await writeFile(password, "postgres\n")
    const { ended } = spawnProgram(initdb, [
      `--pgdata=${data}`,
      `--pwfile=${password}`,
      "--auth=password",
      "--username=postgres",
      "--encoding=UTF8",
      "--locale=C",
      "--no-sync",
      // Checks a password in microseconds, not milliseconds: the tests connect a thousand times.
      "--set=scram_iterations=1"
    ])
    const code = await ended
    if (code !== 0) throw new Error(`initdb ended with ${code}`)
  }

  const settings = [
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    // In the data folder, so that a kill leaves nothing behind elsewhere.
    "dynamic_shared_memory_type=mmap"
  ].flatMap((setting) => ["-c", setting])

  const startOnce = async () => {
    log = ""
    const started = spawnProgram(postgres, ["-D", data, "-p", String(port), ...settings])
    const ready = new Promise<void>((resolve) => {
      started.child.stderr?.on("data", () => {
        if (log.includes("ready to accept connections")) resolve()
      })
    })
    const ended = started.ended.then((code) => {
      throw new Error(`postgres ended with ${code}`)
    })
    ended.catch(() => {})
    await Promise.race([ready, ended])
    return started
  }

  const start = async () => {
    for (let attempt = 1; running === undefined; attempt++) {
      try {
        running = await startOnce()
      } catch (cause) {
        // Processes of the killed server are still ending.
        if (attempt === 200 || !log.includes("shared memory block")) throw explained(cause)
        await sleep(25)
      }
    }
    guard.watch(running.child.pid)
  }

  const kill = async () => {
    if (running === undefined) return
    const { child, ended } = running
    const pid = child.pid ?? 0
    running = undefined
    // Once stopped, it cannot react to the end of the others, nor can they notify their clients of its end.
    signal(pid, "SIGSTOP")
    for (const each of await childrenOf(pid)) signal(each, "SIGKILL")
    signal(pid, "SIGKILL")
    guard.watch(undefined)
    await ended
  }

  const explained = (cause: unknown) =>
    new Error(`Postgres cannot be started: ${cause instanceof Error ? cause.message : String(cause)}\n${log}`, {
      cause
    })

  try {
    await initialize().catch((cause: unknown) => {
      throw explained(cause)
    })
    await start()
  } catch (error) {
    await guard.end()
    throw error
  }
  return { url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`, kill, start, stop: guard.end }
}

/** A process of Postgres; `ended` gives its exit code. */
interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<number | null>
}

/**
 * Starts a process that guards a server, so that it ends with this process, however that ends. The guard reads the
 * server's process id, or an empty line for none; at the end of its input it stops that server and deletes the data. A
 * server removes its lock file when it has ended; a killed one leaves it behind, with the id of a shared memory segment
 * in line 7.
 */
const startGuard = (directory: string) => {
  const script = `while read -r line; do pid=$line; done
    lock=$0/data/postmaster.pid
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

/**
 * The other processes of a server, which only Linux lists; elsewhere they end when they notice that the first has
 * ended.
 */
const childrenOf = async (pid: number): Promise<ReadonlyArray<number>> => {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "")
  return children.split(" ").filter(Boolean).map(Number)
}

/** Sends a signal to a process, which may have ended. */
const signal = (pid: number, name: NodeJS.Signals) => {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended.
  }
}
