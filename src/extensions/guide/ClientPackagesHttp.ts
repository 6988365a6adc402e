import { hash } from "node:crypto"
import { Effect } from "effect"
import { HttpPlatform, HttpRouter, HttpServerResponse } from "effect/http"
import { respondPublicly } from "../../http/PublicResponse.ts"
import { type Html, html } from "../../text/html.ts"
import { version } from "../../version.ts"
import { apiAddress } from "../../site/ApiAddress.ts"
import { type ClientTexts, isWheel, packClient, readClients } from "./ClientPackages.ts"
import { page } from "../../site/layout.ts"

/** A package with its bytes. */
interface ClientPackage extends ClientTexts {
  readonly bytes: Uint8Array
}

/** The command that installs a package from the address of the service. */
const commandFor = (client: ClientPackage, publicUrl: string) =>
  `${isWheel(client) ? "pip" : "npm"} install ${publicUrl}/clients/${client.name}`

const section = (client: ClientPackage, publicUrl: string): Html => {
  const { bytes, name } = client
  const language = isWheel(client) ? "Python" : "TypeScript"
  const id = language.toLowerCase()
  return html`<section class="card" aria-labelledby="${id}">
<h2 id="${id}">${language}</h2>
<div class="code"><span class="language">Shell</span><pre tabindex="0"><code>${commandFor(client, publicUrl)}</code></pre></div>
<dl><dt>File</dt><dd><a href="${name}">${name}</a></dd>
<dt>Size</dt><dd>${Math.ceil(bytes.length / 1000)} kB</dd>
<dt>SHA-256</dt><dd><code>${hash("sha256", bytes)}</code></dd></dl>
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

/** The packages of the clients, also of earlier versions, and the page that lists those of this one. */
export const makeLayer = (clients: Effect.Effect<ReadonlyArray<ClientTexts>>) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const address = yield* apiAddress
      const platform = yield* HttpPlatform.HttpPlatform
      const current: Array<Effect.Effect<ClientPackage>> = []
      for (const client of yield* clients) {
        const packed = yield* Effect.cached(Effect.map(packClient(client, address), (bytes) => ({ ...client, bytes })))
        const made = yield* Effect.cached(
          Effect.map(packed, ({ bytes }) =>
            HttpServerResponse.uint8Array(bytes, { contentType: "application/octet-stream" })
          )
        )
        yield* router.add("GET", `/clients/${client.name}`, respondPublicly(platform, made))
        if (client.version === version) current.push(packed)
      }
      const listing = Effect.map(Effect.all(current), (packages) => clientsPage(packages, address.baseUrl))
      yield* router.add("GET", "/clients/", respondPublicly(platform, yield* Effect.cached(listing)))
    })
  )

export const layer = makeLayer(readClients)
