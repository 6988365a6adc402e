/** A JSON object from the JSON texts of its members: they may be megabytes, which parsing them again would block for. */
export const objectText = (members: Readonly<Record<string, string>>): string =>
  `{${Object.entries(members)
    .map(([name, text]) => `${JSON.stringify(name)}:${text}`)
    .join(",")}}`
