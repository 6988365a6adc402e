import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, globSync, mkdirSync, renameSync, rmSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { takeLock } from "../../scripts/lock.mjs"

const cache = fileURLToPath(new URL("../../node_modules/.cache/debian", import.meta.url))

/** Unpacks a Debian package into a folder, without installing it. */
const unpack = (name: string, folder: string) => {
  const unfinished = `${folder}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true })
  const options = { cwd: unfinished, stdio: "pipe", timeout: 120_000 } as const
  const download = () => execFileSync("apt-get", ["download", name], options)
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
 * The path of a program: the machine's own, otherwise that of a Debian package, which is unpacked once. If there is
 * neither, prints the reason and returns undefined.
 */
export const debianProgram = (program: string, packageName = program): string | undefined => {
  if (spawnSync(program, ["--version"]).error === undefined) return program
  const folder = `${cache}/${packageName}`
  try {
    if (!existsSync(folder)) {
      mkdirSync(cache, { recursive: true })
      const release = takeLock(`${folder}.lock`, `unpacks ${packageName}`)
      try {
        if (!existsSync(folder)) unpack(packageName, folder)
      } finally {
        release()
      }
    }
    return `${folder}/usr/bin/${program}`
  } catch (cause) {
    process.stderr.write(
      `\nTests are skipped: there is no ${program}, in PATH or as a Debian package: ${String(cause)}\n\n`
    )
    return undefined
  }
}
