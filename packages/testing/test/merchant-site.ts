/**
 * A merchant's site for browser tests: pages of its own, and a record of what browsers post to it.
 *
 * @module
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface MerchantSite {
  /** Another site than the gateway's: `localhost`, where that is `127.0.0.1`. */
  readonly origin: string
  /** What was posted, oldest first. */
  readonly posted: readonly { readonly path: string; readonly fields: Readonly<Record<string, string>> }[]
  /** Serves a page. */
  show(path: string, html: string): string
  /** Answers with this status from now on. */
  answer(status: number): void
  close(): Promise<void>
}

/** Starts a site. Callbacks and what was posted are answered with a heading. */
export async function startMerchantSite(): Promise<MerchantSite> {
  const pages = new Map<string, string>()
  let status = 200
  const posted: { path: string; fields: Record<string, string> }[] = []
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (request.method === 'POST') {
      posted.push({ path: pathname, fields: Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString())) })
    }
    const page = pages.get(pathname) ?? '<!doctype html><title>Shop</title><h1>Welcome back</h1>'
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(page)
  })
  await new Promise<void>(resolve => server.listen(0, 'localhost', resolve))
  const { port } = server.address() as AddressInfo
  const origin = `http://localhost:${port}`
  return {
    origin,
    posted,
    answer(given) {
      status = given
    },
    show(path, html) {
      pages.set(path, html)
      return `${origin}${path}`
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** A page that posts a form, as a merchant's page sends a customer to the bank. */
export function postingForm(action: string, fields: Readonly<Record<string, string>>, target = '_self'): string {
  const inputs = Object.entries(fields).map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`)
  return `<!doctype html><title>Shop</title><iframe name="frame" title="3DS"></iframe><form method="post" action="${action}" target="${target}">${inputs.join('')}<button>Go on</button></form>`
}
