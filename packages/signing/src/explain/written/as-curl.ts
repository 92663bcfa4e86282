import { type Parameter, percentEncode, signatureBaseString } from '../../index.js'
import { type ControlToWrite, type OAuthToWrite, placeholders, type RequestToWrite, variableOf } from './request.js'

/**
 * Writes a request as commands for a POSIX shell: OpenSSL signs it right, curl sends it. The key and what is secret come from
 * variables, which the shell demands; the key itself is in none of it.
 *
 * @returns Lines that can be pasted as they are.
 */
export function asCurl(request: RequestToWrite): string {
  const { signing } = request
  const { before, header, field } =
    signing.scheme === 'control' ? controlPieces(signing) : oauthPieces(request, signing)
  const { url, parameters, accept } = request
  const secrets = parameters.filter(([, value]) => value === undefined).map(([name]) => variableOf(name))
  const keys = signing.scheme === 'RSA-SHA256' ? ['PRIVATE_KEY_FILE'] : ['CONTROL_KEY']
  // curl encodes a value, but takes a name as it is: in one that is not encoded, "@" would name a file to be read and sent.
  const data = parameters.map(([name, value]) =>
    value === undefined
      ? `"${percentEncode(name)}=${expanded(variableOf(name))}"`
      : quoted(`${percentEncode(name)}=${value}`),
  )
  const words = [
    `curl ${quoted(url.href)}`,
    ...(accept === undefined ? [] : [`-H ${quoted(`Accept: ${accept}`)}`]),
    ...(header === undefined ? [] : [`-H ${header}`]),
    ...[...data, ...(field === undefined ? [] : [field])].map(each => `--data-urlencode ${each}`),
  ]
  return [`# Set ${[...new Set([...keys, ...secrets])].join(', ')} first.`, ...before, words.join(' \\\n  ')].join('\n')
}

interface Pieces {
  /** Commands that sign. */
  readonly before: readonly string[]
  readonly header?: string
  readonly field?: string
}

function controlPieces({ field, items }: ControlToWrite): Pieces {
  const joined = quoted(items.map(({ value }) => value).join(''))
  const digested = `printf %s ${joined}"${expanded('CONTROL_KEY')}"`
  return {
    before: [`CONTROL=$(${digested} | openssl dgst -sha1 -r | cut -d ' ' -f 1)`],
    field: `"${percentEncode(field)}=$CONTROL"`,
  }
}

/** Stand for what is made anew for each request; nothing in them is encoded. */
const nonce = 'ONCE.NONCE'
const timestamp = 'ONCE.TIMESTAMP'

function oauthPieces(request: RequestToWrite, { scheme, consumerKey }: OAuthToWrite): Pieces {
  const { url, parameters } = request
  const form = placeholders(request)
  const protocol: readonly Parameter[] = [
    ['oauth_consumer_key', consumerKey],
    ['oauth_nonce', nonce],
    ['oauth_signature_method', scheme],
    ['oauth_timestamp', timestamp],
    ['oauth_version', '1.0'],
  ]
  const baseString = signatureBaseString({ method: 'POST', url, parameters: [...form, ...protocol] })
  const secrets = parameters.flatMap(([name, value], place) =>
    value === undefined ? [[form[place]?.[1] ?? '', variableOf(name)] as const] : [],
  )
  const fresh = [
    [nonce, 'NONCE'],
    [timestamp, 'TIMESTAMP'],
  ] as const
  const sign =
    scheme === 'HMAC-SHA1'
      ? `openssl dgst -sha1 -hmac "${expanded('CONTROL_KEY')}&" -binary`
      : `openssl dgst -sha256 -sign "${expanded('PRIVATE_KEY_FILE')}"`
  const written = [...protocol, ['oauth_signature', '']].map(
    ([name = '', value = '']) => `${name}="${percentEncode(value)}"`,
  )
  const header = withVariables(`Authorization: OAuth ${written.join(', ').slice(0, -1)}`, fresh)
  return {
    before: [
      ...(secrets.length === 0
        ? []
        : ['# In the base string, a secret of other characters than letters and digits is percent-encoded twice.']),
      'NONCE=$(openssl rand -hex 16)',
      'TIMESTAMP=$(date +%s)',
      `BASE_STRING=${withVariables(baseString, [...fresh, ...secrets])}`,
      `SIGNATURE=$(printf %s "$BASE_STRING" | ${sign} | openssl base64 -A | sed 's/+/%2B/g; s|/|%2F|g; s/=/%3D/g')`,
    ],
    header: `${header}"$SIGNATURE"'"'`,
  }
}

const expanded = (variable: string): string => `\${${variable}:?}`

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Quotes a text in which variables take the place of what stands for them. */
function withVariables(text: string, variables: readonly (readonly [stands: string, variable: string])[]): string {
  return variables.reduce(
    (written, [stands, variable]) => written.replaceAll(stands, () => `'"${expanded(variable)}"'`),
    quoted(text),
  )
}
