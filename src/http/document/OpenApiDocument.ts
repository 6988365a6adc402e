import { Predicate } from "effect"

/** An object of an OpenAPI document; it may be added to. */
export type Node = Record<string, unknown>

/** The object at a path of names in a document, if there is one. */
export const nodeAt = (root: unknown, ...path: ReadonlyArray<string>): Node | undefined => {
  const found = path.reduce<unknown>((node, name) => (Predicate.isObject(node) ? node[name] : undefined), root)
  return Predicate.isObject(found) ? found : undefined
}

/** An operation of a document, with its method and path. */
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
