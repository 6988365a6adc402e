import { execFileSync } from "node:child_process"
import { mkdirSync, symlinkSync } from "node:fs"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../..", import.meta.url))

/** Builds an earlier commit in a directory, with the dependencies of the working tree. Returns its root. */
export const buildBefore = (commit: string, directory: string): string => {
  const tree = `${directory}/before`
  mkdirSync(tree)
  execFileSync("git", ["archive", `--output=${tree}.tar`, commit], { cwd: root })
  execFileSync("tar", ["-xf", `${tree}.tar`, "-C", tree])
  symlinkSync(`${root}/node_modules`, `${tree}/node_modules`)
  execFileSync(process.execPath, ["scripts/build.mjs"], { cwd: tree, stdio: ["ignore", 2, 2] })
  return tree
}
