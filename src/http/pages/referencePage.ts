import { HttpServerResponse } from "effect/http"
import { contentSecurityPolicy } from "../ResponseHeaders.ts"
import { guideNavigation } from "./guidePages.ts"

/** What the reference shows: what is here, in the order of the document, and nothing of its maker's services. */
export const scalar = {
  withDefaultFonts: false,
  hideClientButton: true,
  showDeveloperTools: "never",
  hiddenClients: true,
  orderSchemaPropertiesBy: "preserve",
  orderRequiredPropertiesFirst: false,
  telemetry: false
}

/**
 * The bar stays on top, and what of the reference sticks to the top of the window stays below it. On a narrow screen the
 * bar begins with the page that is shown. The rest keeps Scalar's decoration from being wider than the screen, and some of
 * its colours from being too faint to read.
 */
const style = `
:root { --scalar-custom-header-height: 3rem }
#api-reference-container { overflow-x: clip }
body > nav { position: sticky; top: 0; z-index: 1001; height: 3rem; overflow-x: auto; font: 1rem/1.5 system-ui, sans-serif;
  background: #12161f }
body > nav ul { display: flex; gap: 1.5rem; height: 100%; align-items: center; list-style: none; margin: 0; padding: 0 1.25rem }
body > nav a { color: #e8ecf5; text-decoration: none; white-space: nowrap }
body > nav a:hover { text-decoration: underline } body > nav a[aria-current] { font-weight: 700 }
body > nav a:focus-visible { outline: 3px solid #8fb2ff; outline-offset: -2px }
#api-reference-container .t-doc__header { top: 3rem }
@media (min-width: 1001px) { #api-reference-container .t-doc__sidebar { top: 3rem; height: calc(100dvh - 3rem) } }
body.light-mode { --scalar-color-2: #555; --scalar-color-3: #636363; --scalar-color-blue: #00629d;
  --scalar-color-orange: #b03a00; --scalar-color-green: #006b3f; --scalar-color-red: #b00000 }
body.dark-mode { --scalar-color-3: #939393; --scalar-color-red: #ff6b6b }
@media (max-width: 1000px) { body > nav li:has([aria-current]) { order: -1 } }
`

/** The reference is one page with its script inside; it may reach nothing but this server. */
const policy =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src 'self' data: blob:; " +
  "font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** `/docs`: the page that Scalar makes, with the navigation of the guide above it. */
export const referencePage = (scalar: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse => {
  if (scalar.body._tag !== "Uint8Array") throw new Error("The page that Scalar makes is no text")
  return HttpServerResponse.html(
    new TextDecoder()
      .decode(scalar.body.body)
      .replace("<html>", '<html lang="en">')
      .replace("<body>", () => `<body><style>${style}</style>${guideNavigation("reference").text}`)
  ).pipe(HttpServerResponse.setHeaders(contentSecurityPolicy.of(policy)))
}
