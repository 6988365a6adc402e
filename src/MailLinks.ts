import { Effect, Layer, Redacted } from "effect"
import { added } from "./Extension.ts"
import { extensions } from "./extensions.ts"
import { AccessRequests } from "./keys/AccessRequests.ts"
import type { MailLink } from "./mail/Mail.ts"
import { MailUrls } from "./mail/MailWorker.ts"
import { Orders } from "./orders/Orders.ts"

/** The links in emails of all rooms and extensions; `publicUrl` is the address of this service. */
export const layer = (publicUrl: string) =>
  Layer.effect(
    MailUrls,
    Effect.gen(function* () {
      const accessRequests = yield* AccessRequests
      const orders = yield* Orders
      const others = Object.fromEntries(
        (yield* Effect.all(added(extensions, "mailLinks"))).flatMap((paths) => Object.entries(paths))
      )
      const pathTo = ({ id, kind }: MailLink) => {
        if (kind === "reveal") return accessRequests.makePath(id)
        if (kind === "order") return orders.makePath(id)
        return others[kind]?.(id) ?? Effect.die(new Error(`Nothing makes a link of the kind ${kind}`))
      }
      return MailUrls.of({
        site: publicUrl,
        make: (link) => Effect.map(pathTo(link), (path) => Redacted.make(`${publicUrl}${Redacted.value(path)}`))
      })
    })
  )
