/** Packages that stay outside of dist/main.js: those in CommonJS, and those that are loaded only when they are configured. */
export const external = ["nodemailer", "stripe"]
