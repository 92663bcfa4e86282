/**
 * Where the project stands on the web. `repository` of the root package.json is the one place that has the address.
 *
 * The accident it prevents: seven packages and twenty pages with an address each, and one of them that is forgotten when the project moves.
 * npm takes an address from each package.json, and none from the workspace.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './workspaces.js'

/** The address without a slash at its end, and whether it is still the placeholder: `.example` is a name that nobody can own. */
export function projectAddress() {
  const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const url = repository.url.replace(/^git\+/, '').replace(/\.git$/, '')
  return { url, isPlaceholder: new URL(url).hostname.endsWith('.example') }
}

/** The name of the git tag of a release. */
export const tagOf = ({ name, version }) => `${name}@${version}`

/** What the package.json of a published package says of where it comes from. */
export function addressFields(directory) {
  const { url } = projectAddress()
  return {
    homepage: `${url}/tree/main/${directory}#readme`,
    bugs: { url: `${url}/issues` },
    repository: { type: 'git', url: `git+${url}.git`, directory },
  }
}

/** A file or a folder of the repository at a tag, in the forms of GitHub: a page to read, a list of files, an image to show. */
export function fileAddress(path, tag, { isFolder = false } = {}) {
  const form = isFolder ? 'tree' : /\.(?:png|jpe?g|gif|webp|svg)$/.test(path) ? 'raw' : 'blob'
  return `${projectAddress().url}/${form}/${tag}/${path}`
}
