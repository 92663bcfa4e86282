/** How an entry of CHANGELOG.md reads: what the author of the changeset wrote, without the hash of a commit. */

/** The text of a changeset as one item of a list. */
export async function getReleaseLine({ summary }) {
  const [first, ...rest] = summary.trim().split('\n')
  return [`- ${first}`, ...rest.map(line => (line === '' ? '' : `  ${line}`))].join('\n')
}

/** Which versions of our other packages a release needs. Of a first release its manifest says so. */
export async function getDependencyReleaseLine(_changesets, dependencies) {
  const updated = dependencies.filter(({ oldVersion }) => oldVersion !== '0.0.0')
  if (updated.length === 0) return ''
  return `- Needs ${updated.map(({ name, newVersion }) => `\`${name}\` ${newVersion}`).join(', ')}.`
}
