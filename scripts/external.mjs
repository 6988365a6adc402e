/** Packages that are not bundled into dist/main.js: CommonJS packages, and those that are loaded only if configured. */
export const external = ["nodemailer", "stripe"]
