/**
 * The examples of a schema, of which there is one. It is computed when a document or the tools are first written:
 * computing those of all forecasts takes an eighth of a start.
 */
export const exampleComputed = <A>(compute: () => A): ReadonlyArray<A> => {
  let computed: { readonly example: A } | undefined
  return Object.defineProperty(new Array<A>(), 0, {
    enumerable: true,
    get: () => {
      computed ??= { example: compute() }
      return computed.example
    }
  })
}
