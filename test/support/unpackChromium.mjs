// Unpacks the browser and its libraries from the npm package into the temporary folder.
import chromium from "@sparticuz/chromium"

await chromium.executablePath()
