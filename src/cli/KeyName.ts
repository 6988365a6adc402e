import { Argument } from "effect/cli"

/** The argument that identifies a key. */
export const keyName = Argument.String("key").pipe(
  Argument.withDescription("The key's ID or prefix, as shown by keys list, or the key itself")
)
