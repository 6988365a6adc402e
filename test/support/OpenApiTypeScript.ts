import { registerHooks } from "node:module"

// openapi-typescript writes with the compiler API of TypeScript 5, which TypeScript 7 no longer has. It gets the
// TypeScript 5 inside @ts-morph/common, because an alias of the package itself would replace the repository's `tsc`
// with a second one.
const typescript5 = `data:text/javascript,${encodeURIComponent(
  `import { ts } from ${JSON.stringify(import.meta.resolve("@ts-morph/common"))}; export default ts`
)}`

/** The types that openapi-typescript generates from a document. */
export const typesOf = async (document: object): Promise<string> => {
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === "typescript" && context.parentURL?.includes("/openapi-typescript/") === true
        ? { url: typescript5, format: "module", shortCircuit: true }
        : next(specifier, context)
  })
  try {
    const { astToString, default: openapiTypeScript } = await import("openapi-typescript")
    return astToString(await openapiTypeScript(Buffer.from(JSON.stringify(document)), { silent: true }))
  } finally {
    hooks.deregister()
  }
}
