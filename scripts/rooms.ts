// Checks the imports of the files of src, including those of types, by the rules in rooms/faults.ts, that of the scripts
// only extensions.ts names what needs an extension, and the beginnings of all doc comments. Exits with status 1 if there
// is a fault.
import { globSync, readFileSync } from "node:fs"
import { questionsIn } from "./rooms/comments.ts"
import { faultsIn } from "./rooms/faults.ts"

const root = new URL("../", import.meta.url)

/** The sources below a folder, by their paths in it. The peer of the benchmark has dependencies of its own. */
const sourcesIn = (pattern: string, folder: URL) =>
  new Map(
    globSync(pattern, { cwd: folder, exclude: ["**/node_modules"] })
      .map((file) => file.replaceAll("\\", "/"))
      .map((file) => [file, readFileSync(new URL(file, folder), "utf8")])
  )

const named = [...sourcesIn("**/*.{mjs,ts}", new URL("scripts/", root))]
  .filter(([file]) => file !== "extensions.ts" && !file.startsWith("extensions/"))
  .flatMap(([file, source]) =>
    [...source.matchAll(/["'`](\.{1,2}\/(?:[\w.]+\/)*extensions\/[^"'`]+)["'`]/g)].map(
      ([, path]) => `scripts/${file} imports ${path}: only scripts/extensions.ts names what needs an extension`
    )
  )

const faults = [
  ...faultsIn(sourcesIn("**/*.ts", new URL("src/", root))),
  ...named,
  ...questionsIn(sourcesIn("{src,scripts,test}/**/*.{ts,mjs}", root))
]

for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1
