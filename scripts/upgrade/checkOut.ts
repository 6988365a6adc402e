import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import { temporaryDirectory } from "../../test/support/Application.ts"
import { outputOf } from "../../test/support/Process.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** Installs and builds a commit in a folder that exists until the scope closes, and returns the folder. */
export const checkOut = Effect.fnUntraced(function* (commit: string) {
  const folder = yield* temporaryDirectory
  yield* outputOf("git", ["cat-file", "-e", `${commit}^{commit}`], {}, root).pipe(
    Effect.catchDefect(() =>
      Effect.die(new Error(`This clone does not have the commit ${commit}: run git fetch --unshallow, and try again`))
    )
  )
  console.log(`installs and builds ${commit}`)
  yield* outputOf("sh", ["-c", 'git archive "$1" | tar -x -C "$2"', "sh", commit, folder], {}, root)
  yield* outputOf("npm", ["run", "setup"], {}, folder)
  return folder
})
