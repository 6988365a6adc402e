import { type Html, html } from "../text/html.ts"
import type { ClientPackage } from "./ClientPackages.ts"
import { page } from "./layout.ts"

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
export const clientsPage = (packages: ReadonlyArray<ClientPackage>, publicUrl: string) =>
  page(
    "The clients",
    html`<h1>The clients</h1>
<p class="lead">They retry a forecast whose response was lost, without paying twice, and know every field and error.
<a href="/docs/clients">How to use them</a></p>
${packages.map((client) => section(client, publicUrl))}`
  )
