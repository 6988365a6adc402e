import { Effect, Option, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import type { Credits } from "../credits/Credits.ts"
import type { LedgerEntry } from "../credits/Ledger.ts"
import { csvLine } from "../input/Csv.ts"
import type { ApiKey } from "../keys/ApiKey.ts"
import { kindNames } from "./accountLedger.ts"
import { isoTime } from "../text/Times.ts"

/** The number of entries read at a time: other requests are answered in between. */
const readAtOnce = 500

const header = csvLine(["created_at", "kind", "delta", "balance_after", "reference", "what", "sub_key"])

const lineOf = ({ balanceAfter, createdAt, delta, kind, reference, subKey }: LedgerEntry): string =>
  csvLine([isoTime(createdAt), kind, delta, balanceAfter, reference, kindNames[kind], subKey ?? null])

/** Every entry of a key's ledger as a CSV file, newest first, sent as it is read. */
export const ledgerCsv = (
  { history }: Credits["Service"],
  { id, secretPrefix }: ApiKey
): HttpServerResponse.HttpServerResponse => {
  const lines = Stream.paginate(Number.MAX_SAFE_INTEGER, (before) =>
    Effect.map(history(id, readAtOnce, before), (entries) => {
      const last = entries.at(-1)
      const isMore = entries.length === readAtOnce && last !== undefined
      return [entries.map(lineOf), isMore ? Option.some(last.id) : Option.none<number>()] as const
    })
  )
  return HttpServerResponse.stream(Stream.encodeText(Stream.concat(Stream.make(header), lines)), {
    contentType: "text/csv; charset=utf-8",
    headers: { "content-disposition": `attachment; filename="credits-${secretPrefix}.csv"` }
  })
}
