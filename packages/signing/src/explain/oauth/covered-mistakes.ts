/**
 * The table of mistakes in which parameters are covered, RFC 5849 section 3.4.1.3.1.
 *
 * @module
 */
import type { Parameter } from '../../index.js'
import { type BaseStringCandidate, type BaseStringMistakeRow, coveredBy, type SignedRequest } from './request.js'

/** Every mistake in what is covered that is tried. To add one, add a row. */
export const coveredMistakes: readonly BaseStringMistakeRow[] = [
  {
    mistake: 'query-left-out',
    variants: ({ body, protocol }) => [
      covers(
        [...body, ...protocol],
        'the other side does not cover the query; its parameters are covered like the form',
      ),
    ],
  },
  {
    mistake: 'form-left-out',
    variants: ({ query, protocol }) => [
      covers([...query, ...protocol], 'the other side does not cover the form body; is its Content-Type right?'),
    ],
  },
  {
    mistake: 'protocol-left-out',
    variants: ({ query, body }) => [
      covers([...query, ...body], 'the other side does not cover the oauth_* parameters of the header'),
    ],
  },
  {
    mistake: 'form-covered-twice',
    variants: ({ query, body, protocol }) => [
      covers([...query, ...body, ...body, ...protocol], 'the other side covers the form twice'),
      covers([...query, ...query, ...body, ...protocol], 'the other side covers the query twice'),
    ],
  },
  {
    mistake: 'version',
    variants: request => [
      {
        ...covers(
          without(request, 'oauth_version'),
          'oauth_version: the other side does not cover it; what is sent is covered',
        ),
        parameter: 'oauth_version',
      },
      {
        ...covers(
          plusOne(request, ['oauth_version', '1.0']),
          'oauth_version: the other side covers it; it is not in the header',
        ),
        parameter: 'oauth_version',
      },
    ],
  },
  {
    mistake: 'empty-token',
    variants: request => [
      {
        ...covers(
          plusOne(request, ['oauth_token', '']),
          'oauth_token: the other side covers an empty one; it is not in the header',
        ),
        parameter: 'oauth_token',
      },
    ],
  },
  {
    mistake: 'realm-covered',
    variants: request =>
      [request.realm ?? '', ''].map(realm => ({
        ...covers(plusOne(request, ['realm', realm]), 'realm: the other side covers it; it is left out'),
        parameter: 'realm',
      })),
  },
  {
    mistake: 'signature-covered',
    variants: request =>
      [request.signature ?? '', ''].map(signature => ({
        ...covers(
          plusOne(request, ['oauth_signature', signature]),
          'oauth_signature: the other side covers the signature itself; it must be left out',
        ),
        parameter: 'oauth_signature',
      })),
  },
  {
    mistake: 'empty-values-left-out',
    variants: request => [
      covers(
        coveredBy(request).filter(([, value]) => value !== ''),
        'the other side leaves out parameters with an empty value; they are covered as "name="',
      ),
      {
        variant: { write: ([name, value]) => (value === '' ? name : `${name}=${value}`) },
        text: 'the other side writes parameters with an empty value without "="; they are covered as "name="',
      },
    ],
  },
  {
    mistake: 'repeated-names-left-out',
    variants: request => [
      covers([...new Map(coveredBy(request))], 'the other side keeps the last of repeated names; all are covered'),
      covers(
        [...new Map([...coveredBy(request)].reverse())],
        'the other side keeps the first of repeated names; all are covered',
      ),
      covers(
        joined(request, ','),
        'the other side joins the values of repeated names with ","; each is covered on its own',
      ),
      covers(
        [...new Map(coveredBy(request).map(pair => [JSON.stringify(pair), pair])).values()],
        'the other side covers a repeated name and value once; each is covered',
      ),
    ],
  },
  {
    mistake: 'white-space',
    variants: request => [
      values(
        request,
        value => value.trim(),
        'the other side removes white space around values; they are covered as sent',
      ),
      values(request, value => value.replace(/\r?\n/g, '\r\n'), 'the other side has CR LF for line breaks'),
      values(request, value => value.replaceAll('\r\n', '\n'), 'the other side has LF for line breaks'),
    ],
  },
  {
    mistake: 'decoded-twice',
    variants: request => [
      values(
        request,
        value => value.replaceAll('+', ' '),
        'the other side turns "+" in values into spaces: it decodes twice',
      ),
      values(request, decodeOnce, 'the other side decodes values twice'),
    ],
  },
  {
    mistake: 'plus-not-decoded',
    variants: ({ url, query, body, protocol }) => {
      const raw = url.search.replaceAll('+', '%2B')
      const literal = raw === url.search ? query : [...new URLSearchParams(raw)]
      return [
        covers(
          [...literal, ...body, ...protocol],
          'the other side keeps "+" in the query; there it stands for a space',
        ),
      ]
    },
  },
  {
    mistake: 'parameter-left-out',
    *variants(request) {
      for (const parameter of coveredBy(request)) {
        const [name] = parameter
        const text = `${name}: the other side does not cover it`
        yield { variant: { altered: { parameter, isLeftOut: true } }, text, parameter: name }
      }
    },
  },
  {
    mistake: 'value-left-empty',
    *variants(request) {
      for (const parameter of coveredBy(request)) {
        const [name] = parameter
        const text = `${name}: the other side covers it with an empty value`
        yield { variant: { altered: { parameter, isLeftOut: false } }, text, parameter: name }
      }
    },
  },
]

const covers = (parameters: readonly Parameter[], text: string): BaseStringCandidate => ({
  variant: { parameters },
  text,
})

const without = (request: SignedRequest, left: string): readonly Parameter[] =>
  coveredBy(request).filter(([name]) => name !== left)

const plusOne = (request: SignedRequest, more: Parameter): readonly Parameter[] => [...coveredBy(request), more]

function values(request: SignedRequest, change: (value: string) => string, text: string): BaseStringCandidate {
  return covers(
    coveredBy(request).map(([name, value]) => [name, change(value)]),
    text,
  )
}

function decodeOnce(value: string): string {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '))
  } catch {
    return value
  }
}

function joined(request: SignedRequest, separator: string): readonly Parameter[] {
  const lists = new Map<string, string[]>()
  for (const [name, value] of coveredBy(request)) {
    const list = lists.get(name)
    if (list === undefined) lists.set(name, [value])
    else list.push(value)
  }
  return [...lists].map(([name, list]) => [name, list.join(separator)])
}
