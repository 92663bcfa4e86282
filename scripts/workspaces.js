/** Where the workspace's packages are. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Every package and example: its directory below the root, and its package.json. */
export function workspaces() {
  return ['packages', 'examples']
    .flatMap(parent => readdirSync(join(root, parent)).map(name => join(parent, name)))
    .filter(directory => existsSync(join(root, directory, 'package.json')))
    .map(directory => ({
      directory,
      manifest: JSON.parse(readFileSync(join(root, directory, 'package.json'), 'utf8')),
    }))
}
