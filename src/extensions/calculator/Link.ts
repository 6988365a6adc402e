import { deflateSync } from "node:zlib"
import { contentOf, fragmentOf } from "../tables/Fragment.ts"
import { type NumbersPath, splitAddress } from "./Presets.ts"
import type { FormValues } from "../../site/form.ts"

/** The address of a page with all numbers; past campaigns for which it has no room are in its fragment. */
export const linkOf = (values: FormValues, page?: NumbersPath): string => {
  const { address, left } = splitAddress(values, page)
  return left === undefined ? address : address + fragmentOf(deflateSync(contentOf(left)))
}
