import { Effect, Layer, Redacted } from "effect"
import { AccessRequests } from "./keys/AccessRequests.ts"
import { KeyId } from "./KeyId.ts"
import type { MailLink } from "./mail/Mail.ts"
import { MailUrls } from "./mail/MailWorker.ts"
import { Notices } from "./notices/Notices.ts"
import { Orders } from "./orders/Orders.ts"

/** The links in emails of all rooms; `publicUrl` is the address of this service. */
export const layer = (publicUrl: string) =>
  Layer.effect(
    MailUrls,
    Effect.gen(function* () {
      const accessRequests = yield* AccessRequests
      const notices = yield* Notices
      const orders = yield* Orders
      const pathTo = ({ id, kind }: MailLink) => {
        switch (kind) {
          case "reveal":
            return accessRequests.makePath(id)
          case "order":
            return orders.makePath(id)
          case "unsubscribe":
            return notices.makePath(KeyId.make(id))
        }
      }
      return MailUrls.of({
        site: publicUrl,
        make: (link) => Effect.map(pathTo(link), (path) => Redacted.make(`${publicUrl}${Redacted.value(path)}`))
      })
    })
  )
