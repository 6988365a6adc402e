import { HttpRouter, HttpServerResponse } from "effect/http"

/** `/`, where no extension has a page there: leads to the form that requests a key. */
export const layer = HttpRouter.add("GET", "/", HttpServerResponse.redirect("/access", { status: 302 }))
