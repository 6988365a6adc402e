import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, globSync, mkdirSync, renameSync, rmSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { takeLock } from "../../scripts/lock.mjs"

const cache = fileURLToPath(new URL("../../node_modules/.cache/debian", import.meta.url))

/** The packages of libraries that a package depends on and that a machine without it may lack. */
const librariesOf = (name: string, libraries: RegExp): ReadonlyArray<string> =>
  [...execFileSync("apt-cache", ["depends", name], { encoding: "utf8" }).matchAll(/ Depends: (\S+)/g)].flatMap(
    ([, library = ""]) => (libraries.test(library) ? [library] : [])
  )

/** Unpacks a Debian package and its libraries into a folder, without installing them. */
const unpack = (name: string, libraries: RegExp, folder: string) => {
  const unfinished = `${folder}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true })
  const options = { cwd: unfinished, stdio: "pipe", timeout: 120_000 } as const
  const download = () => execFileSync("apt-get", ["download", name, ...librariesOf(name, libraries)], options)
  try {
    download()
  } catch {
    // A new machine has no package lists yet.
    execFileSync("apt-get", ["update"], options)
    download()
  }
  for (const file of globSync("*.deb", { cwd: unfinished })) execFileSync("dpkg", ["-x", file, "."], options)
  renameSync(unfinished, folder)
}

/**
 * The path of a program: the machine's own, otherwise that of a Debian package, which is unpacked once, with those of
 * its libraries whose names match. If there is neither, prints the reason and returns undefined.
 */
export const debianProgram = (program: string, packageName = program, libraries = /^$/): string | undefined => {
  if (spawnSync(program, ["--version"]).error === undefined) return program
  const folder = `${cache}/${packageName}`
  try {
    if (!existsSync(folder)) {
      mkdirSync(cache, { recursive: true })
      const release = takeLock(`${folder}.lock`, `unpacks ${packageName}`)
      try {
        if (!existsSync(folder)) unpack(packageName, libraries, folder)
      } finally {
        release()
      }
    }
    const [path] = globSync(`${folder}/usr/{bin,sbin}/${program}`)
    if (path === undefined) throw new Error(`The package ${packageName} has no program ${program}`)
    return path
  } catch (cause) {
    process.stderr.write(
      `\nTests are skipped: there is no ${program}, in PATH or as a Debian package: ${String(cause)}\n\n`
    )
    return undefined
  }
}
