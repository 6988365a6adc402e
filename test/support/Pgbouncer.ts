import { spawnSync } from "node:child_process"
import { copyFileSync, globSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { Effect } from "effect"
import { debianProgram } from "./DebianProgram.ts"
import { freePort } from "./freePort.ts"
import { openFolder } from "./OpenFolder.ts"
import { otherUser } from "./PostgresPrograms.ts"
import { startCommand, untilPrinted } from "./Process.ts"

const found = debianProgram("pgbouncer", "pgbouncer", /^lib(?:event|c-?ares)/)

/** The libraries that were unpacked with the program; a program of the machine has its own. */
const libraries =
  found === undefined || dirname(found) === "." ? [] : globSync(join(dirname(found), "../lib/*/lib*.so*"))

const environment = (folder: string) => ({
  PATH: process.env["PATH"],
  ...(libraries.length > 0 && { LD_LIBRARY_PATH: folder })
})

/** True if there is a pgbouncer that runs here. */
export const hasPgbouncer =
  found !== undefined && spawnSync(found, ["--version"], { env: environment(dirname(libraries[0] ?? "")) }).status === 0

/**
 * A pgbouncer in front of the server of a Postgres URL, until the scope closes, with settings besides those that Debian
 * installs. Returns the same URL through it. It refuses to run as root.
 */
export const pgbouncer = Effect.fnUntraced(function* (target: string, settings: ReadonlyArray<string>) {
  const { hostname, password, port, username } = new URL(target)
  const directory = yield* Effect.acquireRelease(
    Effect.sync(() => openFolder("pgbouncer-")),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
  )
  // Its user may not reach the folder of this repository.
  for (const file of libraries) copyFileSync(file, join(directory, basename(file)))
  const program = libraries.length === 0 ? (found ?? "") : join(directory, "pgbouncer")
  if (libraries.length > 0) copyFileSync(found ?? "", program)
  const ownPort = yield* Effect.promise(freePort)
  const lines = [
    "[databases]",
    `* = host=${hostname} port=${port || 5432}`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${ownPort}`,
    "unix_socket_dir =",
    "auth_type = plain",
    `auth_file = ${directory}/users.txt`,
    ...settings
  ]
  writeFileSync(join(directory, "pgbouncer.ini"), `${lines.join("\n")}\n`)
  const quoted = (text: string) => `"${decodeURIComponent(text).replaceAll('"', '""')}"`
  writeFileSync(join(directory, "users.txt"), `${quoted(username)} ${quoted(password)}\n`)
  const user = process.getuid?.() === 0 ? otherUser() : {}
  const running = yield* startCommand(program, ["pgbouncer.ini"], directory, environment(directory), "", user)
  yield* untilPrinted(running, "process up")
  const url = new URL(target)
  url.hostname = "127.0.0.1"
  url.port = String(ownPort)
  return url.href
})
