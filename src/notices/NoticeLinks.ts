import { Effect, Layer, Redacted } from "effect"
import { KeyId } from "../KeyId.ts"
import { unsubscribePrefix } from "../mail/Mail.ts"
import { Links } from "../mail/Links.ts"
import { linksLayer as orderLinksLayer } from "../orders/OrderLinks.ts"
import { Notices } from "./Notices.ts"

/** Creates the links in emails: those that switch notices off, and those of keys and orders. */
export const linksLayer = (publicUrl: string) =>
  Layer.effect(
    Links,
    Effect.gen(function* () {
      const links = yield* Links
      const notices = yield* Notices
      return Links.of({
        ...links,
        make: (linkId) =>
          linkId.startsWith(unsubscribePrefix)
            ? Effect.map(notices.makeLink(KeyId.make(linkId.slice(unsubscribePrefix.length))), (path) =>
                Redacted.make(`${publicUrl}${Redacted.value(path)}`)
              )
            : links.make(linkId)
      })
    })
  ).pipe(Layer.provide(orderLinksLayer(publicUrl)))
