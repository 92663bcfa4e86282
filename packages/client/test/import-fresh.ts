import { fileURLToPath } from 'node:url'

let imports = 0

/**
 * Loads one module anew, and what it imports as it is: `vi.resetModules` would load everything anew, in this file and in all that follow.
 */
export function importFresh<Module>(url: URL): Promise<Module> {
  imports += 1
  return import(/* @vite-ignore */ `${fileURLToPath(url)}?fresh=${imports}`)
}
