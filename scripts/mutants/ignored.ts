// Code that is not mutated: names and texts that no test of behaviour should check. Nothing else is skipped.

/** The parts of a node of Babel's syntax tree that the rules use. */
interface Node {
  readonly type: string
  readonly name?: string
  readonly object?: Node
  readonly property?: Node
  readonly callee?: Node
  readonly arguments?: ReadonlyArray<Node>
  readonly key?: Node
  readonly properties?: ReadonlyArray<Node>
  readonly init?: Node
  readonly params?: ReadonlyArray<Node>
}

interface NodePath {
  readonly node: Node
  readonly parentPath: NodePath | null
  readonly scope: { readonly getBinding: (name: string) => { readonly path: NodePath } | undefined }
}

/** The name of a called function: `Effect.fn`, `Context.Service()`. */
const nameOf = (node: Node | undefined): string =>
  node === undefined
    ? ""
    : node.type === "CallExpression"
      ? `${nameOf(node.callee)}()`
      : node.type === "MemberExpression"
        ? `${nameOf(node.object)}.${nameOf(node.property)}`
        : (node.name ?? "")

const isText = ({ type }: Node) => type === "StringLiteral" || type === "TemplateLiteral"

const isIn = (object: NodePath | null | undefined, callee: RegExp) =>
  object?.node.type === "ObjectExpression" && callee.test(nameOf(object.parentPath?.node.callee))

const isDocumentation = ({ key, type }: Node) =>
  type === "ObjectProperty" && /^(description|examples|identifier|title|wireExamples)$/.test(key?.name ?? "")

/**
 * The parameters of functions by their declarations, recorded early because a function with mutants is replaced by
 * other code.
 */
const parameters = new WeakMap<Node, ReadonlyArray<Node>>()

const noteParameters = (node: Node) => {
  const { params } = node.init ?? {}
  if (params !== undefined) parameters.set(node, params)
}

/** The parameter that an argument is passed for, if the function is declared above in the same file. */
const parameterOf = ({ node, parentPath, scope }: NodePath) => {
  const { arguments: passed = [], callee } = parentPath?.node ?? {}
  const declaration = scope.getBinding(callee?.name ?? "")?.path.node
  return declaration && parameters.get(declaration)?.[passed.indexOf(node)]?.name
}

const rules: Readonly<Record<string, (path: NodePath) => boolean>> = {
  "a name of a span or a service": ({ node, parentPath }) =>
    isText(node) && /^Effect\.(fn|withSpan)$|^Context\.Service\(\)$/.test(nameOf(parentPath?.node.callee)),

  "a name of a background job in the log": ({ node, parentPath }) =>
    node.type === "ObjectProperty" && node.key?.name === "name" && isIn(parentPath, /^BackgroundJob\.layer$/),

  // Logging is behaviour: the block around it is mutated.
  "a text or a field of the log": ({ node, parentPath }) =>
    (isText(node) && /^Effect\.log\w*$/.test(nameOf(parentPath?.node.callee))) ||
    (node.type === "ObjectExpression" && nameOf(parentPath?.node.callee) === "Effect.annotateLogs"),

  // The message of a defect, a failure that no code handles.
  "the text of a defect": ({ node, parentPath }) =>
    isText(node) && parentPath?.node.type === "NewExpression" && nameOf(parentPath.node.callee) === "Error",

  // Checks and their messages are mutated; the documentation of a schema is not.
  "documentation of a schema": (path) =>
    (isDocumentation(path.node) && isIn(path.parentPath, /\.annotate(Key)?$/)) ||
    (isIn(path, /\.annotate(Key)?$/) && path.node.properties?.every(isDocumentation) === true) ||
    (isText(path.node) && parameterOf(path) === "description")
}

/** The export that StrykerJS loads. */
export const strykerPlugins = [
  {
    kind: "Ignore",
    name: "what no test should see",
    value: {
      shouldIgnore: (path: NodePath) => {
        noteParameters(path.node)
        return Object.entries(rules).find(([, holds]) => holds(path))?.[0]
      }
    }
  }
]
