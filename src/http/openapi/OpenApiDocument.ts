import { Predicate } from "effect"

/** A part of an OpenAPI document, which can be added to. */
export type Node = Record<string, unknown>

/** What stands at a path of names in a document, if it is an object. */
export const nodeAt = (root: unknown, ...path: ReadonlyArray<string>): Node | undefined => {
  const found = path.reduce<unknown>((node, name) => (Predicate.isObject(node) ? node[name] : undefined), root)
  return Predicate.isObject(found) ? found : undefined
}

/** An operation of a document, with where it stands. */
interface Operation {
  readonly method: string
  readonly path: string
  readonly operation: Node
}

/** Every operation of a document. */
export const operationsOf = (spec: object): ReadonlyArray<Operation> =>
  Object.entries(nodeAt(spec, "paths") ?? {}).flatMap(([path, methods]) =>
    Object.entries(Predicate.isObject(methods) ? methods : {}).flatMap(([method, operation]) =>
      Predicate.isObject(operation) ? [{ method, path, operation }] : []
    )
  )
