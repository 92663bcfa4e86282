import type { Parameter } from '../../index.js'
import { decodeOnce } from '../control/text-mistakes.js'
import type { BaseStringMistakeRow, BaseStringVariant, SignedRequest } from './request.js'

/** Mistakes in which parameters are covered, RFC 5849 section 3.4.1.3.1. To add one, add a row. */
export const coveredMistakes: readonly BaseStringMistakeRow[] = [
  {
    mistake: 'query-left-out',
    text: 'the other side does not cover the query; its parameters are covered like the form',
    variants: ({ body, protocol }) => [{ parameters: [...body, ...protocol] }],
  },
  {
    mistake: 'form-left-out',
    text: 'the other side does not cover the form body; is its Content-Type right?',
    variants: ({ query, protocol }) => [{ parameters: [...query, ...protocol] }],
  },
  {
    mistake: 'protocol-left-out',
    text: 'the other side does not cover the oauth_* parameters of the header',
    variants: ({ query, body }) => [{ parameters: [...query, ...body] }],
  },
  {
    mistake: 'form-covered-twice',
    text: 'the other side covers the form twice',
    variants: ({ query, body, protocol }) => [{ parameters: [...query, ...body, ...body, ...protocol] }],
  },
  {
    mistake: 'form-covered-twice',
    text: 'the other side covers the query twice',
    variants: ({ query, body, protocol }) => [{ parameters: [...query, ...query, ...body, ...protocol] }],
  },
  {
    mistake: 'version',
    parameter: 'oauth_version',
    text: 'oauth_version: the other side does not cover it; what is sent is covered',
    variants: request => [{ parameters: request.covered.filter(([name]) => name !== 'oauth_version') }],
  },
  {
    mistake: 'version',
    parameter: 'oauth_version',
    text: 'oauth_version: the other side covers it; it is not in the header',
    variants: request => [plus(request, ['oauth_version', '1.0'])],
  },
  {
    mistake: 'empty-token',
    parameter: 'oauth_token',
    text: 'oauth_token: the other side covers an empty one; it is not in the header',
    variants: request => [plus(request, ['oauth_token', ''])],
  },
  {
    mistake: 'realm-covered',
    parameter: 'realm',
    text: 'realm: the other side covers it; it is left out',
    variants: request => [request.realm ?? '', ''].map(realm => plus(request, ['realm', realm])),
  },
  {
    mistake: 'signature-covered',
    parameter: 'oauth_signature',
    text: 'oauth_signature: the other side covers the signature itself; it must be left out',
    variants: request => [request.signature ?? '', ''].map(signature => plus(request, ['oauth_signature', signature])),
  },
  {
    mistake: 'empty-values-left-out',
    text: 'the other side leaves out parameters with an empty value; they are covered as "name="',
    variants: request => [{ parameters: request.covered.filter(([, value]) => value !== '') }],
  },
  {
    mistake: 'empty-values-left-out',
    text: 'the other side writes parameters with an empty value without "="; they are covered as "name="',
    variants: () => [{ write: ([name, value]) => (value === '' ? name : `${name}=${value}`) }],
  },
  {
    mistake: 'repeated-names-left-out',
    text: 'the other side keeps the last of repeated names; all are covered',
    variants: request => [{ parameters: [...new Map(request.covered)] }],
  },
  {
    mistake: 'repeated-names-left-out',
    text: 'the other side keeps the first of repeated names; all are covered',
    variants: request => [{ parameters: [...new Map([...request.covered].reverse())] }],
  },
  {
    mistake: 'repeated-names-left-out',
    text: 'the other side joins the values of repeated names with ","; each is covered on its own',
    variants: request => [{ parameters: joined(request, ',') }],
  },
  {
    mistake: 'repeated-names-left-out',
    text: 'the other side covers a repeated name and value once; each is covered',
    variants: request => [
      { parameters: [...new Map(request.covered.map(pair => [JSON.stringify(pair), pair])).values()] },
    ],
  },
  {
    mistake: 'white-space',
    text: 'the other side removes white space around values; they are covered as sent',
    variants: request => values(request, value => value.trim()),
  },
  {
    mistake: 'white-space',
    text: 'the other side has CR LF for line breaks',
    variants: request => values(request, value => value.replace(/\r?\n/g, '\r\n')),
  },
  {
    mistake: 'white-space',
    text: 'the other side has LF for line breaks',
    variants: request => values(request, value => value.replaceAll('\r\n', '\n')),
  },
  {
    mistake: 'decoded-twice',
    text: 'the other side turns "+" in values into spaces: it decodes twice',
    variants: request => values(request, value => value.replaceAll('+', ' ')),
  },
  {
    mistake: 'decoded-twice',
    text: 'the other side decodes values twice',
    variants: request => values(request, value => decodeOnce(value.replaceAll('+', ' '))),
  },
  {
    mistake: 'plus-not-decoded',
    text: 'the other side keeps "+" in the query; there it stands for a space',
    variants: ({ url, query, body, protocol }) => {
      const raw = url.search.replaceAll('+', '%2B')
      const literal = raw === url.search ? query : [...new URLSearchParams(raw)]
      return [{ parameters: [...literal, ...body, ...protocol] }]
    },
  },
  {
    mistake: 'parameter-left-out',
    text: ({ altered }) => `${altered?.parameter[0]}: the other side does not cover it`,
    variants: ({ covered }) => covered.map(parameter => ({ altered: { parameter, isLeftOut: true } })),
  },
  {
    mistake: 'value-left-empty',
    text: ({ altered }) => `${altered?.parameter[0]}: the other side covers it with an empty value`,
    variants: ({ covered }) => covered.map(parameter => ({ altered: { parameter, isLeftOut: false } })),
  },
]

const plus = (request: SignedRequest, more: Parameter): BaseStringVariant => ({
  parameters: [...request.covered, more],
})

const values = (request: SignedRequest, change: (value: string) => string): BaseStringVariant[] => [
  { parameters: request.covered.map(([name, value]) => [name, change(value)]) },
]

function joined(request: SignedRequest, separator: string): readonly Parameter[] {
  const lists = new Map<string, string[]>()
  for (const [name, value] of request.covered) {
    const list = lists.get(name)
    if (list === undefined) lists.set(name, [value])
    else list.push(value)
  }
  return [...lists].map(([name, list]) => [name, list.join(separator)])
}
