import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { type BrowserRequest, customerBrowser, customerBrowserScript } from './customer-browser.js'

const agent = 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0'

function request(parts: { headers?: object; body?: unknown; ip?: string; remoteAddress?: string }): BrowserRequest {
  const { headers = {}, remoteAddress, ...rest } = parts
  return { headers, socket: { remoteAddress }, ...rest } as unknown as BrowserRequest
}

/** What a browser's script would post: the script run with objects of a browser. */
function posted({ colorDepth = 24, timezoneOffset = -120, language = 'en-GB' } = {}) {
  const inputs: { name: string; value: string }[] = []
  const forms = [{ append: (input: { name: string; value: string }) => inputs.push(input) }]
  runInNewContext(customerBrowserScript, {
    document: {
      querySelectorAll: (selector: string) => (selector === 'form[data-customer-browser]' ? forms : []),
      createElement: () => ({}),
    },
    navigator: { javaEnabled: () => false, language },
    screen: { colorDepth, width: 2560, height: 1440 },
    Date: class {
      getTimezoneOffset() {
        return timezoneOffset
      }
    },
    Object,
  })
  return Object.fromEntries(inputs.map(({ name, value }) => [name, String(value)]))
}

describe('customerBrowser of a Request of the Web', () => {
  const headers = {
    accept: 'text/html',
    'user-agent': agent,
    'accept-language': 'de-AT',
    'x-forwarded-for': '198.51.100.66',
  }
  const visit = new Request('https://shop.example/pay', { headers })

  it('takes the headers, the address that is handed in, and the form in whatever shape the framework has it', () => {
    const form = posted()
    const data = new FormData()
    for (const [name, value] of Object.entries(form)) data.set(name, value)
    const expected = customerBrowser(request({ headers, ip: '203.0.113.7', body: form }))
    for (const body of [form, data, new URLSearchParams(form), `${new URLSearchParams(form)}&name=%C8%E2`]) {
      expect(customerBrowser(visit, { remoteAddress: '203.0.113.7', body })).toEqual(expected)
    }
  })

  it('is refused without that address, whatever a header says, and says where frameworks have it', () => {
    expect(() => customerBrowser(visit)).toThrow(/\{ remoteAddress \}\. Hono .* Next\.js/)
  })
})

describe('customerBrowser', () => {
  it('takes from headers what headers say, and a browser without the script for one that runs none', () => {
    const headers = { accept: 'text/html', 'user-agent': agent, 'accept-language': 'de-AT,de;q=0.8' }
    expect(customerBrowser(request({ headers, ip: '203.0.113.7' }))).toEqual({
      ipAddress: '203.0.113.7',
      customerBrowserInfo: true,
      customerBrowserAcceptHeader: 'text/html',
      customerBrowserUserAgent: agent,
      customerBrowserJavascriptEnabled: false,
      customerBrowserJavaEnabled: false,
      customerBrowserAcceptLanguage: 'de-AT',
    })
  })

  it('takes from the form what the script wrote into it', () => {
    expect(customerBrowser(request({ body: posted() }))).toMatchObject({
      customerBrowserAcceptHeader: '*/*',
      customerBrowserJavascriptEnabled: true,
      customerBrowserJavaEnabled: false,
      customerBrowserAcceptLanguage: 'en-GB',
      customerBrowserColorDepth: '24',
      customerBrowserScreenWidth: '2560',
      customerBrowserScreenHeight: '1440',
      customerBrowserTimeZone: '-120',
    })
  })

  it.each([
    ['text', (form: string) => form],
    ['bytes', (form: string) => Buffer.from(form)],
  ])('takes it from a form that was left as %s, and nothing from what is no form', (_kind, left) => {
    const form = new URLSearchParams(posted()).toString()
    const taken = customerBrowser(request({ body: left(form) }))
    expect(taken).toEqual(customerBrowser(request({ body: posted() })))
    for (const body of ['%E0%A4%A', '{"customer_browser_screen_width":"1280"}', '']) {
      expect(customerBrowser(request({ body: left(body) }))).toEqual(customerBrowser(request({})))
    }
  })

  // EMV 3-D Secure knows 1, 4, 8, 15, 16, 24, 32 and 48 bits. Screens of some laptops have 30.
  it.each([
    [30, '24'],
    [32, '32'],
    [48, '48'],
    [1, '1'],
    [0, undefined],
  ])('writes a depth of %d bits as %s', (colorDepth, expected) => {
    expect(customerBrowser(request({ body: posted({ colorDepth }) })).customerBrowserColorDepth).toBe(expected)
  })

  it('leaves out what makes no sense, whatever a form says', () => {
    const body = {
      customer_browser_color_depth: '24; drop',
      customer_browser_screen_width: ['1', '2'],
      customer_browser_screen_height: 'ø',
      customer_browser_time_zone: '1e9',
      customer_browser_accept_language: '<script>',
    }
    expect(Object.keys(customerBrowser(request({ body, headers: { 'accept-language': '*' } })))).toEqual([
      'customerBrowserInfo',
      'customerBrowserAcceptHeader',
      'customerBrowserJavascriptEnabled',
      'customerBrowserJavaEnabled',
    ])
  })

  it.each([
    [{ remoteAddress: '::ffff:203.0.113.7' }, '203.0.113.7'],
    [{ remoteAddress: 'fe80::1%eth0' }, 'fe80::1'],
    [{ remoteAddress: '2001:db8::ffff:1' }, '2001:db8::ffff:1'],
    [{ ip: '198.51.100.4', remoteAddress: '10.0.0.1' }, '198.51.100.4'],
    [{}, undefined],
    // What proxies write into X-Forwarded-For, and what customers do where an application trusts all of it.
    [{ ip: '203.0.113.7:51234' }, '203.0.113.7'],
    [{ ip: '[2001:db8::7]:51234' }, '2001:db8::7'],
    [{ ip: 'unknown', remoteAddress: '10.0.0.1' }, undefined],
    [{ ip: '<script>', remoteAddress: '10.0.0.1' }, undefined],
    [{ ip: '203.0.113.777' }, undefined],
    [{ ip: '1'.repeat(9000) }, undefined],
  ])('writes the address of %j as %s', (parts, expected) => {
    expect(customerBrowser(request(parts)).ipAddress).toBe(expected)
  })
})
