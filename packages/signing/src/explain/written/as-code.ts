import { controlItems } from '../../index.js'
import { type ControlToWrite, type OAuthToWrite, type RequestToWrite, variableOf } from './request.js'

/**
 * Writes a request as a module of JavaScript or TypeScript: this package signs it right, `fetch` sends it. The key and what is
 * secret come from the environment; the key itself is in none of it.
 */
export function asCode(request: RequestToWrite): string {
  const { url, parameters, accept, signing } = request
  const { imported, before, headers, more } =
    signing.scheme === 'control' ? controlPieces(signing) : oauthPieces(signing)
  const form = parameters.map(
    ([name, value]) => `  [${text(name)}, ${value === undefined ? setting(variableOf(name)) : text(value)}],`,
  )
  const allHeaders = [
    ...(accept === undefined ? [] : [`accept: ${text(accept)}`]),
    "'content-type': 'application/x-www-form-urlencoded'",
    ...headers,
  ]
  return [
    ...imported,
    '',
    `const url = new URL(${text(url.href)})`,
    'const parameters: [name: string, value: string][] = [',
    ...form,
    ']',
    ...before,
    '',
    'const answer = await fetch(url, {',
    "  method: 'POST',",
    `  headers: { ${allHeaders.join(', ')} },`,
    `  body: encodeForm(${more === undefined ? 'parameters' : `[...parameters, ${more}]`}),`,
    "  redirect: 'error',",
    '})',
    'console.log(answer.status, await answer.text())',
    '',
  ].join('\n')
}

interface Pieces {
  readonly imported: readonly string[]
  /** Statements that sign. */
  readonly before: readonly string[]
  readonly headers: readonly string[]
  /** One more parameter of the form. */
  readonly more?: string
}

function controlPieces({ field, operation = '', items }: ControlToWrite): Pieces {
  const names = items.map(({ name }) => name)
  const rows: Readonly<Record<string, readonly string[]>> = controlItems
  const isRow = Object.hasOwn(rows, operation) && rows[operation]?.join() === names.join()
  const values = items.map(({ name, value }) => `${property(name)}: ${text(value)}`)
  return {
    imported: [`import { ${isRow ? 'controlItems, ' : ''}controlValue, encodeForm } from '@tillkit/signing'`],
    before: [
      'const control = controlValue(',
      `  ${isRow ? `controlItems.${operation}` : `[${names.map(text).join(', ')}]`},`,
      `  { ${values.join(', ')} },`,
      `  ${setting('CONTROL_KEY')},`,
      ')',
    ],
    headers: [],
    more: `[${text(field)}, control]`,
  }
}

function oauthPieces({ scheme, consumerKey }: OAuthToWrite): Pieces {
  const isHmac = scheme === 'HMAC-SHA1'
  const names = isHmac ? 'encodeForm, hmacSha1Signer' : 'encodeForm, importPrivateKey, rsaSha256Signer'
  const signer = isHmac
    ? `hmacSha1Signer({ consumerSecret: ${setting('CONTROL_KEY')} })`
    : `rsaSha256Signer(importPrivateKey(${setting('PRIVATE_KEY')}))`
  return {
    imported: [
      "import { randomUUID } from 'node:crypto'",
      `import { createRequestSigner, ${names} } from '@tillkit/signing'`,
    ],
    before: [
      'const requestSigner = createRequestSigner({',
      `  consumerKey: ${text(consumerKey)},`,
      `  signer: ${signer},`,
      '})',
      'const authorization = await requestSigner.header({',
      '  url,',
      '  parameters,',
      '  timestamp: Math.floor(Date.now() / 1000),',
      '  nonce: randomUUID(),',
      '})',
    ],
    headers: ['authorization'],
  }
}

const setting = (name: string): string => `process.env.${name} ?? ''`

const property = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : text(name))

/** Writes a string as the code here does: in single quotes, everything else escaped as JSON does. */
const text = (value: string): string =>
  `'${JSON.stringify(value)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", "\\'")
    .replace(/[\u2028\u2029]/g, escaped)}'`

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16)}`
