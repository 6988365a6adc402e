import { Effect, Option } from "effect"
import { HttpPlatform, HttpRouter } from "effect/http"
import { respondPublicly } from "../../http/PublicResponse.ts"
import { PublicUrl } from "../../http/RequestState.ts"
import { Settings } from "../../Settings.ts"
import { privacyPage } from "./PrivacyPages.ts"

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { contact, retention, stripe } = yield* Settings
    const publicUrl = yield* PublicUrl
    const platform = yield* HttpPlatform.HttpPlatform
    const page = privacyPage({
      url: `${publicUrl}/privacy`,
      supportEmail: Option.getOrUndefined(contact.supportEmail),
      retention,
      hasStripe: Option.isSome(stripe)
    })
    yield* router.add("GET", "/privacy", respondPublicly(platform, Effect.succeed(page)))
  })
)
