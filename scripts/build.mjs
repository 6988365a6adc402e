// Makes dist/main.js, the program that users run: src and Effect in one file, without what nobody calls. It starts four
// times as fast as its sources, whose types Node would strip at each start, and takes 50 MB less. And dist/worker.js, the
// program of its threads, which load nothing else; dist/clients, what
// the service serves at /clients/; dist/assets, what browsers load; and dist/guide, the guide as HTML.
import { chmodSync, rmSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"
import { makeAssets } from "./assets.mjs"
import { makeClients } from "./clients/clients.mjs"
import { external } from "./external.mjs"
import { makeGuide } from "./guide.mjs"

process.chdir(fileURLToPath(new URL("..", import.meta.url)))
rmSync("dist", { recursive: true, force: true })

for (const input of ["src/main.ts", "src/workers/worker.ts"]) {
  const bundle = await rolldown({ input, platform: "node", external })
  await bundle.write({ dir: "dist", format: "esm" })
  await bundle.close()
}
chmodSync("dist/main.js", 0o755)

await makeClients()
await makeAssets()
makeGuide()
