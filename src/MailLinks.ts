import { Effect, Layer, Redacted } from "effect"
import { added } from "./Extension.ts"
import { extensions } from "./extensions.ts"
import { AccessRequests } from "./keys/AccessRequests.ts"
import { MailUrls } from "./mail/MailWorker.ts"
import { Orders } from "./orders/Orders.ts"

/** The paths of the links of the service itself. */
const own = Effect.gen(function* () {
  const { makePath: reveal } = yield* AccessRequests
  const { makePath: order } = yield* Orders
  return { reveal, order }
})

/** The links in emails of all rooms and extensions; `publicUrl` is the address of this service. */
export const layer = (publicUrl: string) =>
  Layer.effect(
    MailUrls,
    Effect.gen(function* () {
      const sources = [own, ...added(extensions, "mailLinks")]
      const tables = yield* Effect.all(sources)
      const pathTo = new Map(tables.flatMap((paths) => Object.entries(paths)))
      return MailUrls.of({
        site: publicUrl,
        make: ({ id, kind }) => {
          const path = pathTo.get(kind)
          return path === undefined
            ? Effect.die(new Error(`Nothing makes a link of the kind ${kind}`))
            : Effect.map(path(id), (path) => Redacted.make(`${publicUrl}${Redacted.value(path)}`))
        }
      })
    })
  )
