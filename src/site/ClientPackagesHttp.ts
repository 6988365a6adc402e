import { hash } from "node:crypto"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { Effect, FileSystem } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { PublicUrl } from "../http/RequestState.ts"
import { makePublicResponder } from "../http/PublicResponse.ts"
import { type Html, html } from "../text/html.ts"
import { page } from "./layout.ts"

/** A client package from the build. */
interface ClientPackage {
  readonly file: string
  readonly language: "Python" | "TypeScript"
  readonly bytes: Uint8Array
  /** In hexadecimal digits. */
  readonly sha256: string
}

/** The folder in the package, whether the sources or the built program is run. */
const folder = join(dirname(createRequire(import.meta.url).resolve("outreach-forecast/package.json")), "dist/clients")

const readPackage = Effect.fnUntraced(function* (file: string) {
  const bytes = yield* Effect.flatMap(FileSystem.FileSystem, (files) => files.readFile(join(folder, file)))
  const language = file.endsWith(".whl") ? "Python" : "TypeScript"
  return { file, language, bytes, sha256: hash("sha256", bytes) } satisfies ClientPackage
})

/** Reads the packages, the one for Python first. A missing build is a defect. */
const readClientPackages: Effect.Effect<ReadonlyArray<ClientPackage>> = Effect.gen(function* () {
  const files = yield* Effect.flatMap(FileSystem.FileSystem, (files) => files.readDirectory(folder))
  const packages = yield* Effect.forEach(files, readPackage)
  return packages.toSorted((a, b) => (a.language < b.language ? -1 : 1))
}).pipe(Effect.orDie, Effect.provide(NodeFileSystem.layer))

/** The command that installs a package from the address of the service. */
const commandFor = ({ file, language }: ClientPackage, publicUrl: string) =>
  `${language === "Python" ? "pip" : "npm"} install ${publicUrl}/clients/${file}`

const section = (client: ClientPackage, publicUrl: string): Html => {
  const { bytes, file, language, sha256 } = client
  const id = language.toLowerCase()
  return html`<section class="card" aria-labelledby="${id}">
<h2 id="${id}">${language}</h2>
<div class="code"><span class="language">Shell</span><pre tabindex="0"><code>${commandFor(client, publicUrl)}</code></pre></div>
<dl><dt>File</dt><dd><a href="${file}">${file}</a></dd>
<dt>Size</dt><dd>${Math.ceil(bytes.length / 1000)} kB</dd>
<dt>SHA-256</dt><dd><code>${sha256}</code></dd></dl>
</section>
`
}

/** `/clients/`: the packages of the clients, and how to install them. */
const clientsPage = (packages: ReadonlyArray<ClientPackage>, publicUrl: string) =>
  page(
    "The clients",
    html`<h1>The clients</h1>
<p class="lead">They retry a forecast whose response was lost, without paying twice, and know every field and error.
<a href="/docs/clients">How to use them</a></p>
${packages.map((client) => section(client, publicUrl))}`
  )

/** The packages of the clients, and the page that lists them. */
export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const publicUrl = yield* PublicUrl
    const respondPublicly = yield* makePublicResponder
    const packages = yield* readClientPackages
    const listed = yield* Effect.cached(Effect.sync(() => clientsPage(packages, publicUrl)))
    yield* router.add("GET", "/clients/", respondPublicly(listed))
    for (const { bytes, file } of packages) {
      const made = HttpServerResponse.uint8Array(bytes, { contentType: "application/octet-stream" })
      yield* router.add("GET", `/clients/${file}`, respondPublicly(Effect.succeed(made)))
    }
  })
)
