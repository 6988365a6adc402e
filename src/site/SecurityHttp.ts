import { DateTime, Effect, Option } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { PublicUrl } from "../http/RequestState.ts"
import { Settings } from "../Settings.ts"

const path = "/.well-known/security.txt"

/** The contact for reports of vulnerabilities (RFC 9116), if the operator has one. It is valid for 30 days. */
export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { supportEmail } = (yield* Settings).contact
    const publicUrl = yield* PublicUrl
    if (Option.isNone(supportEmail)) return
    const answer = Effect.map(DateTime.now, (now) => {
      const expires = DateTime.formatIso(DateTime.add(now, { days: 30 }))
      const contact = `mailto:${encodeURIComponent(supportEmail.value).replace("%40", "@")}`
      return HttpServerResponse.text(`Contact: ${contact}\nExpires: ${expires}\nCanonical: ${publicUrl}${path}\n`, {
        contentType: "text/plain; charset=utf-8"
      })
    })
    yield* router.add("GET", path, answer)
  })
)
