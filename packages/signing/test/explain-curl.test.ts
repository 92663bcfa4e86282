/** Reads curl commands as they are copied. */
import { describe, expect, it } from 'vitest'
import { isCurl, readCurl } from '../src/explain/index.js'

const url = 'http://127.0.0.1:4010/paynet/api/v2/sale/39'
const read = (command: string) => {
  const found = readCurl(command)
  return found.kind === 'read'
    ? { ...found.request, url: found.request.url.href, headers: [...found.request.headers] }
    : found.text
}

describe('readCurl', () => {
  it.each([
    ['of a terminal', `curl -d 'a=1&b=x+y' -d "c=%C3%A9" ${url}`],
    [
      'of a document',
      `$ curl \\\n  --data 'a=1' \\\n  --data-urlencode 'b=x y' --data-urlencode c=é \\\n  '${url}' | jq .`,
    ],
    ['with short options together', `curl -sSXPOST -da=1 -d'b=x y' -dc=é "${url}" > /dev/null`],
    ['of Firefox', `curl '${url}' -X POST --data-raw $'a=1&b=x y&c=\\u00e9'`],
    ['of a browser on Windows', `curl ^"${url}^" ^\r\n  --data-raw ^"a=1^&b=x y^&c=^%^C3^%^A9^"`],
    [
      'with options that change nothing',
      `curl --max-time 3 -o out.json -k a=1 --data 'a=1&b=x y&c=é' -A agent ${url}`.replace('-k a=1', '-k'),
    ],
  ])('reads a command %s', (_title, command) => {
    expect(read(command)).toEqual({
      method: 'POST',
      url,
      headers: [],
      parameters: [
        ['a', '1'],
        ['b', 'x y'],
        ['c', 'é'],
      ],
    })
  })

  it.each([
    ['short options', `-${'s'.repeat(18_000)}XPUT`],
    ['options together', `${'-sS '.repeat(4_500)} -X PUT`],
    ['words', `${'-s '.repeat(6_000)} -XPUT`],
  ])('reads 18,000 characters of %s, and no more', (_title, options) => {
    expect(read(`curl ${options} -da=1 ${url}`)).toMatchObject({ method: 'PUT', url, parameters: [['a', '1']] })
    expect(read(`curl ${options} -da=${'1'.repeat(3_000)} ${url}`)).toContain('longer')
  })

  it('reads headers, a method, and data that goes into the query', () => {
    expect(
      read(`curl -G -H 'Accept: a/b' -H "AUTHORIZATION: OAuth a=\\"1\\"" --data-urlencode 'q=x y' ${url}?p=1`),
    ).toEqual({
      method: 'GET',
      url: `${url}?p=1&q=x%20y`,
      headers: [
        ['accept', 'a/b'],
        ['authorization', 'OAuth a="1"'],
      ],
      parameters: [],
    })
  })

  it.each([
    ['curl', 'no address'],
    ['curl ftp://a.example', 'no address'],
    [`curl -d "amount=$AMOUNT" ${url}`, 'variable'],
    [`curl -d amount=$(cat amount) ${url}`, 'variable'],
    [`curl -d 'amount=1 ${url}`, 'not closed'],
    [`curl -F amount=1 ${url}`, 'multipart'],
    [`curl -d @form ${url}`, 'file'],
    [`curl -H 'Content-Type: application/json' -d '{}' ${url}`, 'Content-Type'],
    [`curl -d 'a=%zz' ${url}`, 'escape'],
  ])('says why it cannot read %s', (command, text) => {
    expect(readCurl(command)).toEqual({ kind: 'unreadable', text: expect.stringContaining(text) })
  })

  it('tells a command from other texts', () => {
    expect(['curl x', ' $ curl x', 'curl.exe x'].map(isCurl)).toEqual([true, true, true])
    expect(['curls x', 'POST&http', ''].map(isCurl)).toEqual([false, false, false])
  })
})
