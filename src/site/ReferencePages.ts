import { HttpServerResponse } from "effect/http"
import { Html, html } from "../text/html.ts"
import { contentSecurityPolicy } from "../http/ResponseHeaders.ts"
import { assetPath } from "./Assets.ts"
import { siteNavigation } from "./layout.ts"

/** What the reference shows: what is here, in the order of the document, and nothing of its maker's services. */
const configuration = {
  url: "/openapi.json",
  // The page may call no other server than its own, by whatever name it was opened.
  servers: [{ url: "/" }],
  withDefaultFonts: false,
  hideClientButton: true,
  showDeveloperTools: "never",
  hiddenClients: true,
  orderSchemaPropertiesBy: "preserve",
  orderRequiredPropertiesFirst: false,
  telemetry: false
}

/**
 * Scalar takes no nonce for the styles that it writes into the page, and those of its editor and of its elements' attributes
 * change as it runs, so that no list of hashes names them. It may reach nothing but this server.
 */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** What fills the console in: there a reader can try a call at once. */
const demoAuthentication = {
  authentication: { preferredSecurityScheme: "apiKey", securitySchemes: { apiKey: { value: "demo" } } }
}

/** `/docs`: Scalar, which draws the OpenAPI document, below the navigation of the site. */
export const referencePage = (hasDemoKey: boolean): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.html(
    html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Reference – Outreach Forecast</title>
<link rel="preload" href="/openapi.json" as="fetch" crossorigin>
<link rel="icon" href="${assetPath("mark.svg")}" type="image/svg+xml">
<link rel="stylesheet" href="${assetPath("reference.css")}">
</head>
<body>
<header class="site">${siteNavigation("/docs")}</header>
<div id="api-reference-container"></div>
<noscript><p class="plain">The reference needs JavaScript. <a href="/docs/first-call">The guide</a> works without it, and
<a href="/openapi.json">the OpenAPI document</a> has everything.</p></noscript>
<script type="application/json" id="configuration">${new Html(JSON.stringify({ ...configuration, ...(hasDemoKey && demoAuthentication) }))}</script>
<script src="${assetPath("scalar.js")}" defer></script>
<script src="${assetPath("reference.js")}" type="module"></script>
</body>
</html>
`.text
  ).pipe(
    HttpServerResponse.setHeaders({ "content-type": "text/html; charset=utf-8", ...contentSecurityPolicy.of(policy) })
  )
