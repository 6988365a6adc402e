import { Effect, Option } from "effect"
import { check, report, text } from "./Variable.ts"

const isPublicUrl = (url: string) => /^https?:$/.test(URL.parse(url)?.protocol ?? "") && !/[?#@\s]/.test(url)

/** Reads PUBLIC_URL, which is required in production, and removes its trailing slashes. */
export const publicUrl = Effect.fnUntraced(function* (isProduction: boolean) {
  const url = yield* text("PUBLIC_URL").pipe(
    check("PUBLIC_URL", isPublicUrl, "be an http or https URL without a query, like https://forecast.example")
  )
  if (isProduction && Option.isNone(url)) {
    yield* report("PUBLIC_URL must be set in production, for example to https://forecast.example")
  }
  return Option.map(url, (url) => url.replace(/\/+$/, ""))
})
