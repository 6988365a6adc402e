import { contentOf, fragmentOf } from "../../tables/Fragment.ts"
import { splitAddress } from "../Presets.ts"
import type { FormValues } from "../../../site/form.ts"

/** The same address as in the service, without its library. */
export const linkOf = async (values: FormValues): Promise<string> => {
  const { address, left } = splitAddress(values)
  if (left === undefined) return address
  const deflated = new Blob([contentOf(left)]).stream().pipeThrough(new CompressionStream("deflate"))
  return address + fragmentOf(new Uint8Array(await new Response(deflated).arrayBuffer()))
}
