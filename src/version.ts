import packageJson from "../package.json" with { type: "json" }

/** The version of the program, of its API and of its clients. */
export const { version } = packageJson
