/**
 * As much of a registry as `npm view` and `npm publish` need, in memory, for the check of the release.
 *
 * Without it a release would meet a lost answer for the first time when it counts. Registries that can be installed, such as Verdaccio,
 * lose no answer on purpose.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

/**
 * `answers` says of a package what its next publication meets: `refuse`; `time out`, which does not show it; after it was taken, `lose the
 * answer`, as a second attempt of npm meets it, `drop the answer`, or `fall silent`: from then on nobody is told of the package, until
 * `silent` forgets it.
 */
export async function smallRegistry() {
  const packages = new Map()
  const answers = new Map()
  const silent = new Set()
  const puts = []
  const take = (name, { versions, 'dist-tags': tags }) => {
    const before = packages.get(name) ?? { name, versions: {}, 'dist-tags': {} }
    packages.set(name, {
      name,
      versions: { ...before.versions, ...versions },
      'dist-tags': { ...before['dist-tags'], ...tags },
    })
  }
  const server = createServer(async (request, response) => {
    const name = decodeURIComponent(request.url.slice(1))
    if (silent.has(name)) return request.socket.destroy()
    if (request.method === 'GET') return answer(response, packages.has(name) ? 200 : 404, packages.get(name) ?? {})
    const document = JSON.parse(await text(request))
    puts.push(name)
    const how = answers.get(name)
    answers.delete(name)
    if (how === 'time out') return answer(response, 408, {})
    if (how !== 'refuse') take(name, document)
    if (how === 'fall silent') silent.add(name)
    if (how === 'fall silent' || how === 'drop the answer') return request.socket.destroy()
    return answer(response, how === undefined ? 200 : 403, {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `http://127.0.0.1:${server.address().port}`,
    packages,
    answers,
    silent,
    puts,
    add: (name, version) =>
      take(name, { versions: { [version]: { name, version } }, 'dist-tags': { latest: version } }),
    close: () => server.close(),
  }
}

function answer(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
