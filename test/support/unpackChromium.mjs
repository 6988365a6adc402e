// Unpacks what the npm package brings into the folder for temporary files, the browser and the libraries that it needs.
import chromium from "@sparticuz/chromium"

await chromium.executablePath()
