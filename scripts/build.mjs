// Makes dist/main.js, the program that users run: src and Effect in one file, without what nobody calls. It starts four
// times as fast as its sources, whose types Node would strip at each start, and takes 50 MB less. And dist/client, what
// `outreach-forecast/client` is: one file that needs no other, and its types.
import { chmodSync, rmSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"
import * as Routes from "../src/client/Routes.ts"
import { declarations } from "./clientTypes.mjs"
import { external } from "./external.mjs"

process.chdir(fileURLToPath(new URL("..", import.meta.url)))
rmSync("dist", { recursive: true, force: true })

/**
 * Bundled each by itself: a file that both share would be one more to load when the program starts.
 * @param {import("rolldown").InputOptions} input
 * @param {string} dir
 */
const bundle = async (input, dir) => {
  const bundle = await rolldown(input)
  await bundle.write({ dir, format: "esm" })
  await bundle.close()
}

await bundle({ input: "src/main.ts", platform: "node", external }, "dist")
chmodSync("dist/main.js", 0o755)

/** The routes are put in as they are now: what they are computed from would bring the server with it. */
const computed = {
  name: "computed-routes",
  /** @param {string} id */
  load: (id) =>
    id === fileURLToPath(new URL("../src/client/Routes.ts", import.meta.url))
      ? Object.entries(Routes)
          .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}\n`)
          .join("")
      : null
}
await bundle({ input: "src/client/Client.ts", platform: "neutral", plugins: [computed] }, "dist/client")
for (const [name, text] of declarations) writeFileSync(`dist/client/${name}.d.ts`, text)
